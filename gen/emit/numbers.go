package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Slices and longer arrays of numbers, which package wire moves: in one copy, where memory has the order of the wire.

// minNumbers is the number of elements from which an array is worth a call.
const minNumbers = 8

// numbers returns the name that package wire has for many of t, empty if it has none.
func numbers(t *ir.Type) string {
	switch t.Kind {
	case ir.Int8, ir.Int16, ir.Int32, ir.Int64, ir.Uint8, ir.Uint16, ir.Uint32, ir.Uint64:
		return "Ints"
	case ir.Int, ir.Uint, ir.Uintptr:
		return "Words"
	case ir.Float32, ir.Float64:
		return "Floats"
	}
	return ""
}

// isNumberArray says that an array is moved by package wire.
func isNumberArray(t *ir.Type) bool { return numbers(t.Elem) != "" && t.Len >= minNumbers }

// putNumbers writes the elements of the slice with that expression. The caller has checked the room, and moves the position.
func (f *fn) putNumbers(elem *ir.Type, slice string) {
	f.block.Add(f.wire("Put"+numbers(elem)).Call(f.tail(0), jen.Id(slice)))
}

// consumeNumbers reads the elements of the slice with that expression, which belongs to the value at p. The caller has checked that they are there, and moves the position.
func (f *fn) consumeNumbers(p place, slice string) {
	call := f.wire(numbers(p.typ.Elem)).Call(jen.Id(slice), f.tail(0))
	if numbers(p.typ.Elem) != "Words" {
		f.block.Add(call)
		return
	}
	defer f.loopScope()()
	j := f.local("j", "k")
	stride := f.stride
	f.stride += fmt.Sprintf("+8*%s", j)
	fail := f.fail(p.path.index(j), 0, f.wire("ErrOverflow"))
	f.stride = stride
	f.block.If(jen.Id(j).Op(":=").Add(call), jen.Id(j).Op("<").Len(jen.Id(slice))).BlockFunc(fail)
}

// advanceBy moves the position by the elements of the slice with that expression, of size bytes each.
func (f *fn) advanceBy(size int, slice string) {
	f.block.Id(f.index).Op("+=").Add(times(size, jen.Len(jen.Id(slice))))
}
