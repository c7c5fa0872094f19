package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Values of constant size: numbers, bools, times, and arrays and structs of these. The caller has checked the room.

// goTypes are the predeclared names of basic types.
var goTypes = map[ir.Kind]string{
	ir.Bool: "bool", ir.Int8: "int8", ir.Int16: "int16", ir.Int32: "int32", ir.Int64: "int64", ir.Int: "int",
	ir.Uint8: "uint8", ir.Uint16: "uint16", ir.Uint32: "uint32", ir.Uint64: "uint64", ir.Uint: "uint", ir.Uintptr: "uintptr",
	ir.Float32: "float32", ir.Float64: "float64", ir.Complex64: "complex64", ir.Complex128: "complex128", ir.String: "string",
}

// is reports whether t is the predeclared type of that name, so that no conversion is needed.
func is(t *ir.Type, predeclared string) bool { return t.Name == nil && goTypes[t.Kind] == predeclared }

// convert returns the value at p as the predeclared type of that name.
func (f *file) convert(p place, predeclared string) jen.Code {
	if is(p.typ, predeclared) {
		return jen.Id(p.value())
	}
	return jen.Id(predeclared).Call(jen.Id(p.value()))
}

// as returns code, of the predeclared type of that name, as a value of type t.
func (f *file) as(t *ir.Type, code jen.Code, predeclared string) jen.Code {
	if is(t, predeclared) {
		return code
	}
	return f.typ(t).Call(code)
}

// timeOf returns the value at p as a time.Time.
func (f *file) timeOf(p place) jen.Code {
	if isTime(p.typ) {
		return jen.Id(p.value())
	}
	return f.qual("time", "Time").Call(jen.Id(p.value()))
}

func isTime(t *ir.Type) bool {
	return t.Name == nil || t.Name.PkgPath == "time" && t.Name.Name == "Time"
}

// width returns the bits of an integer of kind k on the wire.
func width(k ir.Kind) int {
	n, _ := basicSize(k)
	return 8 * n
}

// putFixed writes a value of constant size and moves the position past it.
func (f *fn) putFixed(p place) {
	size, _ := f.constSize(p.typ)
	if p.fld != nil && p.fld.UnixNano {
		f.check(p, f.wire("PutUnixNano").Call(f.tail(0), f.timeOf(p)))
		f.offset += unixNanoSize
		return
	}
	switch p.typ.Kind {
	case ir.Bool:
		f.block.Add(f.byteAt(0)).Op("=").Lit(0)
		f.block.If(jen.Id(p.value())).Block(f.byteAt(0).Op("=").Lit(1))
	case ir.Int8, ir.Uint8:
		f.block.Add(f.byteAt(0)).Op("=").Add(f.byteOf(p))
	case ir.Int16, ir.Uint16, ir.Int32, ir.Uint32, ir.Int64, ir.Uint64, ir.Int, ir.Uint, ir.Uintptr:
		f.putWord(8*size, 0, f.convert(p, fmt.Sprintf("uint%d", 8*size)))
	case ir.Float32, ir.Float64:
		f.putWord(8*size, 0, f.floatBits(8*size, f.convert(p, goTypes[p.typ.Kind])))
	case ir.Complex64, ir.Complex128:
		f.putWord(4*size, 0, f.floatBits(4*size, jen.Real(jen.Id(p.value()))))
		f.putWord(4*size, size/2, f.floatBits(4*size, jen.Imag(jen.Id(p.value()))))
	case ir.Time:
		f.block.Add(f.wire("PutTime").Call(f.tail(0), f.timeOf(p)))
	case ir.Array:
		f.putFixedArray(p)
	case ir.Struct:
		offset := f.offset
		for _, it := range f.items(putPart, p) {
			f.putFixedItem(it)
		}
		f.offset = offset
	default:
		unknown(p.typ)
	}
	f.offset += size
}

// byteOf returns the value of an 8-bit integer as a byte.
func (f *file) byteOf(p place) jen.Code {
	if is(p.typ, "uint8") {
		return jen.Id(p.value())
	}
	return jen.Byte().Call(jen.Id(p.value()))
}

func (f *fn) putWord(bits, extra int, word jen.Code) {
	f.block.Add(f.littleEndian(fmt.Sprintf("PutUint%d", bits)).Call(f.tail(extra), word))
}

func (f *fn) word(bits, extra int) jen.Code {
	return f.littleEndian(fmt.Sprintf("Uint%d", bits)).Call(f.tail(extra))
}

func (f *file) floatBits(bits int, code jen.Code) jen.Code {
	return f.qual("math", fmt.Sprintf("Float%dbits", bits)).Call(code)
}

func (f *fn) float(bits, extra int) jen.Code {
	return f.qual("math", fmt.Sprintf("Float%dfrombits", bits)).Call(f.word(bits, extra))
}

// consumeFixed reads a value of constant size and moves the position past it.
func (f *fn) consumeFixed(p place) {
	size, _ := f.constSize(p.typ)
	set := func(code jen.Code) { f.block.Id(p.value()).Op("=").Add(code) }
	if p.fld != nil && p.fld.UnixNano {
		t := jen.Code(f.wire("UnixNano").Call(f.tail(0)))
		if !isTime(p.typ) {
			t = f.typ(p.typ).Call(t)
		}
		set(t)
		f.offset += unixNanoSize
		return
	}
	switch k := p.typ.Kind; k {
	case ir.Bool:
		f.block.If(f.byteAt(0).Op(">").Lit(1)).BlockFunc(f.fail(p.path, 0, f.wire("ErrCorrupt")))
		set(f.byteAt(0).Op("==").Lit(1))
	case ir.Int8, ir.Uint8:
		set(f.as(p.typ, f.byteAt(0), "uint8"))
	case ir.Int16, ir.Uint16, ir.Int32, ir.Uint32, ir.Int64, ir.Uint64:
		set(f.as(p.typ, f.word(8*size, 0), fmt.Sprintf("uint%d", 8*size)))
	case ir.Int:
		f.consumeMachineWord(p, jen.Int64().Call(f.word(64, 0)), "int64")
	case ir.Uint, ir.Uintptr:
		f.consumeMachineWord(p, f.word(64, 0), "uint64")
	case ir.Float32, ir.Float64:
		set(f.as(p.typ, f.float(8*size, 0), goTypes[k]))
	case ir.Complex64, ir.Complex128:
		set(f.as(p.typ, jen.Complex(f.float(4*size, 0), f.float(4*size, size/2)), goTypes[k]))
	case ir.Time:
		f.consumeTime(p)
	case ir.Array:
		f.consumeFixedArray(p)
	case ir.Struct:
		offset := f.offset
		for _, it := range f.items(consumePart, p) {
			f.consumeFixedItem(it)
		}
		f.offset = offset
	default:
		unknown(p.typ)
	}
	f.offset += size
}

// consumeMachineWord sets an int, uint or uintptr from 64 bits if they fit.
func (f *fn) consumeMachineWord(p place, word jen.Code, wide string) {
	x := f.local(localName(p, "x"), localName(p, "x")+"Value")
	f.block.Id(x).Op(":=").Add(word)
	f.checkMachineWord(p, x, wide)
	f.block.Id(p.value()).Op("=").Add(f.typ(p.typ).Call(jen.Id(x)))
}

// checkMachineWord tests that x, of 64 bits, fits the type at p on the machine that runs the code.
func (f *fn) checkMachineWord(p place, x, wide string) {
	narrow := jen.Id(wide).Call(jen.Id(goTypes[p.typ.Kind]).Call(jen.Id(x)))
	f.block.If(narrow.Op("!=").Id(x)).BlockFunc(f.fail(p.path, 0, f.wire("ErrOverflow")))
}

func (f *fn) consumeTime(p place) {
	x := f.local(localName(p, "t"), localName(p, "t")+"Time")
	list, op := f.temps(true, "err")
	f.block.List(jen.Id(x), jen.Id(list[0])).Op(op).Add(f.wire("Time").Call(f.tail(0)))
	f.checkError(p.path, list[0])
	t := jen.Code(jen.Id(x))
	if !isTime(p.typ) {
		t = f.typ(p.typ).Call(t)
	}
	f.block.Id(p.value()).Op("=").Add(t)
}
