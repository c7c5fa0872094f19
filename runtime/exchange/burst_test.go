package exchange_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// TestBurstsArrive sends bursts and then nothing, without Flush: the last record of each burst must be seen although no later one announces it, whether the
// channel was published with fences or, after long bursts, without. A lost announcement is a reader that waits for ever.
func TestBurstsArrive(t *testing.T) {
	bursts := 200
	if testing.Short() {
		bursts = 40
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	const consumers = 2
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: consumers})
	w, err := newPairByIDWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	var arrived atomic.Int64
	done := make(chan error, consumers)
	for c := range consumers {
		r, err := newPairReader(x.Gate(c))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			var v pair
			for {
				ok, err := r.Next(ctx, &v)
				if !ok {
					_ = r.Close()
					done <- err
					return
				}
				arrived.Add(1)
			}
		}()
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	sent := int64(0)
	for i := range bursts {
		n := 1 + rnd.IntN(20)
		if i%2 == 0 {
			n = 10_000 + rnd.IntN(10_000)
		}
		for range n {
			sent++
			if err := w.Emit(ctx, &pair{ID: uint64(sent)}); err != nil {
				t.Fatal(err)
			}
		}
		for arrived.Load() < sent {
			if ctx.Err() != nil {
				t.Fatalf("burst %d: %d of %d records have arrived", i, arrived.Load(), sent)
			}
			time.Sleep(50 * time.Microsecond)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for range consumers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	mustClose(t, x)
}
