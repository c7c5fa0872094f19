package transport_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/rwtest"
)

// A channel that is added while the last one of a connection ends, and the connection with it, is read like any other.
func TestChannelWhileConnectionEnds(t *testing.T) {
	for seed := range runs(t, 150) {
		synctest.Test(t, func(t *testing.T) {
			n := rwtest.NewNetwork(rwtest.Seed(seed), rwtest.EachLink(func(l *rwtest.Link) { l.Latency(0, time.Millisecond) }))
			rwtest.MustClose(t, n)
			w := newWorld(t, network(n, options{producers: 2}))
			var wg sync.WaitGroup
			for i := range 2 {
				wr := w.writer(i)
				wg.Go(func() {
					if err := produce(w.ctx, wr, i, 10, ""); err != nil {
						t.Error(err)
					}
				})
				wg.Go(func() {
					time.Sleep(time.Duration(i) * time.Duration(seed) * 50 * time.Microsecond)
					g, err := gate.New(gate.Config{Sources: []gate.Source{w.channel(i, 0)}})
					if err != nil {
						t.Error(err)
						return
					}
					r, err := gate.NewReader(g, serializer(t))
					if err != nil {
						t.Error(err)
						return
					}
					defer r.Close()
					count := 0
					for _, err := range r.All(w.ctx) {
						if err != nil {
							t.Errorf("producer %d: %v", i, err)
							return
						}
						count++
					}
					if count != 10 {
						t.Errorf("producer %d: %d records", i, count)
					}
				})
			}
			wg.Wait()
			w.close()
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
