package exchange_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// BenchmarkWatermarks is BenchmarkPairs under the default policy with a watermark every so many records; 0: none.
func BenchmarkWatermarks(b *testing.B) {
	for _, n := range []int{4, 1000} {
		for _, every := range []int{0, 1000, 100, 10} {
			b.Run(fmt.Sprintf("partitions=%d/every=%d", n, every), func(b *testing.B) {
				ctx := context.Background()
				x, err := exchange.New(exchange.Config{Producers: 1, Consumers: n})
				if err != nil {
					b.Fatal(err)
				}
				w, err := newPairByIDWriter(x.Partition(0))
				if err != nil {
					b.Fatal(err)
				}
				var wg sync.WaitGroup
				for i := range n {
					r, err := newPairReader(x.Gate(i))
					if err != nil {
						b.Fatal(err)
					}
					wg.Go(func() {
						defer r.Close()
						var v pair
						for {
							if ok, err := r.Next(ctx, &v); !ok {
								if err != nil {
									b.Error(err)
								}
								return
							}
						}
					})
				}
				b.SetBytes(16)
				b.ReportAllocs()
				b.ResetTimer()
				v := pair{Value: 1}
				left := every
				for i := range b.N {
					v.ID = uint64(i) * 0x9e3779b97f4a7c15
					if err := w.Emit(ctx, &v); err != nil {
						b.Fatal(err)
					}
					if left--; left == 0 {
						left = every
						if err := w.core.Advance(int64(i)); err != nil {
							b.Fatal(err)
						}
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
				wg.Wait()
				b.StopTimer()
				if err := x.Close(ctx); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrec/s")
			})
		}
	}
}
