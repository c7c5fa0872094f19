package check

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Reads tests that a reader returns the same records whichever of its methods reads them, and says where they come from. The writer must put the same records into the same channels each
// time.
func Reads[T any, W Writer[T], R Reader[T]](
	t *testing.T, consumers int, list []T,
	newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (R, error), opts ...Option,
) {
	t.Helper()
	if _, err := newReader(nil); !errors.Is(err, gate.ErrNoGate) {
		t.Errorf("a reader of nothing: %v", err)
	}
	producers := [][]T{list}
	write := func(ctx context.Context, w W, records []T) error {
		for i := range records {
			if err := w.Emit(ctx, &records[i]); err != nil {
				return err
			}
		}
		return nil
	}
	want := StreamBy(t, consumers, producers, newWriter, newReader, write)
	ways := map[string]func(context.Context, R) ([]*T, error){
		"Next": func(ctx context.Context, r R) (got []*T, err error) {
			return got, eachRecord(r, func(v *T) (ok, ended bool, err error) {
				ok, err = r.Next(ctx, v)
				return ok, !ok, err
			}, func(v *T) { got = append(got, v) })
		},
		"TryNext": func(ctx context.Context, r R) (got []*T, err error) {
			return got, eachRecord(r, func(v *T) (ok, ended bool, err error) {
				if i, err := gate.Select(ctx, r); i != 0 || err != nil {
					return false, false, fmt.Errorf("reader %d was selected, %w", i, err)
				}
				return r.TryNext(v)
			}, func(v *T) { got = append(got, v) })
		},
	}
	for _, size := range []int{1, 7, len(list) + 1} {
		ways[fmt.Sprintf("NextBatch by %d", size)] = func(ctx context.Context, r R) (got []*T, err error) {
			if n, err := r.NextBatch(ctx, nil); n != 0 || !errors.Is(err, gate.ErrEmptyBatch) {
				return nil, fmt.Errorf("an empty batch: %d, %w", n, err)
			}
			for {
				dst := make([]T, size) // not used again, so that the records can be kept
				n, err := r.NextBatch(ctx, dst)
				if n == 0 || err != nil {
					return got, err
				}
				for i := range dst[:n] {
					got = append(got, &dst[i])
				}
				if last := r.Last(); last.Producer != 0 || last.Seq != uint64(len(got)-1) {
					return nil, fmt.Errorf("record %d is said to come from %+v", len(got)-1, last)
				}
			}
		}
	}
	for name, read := range ways {
		SameChannels(t, name, want, streamBy(t, consumers, producers, newWriter, newReader, write, read), opts...)
	}
}

// eachRecord reads records one by one to the end, and checks where they are said to come from.
func eachRecord[T any, R Reader[T]](r R, next func(*T) (ok, ended bool, err error), got func(*T)) error {
	if last := r.Last(); last.Producer != -1 {
		return fmt.Errorf("before the first record: the last one came from %+v", last)
	}
	for n := uint64(0); ; n++ {
		v := new(T)
		ok, ended, err := next(v)
		switch {
		case err != nil:
			return err
		case ended && !ok:
			return nil
		case !ok:
			return errors.New("a reader that was said to be ready had nothing")
		}
		if last := r.Last(); last.Producer != 0 || last.Seq != n {
			return fmt.Errorf("record %d is said to come from %+v", n, last)
		}
		got(v)
	}
}
