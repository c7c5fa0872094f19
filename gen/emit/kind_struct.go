package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Structs that are no part of the run of the struct around them: those with functions of their own, and unnamed ones. Unions have functions, too.

func (s *sizer) sizeStruct(p place) {
	switch {
	case p.typ.Name == nil && entersDepth(p.typ):
		s.later(func() {
			inner := &sizer{fn: s.fn, n: s.n}
			inner.enter(func() { s.giveUp(jen.Id(s.n)) })
			inner.fields(p)
			inner.add()
			s.levels--
		})
	case p.typ.Name == nil, s.tiny(p.typ):
		s.fields(p)
	case s.needsDepth(p.typ):
		s.later(func() {
			list, op := s.temps(false, "n", "ok")
			m, ok := list[0], list[1]
			s.block.List(jen.Id(m), jen.Id(ok)).Op(op).Add(s.helperCall(sizePart, p))
			s.block.Id(s.n).Op("+=").Id(m)
			outer := s.block.Group
			outer.If(jen.Op("!").Id(ok)).BlockFunc(func(g *jen.Group) {
				s.block.Group = g
				s.giveUp(jen.Id(s.n))
				s.block.Group = outer
			})
		})
	default:
		s.term(s.helperCall(sizePart, p))
	}
}

// fields counts the fields of a struct.
func (s *sizer) fields(p place) {
	for _, it := range s.items(sizePart, p) {
		switch {
		case it.size > 0:
			s.constant += it.size
		case it.isPointer():
			s.sizePointee(it.place)
		case it.varint:
			s.term(s.wire("UvarintLen").Call(s.varint(it.place)))
		default:
			s.value(it.place)
		}
	}
}

func (f *fn) putNested(p place) {
	switch {
	case p.typ.Name == nil && entersDepth(p.typ):
		f.enter(func() { f.block.Return(jen.Lit(0), f.wire("ErrDepth")) })
		f.putStruct(p)
		f.levels--
	case p.typ.Name == nil, f.tiny(p.typ):
		f.putStruct(p)
	default:
		list, op := f.temps(false, "n", "err")
		n, err := list[0], list[1]
		f.block.List(jen.Id(n), jen.Id(err)).Op(op).Add(f.helperCall(putPart, p))
		f.block.If(jen.Id(err).Op("!=").Nil()).BlockFunc(f.passPut(p, err))
		f.advance(n)
	}
}

func (f *fn) consumeNested(p place) {
	switch {
	case p.typ.Name == nil && entersDepth(p.typ):
		f.enterBudget(p.path)
		f.consumeStruct(p)
		f.block.Add(f.budgetCall("Leave"))
	case p.typ.Name == nil, f.tiny(p.typ):
		f.consumeStruct(p)
	default:
		list, op := f.temps(false, "n", "err")
		n, err := list[0], list[1]
		f.block.List(jen.Id(n), jen.Id(err)).Op(op).Add(f.helperCall(consumePart, p))
		f.checkError(p.path, err)
		f.advance(n)
	}
}

// enter generates the test that there is a level left for a value of a recursive struct, and uses it up.
func (f *fn) enter(fail func()) {
	if f.depth != "" {
		cond := jen.Id(f.depth).Op("==").Lit(0)
		if f.levels > 0 {
			cond = jen.Id(f.depth).Op("<=").Lit(f.levels)
		}
		outer := f.block.Group
		outer.If(cond).BlockFunc(func(g *jen.Group) {
			f.block.Group = g
			fail()
			f.block.Group = outer
		})
	}
	f.levels++
}

// enterBudget is enter for functions that read.
func (f *fn) enterBudget(p trail) {
	f.ifError(f.budgetCall("Enter"), func(err string) func(*jen.Group) { return f.pass(p, 0, jen.Id(err)) })
}

// levelsLeft returns the number of levels that are left for a nested value.
func (f *fn) levelsLeft() jen.Code {
	left := f.qual(recordPath, "DefaultMaxDepth")
	if f.depth != "" {
		left = jen.Id(f.depth)
	}
	if f.levels > 0 {
		left.Op("-").Lit(f.levels)
	}
	return left
}

// helperCall calls the function that treats a struct.
func (f *fn) helperCall(part part, p place) jen.Code {
	var args []jen.Code
	if part == putPart || part == consumePart {
		args = append(args, f.tail(0))
	}
	value := p.pointer()
	if p.typ.Kind == ir.Union && (part == sizePart || part == putPart) {
		value = p.value()
	}
	args = append(args, jen.Id(value))
	if part == detachPart {
		return jen.Id(f.plan.helper(f.src, part, p.typ)).Call(args...)
	}
	switch {
	case part == consumePart && f.needsBudget(p.typ):
		args = append(args, jen.Id(f.budget))
	case part != consumePart && f.needsDepth(p.typ):
		args = append(args, f.levelsLeft())
	}
	if part == consumePart && f.hasText(p.typ) {
		args = append(args, jen.Id(f.copies))
	}
	if part == consumePart && f.interns(p.typ) {
		args = append(args, jen.Id(f.interner))
	}
	return jen.Id(f.plan.helper(f.src, part, p.typ)).Call(args...)
}

// helper generates the function that treats the struct t, or a union, for everybody who holds one:
//
//	func sizeT(v *T) int                                                or (v *T, depth int) (int, bool)
//	func putT(dst []byte, v *T) (int, error)                            or (dst []byte, v *T, depth int)
//	func consumeT(src []byte, v *T, budget *wire.Budget) (int, error)   or without a budget; with a *wire.Copies and a *wire.Interner behind it, if there are strings for them
//	func detachT(v *T)                                                  if there are views
func (f *file) helper(which function) {
	part, t := which.part, which.typ
	if part.requested() {
		f.valueHelper(part, t)
		return
	}
	name := f.plan.function(f.src, which)
	fn := f.newFn()
	fn.v = fn.local("v", "value")
	v := jen.Id(fn.v).Op("*").Add(f.typ(t))
	if t.Kind == ir.Union && (part == sizePart || part == putPart) {
		v = jen.Id(fn.v).Add(f.typ(t))
	}
	deep := f.needsDepth(t)
	if deep && (part == sizePart || part == putPart) {
		fn.depth = fn.local("depth", "levels")
	}
	f.helperDoc(part, name, t)
	f.out.Func().Id(name).ParamsFunc(func(g *jen.Group) {
		switch part {
		case putPart:
			fn.buf, fn.writes = fn.local("dst", "buf"), true
			g.Id(fn.buf).Index().Byte()
		case consumePart:
			fn.buf = fn.local("src", "buf")
			g.Id(fn.buf).Index().Byte()
		}
		g.Add(v)
		if fn.depth != "" {
			g.Id(fn.depth).Int()
		}
		if part == consumePart && f.needsBudget(t) {
			fn.budget = fn.local("budget", "limits")
			g.Id(fn.budget).Op("*").Add(f.wire("Budget"))
		}
		if part == consumePart && f.hasText(t) {
			fn.copies = fn.local("text", "allText")
			g.Id(fn.copies).Op("*").Add(f.wire("Copies"))
		}
		if part == consumePart && f.interns(t) && which.avro == nil {
			fn.interner = fn.local("interner", "kept")
			g.Id(fn.interner).Op("*").Add(f.wire("Interner"))
		}
	}).Add(results(part, deep)).BlockFunc(fn.body(func() {
		switch {
		case which.avro != nil:
			fn.avroBody(part, which.avro, 0)
		case t.Kind == ir.Union:
			fn.unionBody(part, t)
		default:
			fn.structBody(part, t)
		}
	}))
	f.out.Line()
}

// results returns the results of the function that treats a struct.
func results(part part, deep bool) jen.Code {
	switch {
	case part == detachPart:
		return jen.Null()
	case part != sizePart:
		return jen.Params(jen.Int(), jen.Error())
	case deep:
		return jen.Params(jen.Int(), jen.Bool())
	}
	return jen.Int()
}

// structBody generates the whole body of a function that treats a struct, which v points to.
func (f *fn) structBody(part part, t *ir.Type) {
	p := place{expr: f.v, deref: true, typ: t}
	switch part {
	case sizePart:
		s := &sizer{fn: f, n: f.local("n", "size")}
		if entersDepth(t) {
			s.enter(func() { s.giveUp(jen.Lit(0)) })
		}
		s.fields(p)
		s.finish()
	case putPart:
		if entersDepth(t) {
			f.enter(func() { f.block.Return(jen.Lit(0), f.wire("ErrDepth")) })
		}
		f.putStruct(p)
		f.block.Return(jen.Id(f.at(0)), jen.Nil())
	case consumePart:
		if entersDepth(t) {
			f.ifError(f.budgetCall("Enter"), func(err string) func(*jen.Group) {
				return func(g *jen.Group) { g.Return(jen.Lit(0), jen.Id(err)) }
			})
		}
		f.consumeStruct(p)
		if entersDepth(t) {
			f.block.Add(f.budgetCall("Leave"))
		}
		f.block.Return(jen.Id(f.at(0)), jen.Nil())
	case detachPart:
		f.detachStruct(p)
	}
}

func (f *file) helperDoc(part part, name string, t *ir.Type) {
	switch part {
	case sizePart:
		f.comment("%s returns the number of bytes that v takes%s.", name, map[bool]string{
			true: ", and false if it is nested too deeply for that to be known"}[f.needsDepth(t)])
	case putPart:
		f.comment("%s writes v to the start of dst.", name)
	case consumePart:
		f.comment("%s reads v from the start of src.", name)
	case detachPart:
		f.comment("%s copies what v shares with the payload that it was read from.", name)
	}
}
