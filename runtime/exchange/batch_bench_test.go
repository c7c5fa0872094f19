package exchange_test

import (
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
)

// BenchmarkReading writes records on one goroutine and reads them with a generic reader, one by one (0) and in batches. An operation is one record, written and read.
func BenchmarkReading(b *testing.B) {
	for _, size := range []int{0, 10, 100, 1000} {
		b.Run(fmt.Sprintf("batch=%d", size), func(b *testing.B) {
			x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
			if err != nil {
				b.Fatal(err)
			}
			w, err := newPairByIDWriter(x.Partition(0))
			if err != nil {
				b.Fatal(err)
			}
			r, err := gate.NewReader(x.Gate(0), pairSerializer{})
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]pair, max(size, 1))
			b.ReportAllocs()
			for left := b.N; left > 0; {
				const round = 2000
				for i := range round {
					dst[0].ID = uint64(i)
					if err := w.Emit(b.Context(), &dst[0]); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.core.Flush(); err != nil {
					b.Fatal(err)
				}
				for got := 0; got < round; {
					n := 1
					if size == 0 {
						_, err = r.Next(b.Context(), &dst[0])
					} else {
						n, err = r.NextBatch(b.Context(), dst)
					}
					if err != nil {
						b.Fatal(err)
					}
					got += n
				}
				left -= round
			}
			_, _ = w.Close(), r.Close()
			if err := x.Close(b.Context()); err != nil {
				b.Fatal(err)
			}
		})
	}
}
