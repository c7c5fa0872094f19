package eventtimes

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Writers with event times allocate nothing for records and watermarks, and neither do the methods that read.
func TestAllocs(t *testing.T) {
	t.Run("monotonic", func(t *testing.T) { allocs(t, NewReadingByMillisWriter) })
	t.Run("bounded", func(t *testing.T) { allocs(t, NewReadingByMicrosWriter) })
	t.Run("punctuated", func(t *testing.T) { allocs(t, NewReadingByNanosWriter) })
}

func allocs[W check.Writer[Reading]](t *testing.T, newWriter func(writer.Output, ...writer.Option) (W, error)) {
	const records = 2000
	ctx := t.Context()
	batch, got := make([]Reading, records), make([]Reading, 150)
	now := int64(0)
	ways := map[string]func(W) error{
		"Emit": func(w W) error {
			for i := range batch {
				if err := w.Emit(ctx, &batch[i]); err != nil {
					return err
				}
			}
			return nil
		},
		"EmitBatch": func(w W) error {
			n, err := w.EmitBatch(ctx, batch)
			if n != records {
				return errors.Join(fmt.Errorf("%d of %d records", n, records), err)
			}
			return err
		},
		"TryEmit": func(w W) error {
			for i := range batch {
				if full, err := w.TryEmit(&batch[i]); full >= 0 || err != nil {
					return errors.Join(fmt.Errorf("channel %d is full", full), err)
				}
			}
			return nil
		},
	}
	for name, write := range ways {
		t.Run(name, func(t *testing.T) {
			x := open(t, 1, 1)
			w, err := newWriter(x.Partition(0))
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewReadingReader(x.Gate(0))
			if err != nil {
				t.Fatal(err)
			}
			round := func() {
				for i := range batch {
					now++
					batch[i] = reading(now)
					batch[i].Last = i%64 == 0
				}
				if err := errors.Join(write(w), w.Flush()); err != nil {
					t.Fatal(err)
				}
				for i := 0; i < records; {
					n, err := r.NextBatch(ctx, got)
					if n == 0 || err != nil {
						t.Fatal(n, err)
					}
					for k := range got[:n] {
						if got[k].Clock != batch[i+k].Clock {
							t.Fatalf("reading %d: %+v", i+k, got[k])
						}
					}
					i += n
				}
			}
			for range 10 {
				round()
			}
			before, _ := r.Watermark()
			if n := testing.AllocsPerRun(20, round); n != 0 {
				t.Errorf("%v allocations in %d records", n, records)
			}
			if after, ok := r.Watermark(); !ok || !after.After(before) {
				t.Errorf("the watermark was %v and is %v", before, after)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
