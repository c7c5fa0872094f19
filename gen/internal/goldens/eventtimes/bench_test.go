package eventtimes

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/writer"
)

// What watermarks cost, against a writer without.
func BenchmarkEmit(b *testing.B) {
	b.Run("untimed", func(b *testing.B) { emit(b, NewReadingUntimedWriter) })
	b.Run("monotonic", func(b *testing.B) { emit(b, NewReadingByMillisWriter) })
	b.Run("time", func(b *testing.B) { emit(b, NewReadingByTimeWriter) })
}

func emit[W check.Writer[Reading]](b *testing.B, newWriter func(writer.Output, ...writer.Option) (W, error)) {
	const readers = 4
	ctx := b.Context()
	x := open(b, 1, readers)
	w, err := newWriter(x.Partition(0))
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan error, readers)
	for i := range readers {
		r, err := NewReadingReader(x.Gate(i))
		if err != nil {
			b.Fatal(err)
		}
		go func() {
			defer r.Close()
			batch := make([]Reading, 100)
			for {
				if n, err := r.NextBatch(ctx, batch); n == 0 {
					done <- err
					return
				}
			}
		}()
	}
	list := make([]Reading, 1000)
	for i := range list {
		list[i] = reading(int64(i))
	}
	b.SetBytes(43)
	i := 0
	for b.Loop() {
		if err := w.Emit(ctx, &list[i%len(list)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	for range readers {
		if err := <-done; err != nil {
			b.Error(err)
		}
	}
}

// NextBatch against Next, on what stands in one block.
func BenchmarkRead(b *testing.B) {
	const records = 500
	for _, size := range []int{1, 10, 100} {
		b.Run(map[int]string{1: "Next", 10: "NextBatch by 10", 100: "NextBatch by 100"}[size], func(b *testing.B) {
			ctx := b.Context()
			x := open(b, 1, 1)
			w, err := NewReadingUntimedWriter(x.Partition(0))
			if err != nil {
				b.Fatal(err)
			}
			r, err := NewReadingReader(x.Gate(0))
			if err != nil {
				b.Fatal(err)
			}
			list, got := make([]Reading, records), make([]Reading, size)
			for b.Loop() {
				b.StopTimer()
				if _, err := w.EmitBatch(ctx, list); err != nil {
					b.Fatal(err)
				}
				if err := w.Flush(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				for n := 0; n < records; {
					if size == 1 {
						_, err = r.Next(ctx, &got[0])
						n++
					} else {
						var k int
						k, err = r.NextBatch(ctx, got)
						n += k
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
			if err := w.Close(); err != nil {
				b.Error(err)
			}
			if err := r.Close(); err != nil {
				b.Error(err)
			}
		})
	}
}
