package check

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Ways tests that a writer puts the same records into the same channels in the same order whichever of its methods writes them, and that
// Broadcast puts them into every channel; and that a reader returns the same by each of its methods. It is not for writers that select by load: what they choose depends on more than the records.
func Ways[T any, W Writer[T], R Reader[T]](
	t *testing.T, consumers int, list []T,
	newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (R, error), opts ...Option,
) {
	t.Helper()
	producer := [][]T{list}
	want := Stream(t, consumers, producer, newWriter, newReader)
	for _, size := range []int{1, 7, len(list)} {
		got := StreamBy(t, consumers, producer, newWriter, newReader, func(ctx context.Context, w W, records []T) error {
			if n, err := w.EmitBatch(ctx, nil); n != 0 || err != nil {
				return fmt.Errorf("an empty batch: %d, %w", n, err)
			}
			for len(records) > 0 {
				batch := records[:min(size, len(records))]
				if n, err := w.EmitBatch(ctx, batch); n != len(batch) || err != nil {
					return fmt.Errorf("%d of %d records, %w", n, len(batch), err)
				}
				records = records[len(batch):]
			}
			return nil
		})
		SameChannels(t, fmt.Sprintf("EmitBatch by %d", size), want, got, opts...)
	}
	got := StreamBy(t, consumers, producer, newWriter, newReader, func(_ context.Context, w W, records []T) error {
		for i := range records {
			if full, err := w.TryEmit(&records[i]); full != -1 || err != nil {
				return fmt.Errorf("record %d: channel %d is full, %w", i, full, err)
			}
		}
		return nil
	})
	SameChannels(t, "TryEmit", want, got, opts...)
	all := make([][]*T, consumers)
	for i := range list {
		for channel := range all {
			all[channel] = append(all[channel], &list[i])
		}
	}
	got = StreamBy(t, consumers, producer, newWriter, newReader, func(ctx context.Context, w W, records []T) error {
		for i := range records {
			if err := w.Broadcast(ctx, &records[i]); err != nil {
				return err
			}
		}
		return nil
	})
	SameChannels(t, "Broadcast", all, got, opts...)
	Reads(t, consumers, list, newWriter, newReader, opts...)
}

// SameChannels tests that the same records were read from each channel, in the same order.
func SameChannels[T any](t *testing.T, what string, want, got [][]*T, opts ...Option) {
	t.Helper()
	w := newWorld(opts)
	for channel := range want {
		if len(got[channel]) != len(want[channel]) {
			t.Errorf("%s: %d records in channel %d, want %d", what, len(got[channel]), channel, len(want[channel]))
			continue
		}
		for i, v := range want[channel] {
			if d := w.difference(reflect.ValueOf(v).Elem(), reflect.ValueOf(got[channel][i]).Elem()); d != "" {
				t.Errorf("%s: record %d of channel %d differs: %s", what, i, channel, d)
				break
			}
		}
	}
}
