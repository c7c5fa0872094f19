package emit

import "github.com/dave/jennifer/jen"

// Pointers. A pointer in a struct field has a presence bit, so its pointee is all that is left to write; elsewhere a byte tells nil.

func (s *sizer) sizePointer(p place) {
	s.constant++
	s.sizePointee(p)
}

// sizePointee counts what a pointer points to.
func (s *sizer) sizePointee(p place) {
	if s.isEmpty(p.typ.Elem) {
		return
	}
	s.later(func() {
		s.block.If(jen.Id(p.value()).Op("!=").Nil()).
			BlockFunc(s.nested(func(inner *sizer) { inner.value(p.pointee()) }))
	})
}

// putPointee writes what the pointer in a field points to.
func (f *fn) putPointee(p place) {
	if f.isEmpty(p.typ.Elem) {
		return
	}
	f.settle()
	f.block.If(jen.Id(p.value()).Op("!=").Nil()).BlockFunc(f.nested(func() { f.putValue(p.pointee()) }))
}

// putPointer writes a pointer that is no field.
func (f *fn) putPointer(p place) {
	f.block.If(f.fewer(1)).BlockFunc(f.short)
	f.settle()
	set := func(flag int) {
		f.block.Add(f.byteAt(0)).Op("=").Lit(flag)
		f.offset++
	}
	f.block.If(jen.Id(p.value()).Op("==").Nil()).BlockFunc(f.nested(func() { set(0) })).
		Else().BlockFunc(f.nested(func() {
		set(1)
		f.putValue(p.pointee())
	}))
}

// consumePointee reads what the pointer in a field points to, if bit of the presence bits says that there is something.
func (f *fn) consumePointee(p place, bits string, bit int) {
	f.settle()
	f.block.If(jen.Id(bits).Op("&").Id(mask(bit)).Op("!=").Lit(0)).BlockFunc(f.nested(func() { f.consumeNew(p) })).
		Else().Block(jen.Id(p.value()).Op("=").Nil())
}

// consumePointer reads a pointer that is no field.
func (f *fn) consumePointer(p place) {
	f.block.If(f.fewer(1)).BlockFunc(f.fail(p.path, 0, f.wire("ErrTruncated")))
	flag := f.local("flag", "pointerFlag")
	f.block.Id(flag).Op(":=").Add(f.byteAt(0))
	f.block.If(jen.Id(flag).Op(">").Lit(1)).BlockFunc(f.fail(p.path, 0, f.wire("ErrCorrupt")))
	f.offset++
	f.settle()
	f.block.If(jen.Id(flag).Op("==").Lit(1)).BlockFunc(f.nested(func() { f.consumeNew(p) })).
		Else().Block(jen.Id(p.value()).Op("=").Nil())
}

// consumeNew reads a value into new memory and makes the pointer at p point to it. The old pointee may be in use elsewhere.
func (f *fn) consumeNew(p place) {
	atOnce := f.inPlace(p.typ.Elem) && !f.isEmpty(p.typ.Elem)
	if atOnce { // before memory is taken
		n, _ := f.constSize(p.typ.Elem)
		f.block.If(f.fewer(n)).BlockFunc(f.fail(p.path, 0, f.wire("ErrTruncated")))
	}
	f.ifError(f.budgetCall("Charge", jen.Lit(1), jen.Lit(int(p.typ.Elem.GoSize))), func(err string) func(*jen.Group) {
		return f.pass(p.path, 0, jen.Id(err))
	})
	x := f.local(localName(p, "x"), localName(p, "x")+"Value")
	fresh := f.wire("New").Call(jen.Id(p.value()))
	if spelled(p.typ.Elem) {
		fresh = jen.New(f.typ(p.typ.Elem))
	}
	f.block.Id(x).Op(":=").Add(fresh)
	inner := p.pointee()
	inner.expr, inner.fresh = x, true
	if atOnce {
		f.consumeFixed(inner)
	} else {
		f.consumeValue(inner)
	}
	f.block.Id(p.value()).Op("=").Id(x)
}

// budgetCall calls a method of the budget.
func (f *fn) budgetCall(method string, args ...jen.Code) jen.Code {
	name := f.budget
	if name[0] == '&' {
		name = name[1:]
	}
	return jen.Id(name).Dot(method).Call(args...)
}

// ifError generates a call that returns only an error, and its test.
func (f *fn) ifError(call jen.Code, body func(err string) func(*jen.Group)) {
	err, op := "", ":="
	for b := f.block; b != nil && err == ""; b = b.parent {
		if err = b.temps["err"]; err != "" {
			op = "="
		}
	}
	if err == "" {
		defer f.loopScope()()
		err = f.local("err")
	}
	f.block.If(jen.Id(err).Op(op).Add(call), jen.Id(err).Op("!=").Nil()).BlockFunc(body(err))
}
