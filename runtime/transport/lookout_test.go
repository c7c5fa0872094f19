package transport_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// Very many channels wait for a partition without a goroutine each. They get it when it is published; what was canceled, or waits when the connection is over, is forgotten.
func TestManyWait(t *testing.T) {
	const channels = 500
	for _, how := range []string{"published", "canceled", "elsewhere", "patience over", "left"} {
		t.Run(how, func(t *testing.T) {
			virtual(t, options{hold: true, consumers: channels, budget: transport.BudgetConfig{Bytes: 1 << 20, ExclusiveBytes: 1 << 10}, config: func(_, c *transport.Config) { c.Patience = 8 * time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
				first := w.open(0, 0, nil) // connects
				time.Sleep(time.Second)
				before := runtime.NumGoroutine()
				all := []*transport.Channel{first}
				for i := 1; i < channels; i++ {
					all = append(all, w.open(0, i, nil))
				}
				time.Sleep(time.Second)
				if n := w.registry.Waiting(); n != channels {
					t.Errorf("%d of %d wait", n, channels)
				}
				if n := runtime.NumGoroutine() - before; n > 10 {
					t.Errorf("%d goroutines more for %d channels", n, channels)
				}
				switch how {
				case "published":
					w.publish(0)
					wr := w.writer(0)
					if err := wr.Close(); err != nil {
						t.Error(err)
					}
					for i, ch := range all {
						if n, err := readAll(w.ctx, readerOf(t, ch)); n != 0 || err != nil {
							t.Errorf("channel %d: %d records, %v", i, n, err)
						}
					}
					return
				case "elsewhere":
					defer w.registry.Elsewhere(func(id string) string { return map[string]string{"trades/0": "other"}[id] })()
					time.Sleep(time.Second)
					for _, ch := range all {
						fails(t, ch.Wait(w.ctx), transport.ErrTopology)
					}
				case "patience over":
					time.Sleep(20 * time.Second)
					for _, ch := range all {
						fails(t, ch.Wait(w.ctx), transport.ErrNotFound)
					}
				case "left":
					n.Link("reader", "writer").Cut()
					n.Link("reader", "writer").Drop()
				}
				for _, ch := range all {
					if !ch.Discard() && how != "elsewhere" && how != "patience over" {
						t.Error("not discarded")
					}
				}
				time.Sleep(time.Second)
				if n := w.registry.Waiting(); n != 0 {
					t.Errorf("%d wait", n)
				}
				n.Link("reader", "writer").Heal()
			})
		})
	}
}

// A connection that is over answers no more of those that wait, however many are due and however long Config.Authorize takes for each: the next one of the same process begins only when it is done.
func TestManyAreDueAtTheEnd(t *testing.T) {
	const channels = 200
	config := func(s, c *transport.Config) {
		s.Authorize = func(transport.Peer, string) error {
			time.Sleep(100 * time.Millisecond)
			return nil
		}
		c.GiveUp, c.Patience = 5*time.Second, 8*time.Second
	}
	virtual(t, options{hold: true, consumers: channels, budget: transport.BudgetConfig{Bytes: 1 << 20, ExclusiveBytes: 1 << 10}, config: config}, func(t *testing.T, n *rwtest.Network, w *world) {
		var all []*transport.Channel
		for i := range channels {
			all = append(all, w.open(0, i, nil))
		}
		time.Sleep(time.Second)
		w.publish(0)
		if err := w.writer(0).Close(); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		n.Link("reader", "writer").Cut()
		for i, ch := range all {
			if n, err := readAll(w.ctx, readerOf(t, ch)); n != 0 || err != nil {
				t.Errorf("channel %d: %d records, %v", i, n, err)
			}
		}
	})
}
