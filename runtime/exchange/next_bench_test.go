package exchange_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// NextBatch reads like that of generated readers.
func (r *pairReader) NextBatch(ctx context.Context, dst []pair) (n int, err error) {
	src, ok := r.core.Frame()
	if !ok {
		if src, ok, err = r.core.Fill(ctx); !ok {
			return 0, err
		}
	}
	for {
		k, err := (pairSerializer{}).Consume(src, &dst[n])
		if err != nil || k != len(src) {
			return n, r.core.Corrupt(k, err)
		}
		if n++; n == len(dst) {
			return n, nil
		}
		if src, ok = r.core.Frame(); !ok {
			if src, ok = r.core.More(); !ok {
				return n, nil
			}
		}
	}
}

// BenchmarkNext is the reading of 16-byte records alone, which were written before, by a reader of the shape that the generator emits: one by one, as borrowed bytes, and in batches. An operation is one
// record.
func BenchmarkNext(b *testing.B) {
	dst := make([]pair, 1000)
	ways := []struct {
		name string
		read func(r *pairReader) (int, error)
	}{
		{"Next", func(r *pairReader) (int, error) { _, err := r.Next(context.Background(), &dst[0]); return 1, err }},
		{"NextBytes", func(r *pairReader) (int, error) { _, _, err := r.core.NextBytes(context.Background()); return 1, err }},
	}
	for _, size := range []int{1, 10, 100, 1000} {
		ways = append(ways, struct {
			name string
			read func(r *pairReader) (int, error)
		}{fmt.Sprintf("NextBatch=%d", size), func(r *pairReader) (int, error) { return r.NextBatch(context.Background(), dst[:size]) }})
	}
	for _, way := range ways {
		b.Run(way.name, func(b *testing.B) {
			x := newExchange(b, exchange.Config{Producers: 1, Consumers: 1})
			w, err := newPairByIDWriter(x.Partition(0))
			if err != nil {
				b.Fatal(err)
			}
			r, err := newPairReader(x.Gate(0))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for left := b.N; left > 0; {
				const round = 32_000
				b.StopTimer()
				var v pair
				for i := range round {
					v.ID = uint64(i)
					if err := w.Emit(b.Context(), &v); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.core.Flush(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				todo := min(round, left)
				for got := 0; got < todo; {
					n, err := way.read(r)
					if err != nil {
						b.Fatal(err)
					}
					got += n
				}
				b.StopTimer()
				for n := 1; n > 0; { // what is left of a last, short round
					_, ok, _, err := r.core.TryNextBytes()
					if err != nil {
						b.Fatal(err)
					}
					if !ok {
						n = 0
					}
				}
				left -= todo
			}
			_, _ = w.Close(), r.Close()
			mustClose(b, x)
		})
	}
}
