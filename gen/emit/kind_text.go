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

// text is a string that waits to be copied.
type text struct {
	place
	span string // variable with its bytes
}

// consumeSpan reads a string without copying it.
func (f *fn) consumeSpan(p place) text {
	span := f.local(localName(p, "s"), localName(p, "s")+"Text")
	list, op := f.temps(true, "n")
	f.block.List(jen.Id(span), jen.Id(list[0])).Op(op).Add(f.wire("Span").Call(f.tail(0)))
	f.checkRead(p.path, list[0])
	f.advance(list[0])
	return text{p, span}
}

func (f *fn) consumeString(p place) {
	t := f.consumeSpan(p)
	f.block.Id(p.value()).Op("=").Add(f.typ(p.typ).Call(jen.Id(t.span)))
}

// copyText copies strings that were read with consumeSpan into one allocation.
func (f *fn) copyText(list []text) {
	if len(list) == 0 {
		return
	}
	sum := jen.Len(jen.Id(list[0].span))
	for _, t := range list[1:] {
		sum.Op("+").Len(jen.Id(t.span))
	}
	all := f.local("text", "allText")
	f.block.Id(all).Op(":=").Add(f.wire("NewText").Call(sum))
	for _, t := range list {
		f.block.Id(t.value()).Op("=").Add(f.as(t.typ, jen.Id(all).Dot("Take").Call(jen.Id(t.span)), "string"))
	}
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
	x := f.local(localName(p, "p"), localName(p, "p")+"Bytes")
	list, op := f.temps(true, "n")
	f.block.List(jen.Id(x), jen.Id(list[0])).Op(op).Add(f.wire("Bytes").Call(f.tail(0), jen.Id(p.value())))
	f.checkRead(p.path, list[0])
	f.advance(list[0])
	f.block.Id(p.value()).Op("=").Id(x)
}
