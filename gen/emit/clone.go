package emit

import (
	"cmp"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Clone: a copy that shares no memory that can change. A function that copies fills a variable that is zero.

func (f *file) cloneMethod(r *ir.Record, n *recordNames) {
	doc := "Clone returns a copy of v that shares no memory with it, except for the contents of strings, which cannot change."
	if f.views(r.Type) {
		doc += " Those of views are copied."
	}
	if f.userCode(r.Type) {
		doc += " Values with an encoding of their own are encoded and decoded."
	}
	if f.hasSkipped(r.Type) {
		doc += " Fields that are not part of the format are zero."
	}
	doc += f.requestDoc(r.Type, "It returns nil if %s.")
	f.docs(doc)
	fn := f.newFn()
	fn.v, fn.other = fn.local("v", "value"), fn.local("c", "clone")
	f.serializerMethod(n, "Clone", []jen.Code{jen.Id(fn.v).Op("*").Add(f.typ(r.Type))}, jen.Op("*").Add(f.typ(r.Type)), fn.body(func() {
		fn.block.Id(fn.other).Op(":=").New(f.typ(r.Type))
		fn.setGiveUp(clonePart, r.Type, true)
		if !fn.delegate(clonePart, r.Type, func(name string, depth []jen.Code) {
			call := jen.Id(name).Call(append([]jen.Code{jen.Id(fn.other), jen.Id(fn.v)}, depth...)...)
			if f.uncertain(r.Type) {
				fn.block.If(jen.Op("!").Add(call)).Block(fn.giveUp())
			} else {
				fn.block.Add(call)
			}
		}) {
			fn.nesting(r.Type, func() {
				fn.cloneStruct(place{expr: fn.other, deref: true, typ: r.Type}, place{expr: fn.v, deref: true, typ: r.Type})
			})
		}
		fn.block.Return(jen.Id(fn.other))
	}))
}

// hasSkipped says that a field which is not part of the format stands anywhere in a t.
func (f *facts) hasSkipped(t *ir.Type) bool {
	return f.partial(t) || f.reaches(f.known("skipped"), t, f.partial)
}

// cloneStruct copies the fields of src.
func (f *fn) cloneStruct(dst, src place) {
	if f.assignable(src.typ) {
		f.block.Id(dst.value()).Op("=").Id(src.value())
		return
	}
	for fld := range src.typ.Encoded() {
		to, from := dst.field(fld), src.field(fld)
		switch {
		case f.isEmpty(fld.Type) && fld.Type.Kind != ir.Bool:
		case fld.View && fld.Type.Kind == ir.String:
			f.block.Id(to.value()).Op("=").Add(f.as(fld.Type, f.qual("strings", "Clone").Call(f.convert(from, "string")), "string"))
		default:
			f.cloneValue(to, from)
		}
	}
}

// cloneValue copies a value of any type.
func (f *fn) cloneValue(dst, src place) {
	set := func(code jen.Code) { f.block.Id(dst.value()).Op("=").Add(code) }
	t := src.typ
	switch {
	case f.isEmpty(t):
		return
	case f.assignable(t):
		set(jen.Id(src.value()))
		return
	case f.helperOf(clonePart, t):
		value := src.pointer()
		if t.Kind == ir.Union {
			value = src.value()
		}
		call := jen.Id(f.plan.helper(f.src, clonePart, t)).Call(append([]jen.Code{jen.Id(dst.pointer()), jen.Id(value)}, f.depthArgs(clonePart, t)...)...)
		if f.uncertain(t) {
			f.block.If(jen.Op("!").Add(call)).Block(f.giveUp())
		} else {
			f.block.Add(call)
		}
		return
	}
	switch t.Kind {
	case ir.Struct:
		f.nesting(t, func() { f.cloneStruct(dst, src) })
	case ir.Bytes:
		set(f.values("CloneSlice").Call(jen.Id(src.value())))
	case ir.Slice:
		if f.assignable(t.Elem) && !f.isEmpty(t.Elem) {
			set(f.values("CloneSlice").Call(jen.Id(src.value())))
			return
		}
		set(f.values("MakeSlice").Call(jen.Id(src.value())))
		if !f.isEmpty(t.Elem) {
			f.ranged(src, func(j string) { f.cloneValue(dst.elem(j), src.elem(j)) })
		}
	case ir.Array:
		f.ranged(src, func(j string) { f.cloneValue(dst.elem(j), src.elem(j)) })
	case ir.Pointer:
		f.block.If(jen.Id(src.value()).Op("!=").Nil()).BlockFunc(f.inner(func() {
			x := f.local(localName(src, "x"), localName(src, "x")+"Value")
			fresh := f.wire("New").Call(jen.Id(src.value()))
			if spelled(t.Elem) {
				fresh = jen.New(f.typ(t.Elem))
			}
			f.block.Id(x).Op(":=").Add(fresh)
			f.cloneValue(place{expr: x, deref: true, typ: t.Elem}, src.pointee())
			f.block.Id(dst.value()).Op("=").Id(x)
		}))
	case ir.Map:
		f.cloneMap(dst, src)
	case ir.Codec:
		b := f.encodeTo(src, "scratch", localName(src, "b")+"Bytes", "encoded")
		f.ifError(f.decode(dst, b), func(string) func(*jen.Group) {
			return func(g *jen.Group) { g.Add(f.giveUp()) }
		})
	default:
		unknown(t)
	}
}

func (f *fn) cloneMap(dst, src place) {
	key, val := src.typ.Key, src.typ.Elem
	if f.assignable(key) && f.assignable(val) {
		f.block.Id(dst.value()).Op("=").Add(f.values("CloneMap")).Call(jen.Id(src.value()))
		return
	}
	f.block.Id(dst.value()).Op("=").Add(f.values("MakeMap")).Call(jen.Id(src.value()))
	defer f.loopScope()()
	k, x := f.local("key", "mapKey"), f.local("val", "mapValue")
	used := func(t *ir.Type) bool { return f.assignable(t) || !f.isEmpty(t) } // what takes no bytes leaves its copy zero
	head := jen.Range().Id(src.value())
	switch {
	case used(val):
		head = jen.List(jen.Id(cmp.Or(map[bool]string{true: k}[used(key)], "_")), jen.Id(x)).Op(":=").Add(head)
	case used(key):
		head = jen.Id(k).Op(":=").Add(head)
	}
	f.block.For(head).BlockFunc(f.inner(func() {
		copied := func(name string, t *ir.Type, pair func(string) *jen.Statement) string {
			if f.assignable(t) {
				return name
			}
			c := f.local(name+"Copy", name+"Clone")
			f.entryVar(c, t, pair(c), src.value())
			f.cloneValue(place{expr: c, typ: t}, place{expr: name, typ: t})
			return c
		}
		kc := copied(k, key, func(c string) *jen.Statement { return jen.List(jen.Id(c), jen.Id("_")) })
		xc := copied(x, val, func(c string) *jen.Statement { return jen.List(jen.Id("_"), jen.Id(c)) })
		f.block.Id(dst.operand() + "[" + kc + "]").Op("=").Id(xc)
	}))
}

func (f *fn) cloneUnion(t *ir.Type) {
	x := f.local("x", "member")
	result := jen.Id("*" + f.other)
	set := func(code jen.Code) {
		f.block.Add(result.Clone()).Op("=").Add(code)
		f.block.Return(jen.True())
	}
	f.typeSwitch(f.v, x, true, func(g *jen.Group) {
		g.Case(jen.Nil()).Block(jen.Return(jen.True()))
		for _, m := range t.Members {
			g.Case(f.typ(m)).BlockFunc(f.arm(func() {
				switch {
				case m.Kind == ir.Pointer:
					f.block.If(jen.Id(x).Op("==").Nil()).BlockFunc(f.arm(func() { set(jen.Id(x)) }))
					y := f.local("y", "copied")
					f.block.Id(y).Op(":=").New(f.typ(m.Elem))
					f.cloneValue(member(y, m), member(x, m))
					set(jen.Id(y))
				case f.assignable(m):
					set(jen.Id(x))
				default:
					y := f.local("y", "copied")
					f.block.Var().Id(y).Add(f.typ(m))
					f.cloneValue(place{expr: y, typ: m}, place{expr: x, typ: m})
					set(jen.Id(y))
				}
			}))
		}
	})
	f.block.Return(jen.False())
}
