package schema

import "github.com/rwgen/rwgen/gen/ir"

// MostMemory is the size from which on a type is too large.
const MostMemory = 1 << 62

// pointerSize is the size of an address on a 64-bit machine, for which sizes are computed wherever the generator runs.
const pointerSize = 8

// Sizer computes how much memory types take on a 64-bit machine. The zero value is ready for use.
type Sizer struct{ known map[*ir.Type]layout }

// layout is the size and alignment of a type; size is negative if it is too large.
type layout struct{ size, align int64 }

// Set sets the size of t, and of all types that t holds by value. It returns false if one is too large. No type may hold itself by value.
//
// What is not made of fields has its size already: a codec, with its alignment.
func (s *Sizer) Set(t *ir.Type) bool { return s.of(t).size >= 0 }

// Known tells the size and the alignment of a type that is not made of fields.
func (s *Sizer) Known(t *ir.Type, size, align int64) {
	if s.known == nil {
		s.known = make(map[*ir.Type]layout)
	}
	s.known[t] = layout{size, align}
	t.GoSize = size
}

func (s *Sizer) of(t *ir.Type) layout {
	if l, ok := s.known[t]; ok {
		return l
	}
	l := s.compute(t)
	if s.known == nil {
		s.known = make(map[*ir.Type]layout)
	}
	s.known[t] = l
	t.GoSize = l.size
	return l
}

func (s *Sizer) compute(t *ir.Type) layout {
	switch t.Kind {
	case ir.Bool, ir.Int8, ir.Uint8:
		return layout{1, 1}
	case ir.Int16, ir.Uint16:
		return layout{2, 2}
	case ir.Int32, ir.Uint32, ir.Float32:
		return layout{4, 4}
	case ir.Complex64:
		return layout{8, 4}
	case ir.Int64, ir.Int, ir.Uint64, ir.Uint, ir.Uintptr, ir.Float64:
		return layout{8, 8}
	case ir.Complex128:
		return layout{16, 8}
	case ir.Pointer, ir.Map:
		return layout{pointerSize, pointerSize}
	case ir.String, ir.Union:
		return layout{2 * pointerSize, pointerSize}
	case ir.Slice, ir.Bytes, ir.Time:
		if t.Kind == ir.Bytes && t.Elem != nil {
			s.of(t.Elem)
		}
		return layout{3 * pointerSize, pointerSize}
	case ir.Array:
		elem := s.of(t.Elem)
		if elem.size < 0 || elem.size > 0 && t.Len > MostMemory/elem.size {
			return layout{-1, elem.align}
		}
		return layout{elem.size * t.Len, elem.align}
	case ir.Struct:
		return s.fields(t)
	}
	return layout{t.GoSize, pointerSize} // a codec of which Known was not told
}

func (s *Sizer) fields(t *ir.Type) layout {
	sum := layout{0, 1}
	for i, f := range t.Fields {
		l := s.of(f.Type)
		if l.size < 0 || sum.size > MostMemory-l.size {
			return layout{-1, 1}
		}
		sum.size = roundUp(sum.size, l.align) + l.size
		sum.align = max(sum.align, l.align)
		if i == len(t.Fields)-1 && l.size == 0 && sum.size > 0 {
			sum.size++ // so that the address of the last field stays inside
		}
	}
	sum.size = roundUp(sum.size, sum.align)
	return sum
}

func roundUp(n, align int64) int64 { return (n + align - 1) / align * align }
