package emit

import (
	"slices"

	"github.com/rwgen/rwgen/gen/ir"
)

// maxInline is the number of values up to which a nested struct of constant size is written and read in place. A larger one gets helper functions.
const maxInline = 8

// constSize returns the number of bytes that every value of t takes outside a struct field, if that is always the same.
func constSize(t *ir.Type) (int, bool) {
	switch t.Kind {
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
	case ir.Array:
		if t.Len == 0 {
			return 0, true
		}
		n, ok := constSize(t.Elem)
		return n * int(t.Len), ok
	case ir.Struct:
		n := presenceBytes(t)
		for f := range t.Encoded() {
			size, ok := fieldSize(f)
			if !ok {
				return 0, false
			}
			n += size
		}
		return n, true
	}
	return 0, false
}

// fieldSize is constSize for a struct field: its presence bit does not count.
func fieldSize(f *ir.Field) (int, bool) {
	switch {
	case f.Varint || f.Type.Kind == ir.Pointer:
		return 0, false
	case f.Type.Kind == ir.Bool:
		return 0, true
	}
	return constSize(f.Type)
}

// minSize returns the least number of bytes that a value of t takes outside a struct field.
func minSize(t *ir.Type) int {
	switch t.Kind {
	case ir.String, ir.Bytes, ir.Slice, ir.Map, ir.Pointer:
		return 1
	case ir.Array:
		if t.Len == 0 {
			return 0
		}
		return int(t.Len) * minSize(t.Elem)
	case ir.Struct:
		n := presenceBytes(t)
		for f := range t.Encoded() {
			switch {
			case f.Varint:
				n++
			case f.Type.Kind != ir.Bool && f.Type.Kind != ir.Pointer:
				n += minSize(f.Type)
			}
		}
		return n
	}
	n, _ := constSize(t)
	return n
}

// hasBit says that f is a presence bit of its struct.
func hasBit(f *ir.Field) bool { return f.Type.Kind == ir.Bool || f.Type.Kind == ir.Pointer }

func presenceBytes(t *ir.Type) int {
	n := 0
	for f := range t.Encoded() {
		if hasBit(f) {
			n++
		}
	}
	return (n + 7) / 8
}

// isEmpty says that values of t take no bytes at all.
func isEmpty(t *ir.Type) bool {
	n, ok := constSize(t)
	return ok && n == 0
}

// inPlace says that code for a value of t of constant size is written where the value stands: nothing in it calls a helper.
func inPlace(t *ir.Type) bool {
	_, ok := constSize(t)
	return ok && !t.Recursive && placeable(t) && (t.Kind != ir.Struct || t.Name == nil || values(t) <= maxInline)
}

// placeable says that no struct within t is too large to be written in place.
func placeable(t *ir.Type) bool {
	switch t.Kind {
	case ir.Array:
		return t.Len == 0 || inPlace(t.Elem)
	case ir.Struct:
		for f := range t.Encoded() {
			if !inPlace(f.Type) {
				return false
			}
		}
	}
	return true
}

// values counts the values that code for t would write one by one.
func values(t *ir.Type) int {
	switch t.Kind {
	case ir.Array:
		if t.Len == 0 {
			return 0
		}
		return values(t.Elem)
	case ir.Struct:
		n := 0
		for f := range t.Encoded() {
			n += values(f.Type)
		}
		return n
	}
	return 1
}

// ownText says that a string stands in t itself: in a field, or in a field of a nested struct that is no pointer.
func ownText(t *ir.Type) bool {
	if t.Kind != ir.Struct || t.Recursive {
		return false
	}
	for f := range t.Encoded() {
		if f.Type.Kind == ir.String || ownText(f.Type) {
			return true
		}
	}
	return false
}

// partial says that a t holds something that is not part of the format, so that reading into a used one leaves something of the old value.
func partial(t *ir.Type) bool {
	switch t.Kind {
	case ir.Array:
		return partial(t.Elem)
	case ir.Struct:
		return slices.ContainsFunc(t.Fields, func(f *ir.Field) bool { return f.Skip && f.Name != "_" || !f.Skip && partial(f.Type) })
	}
	return false
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
// helper. Reading does so for structs with strings as well, so that one allocation holds all strings of a record.
func inlined(p part, t *ir.Type) bool {
	switch {
	case t.Recursive: // counts as a level of its own
		return false
	case t.Name == nil || inPlace(t):
		return true
	}
	return p == consumePart && ownText(t)
}

// facts memoizes properties that need a walk over the graph of types.
type facts struct{ budget, deep map[*ir.Type]bool }

func newFacts() *facts {
	return &facts{budget: map[*ir.Type]bool{}, deep: map[*ir.Type]bool{}}
}

// needsBudget says that reading a t can take memory or depth that must be accounted for.
func (f *facts) needsBudget(t *ir.Type) bool {
	return reaches(f.budget, t, func(t *ir.Type) bool {
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
func (f *facts) needsDepth(t *ir.Type) bool { return reaches(f.deep, t, entersDepth) }

// entersDepth says that a value of t is one level of nesting for the limits.
func entersDepth(t *ir.Type) bool { return t.Kind == ir.Struct && t.Recursive }

// reaches reports whether hit holds for t or a type that values of t contain. What takes no bytes contains nothing: there is no code for it.
func reaches(memo map[*ir.Type]bool, t *ir.Type, hit func(*ir.Type) bool) bool {
	if r, ok := memo[t]; ok {
		return r
	}
	seen := map[*ir.Type]bool{}
	var walk func(t *ir.Type) bool
	walk = func(t *ir.Type) bool {
		if seen[t] || isEmpty(t) {
			return false
		}
		seen[t] = true
		return hit(t) || slices.ContainsFunc(contents(t), walk)
	}
	memo[t] = walk(t)
	return memo[t]
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
