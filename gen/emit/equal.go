package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Equal: whether what is encoded of two records is equal. Maps have no order, and what is not encoded does not count.

func (f *file) equalMethod(r *ir.Record, n *recordNames) {
	doc := "Equal reports whether what is encoded of a and b is equal: floats by their bits, times as instants, nil other than empty, what pointers point to, and maps in whatever order."
	if f.userCode(r.Type) {
		doc += " Values with an encoding of their own are equal if their bytes are."
	}
	doc += f.requestDoc(r.Type, "It is false if %s.")
	if f.indexes(r.Type) {
		doc += " Maps whose keys hold floats, pointers or encoded values take memory for an index."
	}
	f.docs(doc)
	fn := f.newFn()
	fn.v, fn.other = fn.local("a", "v"), fn.local("b", "w")
	f.serializerMethod(n, "Equal", []jen.Code{jen.List(jen.Id(fn.v), jen.Id(fn.other)).Op("*").Add(f.typ(r.Type))}, jen.Bool(), fn.body(func() {
		if fn.delegate(equalPart, r.Type, func(name string, depth []jen.Code) {
			fn.block.Return(jen.Id(name).Call(append([]jen.Code{jen.Id(fn.v), jen.Id(fn.other)}, depth...)...))
		}) {
			return
		}
		fn.setGiveUp(equalPart, r.Type, true)
		fn.valueBody(equalPart, r.Type)
	}))
}

// indexes says that comparing two values of t can take an index of the entries of a map.
func (f *facts) indexes(t *ir.Type) bool {
	return f.reaches(f.known("indexes"), t, func(t *ir.Type) bool { return t.Kind == ir.Map && !f.exact(t.Key) })
}

// equalStruct compares the fields of two structs.
func (f *fn) equalStruct(a, b place) {
	var differ []jen.Code
	flush := func() {
		if len(differ) == 0 {
			return
		}
		cond := jen.Add(differ[0])
		for _, d := range differ[1:] {
			cond.Op("||").Line().Add(d)
		}
		f.block.If(cond).Block(f.giveUp())
		differ = nil
	}
	for fld := range a.typ.Encoded() {
		x, y := a.field(fld), b.field(fld)
		if f.isEmpty(fld.Type) && fld.Type.Kind != ir.Bool {
			continue
		}
		if d := f.differ(x, y); d != nil {
			differ = append(differ, d)
			continue
		}
		flush()
		f.equalValue(x, y)
	}
	flush()
}

// differ returns the condition that two values are not equal, nil if one expression cannot say it.
func (f *fn) differ(a, b place) jen.Code {
	not := func(call *jen.Statement, args ...jen.Code) jen.Code { return jen.Op("!").Add(call).Call(args...) }
	switch k := a.typ.Kind; {
	case f.exact(a.typ):
		return jen.Id(a.value()).Op("!=").Id(b.value())
	case k == ir.Float32 || k == ir.Float64:
		suffix := map[ir.Kind]string{ir.Float32: "EqualFloat32", ir.Float64: "EqualFloat64"}[k]
		return not(f.values(suffix), f.convert(a, goTypes[k]), f.convert(b, goTypes[k]))
	case k == ir.Complex64 || k == ir.Complex128:
		suffix := map[ir.Kind]string{ir.Complex64: "EqualFloat32", ir.Complex128: "EqualFloat64"}[k]
		return jen.Add(not(f.values(suffix), jen.Real(jen.Id(a.value())), jen.Real(jen.Id(b.value())))).Op("||").Line().
			Add(not(f.values(suffix), jen.Imag(jen.Id(a.value())), jen.Imag(jen.Id(b.value()))))
	case k == ir.Time:
		return not(f.values("EqualTime"), f.timeOf(a), f.timeOf(b))
	case k == ir.Bytes && isByteSlice(a.typ):
		return not(f.values("EqualBytes"), jen.Id(a.value()), jen.Id(b.value()))
	case k == ir.Bytes, k == ir.Slice && f.exact(a.typ.Elem) && !f.isEmpty(a.typ.Elem):
		return not(f.values("EqualSlice"), jen.Id(a.value()), jen.Id(b.value()))
	case k == ir.Slice && f.isEmpty(a.typ.Elem):
		return not(f.values("EqualLen"), jen.Id(a.value()), jen.Id(b.value()))
	case k == ir.Pointer && f.isEmpty(a.typ.Elem):
		return jen.Parens(jen.Id(a.value()).Op("==").Nil()).Op("!=").Parens(jen.Id(b.value()).Op("==").Nil())
	case f.helperOf(equalPart, a.typ):
		x, y := a.pointer(), b.pointer()
		if k == ir.Union {
			x, y = a.value(), b.value()
		}
		args := append([]jen.Code{jen.Id(x), jen.Id(y)}, f.depthArgs(equalPart, a.typ)...)
		return not(jen.Id(f.plan.helper(f.src, equalPart, a.typ)), args...)
	}
	return nil
}

// equalValue compares two values of any type.
func (f *fn) equalValue(a, b place) {
	if f.isEmpty(a.typ) {
		return
	}
	if d := f.differ(a, b); d != nil {
		f.block.If(d).Block(f.giveUp())
		return
	}
	switch a.typ.Kind {
	case ir.Struct:
		f.nesting(a.typ, func() { f.equalStruct(a, b) })
	case ir.Pointer:
		nils := jen.Parens(jen.Id(a.value()).Op("==").Nil()).Op("!=").Parens(jen.Id(b.value()).Op("==").Nil())
		f.block.If(nils).Block(f.giveUp())
		f.block.If(jen.Id(a.value()).Op("!=").Nil()).BlockFunc(f.inner(func() { f.equalValue(a.pointee(), b.pointee()) }))
	case ir.Slice:
		f.block.If(jen.Op("!").Add(f.values("EqualLen")).Call(jen.Id(a.value()), jen.Id(b.value()))).Block(f.giveUp())
		f.ranged(a, func(j string) { f.equalValue(a.elem(j), b.elem(j)) })
	case ir.Array:
		f.ranged(a, func(j string) { f.equalValue(a.elem(j), b.elem(j)) })
	case ir.Map:
		f.equalMap(a, b)
	case ir.Codec:
		x := f.encodeTo(a, "scratch", "x", "xBytes")
		y := f.encodeTo(b, "scratch2", "y", "yBytes")
		f.block.If(jen.String().Call(jen.Id(x)).Op("!=").String().Call(jen.Id(y))).Block(f.giveUp())
	default:
		unknown(a.typ)
	}
}

// equalMap compares two maps: by looking up the keys of one in the other, if Go finds those that are encoded alike.
func (f *fn) equalMap(a, b place) {
	f.block.If(jen.Op("!").Add(f.values("EqualSize")).Call(jen.Id(a.value()), jen.Id(b.value()))).Block(f.giveUp())
	key, val := a.typ.Key, a.typ.Elem
	if !f.exact(key) {
		f.equalEntries(a, b)
		return
	}
	defer f.loopScope()()
	k, x, y, ok := f.local("key", "mapKey"), "_", "_", f.local("ok", "has")
	vars := jen.Id(k)
	if !f.isEmpty(val) {
		x, y = f.local("x", "aValue"), f.local("y", "bValue")
		vars = jen.List(vars, jen.Id(x))
	}
	f.block.For(vars.Op(":=").Range().Id(a.value())).BlockFunc(f.inner(func() {
		f.block.List(jen.Id(y), jen.Id(ok)).Op(":=").Id(b.operand() + "[" + k + "]")
		f.block.If(jen.Op("!").Id(ok)).Block(f.giveUp())
		f.equalValue(place{expr: x, typ: val}, place{expr: y, typ: val})
	}))
}

// equalEntries compares two maps of the same size whose keys Go compares in another way than the format: each entry of one takes an equal entry of
// the other out of an index.
func (f *fn) equalEntries(a, b place) {
	key, val := a.typ.Key, a.typ.Elem
	rest, outer, candidates := f.local("rest", "index"), f.label("entries"), f.label("candidates")
	f.block.Id(rest).Op(":=").Add(f.values("NewIndex")).Call(jen.Id(b.value()))
	entries := func(m place, needVal bool, body func(k, x string)) {
		defer f.loopScope()()
		k, x := f.local("key", "mapKey"), "_"
		vars := jen.Id(k)
		if needVal {
			x = f.local("x", "mapValue")
			vars = jen.List(vars, jen.Id(x))
		}
		f.block.For(vars.Op(":=").Range().Id(m.value())).BlockFunc(f.inner(func() { body(k, x) }))
	}
	hash := func(k string) string {
		before := f.state
		defer func() { f.state = before }()
		f.startHash("sum", "keySum")
		f.hashValue(place{expr: k, typ: key})
		return f.state
	}
	entries(b, true, func(k, x string) {
		sum := hash(k)
		f.block.Id(rest).Dot("Add").Call(jen.Id(sum), jen.Id(k), jen.Id(x))
	})
	f.block.Id(outer).Op(":")
	entries(a, !f.isEmpty(val), func(k, x string) {
		sum := hash(k)
		defer f.loopScope()()
		i := f.local("i", "at")
		f.block.Id(candidates).Op(":")
		f.block.For(
			jen.Id(i).Op(":=").Id(rest).Dot("First").Call(jen.Id(sum)),
			jen.Id(i).Op(">=").Lit(0),
			jen.Id(i).Op("=").Id(rest).Dot("Next").Call(jen.Id(i)),
		).BlockFunc(f.inner(func() {
			other, y := f.local("other", "otherKey"), "_"
			if !f.isEmpty(val) {
				y = f.local("y", "otherValue")
			}
			f.block.List(jen.Id(other), jen.Id(y)).Op(":=").Id(rest).Dot("At").Call(jen.Id(i))
			before := f.giveUp
			f.giveUp = func() jen.Code { return jen.Continue().Id(candidates) }
			f.equalValue(place{expr: k, typ: key}, place{expr: other, deref: true, typ: key})
			f.equalValue(place{expr: x, typ: val}, place{expr: y, deref: true, typ: val})
			f.giveUp = before
			f.block.Id(rest).Dot("Take").Call(jen.Id(i))
			f.block.Continue().Id(outer)
		}))
		f.block.Add(f.giveUp())
	})
}

func (f *fn) equalUnion(t *ir.Type) {
	x, y, ok := f.local("x", "member"), f.local("y", "other"), f.local("ok", "same")
	empty := func(m *ir.Type) bool { return f.isEmpty(pointed(m)) }
	used := f.needsValue(t, empty)
	f.typeSwitch(f.v, x, used, func(g *jen.Group) {
		g.Case(jen.Nil()).Block(jen.Return(jen.Id(f.other).Op("==").Nil()))
		for _, m := range t.Members {
			g.Case(f.typ(m)).BlockFunc(f.arm(func() {
				if m.Kind != ir.Pointer && empty(m) {
					f.block.List(jen.Id("_"), jen.Id(ok)).Op(":=").Id(f.other).Assert(f.typ(m))
					f.block.Return(jen.Id(ok))
					return
				}
				f.block.List(jen.Id(y), jen.Id(ok)).Op(":=").Id(f.other).Assert(f.typ(m))
				f.block.If(jen.Op("!").Id(ok)).Block(f.giveUp())
				if m.Kind == ir.Pointer {
					f.block.If(jen.Id(x).Op("==").Nil().Op("||").Id(y).Op("==").Nil()).Block(jen.Return(jen.Id(x).Op("==").Id(y)))
				}
				f.equalValue(member(x, m), member(y, m))
				f.block.Return(jen.True())
			}))
		}
	})
	f.block.Return(jen.False())
}

// label returns the name of a label. Labels do not clash with variables, but belong to the whole function.
func (f *fn) label(name string) string {
	f.labels[name]++
	if n := f.labels[name]; n > 1 {
		name += strconv.Itoa(n)
	}
	return name
}
