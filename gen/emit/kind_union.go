package emit

import (
	"encoding/binary"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Unions: interfaces whose dynamic types are known. Each has functions of its own, which are called wherever it stands:
//
//	func sizeU(v U) int                                                 or (v U, depth int) (int, bool)
//	func putU(dst []byte, v U) (int, error)                             or (dst []byte, v U, depth int)
//	func consumeU(src []byte, v *U, budget *wire.Budget) (int, error)
//	func detachU(v *U)                                                  if members have views
//
// A value is its tag and what the member takes.

// unionBody generates the whole body of a function that treats a union, which v is, or points to.
func (f *fn) unionBody(part part, t *ir.Type) {
	switch part {
	case sizePart:
		f.sizeUnion(t)
	case putPart:
		f.putUnion(t)
	case consumePart:
		f.consumeUnion(t)
	case detachPart:
		f.detachUnion(t)
	}
}

// tagBytes returns the bytes of the tag of the member with that index.
func tagBytes(index int) []byte { return binary.AppendUvarint(nil, uint64(index+1)) }

// member returns the place of the value of a member that is in the variable x: of what it points to, if it is a pointer.
func member(x string, t *ir.Type) place {
	return place{expr: x, deref: t.Kind == ir.Pointer, typ: pointed(t)}
}

// typeSwitch generates a switch over the members of a union with the given cases. x is its variable, which the cases use or not.
func (f *fn) typeSwitch(value string, x string, used bool, cases func(*jen.Group)) {
	head := jen.Id(paren(value)).Assert(jen.Type())
	if used {
		head = jen.Id(x).Op(":=").Add(head)
	}
	f.block.Switch(head).BlockFunc(cases)
}

// arm returns a generator of a case: a block that starts at the position that the function has now, and returns.
func (f *fn) arm(generate func()) func(*jen.Group) {
	return func(g *jen.Group) {
		outer, index, offset := f.block, f.index, f.offset
		f.block = &block{Group: g, parent: outer, scope: outer.scope.Child(), temps: map[string]string{}}
		generate()
		f.block, f.index, f.offset = outer, index, offset
	}
}

// needsValue says that writing one of the members looks at its value.
func (f *facts) needsValue(t *ir.Type, empty func(member *ir.Type) bool) bool {
	for _, m := range t.Members {
		if m.Kind == ir.Pointer || !empty(m) {
			return true
		}
	}
	return false
}

func (f *fn) sizeUnion(t *ir.Type) {
	x := f.local("x", "member")
	isConst := func(m *ir.Type) bool { _, ok := f.constSize(pointed(m)); return ok }
	used, variable := false, false
	var sizes []int // of the members of constant size, in the order in which they appear; not those that are as nil is
	fixed := map[int][]jen.Code{}
	for i, m := range t.Members {
		n, ok := f.constSize(pointed(m))
		if n += len(tagBytes(i)); !ok {
			_, same := (&sizer{fn: f}).same(member(x, m))
			used, variable = used || m.Kind == ir.Pointer || !same, true
		} else if n > 1 {
			if fixed[n] == nil {
				sizes = append(sizes, n)
			}
			fixed[n] = append(fixed[n], f.typ(m))
		}
	}
	outcome := func(size int) jen.Code {
		if f.depth != "" {
			return jen.Return(jen.Lit(size), jen.True())
		}
		return jen.Return(jen.Lit(size))
	}
	if !variable && len(sizes) == 0 {
		f.block.Add(outcome(1))
		return
	}
	f.typeSwitch(f.v, x, used, func(g *jen.Group) {
		for _, n := range sizes {
			g.Case(fixed[n]...).Block(outcome(n))
		}
		for i, m := range t.Members {
			if isConst(m) {
				continue
			}
			tag := len(tagBytes(i))
			g.Case(f.typ(m)).BlockFunc(f.arm(func() {
				if m.Kind == ir.Pointer {
					f.block.If(jen.Id(x).Op("==").Nil()).Block(outcome(tag)) // which cannot be written
				}
				s := &sizer{fn: f, n: f.local("n", "size"), constant: tag}
				s.value(member(x, m))
				s.finish()
			}))
		}
	})
	f.block.Add(outcome(1))
}

func (f *fn) putUnion(t *ir.Type) {
	x := f.local("x", "member")
	used := f.needsValue(t, func(m *ir.Type) bool { return f.isEmpty(m) })
	f.block.If(f.fewer(1)).BlockFunc(f.short) // for every tag
	tag := func(b []byte, more int) {
		if len(b)+more > 1 {
			f.block.If(f.fewer(len(b) + more)).BlockFunc(f.short)
		}
		for i, c := range b {
			f.block.Add(f.byteAt(i)).Op("=").Lit(int(c))
		}
		f.offset += len(b)
	}
	f.typeSwitch(f.v, x, used, func(g *jen.Group) {
		g.Case(jen.Nil()).BlockFunc(f.arm(func() {
			tag([]byte{0}, 0)
			f.block.Return(jen.Id(f.at(0)), jen.Nil())
		}))
		for i, m := range t.Members {
			g.Case(f.typ(m)).BlockFunc(f.arm(func() {
				if m.Kind == ir.Pointer {
					f.block.If(jen.Id(x).Op("==").Nil()).Block(jen.Return(jen.Lit(0), f.wire("ErrNil")))
				}
				value := member(x, m)
				if f.inPlace(value.typ) && !f.isEmpty(value.typ) {
					size, _ := f.constSize(value.typ)
					tag(tagBytes(i), size)
					f.putFixed(value)
				} else {
					tag(tagBytes(i), 0)
					f.putValue(value)
				}
				f.block.Return(jen.Id(f.at(0)), jen.Nil())
			}))
		}
	})
	f.block.Return(jen.Lit(0), f.wire("MemberError").Call(jen.Id(f.v)))
}

func (f *fn) consumeUnion(t *ir.Type) {
	tag := f.local("tag", "kind")
	list, op := f.temps(true, "n")
	n := list[0]
	f.block.List(jen.Id(tag), jen.Id(n)).Op(op).Add(f.wire("Uvarint").Call(f.tail(0)))
	f.checkRead(nil, n)
	f.advance(n)
	result := jen.Id("*" + f.v)
	f.block.Switch(jen.Id(tag)).BlockFunc(func(g *jen.Group) {
		g.Case(jen.Lit(0)).BlockFunc(f.arm(func() {
			f.block.Add(result.Clone()).Op("=").Nil()
			f.block.Return(jen.Id(f.at(0)), jen.Nil())
		}))
		for i, m := range t.Members {
			g.Case(jen.Lit(i + 1)).BlockFunc(f.arm(func() {
				atOnce := f.inPlace(pointed(m)) && !f.isEmpty(pointed(m))
				if atOnce { // before memory is taken
					size, _ := f.constSize(pointed(m))
					f.block.If(f.fewer(size)).BlockFunc(f.fail(nil, 0, f.wire("ErrTruncated")))
				}
				if size := pointed(m).GoSize; size > 0 {
					f.ifError(f.budgetCall("Charge", jen.Lit(1), jen.Lit(int(size))), func(err string) func(*jen.Group) {
						return f.pass(nil, 0, jen.Id(err))
					})
				}
				switch {
				case (m.Kind == ir.Struct || m.Kind == ir.Array) && f.isEmpty(m):
					f.block.Add(result.Clone()).Op("=").Add(f.typ(m)).Values()
					f.block.Return(jen.Id(f.at(0)), jen.Nil())
					return
				case f.isScalar(m):
					value := place{expr: f.v, deref: true, typ: m}
					if atOnce {
						f.consumeFixed(value)
					} else {
						f.consumeValue(value)
					}
					f.block.Return(jen.Id(f.at(0)), jen.Nil())
					return
				}
				x := f.local("x", "member")
				if m.Kind == ir.Pointer {
					f.block.Id(x).Op(":=").New(f.typ(m.Elem))
				} else {
					f.block.Var().Id(x).Add(f.typ(m))
				}
				value := member(x, m)
				value.fresh = true
				if atOnce {
					f.consumeFixed(value)
				} else {
					f.consumeValue(value)
				}
				f.block.Add(result.Clone()).Op("=").Id(x)
				f.block.Return(jen.Id(f.at(0)), jen.Nil())
			}))
		}
	})
	f.block.Return(jen.Lit(0), f.wire("TagError").Call(jen.Id(tag), jen.Lit(len(t.Members))))
}

// isScalar says that what is read of a member is an expression of its type, which can be assigned to the interface as it is: not a named bool, which is a comparison.
func (f *facts) isScalar(m *ir.Type) bool {
	_, basic := basicSize(m.Kind)
	return m.Kind == ir.String || basic && (m.Kind != ir.Bool || m.Name == nil)
}

func (f *fn) detachUnion(t *ir.Type) {
	x := f.local("x", "member")
	f.typeSwitch("*"+f.v, x, true, func(g *jen.Group) {
		for _, m := range t.Members {
			if !f.views(m) {
				continue
			}
			g.Case(f.typ(m)).BlockFunc(f.arm(func() {
				f.detachValue(member(x, m))
				if m.Kind != ir.Pointer {
					f.block.Id("*" + f.v).Op("=").Id(x)
				}
			}))
		}
	})
}
