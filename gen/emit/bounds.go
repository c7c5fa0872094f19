package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// What tags demand of the values of fields: a length, and valid UTF-8. Both are checked when writing and when reading, there before memory is taken.

// putBounds checks the value of a field before it is written.
func (f *fn) putBounds(p place) {
	if p.fld.Max > 0 {
		f.check(p, f.wire("CheckMax").Call(jen.Len(jen.Id(p.value())), jen.Lit(p.fld.Max)))
	}
	if p.fld.UTF8 {
		f.check(p, f.wire("CheckUTF8").Call(f.convert(p, "string")))
	}
}

// spanBounds checks the bytes of a string that was read, which are in the variable span.
func (f *fn) spanBounds(p place, span string) {
	if p.fld == nil {
		return
	}
	if p.fld.Max > 0 {
		f.check(p, f.wire("CheckMax").Call(jen.Len(jen.Id(span)), jen.Lit(p.fld.Max)))
	}
	if p.fld.UTF8 {
		f.check(p, f.wire("CheckUTF8").Call(jen.Id(span)))
	}
}

// countBounds checks the length of a slice or map before it is read.
func (f *fn) countBounds(p place) {
	if p.fld != nil && p.fld.Max > 0 && p.typ.Kind != ir.String {
		f.check(p, f.wire("CheckCount").Call(f.tail(0), jen.Lit(p.fld.Max)))
	}
}

// check generates a call that returns only an error, which is the value's.
func (f *fn) check(p place, call jen.Code) {
	f.ifError(call, func(err string) func(*jen.Group) { return f.pass(p.path, 0, jen.Id(err)) })
}

// passPut generates the way out with the error of a function that writes a part of the value. If the values of that part can be refused, the error names the part.
func (f *fn) passPut(p place, err string) func(*jen.Group) {
	code := jen.Code(jen.Id(err))
	if f.refuses(p.typ) {
		code = f.wrap(p.path, f.at(0), code)
	}
	return func(g *jen.Group) { g.Return(jen.Lit(0), code) }
}
