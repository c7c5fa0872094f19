package record

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// typeMaker makes random types.
type typeMaker struct {
	rnd   *rand.Rand
	names int
	open  []*Type // structs that are being made: parts of them may refer to them
	done  []*Type // structs and unions that were made
}

func (m *typeMaker) name(prefix string) string {
	m.names++
	return prefix + strconv.Itoa(m.names)
}

func (m *typeMaker) record() *Type { return m.structType(3) }

func (m *typeMaker) structType(depth int) *Type {
	t := &Type{Kind: KindStruct, Name: m.name("S")}
	if len(m.open) > 0 && m.rnd.IntN(6) == 0 {
		t.Name = ""
	}
	m.open = append(m.open, t)
	for range m.rnd.IntN(7) {
		t.Fields = append(t.Fields, m.field(depth))
	}
	m.open = m.open[:len(m.open)-1]
	if t.Name != "" {
		m.done = append(m.done, t)
	}
	return t
}

func (m *typeMaker) field(depth int) Field {
	f := Field{Name: m.name("F"), Type: m.typ(depth)}
	m.mark(&f)
	return f
}

// mark gives a field the options that are part of the format.
func (m *typeMaker) mark(f *Field) {
	f.Varint = f.Type.Kind.CanVarint() && m.rnd.IntN(3) == 0
	f.UnixNano = f.Type.Kind == KindTime && m.rnd.IntN(2) == 0
}

func (m *typeMaker) basic() *Type {
	return &Type{Kind: Kind(int(KindBool) + m.rnd.IntN(int(KindTime-KindBool)+1))}
}

func (m *typeMaker) typ(depth int) *Type {
	if depth <= 0 {
		return m.basic()
	}
	switch m.rnd.IntN(14) {
	case 0:
		return &Type{Kind: KindPointer, Elem: m.loop(depth)}
	case 1:
		return &Type{Kind: KindSlice, Elem: m.loop(depth)}
	case 2:
		return &Type{Kind: KindArray, Len: int64(m.rnd.IntN(4)), Elem: m.typ(depth - 1)}
	case 3:
		return &Type{Kind: KindMap, Key: m.basic(), Elem: m.loop(depth)}
	case 4, 5:
		return m.structType(depth - 1)
	case 6:
		t := &Type{Kind: KindUnion, Name: m.name("U")}
		for range 1 + m.rnd.IntN(4) {
			t.Members = append(t.Members, m.member(depth))
		}
		m.done = append(m.done, t)
		return t
	case 7:
		return &Type{Kind: KindCodec, Name: "Addr", Codec: "bin(Addr)"}
	case 8:
		if len(m.done) > 0 {
			return m.done[m.rnd.IntN(len(m.done))]
		}
	}
	return m.basic()
}

func (m *typeMaker) member(depth int) *Type {
	t := m.basic()
	if m.rnd.IntN(2) == 0 || t.Kind == KindTime {
		t = m.structType(depth - 1)
	}
	t.Name = m.name("M")
	return t
}

// loop is typ for what is behind a pointer or in a container: it may be a struct around it.
func (m *typeMaker) loop(depth int) *Type {
	if named := slices.DeleteFunc(slices.Clone(m.open), func(t *Type) bool { return t.Name == "" }); len(named) > 0 && m.rnd.IntN(4) == 0 {
		return named[m.rnd.IntN(len(named))]
	}
	return m.typ(depth - 1)
}

// evolution makes the next version of types. Structs and unions change once, wherever they are.
type evolution struct {
	*typeMaker
	next   map[*Type]*Type
	breaks bool // also make changes that cannot be read
	broken []string
}

func (e *evolution) typ(t *Type, direct bool) *Type {
	if next, ok := e.next[t]; ok {
		return next
	}
	if t.Kind == KindStruct {
		return e.structType(t)
	}
	if direct && t.Kind != KindPointer && e.rnd.IntN(12) == 0 {
		return &Type{Kind: KindPointer, Elem: e.typ(t, true)}
	}
	if e.breaks && e.rnd.IntN(40) == 0 && t.Kind != KindPointer && t.Kind != KindUnion {
		e.broken = append(e.broken, fmt.Sprint(t.Kind))
		return &Type{Kind: KindSlice, Name: t.Name, Elem: &Type{Kind: KindComplex64}}
	}
	next := &Type{Kind: t.Kind, Name: t.Name, Len: t.Len, Codec: t.Codec}
	switch t.Kind {
	case KindPointer, KindSlice, KindArray:
		next.Elem = e.typ(t.Elem, true)
	case KindMap:
		next.Key, next.Elem = e.typ(t.Key, false), e.typ(t.Elem, true)
	case KindUnion:
		e.next[t] = next
		for _, m := range t.Members {
			if e.rnd.IntN(6) != 0 || len(next.Members) == 0 {
				next.Members = append(next.Members, e.typ(m, false))
			}
		}
		if e.rnd.IntN(2) == 0 {
			next.Members = append(next.Members, e.member(1))
		}
		if e.rnd.IntN(3) == 0 {
			e.rnd.Shuffle(len(next.Members), func(i, j int) { next.Members[i], next.Members[j] = next.Members[j], next.Members[i] })
		}
	default:
		if e.rnd.IntN(3) == 0 {
			next.Kind = e.wider(t.Kind)
		}
	}
	return next
}

// wider returns a kind that every value of the kind can be read as.
func (e *evolution) wider(kind Kind) Kind {
	kinds := map[Kind][]Kind{
		KindInt8: {KindInt16, KindInt32, KindInt64, KindInt}, KindInt16: {KindInt32, KindInt64, KindInt}, KindInt32: {KindInt64, KindInt}, KindInt64: {KindInt}, KindInt: {KindInt64},
		KindUint8: {KindUint16, KindInt16, KindUint, KindInt}, KindUint16: {KindUint32, KindInt32, KindInt64}, KindUint32: {KindUint64, KindInt64}, KindUint64: {KindUint}, KindUint: {KindUint64},
		KindFloat32: {KindFloat64}, KindString: {KindBytes}, KindBytes: {KindString},
	}[kind]
	if len(kinds) == 0 {
		return kind
	}
	return kinds[e.rnd.IntN(len(kinds))]
}

func (e *evolution) structType(t *Type) *Type {
	next := &Type{Kind: KindStruct, Name: t.Name}
	e.next[t] = next
	kept := 0
	for i, f := range t.Fields {
		if e.rnd.IntN(6) == 0 && (kept > 0 || i < len(t.Fields)-1) {
			continue
		}
		kept++
		to := Field{Name: f.Name, Type: e.typ(f.Type, true), Varint: f.Varint, UnixNano: f.UnixNano}
		if to.Varint = f.Varint && to.Type.Kind.CanVarint(); e.rnd.IntN(4) == 0 {
			e.mark(&to)
		}
		to.UnixNano = to.UnixNano && to.Type.Kind == KindTime
		if e.rnd.IntN(5) == 0 {
			to.Name, to.Aliases = e.name("R"), []string{e.name("X"), f.Name}
		}
		next.Fields = append(next.Fields, to)
	}
	for range e.rnd.IntN(3) {
		f := e.field(1)
		if standing(f.Type) != nil {
			continue
		}
		if d, ok := defaults[f.Type.Kind]; ok && e.rnd.IntN(2) == 0 {
			f.Default, f.HasDefault = d, true
		}
		next.Fields = slices.Insert(next.Fields, e.rnd.IntN(len(next.Fields)+1), f)
	}
	if e.rnd.IntN(3) == 0 {
		e.rnd.Shuffle(len(next.Fields), func(i, j int) { next.Fields[i], next.Fields[j] = next.Fields[j], next.Fields[i] })
	}
	return next
}

var defaults = map[Kind]string{
	KindBool: "true", KindInt8: "-7", KindInt16: "-300", KindInt32: "70000", KindInt64: "-5000000000", KindInt: "12", KindUint8: "200", KindUint16: "60000", KindUint32: "4000000000",
	KindUint64: "18446744073709551615", KindUint: "3", KindFloat32: "1.5", KindFloat64: "-2.25", KindString: "a; b=\"c\" | d\x00é",
}
