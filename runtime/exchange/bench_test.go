package exchange_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/writer"
)

// BenchmarkPairs carries 16-byte records from one producer to n partitions by key hash, with a consumer goroutine for each.
func BenchmarkPairs(b *testing.B) {
	for _, policy := range []struct {
		name string
		opt  writer.Option
	}{{"idle", nil}, {"full", writer.FlushOnFull()}} {
		for _, n := range []int{1, 4, 100, 1000} {
			b.Run(fmt.Sprintf("%s/partitions=%d", policy.name, n), func(b *testing.B) {
				ctx := context.Background()
				x, err := exchange.New(exchange.Config{Producers: 1, Consumers: n})
				if err != nil {
					b.Fatal(err)
				}
				w, err := newPairByIDWriter(x.Partition(0), policy.opt)
				if err != nil {
					b.Fatal(err)
				}
				var wg sync.WaitGroup
				var mu sync.Mutex
				var sum, count uint64
				for i := range n {
					r, err := newPairReader(x.Gate(i))
					if err != nil {
						b.Fatal(err)
					}
					wg.Go(func() {
						defer r.Close()
						var v pair
						var s, c uint64
						for {
							ok, err := r.Next(ctx, &v)
							if err != nil {
								b.Error(err)
							}
							if !ok {
								break
							}
							s += v.ID
							c++
						}
						mu.Lock()
						sum += s
						count += c
						mu.Unlock()
					})
				}
				b.SetBytes(16)
				b.ReportAllocs()
				b.ResetTimer()
				v := pair{Value: 1}
				var want uint64
				for i := range b.N {
					v.ID = uint64(i) * 0x9e3779b97f4a7c15
					want += v.ID
					if err := w.Emit(ctx, &v); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
				wg.Wait()
				b.StopTimer()
				if count != uint64(b.N) || sum != want {
					b.Fatalf("%d records with sum %d arrived, want %d with %d", count, sum, b.N, want)
				}
				if err := x.Close(ctx); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrec/s")
			})
		}
	}
}
