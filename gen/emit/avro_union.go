package emit

import (
	"encoding/binary"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Unions of the format avro: the index of the branch as a long, and a value of that. One with null and one other branch is a pointer, or a slice, map or bytes, of which nil is null. All others are interfaces, which have
// functions of their own.

// branchBytes returns the bytes of the index of a branch.
func branchBytes(index int) []byte { return binary.AppendVarint(nil, int64(index)) }

// putBranch writes the index of a branch. more is the number of bytes that follow for certain: there is room for them afterwards, too.
func (f *fn) putBranch(index, more int) {
	b := branchBytes(index)
	f.block.If(f.fewer(len(b) + more)).BlockFunc(f.short)
	for i, c := range b {
		f.block.Add(f.byteAt(i)).Op("=").Lit(int(c))
	}
	f.offset += len(b)
}

// optionalValue returns the place of the value of the branch of an optional union that is not null.
func optionalValue(p place) place {
	if p.typ.Kind == ir.Pointer {
		return p.pointee()
	}
	return p
}

func (s *sizer) sizeAvroUnion(p place, a *ir.Avro) {
	other, ok := a.Optional()
	if !ok {
		s.sizeAvroNested(p, a)
		return
	}
	s.constant++
	if s.avroEmpty(other) {
		return
	}
	s.later(func() {
		s.block.If(jen.Id(p.value()).Op("!=").Nil()).
			BlockFunc(s.nested(func(inner *sizer) { inner.avro(optionalValue(p), other) }))
	})
}

func (f *fn) putAvroUnion(p place, a *ir.Avro) {
	other, ok := a.Optional()
	if !ok {
		f.putAvroNested(p, a)
		return
	}
	null := a.NullBranch()
	f.settle()
	f.block.If(jen.Id(p.value()).Op("==").Nil()).BlockFunc(f.nested(func() { f.putBranch(null, 0) })).
		Else().BlockFunc(f.nested(func() { f.putAvroBehind(1-null, optionalValue(p), other) }))
}

// putAvroBehind writes the index of a branch and a value of it.
func (f *fn) putAvroBehind(index int, p place, a *ir.Avro) {
	if f.avroLeaf(a) {
		size, _ := f.avroSize(a)
		f.putBranch(index, size)
		if size > 0 {
			f.putAvroLeaf(p, a)
		}
		return
	}
	f.putBranch(index, 0)
	f.putAvro(p, a)
}

func (f *fn) consumeAvroUnion(p place, a *ir.Avro) {
	other, ok := a.Optional()
	if !ok {
		f.consumeAvroNested(p, a)
		return
	}
	null := a.NullBranch()
	index := f.local("branch", localName(p, "x")+"Branch")
	n := f.avroRead(p, index, "QuickLong", "Long", "NumberError")
	f.block.If(jen.Uint64().Call(jen.Id(index)).Op(">").Lit(1)).BlockFunc(
		f.fail(p.path, 0, f.avroFn("BranchError").Call(jen.Id(index), jen.Lit(2))))
	f.advance(n)
	f.settle()
	f.block.If(jen.Id(index).Op("==").Lit(null)).BlockFunc(f.nested(func() { f.block.Id(p.value()).Op("=").Nil() })).
		Else().BlockFunc(f.nested(func() {
		if p.typ.Kind == ir.Pointer {
			f.consumeAvroNew(p, other)
		} else {
			f.consumeAvro(p, other)
		}
	}))
}

// consumeAvroNew reads a value into new memory and makes the pointer at p point to it. The old pointee may be in use elsewhere.
func (f *fn) consumeAvroNew(p place, a *ir.Avro) {
	atOnce := f.avroLeaf(a) && !f.avroEmpty(a)
	if atOnce { // before memory is taken
		n, _ := f.avroSize(a)
		f.block.If(f.fewer(n)).BlockFunc(f.fail(p.path, 0, f.wire("ErrTruncated")))
	}
	f.ifError(f.budgetCall("Charge", jen.Lit(1), jen.Lit(int(p.typ.Elem.GoSize))), func(err string) func(*jen.Group) {
		return f.pass(p.path, 0, jen.Id(err))
	})
	x := f.local(localName(p, "x"), localName(p, "x")+"Value")
	f.block.Id(x).Op(":=").New(f.typ(p.typ.Elem))
	inner := p.pointee()
	inner.expr, inner.fresh = x, true
	if atOnce {
		f.consumeAvroLeaf(inner, a)
	} else {
		f.consumeAvro(inner, a)
	}
	f.block.Id(p.value()).Op("=").Id(x)
}

// avroUnionBody generates the whole body of a function that treats a union that is an interface.
func (f *fn) avroUnionBody(part part, a *ir.Avro) {
	switch part {
	case sizePart:
		f.sizeAvroMembers(a)
	case putPart:
		f.putAvroMembers(a)
	case consumePart:
		f.consumeAvroMembers(a)
	}
}

// avroMembers calls each for the branches of a union other than null, with their members.
func avroMembers(a *ir.Avro, each func(index int, branch *ir.Avro, member *ir.Type)) {
	members := a.Type.Members
	for i, b := range a.Branches {
		if b.Kind == ir.AvroNull {
			continue
		}
		each(i, b, members[0])
		members = members[1:]
	}
}

// avroMember returns the place of the value of a branch that is in the variable x, of the type m: the member itself, or the only field of a struct by which it is one.
func avroMember(x string, m *ir.Type, branch *ir.Avro) place {
	p := member(x, m)
	if p.typ != branch.Type {
		p = p.field(p.typ.Fields[0])
		p.fld = nil
	}
	return p
}

func (f *fn) sizeAvroMembers(a *ir.Avro) {
	x := f.local("x", "member")
	used := false
	avroMembers(a, func(_ int, b *ir.Avro, _ *ir.Type) {
		_, constant := f.avroWritten(b)
		used = used || !constant
	})
	outcome := func(size int) jen.Code {
		if f.depth != "" {
			return jen.Return(jen.Lit(size), jen.True())
		}
		return jen.Return(jen.Lit(size))
	}
	f.typeSwitch(f.v, x, used, func(g *jen.Group) {
		avroMembers(a, func(index int, b *ir.Avro, m *ir.Type) {
			tag := len(branchBytes(index))
			if n, constant := f.avroWritten(b); constant {
				g.Case(f.typ(m)).Block(outcome(tag + n))
				return
			}
			g.Case(f.typ(m)).BlockFunc(f.arm(func() {
				if m.Kind == ir.Pointer {
					f.block.If(jen.Id(x).Op("==").Nil()).Block(outcome(tag)) // which cannot be written
				}
				s := &sizer{fn: f, n: f.local("n", "size"), constant: tag}
				s.avro(avroMember(x, m, b), b)
				s.finish()
			}))
		})
	})
	size := 1 // of what cannot be written
	if null := a.NullBranch(); null >= 0 {
		size = len(branchBytes(null))
	}
	f.block.Add(outcome(size))
}

func (f *fn) putAvroMembers(a *ir.Avro) {
	x := f.local("x", "member")
	used := false
	avroMembers(a, func(_ int, b *ir.Avro, m *ir.Type) { used = used || m.Kind == ir.Pointer || !f.avroEmpty(b) })
	f.typeSwitch(f.v, x, used, func(g *jen.Group) {
		g.Case(jen.Nil()).BlockFunc(f.arm(func() {
			null := a.NullBranch()
			if null < 0 {
				f.block.Return(jen.Lit(0), f.avroFn("ErrNull"))
				return
			}
			f.putBranch(null, 0)
			f.block.Return(jen.Id(f.at(0)), jen.Nil())
		}))
		avroMembers(a, func(index int, b *ir.Avro, m *ir.Type) {
			g.Case(f.typ(m)).BlockFunc(f.arm(func() {
				if m.Kind == ir.Pointer {
					f.block.If(jen.Id(x).Op("==").Nil()).Block(jen.Return(jen.Lit(0), f.wire("ErrNil")))
				}
				f.putAvroBehind(index, avroMember(x, m, b), b)
				f.block.Return(jen.Id(f.at(0)), jen.Nil())
			}))
		})
	})
	f.block.Return(jen.Lit(0), f.wire("MemberError").Call(jen.Id(f.v)))
}

func (f *fn) consumeAvroMembers(a *ir.Avro) {
	index := f.local("branch", "index")
	f.advance(f.avroRead(place{}, index, "QuickLong", "Long", "NumberError"))
	result := func() *jen.Statement { return jen.Id("*" + f.v) }
	f.block.Switch(jen.Id(index)).BlockFunc(func(g *jen.Group) {
		if null := a.NullBranch(); null >= 0 {
			g.Case(jen.Lit(null)).BlockFunc(f.arm(func() {
				f.block.Add(result()).Op("=").Nil()
				f.block.Return(jen.Id(f.at(0)), jen.Nil())
			}))
		}
		avroMembers(a, func(index int, b *ir.Avro, m *ir.Type) {
			g.Case(jen.Lit(index)).BlockFunc(f.arm(func() { f.consumeAvroMember(b, m, result) }))
		})
	})
	f.block.Return(jen.Lit(0), f.avroFn("BranchError").Call(jen.Id(index), jen.Lit(len(a.Branches))))
}

// consumeAvroMember reads a member of a union into new memory, and makes it the union's value.
func (f *fn) consumeAvroMember(a *ir.Avro, m *ir.Type, result func() *jen.Statement) {
	atOnce := f.avroLeaf(a) && !f.avroEmpty(a)
	if atOnce { // before memory is taken
		size, _ := f.avroSize(a)
		f.block.If(f.fewer(size)).BlockFunc(f.fail(nil, 0, f.wire("ErrTruncated")))
	}
	if size := pointed(m).GoSize; size > 0 {
		f.ifError(f.budgetCall("Charge", jen.Lit(1), jen.Lit(int(size))), func(err string) func(*jen.Group) {
			return f.pass(nil, 0, jen.Id(err))
		})
	}
	x := f.local("x", "member")
	if m.Kind == ir.Pointer {
		f.block.Id(x).Op(":=").New(f.typ(m.Elem))
	} else {
		f.block.Var().Id(x).Add(f.typ(m))
	}
	value := avroMember(x, m, a)
	value.fresh = true
	if atOnce {
		f.consumeAvroLeaf(value, a)
	} else {
		f.consumeAvro(value, a)
	}
	f.block.Add(result()).Op("=").Id(x)
	f.block.Return(jen.Id(f.at(0)), jen.Nil())
}
