package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Slices, other than those of bytes proper.

// count returns a call of one of wire's functions for the length of a slice or map.
func (f *file) count(function string, p place, head ...jen.Code) jen.Code {
	args := append(head, jen.Len(jen.Id(p.value())), jen.Id(p.value()).Op("==").Nil())
	return f.wire(function).Call(args...)
}

func (s *sizer) sizeSlice(p place) {
	s.term(s.count("CountLen", p))
	if n, ok := s.constSize(p.typ.Elem); ok {
		if n > 0 {
			s.term(times(n, jen.Len(jen.Id(p.value()))))
		}
		return
	}
	s.sizeElems(p)
}

// sizeElems counts the elements of a slice or array: what they have in common at once, the rest one by one.
func (s *sizer) sizeElems(p place) {
	probe := &sizer{fn: s.fn, n: s.n}
	probe.value(p.elem("0"))
	if probe.constant > 0 {
		s.term(times(probe.constant, jen.Len(jen.Id(p.value()))))
	}
	if len(probe.terms) == 0 && len(probe.blocks) == 0 {
		return
	}
	s.later(func() {
		s.loop(p, func(elem place) func(*jen.Group) {
			return s.nested(func(inner *sizer) {
				inner.value(elem)
				inner.constant = 0
			})
		})
	})
}

// times returns n*code.
func times(n int, code *jen.Statement) jen.Code {
	if n == 1 {
		return code
	}
	return jen.Lit(n).Op("*").Add(code)
}

// loop generates a loop over the elements of a slice or array that are only looked at: by value where an element is a word or two, otherwise by
// index, as where an error may have to tell the index.
func (f *fn) loop(p place, body func(elem place) func(*jen.Group)) {
	defer f.loopScope()()
	if p.typ.Kind != ir.Array && p.typ.Elem.Kind != ir.Struct && p.typ.Elem.Kind != ir.Array && !f.refuses(p.typ.Elem) {
		x := f.local("x", "elem")
		f.block.For(jen.List(jen.Id("_"), jen.Id(x)).Op(":=").Range().Id(p.value())).BlockFunc(body(p.elem("").at(x)))
		return
	}
	j := f.local("j", "k")
	f.block.For(jen.Id(j).Op(":=").Range().Id(p.value())).BlockFunc(body(p.elem(j)))
}

// loopScope opens a scope for the variables of a loop, and returns a function that closes it after the loop.
func (f *fn) loopScope() func() {
	scope := f.block.scope
	f.block.scope = scope.Child()
	return func() { f.block.scope = scope }
}

func (f *fn) putSlice(p place) {
	switch size, ok := f.constSize(p.typ.Elem); {
	case ok && size == 0:
		length := jen.Len(jen.Id(p.value()))
		f.block.If(length.Op(">").Add(f.wire("MaxEmptyElems"))).
			Block(jen.Return(jen.Lit(0), f.wire("ErrLimit"))) // no reader would take it
		f.putCall(f.count("PutCount", p, f.tail(0)))
	case f.inPlace(p.typ.Elem):
		f.putFixedElems(p, size)
	default:
		f.putCall(f.count("PutCount", p, f.tail(0)))
		f.settle()
		f.loop(p, func(elem place) func(*jen.Group) {
			return f.nested(func() { f.putValue(elem) })
		})
	}
}

// putFixedElems writes a slice of elements of constant size: one check of the room for all of them.
func (f *fn) putFixedElems(p place, size int) {
	list, op := f.temps(false, "n")
	n := list[0]
	f.block.Id(n).Op(op).Add(f.count("PutCount", p, f.tail(0)))
	room := jen.Id(f.left() + "-" + n)
	if size > 1 {
		room = jen.Parens(room).Op("/").Lit(size) // rather than times the length, which may overflow
	}
	f.block.If(jen.Id(n).Op("==").Lit(0).Op("||").Len(jen.Id(p.value())).Op(">").Add(room)).BlockFunc(f.short)
	f.advance(n)
	f.settle()
	if numbers(p.typ.Elem) != "" {
		f.putNumbers(p.typ.Elem, p.value())
		f.advanceBy(size, p.value())
		return
	}
	f.loop(p, func(elem place) func(*jen.Group) {
		return f.nested(func() { f.putFixed(elem) })
	})
}

func (f *fn) consumeSlice(p place) {
	f.countBounds(p)
	elem := p.typ.Elem
	call := f.wire("Slice").Call(
		f.tail(0), jen.Id(p.value()), jen.Lit(f.minSize(elem)), jen.Lit(int(charge(p.typ))), jen.Id(f.budget))
	s := f.local(localName(p, "s"), localName(p, "s")+"Elems")
	list, op := f.temps(true, "n", "err")
	n, err := list[0], list[1]
	f.block.List(jen.Id(s), jen.Id(n), jen.Id(err)).Op(op).Add(call).Comment("least bytes and memory of an element")
	f.checkError(p.path, err)
	f.advance(n)
	if !f.isEmpty(elem) {
		if f.partial(elem) {
			f.block.Clear(jen.Id(s))
		}
		f.settle()
		f.consumeElems(p, s)
	}
	f.block.Id(p.value()).Op("=").Id(s)
}

// charge returns what an element of a slice costs of the budget. Bytes are never more than the input.
func charge(slice *ir.Type) int64 {
	if slice.Kind == ir.Bytes {
		return 0
	}
	return slice.Elem.GoSize
}

// consumeElems reads the elements of a slice, which is in the variable s.
func (f *fn) consumeElems(p place, s string) {
	if size, ok := f.constSize(p.typ.Elem); ok && numbers(p.typ.Elem) != "" {
		f.consumeNumbers(p, s)
		f.advanceBy(size, s)
		return
	}
	defer f.loopScope()()
	j := f.local("j", "k")
	elem := p.at(s).elem(j)
	f.block.For(jen.Id(j).Op(":=").Range().Id(s)).BlockFunc(f.nested(func() {
		if f.inPlace(elem.typ) {
			f.consumeFixed(elem) // wire.Slice has checked that all of them are there
		} else {
			f.consumeValue(elem)
		}
	}))
}
