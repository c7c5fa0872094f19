package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Reset: zero, but for memory that the next value can use. It does not follow references: it cuts them.

func (f *file) resetMethod(r *ir.Record, n *recordNames) {
	doc := "Reset sets the fields of v to their zero values. Slices and maps become empty, unless they are nil, and keep their memory for what v is used for next; that memory must be v's own. " +
		"It refers to nothing: v keeps no other memory alive."
	if f.hasSkipped(r.Type) {
		doc += " Fields of v that are not part of the format keep their values; elements of slices are cleared with all fields."
	}
	f.docs(doc)
	fn := f.newFn()
	fn.v = fn.local("v", "value")
	f.serializerMethod(n, "Reset", []jen.Code{jen.Id(fn.v).Op("*").Add(f.typ(r.Type))}, jen.Null(), fn.body(func() {
		if fn.delegate(resetPart, r.Type, func(name string, _ []jen.Code) { fn.block.Id(name).Call(jen.Id(fn.v)) }) {
			return
		}
		fn.resetStruct(place{expr: fn.v, deref: true, typ: r.Type})
	}))
}

func (f *fn) resetStruct(p place) {
	for fld := range p.typ.Encoded() {
		at := p.field(fld)
		switch {
		case f.isEmpty(fld.Type) && fld.Type.Kind != ir.Bool:
		case fld.View && fld.Type.Kind == ir.Bytes:
			f.block.Id(at.value()).Op("=").Nil()
		default:
			f.resetValue(at)
		}
	}
}

func (f *fn) resetValue(p place) {
	set := func(code jen.Code) { f.block.Id(p.value()).Op("=").Add(code) }
	t := p.typ
	if f.isEmpty(t) {
		return
	}
	switch t.Kind {
	case ir.Bool:
		set(jen.False())
	case ir.String:
		set(jen.Lit(""))
	case ir.Time:
		set(f.typ(t).Values())
	case ir.Pointer, ir.Union:
		set(jen.Nil())
	case ir.Codec:
		set(jen.Op("*").New(f.typ(t)))
	case ir.Bytes:
		set(jen.Id(p.operand() + "[:0]"))
	case ir.Slice:
		if f.refers(t.Elem) && !f.isEmpty(t.Elem) {
			set(f.values("ResetSlice").Call(jen.Id(p.value())))
		} else {
			set(jen.Id(p.operand() + "[:0]"))
		}
	case ir.Map:
		f.block.Clear(jen.Id(p.value()))
	case ir.Array:
		if f.zeroable(t) {
			f.block.Clear(jen.Id(p.slice()))
			return
		}
		f.ranged(p, func(j string) { f.resetValue(p.elem(j)) })
	case ir.Struct:
		switch {
		case f.zeroable(t):
			set(f.typ(t).Values())
		case f.helperOf(resetPart, t):
			f.block.Id(f.plan.helper(f.src, resetPart, t)).Call(jen.Id(p.pointer()))
		default:
			f.resetStruct(p)
		}
	default:
		set(jen.Lit(0))
	}
}
