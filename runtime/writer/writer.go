package writer

import (
	"context"

	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

// Writer writes records of any type through a [record.Serializer]: the way in without generated code. It does what generated
// writers do, with two interface calls a record more; the record it is given escapes to the heap.
//
// All methods but Stats are for one goroutine at a time.
type Writer[T any] struct {
	core     *Core
	ser      record.Serializer[T]
	selector selector.Selector[T]
	channels int
}

// New returns a writer to out. The selector is an option, [selector.RoundRobin] by default. Errors are those of [NewCore].
func New[T any](out Output, ser record.Serializer[T], opts ...Option) (*Writer[T], error) {
	sel, err := SelectorOf[T](opts...)
	if err != nil {
		return nil, err
	}
	if err := sel.Setup(out.Topology()); err != nil {
		return nil, err
	}
	core, err := NewCore(out, Spec{Record: typeName[T](), Schema: ser.Schema(), Selection: sel.Kind()}, opts...)
	if err != nil {
		return nil, err
	}
	return &Writer[T]{core: core, ser: ser, selector: sel, channels: core.Channels()}, nil
}

// Emit writes v to the channel that the selector chooses. v is the caller's again when Emit returns.
//
// It waits for memory and for a full channel. The error is nil if and only if the record was accepted, with one exception: an error that is [ErrConsumerGone]
// or [ErrCanceled] may also come with an accepted record, which then nobody may read.
func (w *Writer[T]) Emit(ctx context.Context, v *T) error {
	lane := w.selector.Select(v, w.channels)
	if uint(lane) >= uint(w.channels) {
		return w.core.OutOfRange(lane)
	}
	b := w.core.Builder(lane)
	if dst, ok := b.Tail(); ok {
		if n, err := w.ser.Put(dst, v); err == nil {
			if b.Commit(n) {
				return nil
			}
			return w.core.Announce(lane)
		}
	}
	dst, err := w.core.Room(ctx, lane, w.ser.Size(v))
	if err != nil {
		return err
	}
	n, err := w.ser.Put(dst, v)
	if err != nil {
		return w.core.Undo(lane, err)
	}
	return w.core.Place(lane, n)
}

// Flush makes everything written readable. See [Core.Flush].
func (w *Writer[T]) Flush() error { return w.core.Flush() }

// Close ends the stream. See [Core.Close].
func (w *Writer[T]) Close() error { return w.core.Close() }

// CloseWithError ends the stream with a cause. See [Core.CloseWithError].
func (w *Writer[T]) CloseWithError(cause error) error { return w.core.CloseWithError(cause) }

// Stats returns the writer's counters. From any goroutine.
func (w *Writer[T]) Stats() metrics.Writer { return w.core.Stats() }
