package writer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/wire"
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
	if err := SetUp(sel, out); err != nil {
		return nil, fmt.Errorf("writer: %s: %w", typeName[T](), err)
	}
	core, err := NewCore(out, Spec{Record: typeName[T](), Schema: ser.Schema(), Selection: sel.Kind(), TakesSelector: true}, opts...)
	if err != nil {
		return nil, err
	}
	return &Writer[T]{core: core, ser: ser, selector: sel, channels: core.Channels()}, nil
}

// choose asks the selector, and turns a panic of the user's function into an error, which Core.OutOfRange returns.
func (w *Writer[T]) choose(v *T) (channel int) {
	defer w.core.CatchPanic(&channel)
	return w.selector.Select(v, w.channels)
}

// Emit writes v to the channel that the selector chooses. v is the caller's again when Emit returns.
//
// It waits for memory and for a full channel. A nil error means that v was accepted. Any other error means that it was not, except one that is [ErrConsumerGone]
// or [ErrCanceled], after which it may have been, and nobody may read it. Other errors are that of ctx, [ErrClosed], [RecordTooLargeError], [SelectorError], [ErrChannel], and those of Put of the serializer.
func (w *Writer[T]) Emit(ctx context.Context, v *T) error {
	lane := w.choose(v)
	if uint(lane) >= uint(w.channels) {
		return w.core.OutOfRange(lane)
	}
	b := w.core.Builder(lane)
	if dst, ok := b.Tail(); ok {
		n, err := w.ser.Put(dst, v)
		if err == nil {
			if b.Commit(n) {
				return nil
			}
			return w.core.Announce(lane)
		}
		if refused(err) {
			return w.core.Undo(lane, err)
		}
	}
	return w.emit(ctx, lane, v)
}

// refused says that a serializer will not write the record, whatever the room: then nothing is waited for.
func refused(err error) bool { return err != wire.ErrShort && !errors.Is(err, wire.ErrShort) }

// emit writes a record that does not fit into the open block of its channel.
func (w *Writer[T]) emit(ctx context.Context, lane int, v *T) error {
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

// EmitBatch writes the records of batch like Emit, in order, but tells their readers once, at the end, when it has to wait, and of full blocks. It returns how many
// records were accepted: with an error, those are the first n, and the error is about the next one, or one that Emit may return for accepted records. The records
// are the caller's again when EmitBatch returns.
func (w *Writer[T]) EmitBatch(ctx context.Context, batch []T) (n int, err error) {
	defer w.core.Settle()
	for i := range batch {
		v := &batch[i]
		lane := w.choose(v)
		if uint(lane) >= uint(w.channels) {
			return w.core.EndBatch(i, w.core.OutOfRange(lane))
		}
		b := w.core.Builder(lane)
		if dst, ok := b.Tail(); ok {
			n, err := w.ser.Put(dst, v)
			if err == nil {
				if b.Append(n) {
					w.core.Touch(lane)
				}
				continue
			}
			if refused(err) {
				return w.core.EndBatch(i, w.core.Undo(lane, err))
			}
		}
		if err := w.emit(ctx, lane, v); err != nil {
			return w.core.EndBatch(i, err)
		}
	}
	return w.core.EndBatch(len(batch), nil)
}

// TryEmit is Emit without waiting. full is −1 if v was accepted or there is an error, else the channel that has no room: nothing of v was written, everything
// written before was made readable, and [Writer.Ready] of that channel tells when to try again. A selector with a state of its own, like round robin, has moved on.
func (w *Writer[T]) TryEmit(v *T) (full int, err error) {
	lane := w.choose(v)
	if uint(lane) >= uint(w.channels) {
		return -1, w.core.OutOfRange(lane)
	}
	b := w.core.Builder(lane)
	if dst, ok := b.Tail(); ok {
		n, err := w.ser.Put(dst, v)
		if err == nil {
			if b.Commit(n) {
				return -1, nil
			}
			return -1, w.core.Announce(lane)
		}
		if refused(err) {
			return -1, w.core.Undo(lane, err)
		}
	}
	dst, ok, err := w.core.TryRoom(lane, w.ser.Size(v))
	if err != nil {
		return -1, err
	}
	if !ok {
		return lane, nil
	}
	n, err := w.ser.Put(dst, v)
	if err != nil {
		return -1, w.core.Undo(lane, err)
	}
	return -1, w.core.Place(lane, n)
}

// Broadcast writes v to every channel, whatever the selector; it is encoded once. It waits like Emit. If it fails before v was accepted, no channel has got
// it. An error that is [ErrConsumerGone] comes with a record that all other channels have got.
func (w *Writer[T]) Broadcast(ctx context.Context, v *T) error {
	dst, err := w.core.RoomAll(ctx, w.ser.Size(v))
	if err != nil {
		return err
	}
	n, err := w.ser.Put(dst, v)
	if err != nil {
		return w.core.UndoAll(err)
	}
	return w.core.PlaceAll(n)
}

// Available reports whether a channel could take a small record without waiting; −1: whether every channel could. See [Core.Available].
func (w *Writer[T]) Available(channel int) bool { return w.core.Available(channel) }

// Ready returns a channel that is closed when it is worth trying again what TryEmit has refused for a channel; −1: when every channel has become available. Everything
// written is made readable first. See [Core.Ready].
func (w *Writer[T]) Ready(channel int) <-chan struct{} { return w.core.Ready(channel) }

// Watermark tells all readers that no record with an event time of t or before follows. See [Core.Watermark].
func (w *Writer[T]) Watermark(t time.Time) error { return w.core.Watermark(t) }

// Idle tells all readers whether this producer has stopped writing for now. See [Core.Idle].
func (w *Writer[T]) Idle(idle bool) error { return w.core.Idle(idle) }

// EndOfData tells all readers that no record follows. See [Core.EndOfData].
func (w *Writer[T]) EndOfData(drained bool) error { return w.core.EndOfData(drained) }

// Mark sends a latency marker. See [Core.Mark].
func (w *Writer[T]) Mark() error { return w.core.Mark() }

// Core returns what the writer shares with all others, for a [Delegate].
func (w *Writer[T]) Core() *Core { return w.core }

// Flush makes everything written readable. See [Core.Flush].
func (w *Writer[T]) Flush() error { return w.core.Flush() }

// Close ends the stream. See [Core.Close].
func (w *Writer[T]) Close() error { return w.core.Close() }

// CloseWithError ends the stream with a cause. See [Core.CloseWithError].
func (w *Writer[T]) CloseWithError(cause error) error { return w.core.CloseWithError(cause) }

// Stats returns the writer's counters. From any goroutine.
func (w *Writer[T]) Stats() metrics.Writer { return w.core.Stats() }
