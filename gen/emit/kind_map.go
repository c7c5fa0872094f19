package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Maps, in the order in which Go happens to iterate.

func (s *sizer) sizeMap(p place) {
	s.term(s.count("CountLen", p))
	key, keyConst := s.same(place{expr: "key", typ: p.typ.Key, path: p.path})
	val, valConst := s.same(place{expr: "val", typ: p.typ.Elem, path: p.path})
	if keyConst && valConst {
		if key+val > 0 {
			s.term(times(key+val, jen.Len(jen.Id(p.value()))))
		}
		return
	}
	s.later(func() {
		s.entries(p, !keyConst, !valConst, func(key, val place) func(*jen.Group) {
			return s.nested(func(inner *sizer) {
				inner.value(key)
				inner.value(val)
			})
		})
	})
}

// entries generates a loop over the entries of a map; it declares only the variables that the body needs.
func (f *fn) entries(p place, needKey, needVal bool, body func(key, val place) func(*jen.Group)) {
	defer f.loopScope()()
	key, val := place{expr: "_", typ: p.typ.Key, path: p.path, part: "key"}, place{expr: "_", typ: p.typ.Elem, path: p.path, part: "value"}
	if needKey {
		key.expr = f.local("key", "mapKey")
	}
	vars := jen.Id(key.expr)
	if needVal {
		val.expr = f.local("val", "mapValue")
		vars = jen.List(vars, jen.Id(val.expr))
	}
	f.block.For(vars.Op(":=").Range().Id(p.value())).BlockFunc(body(key, val))
}

func (f *fn) putMap(p place) {
	f.putCall(f.count("PutCount", p, f.tail(0)))
	needKey, needVal := !f.isEmpty(p.typ.Key), !f.isEmpty(p.typ.Elem)
	if !needKey && !needVal {
		return
	}
	f.settle()
	entries := f.entries
	if p.fld != nil && p.fld.Sorted {
		entries = f.sortedEntries
	}
	entries(p, needKey, needVal, func(key, val place) func(*jen.Group) {
		return f.nested(func() {
			f.putValue(key)
			f.putValue(val)
		})
	})
}

// sortedEntries is entries in the order of the keys. Of bools there are only two, which the language does not order.
func (f *fn) sortedEntries(p place, _, needVal bool, body func(key, val place) func(*jen.Group)) {
	defer f.loopScope()()
	key := place{expr: f.local("key", "mapKey"), typ: p.typ.Key, path: p.path, part: "key"}
	val := place{expr: "_", typ: p.typ.Elem, path: p.path, part: "value"}
	keys := jen.Add(f.qual("slices", "Sorted")).Call(f.qual("maps", "Keys").Call(jen.Id(p.value())))
	isBool := p.typ.Key.Kind == ir.Bool
	if isBool {
		keys = jen.Index(jen.Op("...")).Add(f.typ(p.typ.Key)).Values(jen.False(), jen.True())
	}
	if needVal {
		val.expr = f.local("val", "mapValue")
	}
	entry := jen.Id(p.operand() + "[" + key.expr + "]")
	f.block.For(jen.List(jen.Id("_"), jen.Id(key.expr)).Op(":=").Range().Add(keys)).BlockFunc(func(g *jen.Group) {
		switch {
		case isBool:
			ok := f.local("ok", "has")
			g.List(jen.Id(val.expr), jen.Id(ok)).Op(":=").Add(entry)
			g.If(jen.Op("!").Id(ok)).Block(jen.Continue())
		case needVal:
			g.Id(val.expr).Op(":=").Add(entry)
		}
		body(key, val)(g)
	})
}

func (f *fn) consumeMap(p place) {
	f.countBounds(p)
	m := f.local(localName(p, "m"), localName(p, "m")+"Map")
	size := f.local("size", localName(p, "m")+"Size")
	list, op := f.temps(true, "n", "err")
	n, err := list[0], list[1]
	key, val := p.typ.Key, p.typ.Elem
	f.block.List(jen.Id(m), jen.Id(size), jen.Id(n), jen.Id(err)).Op(op).Add(f.wire("Map").Call(
		f.tail(0), jen.Id(p.value()), jen.Lit(f.minSize(key)+f.minSize(val)), jen.Lit(int(2*(key.GoSize+val.GoSize))), jen.Id(f.budget))).
		Comment("least bytes and memory of an entry")
	f.checkError(p.path, err)
	f.advance(n)
	f.settle()
	f.consumeEntries(p, m, size)
	f.block.Id(p.value()).Op("=").Id(m)
}

func (f *fn) consumeEntries(p place, m, size string) {
	defer f.loopScope()()
	j := f.local("j", "k")
	at := p.path.index(j)
	f.block.For(jen.Id(j).Op(":=").Range().Id(size)).BlockFunc(f.nested(func() {
		start := f.index // of the entry
		if f.minSize(p.typ.Key)+f.minSize(p.typ.Elem) > 0 {
			start = f.local("start", "entryStart")
			f.block.Id(start).Op(":=").Id(f.index)
		}
		key, val := f.local("key", "mapKey"), f.local("val", "mapValue")
		f.entryVar(key, p.typ.Key, jen.List(jen.Id(key), jen.Id("_")), m)
		f.consumeValue(place{expr: key, typ: p.typ.Key, path: at, fresh: true})
		f.entryVar(val, p.typ.Elem, jen.List(jen.Id("_"), jen.Id(val)), m)
		f.consumeValue(place{expr: val, typ: p.typ.Elem, path: at, fresh: true})
		f.settle()
		f.block.Id(m + "[" + key + "]").Op("=").Id(val)
		f.block.If(jen.Len(jen.Id(m)).Op("==").Id(j)).Block(jen.Return(jen.Lit(0), f.wrap(at, start, f.wire("ErrDuplicateKey"))))
	}))
}

// entryVar declares a variable for a key or value of the map m. pair is the assignment by which it is one of the results of wire.Entry.
func (f *fn) entryVar(name string, t *ir.Type, pair *jen.Statement, m string) {
	if spelled(t) {
		f.block.Var().Id(name).Add(f.typ(t))
		return
	}
	f.block.Add(pair.Op(":=").Add(f.wire("Entry")).Call(jen.Id(m)))
}
