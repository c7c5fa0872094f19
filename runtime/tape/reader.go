package tape

import (
	"context"
	"fmt"
	"iter"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// Reader reads the records of one tape, of any type, through a [record.Serializer]. It is for one goroutine at a time, and needs no closing.
type Reader[T any] struct {
	cursor *Cursor
	ser    record.Serializer[T]
	tape   *Tape
	err    error // sticky

	translation *record.Translation // nil: the tape has the reader's schema
	scratch     []byte              // of the record that was translated last
}

// NewReader returns a reader at the start of the tape, or where the options say. The tape may have been
// recorded under another schema, if the reader can read that: see record.Resolve. Else it fails with partition.ErrSchema and a record.ResolveError that names each field. Options that are wrong are errors of the
// first Next.
func NewReader[T any](t *Tape, ser record.Serializer[T], opts ...ReadOption) (*Reader[T], error) {
	var resolve []record.ResolveOption
	o := gatherRead(opts)
	if o.known {
		resolve = append(resolve, record.RefuseUnknown())
	}
	s, h := ser.Schema(), t.header.Schema
	translation, err := record.Resolve(h, s, resolve...)
	if err != nil {
		return nil, fmt.Errorf("tape: %w", partition.SchemaError("the tape", h, "the reader", s, err))
	}
	return &Reader[T]{cursor: t.cursor(o), ser: ser, tape: t, translation: translation}, nil
}

// Next reads the next record into v, reusing what v has. Errors are those of [Cursor.Next], and a gate.CorruptError for a record that cannot be decoded, which is sticky. v owns everything it refers to
// afterwards; after an error its contents are unspecified.
func (r *Reader[T]) Next(ctx context.Context, v *T) (bool, error) {
	if r.err != nil {
		return false, r.err
	}
	src, ok, err := r.cursor.Next(ctx)
	if !ok {
		return false, err
	}
	n, err := r.decode(src, v)
	if err == nil && n != len(src) {
		err = fmt.Errorf("%w: bytes are left over after the %d of the record", wire.ErrCorrupt, n)
	}
	if err != nil {
		lane, number := r.cursor.Last()
		r.err = &gate.CorruptError{Producer: r.tape.header.Topology.Producer, Channel: lane, Record: number, Cause: err}
	}
	return r.err == nil, r.err
}

// decode reads one record from src and returns how many bytes of it it took.
func (r *Reader[T]) decode(src []byte, v *T) (int, error) {
	if r.translation == nil {
		return r.ser.ConsumeLimits(src, v, r.tape.limits)
	}
	p, consumed, err := r.translation.Append(r.scratch[:0], src, r.tape.limits)
	if err != nil {
		return 0, err
	}
	r.scratch = p
	n, err := r.ser.ConsumeLimits(p, v, r.tape.limits)
	if err == nil && n != len(p) {
		err = fmt.Errorf("%w: bytes are left over after the %d of the translated record", wire.ErrCorrupt, n)
	}
	return consumed, err
}

// All returns the records one after the other, each in a value of its own that may be kept. An error is the last thing it yields, with a nil record. Breaking out of the loop leaves the reader as it is.
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

// Last returns the place of the record that was read last. See [Cursor.Last].
func (r *Reader[T]) Last() (lane int, record uint64) { return r.cursor.Last() }

// Watermark returns how far event time has come. See [Cursor.Watermark].
func (r *Reader[T]) Watermark() (micros int64, ok bool) { return r.cursor.Watermark() }
