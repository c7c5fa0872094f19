package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Hash: that of FORMAT.md, section 7. A function that hashes changes its state, a variable.

func (f *file) hashMethod(r *ir.Record, n *recordNames) {
	doc := "Hash returns a hash of what is encoded of v, which is the same for all records that are equal by that, on every machine and in every release. " +
		"It is no defence against whoever chooses records so that their hashes meet."
	doc += f.requestDoc(r.Type, "If %s, the hash is that of a part of v.")
	f.docs(doc)
	fn := f.newFn()
	fn.v = fn.local("v", "value")
	f.serializerMethod(n, "Hash", []jen.Code{jen.Id(fn.v).Op("*").Add(f.typ(r.Type))}, jen.Uint64(), fn.body(func() {
		deep := f.needsDepth(r.Type)
		if fn.delegate(hashPart, r.Type, func(name string, depth []jen.Code) {
			call := jen.Id(name).Call(append([]jen.Code{f.values("Seed"), jen.Id(fn.v)}, depth...)...)
			if !deep {
				fn.block.Return(call)
				return
			}
			h := fn.local("h", "hash")
			fn.block.List(jen.Id(h), jen.Id("_")).Op(":=").Add(call)
			fn.block.Return(jen.Id(h))
		}) {
			return
		}
		fn.startHash("h", "hash")
		fn.setGiveUp(hashPart, r.Type, true)
		fn.nesting(r.Type, func() { fn.hashStruct(fn.root(r.Type)) })
		fn.block.Return(jen.Id(fn.state))
	}))
}

// startHash declares a state with the start of a hash.
func (f *fn) startHash(names ...string) {
	f.state = f.local(names...)
	f.block.Id(f.state).Op(":=").Uint64().Call(f.values("Seed"))
}

// endHash returns the state.
func (f *fn) endHash(t *ir.Type) {
	if f.needsDepth(t) {
		f.block.Return(jen.Id(f.state), jen.True())
		return
	}
	f.block.Return(jen.Id(f.state))
}

// mix sets the state to what a function of package values makes of it and args.
func (f *fn) mix(function string, args ...jen.Code) {
	f.block.Id(f.state).Op("=").Add(f.values(function)).Call(append([]jen.Code{jen.Id(f.state)}, args...)...)
}

func (f *fn) hashStruct(p place) {
	for fld := range p.typ.Encoded() {
		f.hashValue(p.field(fld))
	}
}

func (f *fn) hashValue(p place) {
	t := p.typ
	value := jen.Id(p.value())
	if f.isEmpty(t) {
		return
	}
	if f.helperOf(hashPart, t) {
		f.hashCall(p)
		return
	}
	switch t.Kind {
	case ir.Bool:
		f.mix("HashBool", f.convert(p, "bool"))
	case ir.Int8, ir.Int16, ir.Int32, ir.Int64, ir.Int, ir.Uint8, ir.Uint16, ir.Uint32, ir.Uint64, ir.Uint, ir.Uintptr:
		f.mix("HashWord", f.convert(p, "uint64"))
	case ir.Float32:
		f.mix("HashFloat32", f.convert(p, "float32"))
	case ir.Float64:
		f.mix("HashFloat64", f.convert(p, "float64"))
	case ir.Complex64, ir.Complex128:
		function := map[ir.Kind]string{ir.Complex64: "HashFloat32", ir.Complex128: "HashFloat64"}[t.Kind]
		f.mix(function, jen.Real(value))
		f.mix(function, jen.Imag(value))
	case ir.String:
		f.mix("HashString", f.convert(p, "string"))
	case ir.Time:
		f.mix("HashTime", f.timeOf(p))
	case ir.Bytes:
		if isByteSlice(t) {
			f.mix("HashBytes", value)
		} else {
			f.mix("HashBytesOf", value)
		}
	case ir.Slice:
		f.mix("HashCount", jen.Len(value), value.Clone().Op("==").Nil())
		if !f.isEmpty(t.Elem) {
			f.ranged(p, func(j string) { f.hashValue(p.elem(j)) })
		}
	case ir.Array:
		switch {
		case isByteArray(t):
			f.mix("HashRaw", jen.Id(p.slice()))
		case t.Elem.Kind == ir.Uint8:
			f.mix("HashRawOf", jen.Id(p.slice()))
		default:
			f.ranged(p, func(j string) { f.hashValue(p.elem(j)) })
		}
	case ir.Pointer:
		f.mix("HashBool", value.Clone().Op("!=").Nil())
		if !f.isEmpty(t.Elem) {
			f.block.If(value.Clone().Op("!=").Nil()).BlockFunc(f.inner(func() { f.hashValue(p.pointee()) }))
		}
	case ir.Map:
		f.hashMap(p)
	case ir.Codec:
		b := f.encodeTo(p, "scratch", localName(p, "b")+"Bytes", "encoded")
		f.mix("HashRaw", jen.Id(b))
	case ir.Struct:
		f.nesting(t, func() { f.hashStruct(p) })
	default:
		unknown(t)
	}
}

// hashCall calls the function of a struct or union.
func (f *fn) hashCall(p place) {
	value := p.pointer()
	if p.typ.Kind == ir.Union {
		value = p.value()
	}
	call := jen.Id(f.plan.helper(f.src, hashPart, p.typ)).
		Call(append([]jen.Code{jen.Id(f.state), jen.Id(value)}, f.depthArgs(hashPart, p.typ)...)...)
	if !f.needsDepth(p.typ) {
		f.block.Id(f.state).Op("=").Add(call)
		return
	}
	list, op := f.temps(false, "hash", "ok")
	next, ok := list[0], list[1]
	f.block.List(jen.Id(next), jen.Id(ok)).Op(op).Add(call)
	f.block.If(jen.Op("!").Id(ok)).Block(f.giveUp())
	f.block.Id(f.state).Op("=").Id(next)
}

// hashMap adds the hashes of the entries, so that their order does not matter. Each starts anew.
func (f *fn) hashMap(p place) {
	value := jen.Id(p.value())
	f.mix("HashCount", jen.Len(value), value.Clone().Op("==").Nil())
	key, val := p.typ.Key, p.typ.Elem
	if f.isEmpty(key) && f.isEmpty(val) {
		f.mix("HashWord", jen.Uint64().Call(jen.Len(value)).Op("*").Add(f.values("Seed")))
		return
	}
	total := f.local("total", "entriesSum")
	f.block.Var().Id(total).Uint64()
	f.entries(p, !f.isEmpty(key), !f.isEmpty(val), func(key, val place) func(*jen.Group) {
		return f.inner(func() {
			before := f.state
			f.startHash("sum", "entrySum")
			f.hashValue(key)
			f.hashValue(val)
			f.block.Id(total).Op("+=").Id(f.state)
			f.state = before
		})
	})
	f.mix("HashWord", jen.Id(total))
}

func (f *fn) hashUnion(t *ir.Type) {
	x := f.local("x", "member")
	empty := func(m *ir.Type) bool { return f.isEmpty(pointed(m)) }
	used := false
	for _, m := range t.Members {
		used = used || !empty(m)
	}
	f.typeSwitch(f.v, x, used, func(g *jen.Group) {
		g.Case(jen.Nil()).BlockFunc(f.arm(func() {
			f.mix("HashWord", jen.Lit(0))
			f.endHash(t)
		}))
		for i, m := range t.Members {
			g.Case(f.typ(m)).BlockFunc(f.arm(func() {
				f.mix("HashWord", jen.Lit(i+1))
				if !empty(m) {
					if m.Kind == ir.Pointer {
						f.block.If(jen.Id(x).Op("==").Nil()).BlockFunc(f.arm(func() { f.endHash(t) }))
					}
					f.hashValue(member(x, m))
				}
				f.endHash(t)
			}))
		}
	})
	f.endHash(t)
}
