package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Arrays. They are accessed by index, because ranging over the values of an array copies it.

// isByteArray says that the elements of an array are bytes proper, which copy can move.
func isByteArray(t *ir.Type) bool { return is(t.Elem, "uint8") }

// slice returns the array at p as a slice.
func (p place) slice() string { return p.selectable() + "[:]" }

// putFixedArray writes an array of elements of constant size. The caller moves the position.
func (f *fn) putFixedArray(p place) {
	if isByteArray(p.typ) {
		f.block.Copy(f.tail(0), jen.Id(p.slice()))
		return
	}
	if isNumberArray(p.typ) {
		f.putNumbers(p.typ.Elem, p.slice())
		return
	}
	f.fixedArray(p, f.putFixed)
}

// consumeFixedArray reads an array of elements of constant size. The caller moves the position.
func (f *fn) consumeFixedArray(p place) {
	if isByteArray(p.typ) {
		f.block.Copy(jen.Id(p.slice()), f.tail(0))
		return
	}
	if isNumberArray(p.typ) {
		f.consumeNumbers(p, p.slice())
		return
	}
	f.fixedArray(p, f.consumeFixed)
}

func (f *fn) fixedArray(p place, element func(place)) {
	if f.isEmpty(p.typ) {
		return
	}
	defer f.loopScope()()
	size, _ := f.constSize(p.typ.Elem)
	j := f.local("j", "k")
	f.block.For(jen.Id(j).Op(":=").Range().Id(p.value())).
		BlockFunc(f.strided(size, j, func() { element(p.elem(j)) }))
}

// putArray writes an array of other elements.
func (f *fn) putArray(p place) {
	f.settle()
	f.loop(p, func(elem place) func(*jen.Group) {
		return f.nested(func() { f.putValue(elem) })
	})
}

// consumeArray reads an array of other elements.
func (f *fn) consumeArray(p place) {
	f.settle()
	f.loop(p, func(elem place) func(*jen.Group) {
		return f.nested(func() { f.consumeValue(elem) })
	})
}
