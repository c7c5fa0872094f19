package record

import (
	"fmt"
	"math"
	"reflect"

	"github.com/rwgen/rwgen/runtime/wire"
)

// Reflect returns a serializer of T that works by reflection. It writes and reads the same bytes as generated code, and has
// the same schema: it is for programs that do without a generator, for types whose code one cannot generate, and the reference that
// generated code is tested against. It looks at the type once, here, so callers keep the result rather than call Reflect for
// each record.
//
// T must be a struct. Every field is encoded, exported or not, except blank fields and those tagged rw:"-". Interfaces are encoded if they are unions,
// see [UnionOf], and types with an encoding of their own by that: FORMAT.md, section 3, has the rule. The error is, or
// joins several, [TypeError]s if a part of T has no encoding: a channel, function, other interface or unsafe pointer, a struct of
// another package with unexported fields and no encoding of its own, a tag that is not understood, a map key with fields outside the
// format or that is or holds a time.Time or union, or a type that contains itself without a named struct in between.
//
// Writing allocates nothing unless the record has maps, unions, or types with an encoding of their own. Reading into a record that was used before keeps its slices and maps
// where they are large enough, down to those of the elements of slices; so no two slices of it may share memory. Fields outside the
// format keep their values in the record itself and in structs that stand in it, and are zero in everything else. A pointer
// or interface is always set to a fresh variable or nil. Fields tagged view share the memory of the source.
//
// Cyclic data is an error that is [wire.ErrDepth]; its Size is without meaning. A nil *T panics.
func Reflect[T any](opts ...ReflectOption) (Serializer[T], error) {
	s, err := reflectSerializer[T](false, opts...)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// reflectSerializer is Reflect with a choice: portable serializers treat numbers one by one, as all do on machines whose
// memory is not as the wire.
func reflectSerializer[T any](portable bool, opts ...ReflectOption) (*reflective[T], error) {
	rt := reflect.TypeFor[T]()
	d, schema, err := describe(rt, opts...)
	if err != nil {
		return nil, err
	}
	return &reflective[T]{root: d.compile(rt, portable), schema: schema, budget: d.allocates(), unordered: d.nestsInMaps()}, nil
}

// reflective is the serializer that Reflect returns. It does not change after it was made.
type reflective[T any] struct {
	root   *plan
	schema Schema
	budget bool // reading may allocate
	// unordered says that what is nested too deeply may stand in a map, so that Put and Size, which walk maps in orders of their own, need not meet it after the same bytes.
	unordered bool
}

// Schema implements [Serializer].
func (s *reflective[T]) Schema() Schema { return s.schema }

// Size implements [Serializer]. For a record beyond 2³¹−1 bytes it returns a number beyond that, or equal to it where an int
// has 32 bits.
func (s *reflective[T]) Size(v *T) int {
	size, _ := s.measure(v)
	return int(min(size, math.MaxInt))
}

// measure returns the size of v, or of the part of it before the place that is nested too deeply. A writer that makes that
// much room meets the same place and its error.
func (s *reflective[T]) measure(v *T) (size int64, tooDeep bool) {
	size = s.root.size(ptr(v), 0, DefaultMaxDepth)
	if size < 0 {
		return -1 - size, true
	}
	return size, false
}

// Put implements [Serializer].
func (s *reflective[T]) Put(dst []byte, v *T) (int, error) {
	n, err := s.root.put(dst, 0, ptr(v), DefaultMaxDepth)
	if err == wire.ErrShort && s.unordered {
		if _, tooDeep := s.measure(v); tooDeep {
			err = errDepth // rather than ask for a room that Size does not know
		}
	}
	if err != nil {
		return 0, err
	}
	return n, nil
}

// Append implements [Serializer].
func (s *reflective[T]) Append(dst []byte, v *T) ([]byte, error) {
	n, err := s.Put(dst[len(dst):cap(dst)], v)
	if err == nil {
		return dst[:len(dst)+n], nil
	}
	if err != wire.ErrShort {
		return dst, err
	}
	size, tooDeep := s.measure(v)
	if tooDeep {
		return dst, errDepth
	}
	if size > maxSize {
		return dst, fmt.Errorf("record of %d bytes or more, above %d: %w", size, maxSize, wire.ErrLimit)
	}
	need := len(dst) + int(size)
	grown := make([]byte, need, max(need, 2*cap(dst))) // doubled, so that appending many records copies each a few times at most
	n, err = s.Put(grown[copy(grown, dst):], v)
	if err != nil {
		return dst, err
	}
	return grown[:len(dst)+n], nil
}

// Consume implements [Serializer].
func (s *reflective[T]) Consume(src []byte, v *T) (int, error) {
	return s.ConsumeLimits(src, v, Limits{})
}

// ConsumeLimits implements [Serializer].
func (s *reflective[T]) ConsumeLimits(src []byte, v *T, limits Limits) (int, error) {
	var budget *wire.Budget
	if s.budget {
		b := limits.Budget()
		budget = &b
	}
	n, err := s.root.get(src, 0, ptr(v), budget)
	if err == nil {
		if err = limits.CheckSize(n); err == nil {
			return n, nil
		}
		return 0, err
	}
	if _, ok := err.(*wire.Error); !ok {
		err = &wire.Error{Offset: n, Err: err}
	}
	return 0, err
}
