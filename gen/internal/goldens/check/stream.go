package check

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Writer is what generated writers have in common.
type Writer[T any] interface {
	Emit(ctx context.Context, v *T) error
	EmitBatch(ctx context.Context, batch []T) (int, error)
	TryEmit(v *T) (full int, err error)
	Broadcast(ctx context.Context, v *T) error
	Available(channel int) bool
	Ready(channel int) <-chan struct{}
	Core() *writer.Core
	Stats() metrics.Writer
	Flush() error
	Close() error
	CloseWithError(cause error) error
}

// Reader is what generated readers have in common.
type Reader[T any] interface {
	Next(ctx context.Context, v *T) (bool, error)
	NextBatch(ctx context.Context, dst []T) (int, error)
	TryNext(v *T) (ok, ended bool, err error)
	All(ctx context.Context) iter.Seq2[*T, error]
	Last() gate.Origin
	Watermark() (time.Time, bool)
	Backlog() int64
	Core() *gate.Core
	Stats() metrics.Reader
	Close() error
	CloseWithError(cause error) error
}

// Stream sends records through an exchange: list[i] from producer i. It returns what each consumer has read.
func Stream[T any, W Writer[T], R Reader[T]](
	t *testing.T, consumers int, list [][]T,
	newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (R, error),
) [][]*T {
	t.Helper()
	return StreamBy(t, consumers, list, newWriter, newReader, func(ctx context.Context, w W, records []T) error {
		for k := range records {
			if err := w.Emit(ctx, &records[k]); err != nil {
				return err
			}
		}
		return nil
	})
}

// StreamBy is Stream with another way to write the records of one producer. Everything that writers draw at random follows from one seed.
func StreamBy[T any, W Writer[T], R Reader[T]](
	t *testing.T, consumers int, list [][]T,
	newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (R, error),
	write func(context.Context, W, []T) error,
) [][]*T {
	t.Helper()
	return streamBy(t, consumers, list, newWriter, newReader, write, func(ctx context.Context, r R) (got []*T, err error) {
		for v, err := range r.All(ctx) {
			if err != nil {
				return nil, err
			}
			got = append(got, v)
		}
		return got, nil
	})
}

// streamBy is StreamBy with another way to read the records of one consumer.
func streamBy[T any, W Writer[T], R Reader[T]](
	t *testing.T, consumers int, list [][]T,
	newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (R, error),
	write func(context.Context, W, []T) error, read func(context.Context, R) ([]*T, error),
) [][]*T {
	t.Helper()
	ctx := t.Context()
	x, err := exchange.New(exchange.Config{Producers: len(list), Consumers: consumers})
	if err != nil {
		t.Fatal(err)
	}
	for i, records := range list {
		w, err := newWriter(x.Partition(i), writer.WithSeed(1))
		if err != nil {
			t.Fatal(err)
		}
		if err := write(ctx, w, records); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	got := make([][]*T, consumers)
	for i := range got {
		r, err := newReader(x.Gate(i))
		if err != nil {
			t.Fatal(err)
		}
		if got[i], err = read(ctx, r); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Close(ctx); err != nil {
		t.Fatal(err)
	}
	return got
}
