package emit

import (
	"slices"

	"github.com/rwgen/rwgen/gen/ir"
)

// Bounds for code that is repeated wherever a struct stands, rather than declared once.
const (
	// maxInline is the number of values up to which a nested struct of constant size is written and read in place.
	maxInline = 8
	// maxInlineText is the number of values up to which a nested struct with strings is read in place, to share an allocation.
	maxInlineText = 16
)

// maxFixed is the number of bytes up to which a record of constant size is written by the builder's methods for these. It is small beside any block.
const maxFixed = 1 << 10

// facts answers questions about types. It remembers the answers: a type may stand in another one many times over, and in those in that one.
type facts struct {
	sizes        memo[size]
	least, count memo[int]
	weights      memo[int]
	placed       memo[bool]
	texts        memo[bool]
	partials     memo[bool]
	locks        memo[bool]
	budget, deep memo[bool]
}

func newFacts() *facts {
	return &facts{
		sizes: memo[size]{}, least: memo[int]{}, count: memo[int]{}, weights: memo[int]{}, placed: memo[bool]{}, texts: memo[bool]{},
		partials: memo[bool]{}, locks: memo[bool]{}, budget: memo[bool]{}, deep: memo[bool]{},
	}
}

// memo holds what is known of types.
type memo[V any] map[*ir.Type]V

// of returns what is known of t, computing it the first time.
func (m memo[V]) of(t *ir.Type, compute func() V) V {
	v, ok := m[t]
	if !ok {
		v = compute()
		m[t] = v
	}
	return v
}

// size is a number of bytes, or not constant.
type size struct {
	bytes    int
	constant bool
}

// basicSize returns the number of bytes that a value of a basic kind or a time takes; ok is false for other kinds and strings.
func basicSize(k ir.Kind) (n int, ok bool) {
	switch k {
	case ir.Bool, ir.Int8, ir.Uint8:
		return 1, true
	case ir.Int16, ir.Uint16:
		return 2, true
	case ir.Int32, ir.Uint32, ir.Float32:
		return 4, true
	case ir.Int64, ir.Uint64, ir.Int, ir.Uint, ir.Uintptr, ir.Float64, ir.Complex64:
		return 8, true
	case ir.Complex128:
		return 16, true
	case ir.Time:
		return 12, true
	}
	return 0, false
}

// constSize returns the number of bytes that every value of t takes outside a struct field, if that is always the same.
func (f *facts) constSize(t *ir.Type) (int, bool) {
	if t.Kind != ir.Array && t.Kind != ir.Struct {
		return basicSize(t.Kind)
	}
	s := f.sizes.of(t, func() size {
		if t.Kind == ir.Array {
			if t.Len == 0 {
				return size{0, true}
			}
			n, ok := f.constSize(t.Elem)
			return size{n * int(t.Len), ok}
		}
		sum := size{presenceBytes(t), true}
		for fld := range t.Encoded() {
			n, ok := f.fieldSize(fld)
			if !ok {
				return size{}
			}
			sum.bytes += n
		}
		return sum
	})
	return s.bytes, s.constant
}

// fixedSize returns the size of a record that the builder's methods for a fixed size take, if t is one: all that can be wrong when it is written is the room.
func (f *facts) fixedSize(t *ir.Type) (int, bool) {
	n, ok := f.constSize(t)
	return n, ok && 1 <= n && n <= maxFixed && !f.needsDepth(t)
}

// fieldSize is constSize for a struct field: its presence bit does not count.
func (f *facts) fieldSize(fld *ir.Field) (int, bool) {
	switch {
	case fld.Varint || fld.Type.Kind == ir.Pointer:
		return 0, false
	case fld.Type.Kind == ir.Bool:
		return 0, true
	}
	return f.constSize(fld.Type)
}

// minSize returns the least number of bytes that a value of t takes outside a struct field.
func (f *facts) minSize(t *ir.Type) int {
	return f.least.of(t, func() int {
		switch t.Kind {
		case ir.String, ir.Bytes, ir.Slice, ir.Map, ir.Pointer:
			return 1
		case ir.Array:
			if t.Len == 0 {
				return 0
			}
			return int(t.Len) * f.minSize(t.Elem)
		case ir.Struct:
			n := presenceBytes(t)
			for fld := range t.Encoded() {
				switch {
				case fld.Varint:
					n++
				case !hasBit(fld):
					n += f.minSize(fld.Type)
				}
			}
			return n
		}
		n, _ := basicSize(t.Kind)
		return n
	})
}

// hasBit says that fld is a presence bit of its struct.
func hasBit(fld *ir.Field) bool { return fld.Type.Kind == ir.Bool || fld.Type.Kind == ir.Pointer }

func presenceBytes(t *ir.Type) int {
	n := 0
	for fld := range t.Encoded() {
		if hasBit(fld) {
			n++
		}
	}
	return (n + 7) / 8
}

// isEmpty says that values of t take no bytes at all.
func (f *facts) isEmpty(t *ir.Type) bool {
	n, ok := f.constSize(t)
	return ok && n == 0
}

// inPlace says that code for a value of t of constant size is written where the value stands: nothing in it calls a helper.
func (f *facts) inPlace(t *ir.Type) bool {
	return f.placed.of(t, func() bool {
		_, ok := f.constSize(t)
		return ok && !t.Recursive && f.placeable(t) && (t.Kind != ir.Struct || t.Name == nil || f.values(t) <= maxInline)
	})
}

// placeable says that no struct within t is too large to be written in place.
func (f *facts) placeable(t *ir.Type) bool {
	switch t.Kind {
	case ir.Array:
		return t.Len == 0 || f.inPlace(t.Elem)
	case ir.Struct:
		for fld := range t.Encoded() {
			if !f.inPlace(fld.Type) {
				return false
			}
		}
	}
	return true
}

// values counts the values that code for a t of constant size would write one by one.
func (f *facts) values(t *ir.Type) int {
	return f.count.of(t, func() int {
		switch t.Kind {
		case ir.Array:
			if t.Len == 0 {
				return 0
			}
			return f.values(t.Elem)
		case ir.Struct:
			n := 0
			for fld := range t.Encoded() {
				n += f.values(fld.Type)
			}
			return n
		}
		return 1
	})
}

// ownText says that a string stands in t itself: in a field, or in a field of a nested struct that is no pointer.
func (f *facts) ownText(t *ir.Type) bool {
	return f.texts.of(t, func() bool {
		if t.Kind != ir.Struct || t.Recursive {
			return false
		}
		for fld := range t.Encoded() {
			if fld.Type.Kind == ir.String || f.ownText(fld.Type) {
				return true
			}
		}
		return false
	})
}

// weight counts the values, loops and calls of helpers in the code that reads a t.
func (f *facts) weight(t *ir.Type) int {
	if t.Kind == ir.Struct && !f.inlined(consumePart, t) && !(t.Name == nil && t.Recursive) {
		return 1
	}
	return f.fieldWeight(t)
}

// fieldWeight is weight for the code that a helper spares.
func (f *facts) fieldWeight(t *ir.Type) int {
	return f.weights.of(t, func() int {
		switch {
		case t.Kind == ir.Struct:
			n := 0
			for fld := range t.Encoded() {
				n += f.weight(fld.Type)
			}
			return n
		case t.Kind == ir.Map:
			return 1 + f.weight(t.Key) + f.weight(t.Elem)
		case t.Elem != nil:
			return 1 + f.weight(t.Elem)
		}
		return 1
	})
}

// partial says that a t holds something that is not part of the format, so that reading into a used one leaves something of the old value.
func (f *facts) partial(t *ir.Type) bool {
	return f.partials.of(t, func() bool {
		switch t.Kind {
		case ir.Array:
			return f.partial(t.Elem)
		case ir.Struct:
			return slices.ContainsFunc(t.Fields, func(fld *ir.Field) bool {
				return fld.Skip && fld.Name != "_" || !fld.Skip && f.partial(fld.Type)
			})
		}
		return false
	})
}

// part is one of the functions generated for a struct.
type part int

const (
	sizePart part = iota
	putPart
	consumePart
)

var parts = [...]string{"size", "put", "consume"}

func (p part) String() string { return parts[p] }

// inlined says that function p of a struct treats a nested struct t, held by value in a field, in place rather than by calling a
// helper. Reading does so for structs with a few strings as well, so that one allocation holds these and those of the struct around.
func (f *facts) inlined(p part, t *ir.Type) bool {
	switch {
	case t.Recursive: // counts as a level of its own
		return false
	case t.Name == nil || f.inPlace(t):
		return true
	}
	return p == consumePart && f.ownText(t) && f.fieldWeight(t) <= maxInlineText
}

// needsBudget says that reading a t can take memory or depth that must be accounted for.
func (f *facts) needsBudget(t *ir.Type) bool {
	return f.reaches(f.budget, t, func(t *ir.Type) bool {
		switch t.Kind {
		case ir.Pointer, ir.Slice, ir.Map:
			return true
		case ir.Bytes:
			return !isByteSlice(t)
		}
		return entersDepth(t)
	})
}

// needsDepth says that writing a t can go round a recursive type.
func (f *facts) needsDepth(t *ir.Type) bool { return f.reaches(f.deep, t, entersDepth) }

// entersDepth says that a value of t is one level of nesting for the limits.
func entersDepth(t *ir.Type) bool { return t.Kind == ir.Struct && t.Recursive }

// reaches reports whether hit holds for t or a type that values of t contain. What takes no bytes contains nothing: there is no code for it.
func (f *facts) reaches(known memo[bool], t *ir.Type, hit func(*ir.Type) bool) bool {
	return known.of(t, func() bool {
		seen := map[*ir.Type]bool{}
		var walk func(t *ir.Type) bool
		walk = func(t *ir.Type) bool {
			if seen[t] || f.isEmpty(t) {
				return false
			}
			seen[t] = true
			return hit(t) || slices.ContainsFunc(contents(t), walk)
		}
		return walk(t)
	})
}

// contents returns the types that values of t are made of.
func contents(t *ir.Type) []*ir.Type {
	var list []*ir.Type
	if t.Key != nil {
		list = append(list, t.Key)
	}
	if t.Elem != nil && t.Kind != ir.Bytes {
		list = append(list, t.Elem)
	}
	for f := range t.Encoded() {
		list = append(list, f.Type)
	}
	return list
}
