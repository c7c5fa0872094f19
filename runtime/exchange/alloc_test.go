package exchange_test

import (
	"context"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// TestNoAllocation checks that a fixed-size record costs no allocation on its way, blocks and look-ups included.
func TestNoAllocation(t *testing.T) {
	for _, policy := range policies {
		t.Run(policy.name, func(t *testing.T) {
			ctx := context.Background()
			x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
			w, err := newPairByIDWriter(x.Partition(0), policy.opt)
			if err != nil {
				t.Fatal(err)
			}
			r, err := newPairReader(x.Gate(0))
			if err != nil {
				t.Fatal(err)
			}
			var v pair
			round := func() {
				for i := range 2000 { // more than the largest block holds
					v.ID = uint64(i)
					if err := w.Emit(ctx, &v); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.core.Flush(); err != nil {
					t.Fatal(err)
				}
				for i := range 2000 {
					if ok, err := r.Next(ctx, &v); !ok || err != nil || v.ID != uint64(i) {
						t.Fatalf("record %d: %v, %v, got %d", i, ok, err, v.ID)
					}
				}
			}
			for range 10 { // blocks grow, rings and free lists fill
				round()
			}
			if n := testing.AllocsPerRun(50, round); n != 0 {
				t.Errorf("%v allocations per 2000 records", n)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			_ = r.Close()
			mustClose(t, x)
		})
	}
}
