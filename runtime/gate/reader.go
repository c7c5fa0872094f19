package gate

import (
	"context"
	"iter"
	"reflect"
	"time"

	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/record"
)

// Reader reads records of any type through a [record.Serializer]: the way in without generated code. It does what generated readers
// do, with one interface call a record more.
//
// All methods but Stats are for one goroutine at a time.
type Reader[T any] struct {
	core *Core
	ser  record.Serializer[T]
}

// NewReader makes the caller the reader of g. Errors are those of [NewCore].
func NewReader[T any](g *Gate, ser record.Serializer[T], opts ...Option) (*Reader[T], error) {
	core, err := NewCore(g, Spec{Record: reflect.TypeFor[T]().Name(), Schema: ser.Schema()}, opts...)
	if err != nil {
		return nil, err
	}
	return &Reader[T]{core: core, ser: ser}, nil
}

// Next reads the next record into v, reusing what v has. It returns false with a nil error when all channels have ended, and false
// with the error of a failed producer, of damaged bytes, or of ctx. After an error of ctx Next may be called again; other errors are sticky. v owns everything
// it refers to afterwards; after an error its contents are unspecified. ctx is asked only when there is nothing to read; to stop in the middle of a backlog, ask ctx in the loop.
//
// What v refers to is read into again by the next call with v: a copy of *v shares its slices, maps and pointers with the records that follow. To keep a record, clone what it refers to, read into another value, or
// take [Reader.All].
func (r *Reader[T]) Next(ctx context.Context, v *T) (bool, error) {
	src, ok := r.core.Frame()
	if !ok {
		var err error
		if src, ok, err = r.core.Fill(ctx); !ok {
			return false, err
		}
	}
	n, err := r.ser.ConsumeLimits(src, v, r.core.Limits())
	if err != nil || n != len(src) {
		return false, r.core.Corrupt(n, err)
	}
	return true, nil
}

// TryNext is Next without waiting. It returns false and no error if there is no record now; ended: because all channels have ended.
func (r *Reader[T]) TryNext(v *T) (ok, ended bool, err error) {
	src, ok := r.core.Frame()
	if !ok {
		if src, ok, ended, err = r.core.TryFill(); !ok {
			return false, ended, err
		}
	}
	n, err := r.ser.ConsumeLimits(src, v, r.core.Limits())
	if err != nil || n != len(src) {
		return false, false, r.core.Corrupt(n, err)
	}
	return true, false, nil
}

// NextBytes returns the payload of the next record, borrowed until the next call and not decoded. See [Core.NextBytes].
func (r *Reader[T]) NextBytes(ctx context.Context) ([]byte, bool, error) {
	return r.core.NextBytes(ctx)
}

// TryNextBytes is NextBytes without waiting. See [Core.TryNextBytes].
func (r *Reader[T]) TryNextBytes() (payload []byte, ok, ended bool, err error) {
	return r.core.TryNextBytes()
}

// NextBatch reads records into dst, reusing what its values have, and returns how many. It waits for the first one like Next; the others are those that can be read without waiting, up to a point where a
// handler is to be called. It returns 0 and no error when all channels have ended, and [ErrEmptyBatch] if dst is empty. With an error n is 0: what was read before one is returned, and the next call returns the error. The
// values own everything they refer to afterwards, until the next call with them: copies of them share their slices, maps and pointers with later records, as with Next. dst[n:] is unspecified.
//
// A batch may hold records of several channels, and [Reader.Last] is the origin of its last one only. Who needs the origin of each reads with Next.
func (r *Reader[T]) NextBatch(ctx context.Context, dst []T) (n int, err error) {
	if len(dst) == 0 {
		return 0, ErrEmptyBatch
	}
	src, ok := r.core.Frame()
	if !ok {
		if src, ok, err = r.core.Fill(ctx); !ok {
			return 0, err
		}
	}
	for {
		k, err := r.ser.ConsumeLimits(src, &dst[n], r.core.Limits())
		if err != nil || k != len(src) {
			if err = r.core.Corrupt(k, err); n > 0 {
				err = nil // it is sticky
			}
			return n, err
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

// All returns the records one after the other, each in a value of its own that may be kept. An error is the last thing it yields, with a nil
// record. Breaking out of the loop leaves the reader as it is: it can go on, and must be closed. ctx is asked only when there is nothing to read; to stop in the middle of a backlog, ask ctx in the loop.
func (r *Reader[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for {
			v := new(T)
			ok, err := r.Next(ctx, v)
			if err != nil {
				yield(nil, err)
				return
			}
			if !ok || !yield(v, nil) {
				return
			}
		}
	}
}

// Last returns where the record that was read last comes from. See [Core.Last].
func (r *Reader[T]) Last() Origin { return r.core.Last() }

// Watermark returns the watermark of all channels together, false before the first. See [Core.Watermark].
func (r *Reader[T]) Watermark() (time.Time, bool) { return r.core.Watermark() }

// Backlog returns how many bytes are waiting to be read. See [Core.Backlog].
func (r *Reader[T]) Backlog() int64 { return r.core.Backlog() }

// Core returns what the reader shares with all others, for [Select].
func (r *Reader[T]) Core() *Core { return r.core }

// Close ends reading. See [Core.Close].
func (r *Reader[T]) Close() error { return r.core.Close() }

// CloseWithError ends reading with a cause for the producers. See [Core.CloseWithError].
func (r *Reader[T]) CloseWithError(cause error) error { return r.core.CloseWithError(cause) }

// Stats returns the reader's counters. From any goroutine.
func (r *Reader[T]) Stats() metrics.Reader { return r.core.Stats() }
