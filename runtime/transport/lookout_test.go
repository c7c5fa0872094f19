package transport_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
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

// Who decides slowly whether a channel may be read stops no channel that is open, and is told when the connection is over.
func TestSlowAuthorize(t *testing.T) {
	var decide func(ctx context.Context, partition string) error
	virtual(t, options{producers: 2, config: func(s, _ *transport.Config) {
		s.Authorize = func(ctx context.Context, _ transport.Peer, partition string) error { return decide(ctx, partition) }
	}}, func(t *testing.T, n *rwtest.Network, w *world) {
		asked, decided := make(chan string, 10), make(chan error, 10)
		decide = func(ctx context.Context, partition string) error {
			asked <- partition
			if partition == "trades/1" {
				select {
				case <-ctx.Done():
				case <-time.After(10 * time.Second):
				}
			}
			decided <- ctx.Err()
			return ctx.Err()
		}
		done := make(chan error, 2)
		write := func(producer int) *gate.Reader[trade] {
			r, wr := readerOf(t, w.open(producer, 0, nil)), w.writer(producer)
			go func() { done <- errors.Join(emit(w.ctx, wr, 0, 100_000), wr.Close()) }()
			if got, want := <-asked, fmt.Sprintf("trades/%d", producer); got != want {
				t.Fatalf("%q is asked for, want %q", got, want)
			}
			return r
		}
		quick := write(0)
		if err := <-decided; err != nil {
			t.Fatal(err)
		}
		slow := write(1)
		start := time.Now()
		take(t, w, quick, 100_000)
		within(t, start, 0, 5*time.Second)
		n.Link("reader", "writer").Cut()
		if err := <-decided; !errors.Is(err, context.Canceled) {
			t.Errorf("told %v when the connection was over", err)
		}
		for r, want := range map[*gate.Reader[trade]]int{quick: 0, slow: 100_000} { // it is asked for again
			if got, err := readAll(w.ctx, r); got != want || err != nil {
				t.Errorf("%d records, want %d, %v", got, want, err)
			}
		}
		if err := errors.Join(<-done, <-done); err != nil {
			t.Error(err)
		}
	})
}

// A connection that is over answers no more of those that wait, however many are due and however long Config.Authorize takes for each: the next one of the same process begins only when it is done.
func TestManyAreDueAtTheEnd(t *testing.T) {
	const channels = 200
	config := func(s, c *transport.Config) {
		s.Authorize = func(context.Context, transport.Peer, string) error {
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
