package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Detaching: what views the payload of the record is copied, and everything else left as it is.

// detachMethod generates the method that detaches a record, if records have views.
func (f *file) detachMethod(r *ir.Record, n *recordNames) {
	if !f.views(r.Type) {
		return
	}
	doc := "Detach copies the fields of v that share the memory of the payload that v was read from, so that v may be kept."
	if f.needsDepth(r.Type) {
		doc += " It is for records that were read: of cyclic data it finds no end."
	}
	f.docs(doc)
	fn := f.newFn()
	fn.v = fn.local("v", "value")
	f.out.Func().Params(jen.Id(n.Serializer)).Id("Detach").Params(jen.Id(fn.v).Op("*").Add(f.typ(r.Type))).BlockFunc(fn.body(func() {
		if f.delegates(detachPart, r) {
			fn.block.Add(fn.helperCall(detachPart, fn.root(r.Type)))
			return
		}
		fn.detachStruct(fn.root(r.Type))
	}))
	f.out.Line()
}

// detachStruct detaches the fields of a struct.
func (f *fn) detachStruct(p place) {
	for fld := range p.typ.Encoded() {
		at := p.field(fld)
		switch {
		case fld.View && fld.Type.Kind == ir.String:
			f.block.Id(at.value()).Op("=").Add(f.as(fld.Type, f.qual("strings", "Clone").Call(f.convert(at, "string")), "string"))
		case fld.View:
			f.block.Id(at.value()).Op("=").Add(f.qual("slices", "Clone")).Call(jen.Id(at.value()))
		case f.views(fld.Type):
			f.detachValue(at)
		}
	}
}

// detachValue detaches a value that holds views.
func (f *fn) detachValue(p place) {
	switch p.typ.Kind {
	case ir.Struct:
		if p.typ.Name == nil {
			f.detachStruct(p)
			return
		}
		f.block.Add(f.helperCall(detachPart, p))
	case ir.Union:
		f.block.Add(f.helperCall(detachPart, p))
	case ir.Pointer:
		f.block.If(jen.Id(p.value()).Op("!=").Nil()).BlockFunc(f.nested(func() { f.detachValue(p.pointee()) }))
	case ir.Slice, ir.Array:
		defer f.loopScope()()
		j := f.local("j", "k")
		f.block.For(jen.Id(j).Op(":=").Range().Id(p.value())).BlockFunc(f.nested(func() { f.detachValue(p.elem(j)) }))
	case ir.Map:
		f.detachMap(p)
	default:
		unknown(p.typ)
	}
}

// detachMap detaches the entries of a map. Unless only pointers have views they go into a new map, because the keys may be views, and because a key that is
// NaN cannot be set again.
func (f *fn) detachMap(p place) {
	key, val := p.typ.Key, p.typ.Elem
	if val.Kind == ir.Pointer && !f.views(key) {
		f.entries(p, false, true, func(_, val place) func(*jen.Group) {
			return f.nested(func() { f.detachValue(val) })
		})
		return
	}
	f.block.If(jen.Id(p.value()).Op("!=").Nil()).BlockFunc(f.nested(func() {
		m := f.local(localName(p, "m"), localName(p, "m")+"Map")
		if spelled(p.typ) {
			f.block.Id(m).Op(":=").Make(f.typ(p.typ), jen.Len(jen.Id(p.value())))
		} else {
			f.block.Id(m).Op(":=").Add(f.qual("maps", "Clone")).Call(jen.Id(p.value()))
			f.block.Clear(jen.Id(m))
		}
		f.entries(p, true, true, func(k, v place) func(*jen.Group) {
			return f.nested(func() {
				if f.views(key) {
					f.detachValue(k)
				}
				if f.views(val) {
					f.detachValue(v)
				}
				f.block.Id(m + "[" + k.expr + "]").Op("=").Id(v.expr)
			})
		})
		f.block.Id(p.value()).Op("=").Id(m)
	}))
}
