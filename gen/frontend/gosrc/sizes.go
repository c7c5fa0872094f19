package gosrc

import "go/types"

// sizes knows how much memory types take on a 64-bit machine. Budgets are computed from that, so they are the same on every machine. It
// remembers structs, which [types.Sizes] measures anew wherever they stand, and in those in which these stand.
type sizes struct {
	std   types.Sizes
	known map[types.Type]layout
}

// layout is the size and alignment of a type; size is negative if it is too large.
type layout struct{ size, align int64 }

func newSizes() *sizes {
	return &sizes{std: types.SizesFor("gc", "amd64"), known: make(map[types.Type]layout)}
}

// of returns the layout of t.
func (s *sizes) of(t types.Type) layout {
	t = types.Unalias(t)
	l, ok := s.known[t]
	if ok {
		return l
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		l = s.array(s.of(u.Elem()), u.Len())
	case *types.Struct:
		l = s.fields(u)
	default:
		l = layout{s.std.Sizeof(t), s.std.Alignof(t)}
	}
	s.known[t] = l
	return l
}

func (s *sizes) array(elem layout, n int64) layout {
	if elem.size > 0 && n > mostMemory/elem.size {
		return layout{-1, elem.align}
	}
	return layout{elem.size * n, elem.align}
}

// mostMemory is the size from which on a type is too large.
const mostMemory = 1 << 62

func (s *sizes) fields(st *types.Struct) layout {
	sum := layout{0, 1}
	for i := range st.NumFields() {
		f := s.of(st.Field(i).Type())
		if f.size < 0 || sum.size > mostMemory-f.size {
			return layout{-1, 1}
		}
		sum.size = roundUp(sum.size, f.align) + f.size
		sum.align = max(sum.align, f.align)
		if i == st.NumFields()-1 && f.size == 0 && sum.size > 0 {
			sum.size++ // so that the address of the last field stays inside
		}
	}
	sum.size = roundUp(sum.size, sum.align)
	return sum
}

func roundUp(n, align int64) int64 { return (n + align - 1) / align * align }
