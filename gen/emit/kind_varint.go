package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Integer fields with the varint tag.

func signed(k ir.Kind) bool { return k <= ir.Int }

// varint returns the value at p as it is written.
func (f *file) varint(p place) jen.Code {
	if signed(p.typ.Kind) {
		return f.wire("Zigzag").Call(f.convert(p, "int64"))
	}
	return f.convert(p, "uint64")
}

func (f *fn) putVarint(p place) { f.putCall(f.wire("PutUvarint").Call(f.tail(0), f.varint(p))) }

func (f *fn) consumeVarint(p place) {
	x := ""
	if signed(p.typ.Kind) {
		x = f.local(localName(p, "x")+"Zigzag", localName(p, "x")+"Bits")
	} else {
		x = f.local(localName(p, "x"), localName(p, "x")+"Value")
	}
	list, op := f.temps(true, "n")
	f.block.List(jen.Id(x), jen.Id(list[0])).Op(op).Add(f.wire("Uvarint").Call(f.tail(0)))
	f.checkRead(p.path, list[0])
	wide := "uint64"
	if signed(p.typ.Kind) {
		wide = "int64"
		y := f.local(localName(p, "x"), localName(p, "x")+"Value")
		f.block.Id(y).Op(":=").Add(f.wire("Unzigzag").Call(jen.Id(x)))
		x = y
	}
	switch k := p.typ.Kind; k {
	case ir.Int, ir.Uint, ir.Uintptr:
		f.checkMachineWord(p, x, wide)
	case ir.Int16, ir.Int32, ir.Uint16, ir.Uint32:
		narrow := jen.Id(wide).Call(jen.Id(goTypes[k]).Call(jen.Id(x)))
		f.block.If(narrow.Op("!=").Id(x)).BlockFunc(f.fail(p.path, 0, f.wire("ErrCorrupt")))
	}
	f.advance(list[0])
	f.block.Id(p.value()).Op("=").Add(f.as(p.typ, jen.Id(x), wide))
}
