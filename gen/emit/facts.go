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
	// maxTiny is the number of values up to which any nested struct is written and read in place: a call would take longer.
	maxTiny = 2
)

// maxFixed is the number of bytes up to which a record of constant size is written by the builder's methods for these. It is small beside any block.
const maxFixed = 1 << 10

// facts answers questions about types. It remembers the answers: a type may stand in another one many times over, and in those in that one.
type facts struct {
	sizes        memo[size]
	least, count memo[int]
	weights      memo[int]
	spread       memo[int]
	placed       memo[bool]
	texts        memo[bool]
	partials     memo[bool]
	locks        memo[bool]
	budget, deep memo[bool]
	refusing     memo[bool]
	interning    memo[bool]
	viewing      memo[bool]
	textual      memo[bool]
	coded        memo[bool]
	asked        map[string]memo[bool] // by question, for those that only comments ask
	avro         avroFacts
}

func newFacts() *facts {
	return &facts{
		sizes: memo[size]{}, least: memo[int]{}, count: memo[int]{}, weights: memo[int]{}, spread: memo[int]{}, placed: memo[bool]{}, texts: memo[bool]{},
		partials: memo[bool]{}, locks: memo[bool]{}, budget: memo[bool]{}, deep: memo[bool]{},
		refusing: memo[bool]{}, interning: memo[bool]{}, viewing: memo[bool]{}, textual: memo[bool]{}, coded: memo[bool]{},
		asked: map[string]memo[bool]{}, avro: newAvroFacts(),
	}
}

// known returns what is known of the answers to a question.
func (f *facts) known(question string) memo[bool] {
	m := f.asked[question]
	if m == nil {
		m = memo[bool]{}
		f.asked[question] = m
	}
	return m
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

// unixNanoSize is the number of bytes of a time with the tag unixnano.
const unixNanoSize = 8

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

// fieldSize is constSize for a struct field: its presence bit does not count.
func (f *facts) fieldSize(fld *ir.Field) (int, bool) {
	switch {
	case fld.Varint || fld.Type.Kind == ir.Pointer:
		return 0, false
	case fld.Type.Kind == ir.Bool:
		return 0, true
	case fld.UnixNano:
		return unixNanoSize, true
	}
	return f.constSize(fld.Type)
}

// minSize returns the least number of bytes that a value of t takes outside a struct field.
func (f *facts) minSize(t *ir.Type) int {
	return f.least.of(t, func() int {
		switch t.Kind {
		case ir.String, ir.Bytes, ir.Slice, ir.Map, ir.Pointer, ir.Union, ir.Codec:
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
				case fld.UnixNano:
					n += unixNanoSize
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
			if copied(fld) || f.ownText(fld.Type) {
				return true
			}
		}
		return false
	})
}

// copied says that fld is a string that is read into memory that it shares with other strings.
func copied(fld *ir.Field) bool { return fld.Type.Kind == ir.String && !fld.Intern && !fld.View }

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
	detachPart
	equalPart // this one and those that follow are generated on request
	clonePart
	resetPart
	hashPart
)

var parts = [...]string{"size", "put", "consume", "detach", "equal", "clone", "reset", "hash"}

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

// tiny says that a struct t is written and read in place wherever it stands, also as an element or a pointee. Of recursive ones each is a level of its own.
func (f *facts) tiny(t *ir.Type) bool {
	return t.Kind == ir.Struct && f.spreadOf(t) <= maxTiny
}

// spreadOf counts the values that a t consists of, those in structs in it included, up to one more than maxTiny: what is treated in place is, so the code would double with each level of such structs if they counted as calls.
func (f *facts) spreadOf(t *ir.Type) int {
	if t.Recursive {
		return maxTiny + 1
	}
	return f.spread.of(t, func() int {
		n := 1
		switch {
		case t.Kind == ir.Struct:
			n = 0
			for fld := range t.Encoded() {
				n += f.spreadOf(fld.Type)
			}
		case t.Kind == ir.Map:
			n += f.spreadOf(t.Key) + f.spreadOf(t.Elem)
		case t.Elem != nil:
			n += f.spreadOf(t.Elem)
		}
		return min(n, maxTiny+1)
	})
}

// needsBudget says that reading a t can take memory or depth that must be accounted for.
func (f *facts) needsBudget(t *ir.Type) bool {
	return f.reaches(f.budget, t, func(t *ir.Type) bool {
		switch t.Kind {
		case ir.Pointer, ir.Slice, ir.Map:
			return true
		case ir.Union:
			return slices.ContainsFunc(t.Members, func(m *ir.Type) bool { return pointed(m).GoSize > 0 })
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

// refuses says that there are values of t that cannot be written for a reason that the error names with a field: those of tags, unions and codecs.
func (f *facts) refuses(t *ir.Type) bool {
	return f.reaches(f.refusing, t, func(t *ir.Type) bool {
		return t.Kind == ir.Union || t.Kind == ir.Codec || anyField(t, func(fld *ir.Field) bool { return fld.Max > 0 || fld.UTF8 || fld.UnixNano })
	})
}

// rejects says that there are values of t that cannot be written for another reason than the room.
func (f *facts) rejects(t *ir.Type) bool { return f.refuses(t) || f.needsDepth(t) || f.countsEmpty(t) }

// countsEmpty says that there are slices in t whose elements take no bytes, so that their number has a bound of its own.
func (f *facts) countsEmpty(t *ir.Type) bool {
	return f.reaches(f.known("empty elements"), t, func(t *ir.Type) bool { return t.Kind == ir.Slice && f.isEmpty(t.Elem) })
}

// deepInMaps says that what is nested too deeply may stand in a map of t. Size and Put walk a map in orders of their own, so that a part of the size need not be room enough for Put to come to the
// same place.
func (f *facts) deepInMaps(t *ir.Type) bool {
	return f.reaches(f.known("deep in maps"), t, func(t *ir.Type) bool { return t.Kind == ir.Map && (f.needsDepth(t.Key) || f.needsDepth(t.Elem)) })
}

// interns says that reading a t can look up strings.
func (f *facts) interns(t *ir.Type) bool {
	return f.reaches(f.interning, t, func(t *ir.Type) bool { return anyField(t, func(fld *ir.Field) bool { return fld.Intern }) })
}

// views says that a t that was read can share the memory of the payload.
func (f *facts) views(t *ir.Type) bool {
	return f.reaches(f.viewing, t, func(t *ir.Type) bool { return anyField(t, func(fld *ir.Field) bool { return fld.View }) })
}

// userCode says that writing and reading a t calls methods that users have written.
func (f *facts) userCode(t *ir.Type) bool {
	return f.reaches(f.coded, t, func(t *ir.Type) bool { return t.Kind == ir.Codec })
}

// anyField reports whether hit holds for an encoded field of t.
func anyField(t *ir.Type, hit func(*ir.Field) bool) bool {
	for fld := range t.Encoded() {
		if hit(fld) {
			return true
		}
	}
	return false
}

// reaches reports whether hit holds for t or a type that values of t contain. What takes no bytes contains nothing: there is no code for it.
func (f *facts) reaches(known memo[bool], t *ir.Type, hit func(*ir.Type) bool) bool {
	return known.of(t, func() bool {
		seen := map[*ir.Type]bool{}
		var walk func(t *ir.Type) bool
		walk = func(t *ir.Type) bool {
			if does, ok := known[t]; ok && does {
				return true
			} else if ok || seen[t] || f.isEmpty(t) {
				return false
			}
			seen[t] = true
			return hit(t) || slices.ContainsFunc(contents(t), walk)
		}
		if walk(t) {
			return true
		}
		// Nothing that was seen has it. A large package asks for each of its types, so this is what keeps the work linear.
		for t := range seen {
			known[t] = false
		}
		return false
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
	return append(list, t.Members...)
}
