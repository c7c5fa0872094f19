package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Strings and byte slices.

func (f *fn) putString(p place) {
	f.putCall(f.wire("PutString").Call(f.tail(0), f.convert(p, "string")))
}

// putCall generates a call that writes something and returns its size, or 0 if it does not fit.
func (f *fn) putCall(call jen.Code) {
	list, op := f.temps(false, "n")
	n := list[0]
	f.block.Id(n).Op(op).Add(call)
	f.block.If(jen.Id(n).Op("==").Lit(0)).BlockFunc(f.short)
	f.advance(n)
}

// consumeSpan reads a string without copying it, and returns the variable with its bytes.
func (f *fn) consumeSpan(p place) string {
	span := f.local(localName(p, "s"), localName(p, "s")+"Text")
	n := f.quickRead(p, span, f.wire("QuickSpan"), f.wire("Span"))
	f.spanBounds(p, span)
	f.advance(n)
	return span
}

// quickRead reads into a variable by a function that is inlined, and by another one where the first does not know, and returns the variable with the size.
func (f *fn) quickRead(p place, into string, quick, read *jen.Statement) (n string) {
	list, op := f.temps(true, "n")
	n = list[0]
	why := f.wire("UvarintError").Call(jen.Id(n))
	if p.fld != nil && p.fld.Max > 0 && p.typ.Kind == ir.String { // a bound of others is checked before
		why = f.wire("TextError").Call(f.tail(0), jen.Id(n), jen.Lit(p.fld.Max))
	}
	f.block.List(jen.Id(into), jen.Id(n)).Op(op).Add(quick.Call(jen.Id(f.buf), jen.Id(f.at(0))))
	f.block.If(jen.Id(n).Op("==").Lit(0)).Block(
		jen.If(
			jen.List(jen.Id(into), jen.Id(n)).Op("=").Add(read.Call(f.tail(0))),
			jen.Id(n).Op("<=").Lit(0),
		).BlockFunc(f.fail(p.path, 0, why)),
	)
	return n
}

func (f *fn) consumeString(p place) {
	if f.copies != "" && (p.fld == nil || copied(p.fld) && p.fld.Max == 0 && !p.fld.UTF8) {
		f.copyString(p)
		return
	}
	if p.fld != nil && p.fld.View && p.fld.Max == 0 && !p.fld.UTF8 {
		s := f.local(localName(p, "s"), localName(p, "s")+"Text")
		f.advance(f.quickRead(p, s, f.wire("QuickText"), f.wire("ViewText")))
		f.block.Id(p.value()).Op("=").Add(f.as(p.typ, jen.Id(s), "string"))
		return
	}
	span := f.consumeSpan(p)
	code := jen.Code(f.typ(p.typ).Call(jen.Id(span)))
	switch {
	case p.fld == nil:
	case p.fld.View:
		code = f.as(p.typ, f.wire("ViewString").Call(jen.Id(span)), "string")
	case p.fld.Intern:
		code = f.as(p.typ, jen.Id(f.interner).Dot("Take").Call(jen.Id(span), f.convert(p, "string")), "string")
	case f.copies != "": // after the checks of tags
		code = f.as(p.typ, f.copiesCall("Take").Call(jen.Id(span)), "string")
	}
	f.block.Id(p.value()).Op("=").Add(code)
}

// isByteSlice says that t is a slice of bytes proper, which copy can move. Other 8-bit unsigned types are moved one by one.
func isByteSlice(t *ir.Type) bool { return t.Elem == nil || t.Elem.Name == nil }

func (s *sizer) sizeBytes(p place) {
	if isByteSlice(p.typ) {
		s.term(s.wire("BytesLen").Call(jen.Id(p.value())))
		return
	}
	s.sizeSlice(p)
}

func (f *fn) putBytes(p place) {
	if isByteSlice(p.typ) {
		f.putCall(f.wire("PutBytes").Call(f.tail(0), jen.Id(p.value())))
		return
	}
	f.putSlice(p)
}

func (f *fn) consumeBytes(p place) {
	if !isByteSlice(p.typ) {
		f.consumeSlice(p)
		return
	}
	f.countBounds(p)
	if p.fld != nil && p.fld.View {
		f.viewBytes(p)
		return
	}
	x := f.local(localName(p, "p"), localName(p, "p")+"Bytes")
	list, op := f.temps(true, "n")
	f.block.List(jen.Id(x), jen.Id(list[0])).Op(op).Add(f.wire("Bytes").Call(f.tail(0), jen.Id(p.value())))
	f.checkRead(p.path, list[0])
	f.advance(list[0])
	f.block.Id(p.value()).Op("=").Id(x)
}

// viewBytes reads a byte slice without copying it.
func (f *fn) viewBytes(p place) {
	x := f.local(localName(p, "p"), localName(p, "p")+"Bytes")
	f.advance(f.quickRead(p, x, f.wire("QuickBytes"), f.wire("ViewBytes")))
	f.block.Id(p.value()).Op("=").Id(x)
}
