package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Arrays and maps of the format avro: one block is written, any number is read.

func (s *sizer) sizeAvroArray(p place, a *ir.Avro) {
	s.term(s.avroFn("BlocksLen").Call(jen.Len(jen.Id(p.value()))))
	if n, ok := s.avroWritten(a.Elem); ok {
		if n > 0 {
			s.term(times(n, jen.Len(jen.Id(p.value()))))
		}
		return
	}
	s.later(func() {
		s.avroLoop(p, a, func(elem place) func(*jen.Group) {
			return s.nested(func(inner *sizer) { inner.avro(elem, a.Elem) })
		})
	})
}

// avroLoop generates a loop over the elements of an array that are only looked at: by value where an element is a word or two, otherwise by index, as where an error may have to tell the index.
func (f *fn) avroLoop(p place, a *ir.Avro, body func(elem place) func(*jen.Group)) {
	defer f.loopScope()()
	switch p.typ.Elem.Kind {
	case ir.Struct, ir.Array, ir.Codec, ir.Time:
	default:
		if !f.avroRefuses(a.Elem) {
			x := f.local("x", "elem")
			f.block.For(jen.List(jen.Id("_"), jen.Id(x)).Op(":=").Range().Id(p.value())).BlockFunc(body(p.elem("").at(x)))
			return
		}
	}
	j := f.local("j", "k")
	f.block.For(jen.Id(j).Op(":=").Range().Id(p.value())).BlockFunc(body(p.elem(j)))
}

// avroNumbers says that an array is moved by package wire.
func avroNumbers(a *ir.Avro) bool { return a.Elem.Kind == ir.AvroFloat || a.Elem.Kind == ir.AvroDouble }

func (f *fn) putAvroArray(p place, a *ir.Avro) {
	length := func() *jen.Statement { return jen.Len(jen.Id(p.value())) }
	size, constant := f.avroSize(a.Elem)
	if constant && size == 0 {
		f.block.If(length().Op(">").Add(f.wire("MaxEmptyElems"))).
			Block(jen.Return(jen.Lit(0), f.wire("ErrLimit"))) // no reader would take it
	}
	f.settle()
	f.block.If(length().Op(">").Lit(0)).BlockFunc(f.nested(func() {
		f.putCall(f.avroFn("PutLong").Call(f.tail(0), jen.Int64().Call(length())))
		switch {
		case constant && size == 0:
		case constant && f.avroLeaf(a.Elem) && !f.avroRefuses(a.Elem):
			f.settle()
			room := jen.Id(f.left())
			if size > 1 {
				room = jen.Parens(room).Op("/").Lit(size) // rather than times the length, which may overflow
			}
			f.block.If(length().Op(">").Add(room)).BlockFunc(f.short)
			if avroNumbers(a) {
				f.putNumbers(p.typ.Elem, p.value())
				f.advanceBy(size, p.value())
				break
			}
			f.avroLoop(p, a, func(elem place) func(*jen.Group) {
				return f.nested(func() { f.putAvroLeaf(elem, a.Elem) })
			})
		default:
			f.settle()
			f.avroLoop(p, a, func(elem place) func(*jen.Group) {
				return f.nested(func() { f.putAvro(elem, a.Elem) })
			})
		}
	}))
	f.putAvroEnd()
}

// putAvroEnd writes the count of no elements, which is the end.
func (f *fn) putAvroEnd() {
	f.block.If(f.fewer(1)).BlockFunc(f.short)
	f.block.Add(f.byteAt(0)).Op("=").Lit(0)
	f.offset++
}

func (f *fn) consumeAvroArray(p place, a *ir.Avro) {
	elem := p.typ.Elem
	bounds := []jen.Code{jen.Lit(f.avroMin(a.Elem)), jen.Lit(int(charge(p.typ))), jen.Id(f.budget)}
	s := f.local(localName(p, "s"), localName(p, "s")+"Elems")
	list, op := f.temps(true, "n", "err")
	n, err := list[0], list[1]
	f.block.List(jen.Id(s), jen.Id(n), jen.Id(err)).Op(op).
		Add(f.avroFn("Slice")).Call(append([]jen.Code{f.tail(0), jen.Id(p.value())}, bounds...)...).Comment("least bytes and memory of an element")
	f.checkError(p.path, err)
	f.advance(n)
	if f.partial(elem) {
		f.block.Clear(jen.Id(s))
	}
	f.settle()
	f.consumeAvroBlocks(p, a, s, n, err, bounds)
	f.block.Id(p.value()).Op("=").Id(s)
}

// consumeAvroBlocks reads the elements of all blocks into the slice s, which has those of the first one.
func (f *fn) consumeAvroBlocks(p place, a *ir.Avro, s, n, err string, bounds []jen.Code) {
	defer f.loopScope()()
	j := f.local("j", "k")
	f.block.For(jen.Id(j + " := 0; " + j + " < len(" + s + "); ")).BlockFunc(f.nested(func() {
		size, constant := f.avroSize(a.Elem)
		many := avroMany(a)
		switch {
		case constant && size == 0:
			f.block.Id(j).Op("=").Len(jen.Id(s))
		case avroNumbers(a):
			f.block.Add(f.wire("Floats")).Call(jen.Id(s+"["+j+":]"), f.tail(0))
			f.block.Id(f.index).Op("+=").Add(times(size, jen.Parens(jen.Len(jen.Id(s)).Op("-").Id(j))))
			f.block.Id(j).Op("=").Len(jen.Id(s))
		case many != "":
			m, bad := f.local("m", "many"), f.local("bad", "at")
			f.block.List(jen.Id(m), jen.Id(bad)).Op(":=").Add(f.avroFn(many)).Call(jen.Id(s+"["+j+":]"), f.tail(0))
			f.block.Id(j).Op("+=").Id(m)
			f.block.If(jen.Id(j).Op("<").Len(jen.Id(s))).BlockFunc(func(g *jen.Group) {
				g.Return(jen.Lit(0), f.wrap(p.path.index(j), f.index+"+"+bad, f.avroFn(strings.TrimSuffix(many, "s")+"Fault").Call(jen.Id(f.buf+"["+f.index+"+"+bad+":]"))))
			})
			f.block.Id(f.index).Op("+=").Id(bad)
		default:
			elem := p.at(s).elem(j)
			f.block.For(jen.Id("; " + j + " < len(" + s + "); " + j + "++")).BlockFunc(f.nested(func() {
				if constant && f.avroLeaf(a.Elem) {
					f.consumeAvroLeaf(elem, a.Elem) // that all of them are there was checked with their number
				} else {
					f.consumeAvro(elem, a.Elem)
				}
			}))
		}
		f.block.If(
			jen.List(jen.Id(s), jen.Id(n), jen.Id(err)).Op("=").
				Add(f.avroFn("More")).Call(append([]jen.Code{f.tail(0), jen.Id(s)}, bounds...)...),
			jen.Id(err).Op("!=").Nil(),
		).BlockFunc(f.pass(p.path, 0, jen.Id(err)))
		f.advance(n)
	}))
}

// avroMany returns the function of package avro that reads many elements of an array, empty if there is none.
func avroMany(a *ir.Avro) string {
	switch {
	case a.Elem.Logical != "":
	case a.Elem.Kind == ir.AvroLong:
		return "Longs"
	case a.Elem.Kind == ir.AvroInt:
		return "Ints"
	}
	return ""
}

func (s *sizer) sizeAvroMap(p place, a *ir.Avro) {
	s.term(s.avroFn("BlocksLen").Call(jen.Len(jen.Id(p.value()))))
	n, constant := s.avroWritten(a.Elem)
	if constant && n > 0 {
		s.term(times(n, jen.Len(jen.Id(p.value()))))
	}
	s.later(func() {
		s.avroEntries(p, !constant, func(key, val place) func(*jen.Group) {
			return s.nested(func(inner *sizer) {
				inner.term(inner.avroFn("StringLen").Call(inner.convert(key, "string")))
				if !constant {
					inner.avro(val, a.Elem)
				}
			})
		})
	})
}

// avroEntries generates a loop over the entries of a map, in the order of Go, which is a random one. Variables of values that contain the map's own type are declared before it: within functions that
// call each other in a circle, the compiler would take the variables of a loop from the heap.
func (f *fn) avroEntries(p place, needVal bool, body func(key, val place) func(*jen.Group)) {
	if !needVal || !f.needsDepth(p.typ.Elem) {
		f.entries(p, true, needVal, body)
		return
	}
	key := place{expr: f.local("key", localName(p, "map")+"Key"), typ: p.typ.Key, path: p.path, part: "key"}
	val := place{expr: f.local("val", localName(p, "map")+"Value"), typ: p.typ.Elem, path: p.path, part: "value"}
	f.block.Var().Id(key.expr).Add(f.typ(key.typ))
	f.block.Var().Id(val.expr).Add(f.typ(val.typ))
	f.block.For(jen.List(jen.Id(key.expr), jen.Id(val.expr)).Op("=").Range().Id(p.value())).BlockFunc(body(key, val))
}

func (f *fn) putAvroMap(p place, a *ir.Avro) {
	length := func() *jen.Statement { return jen.Len(jen.Id(p.value())) }
	f.settle()
	f.block.If(length().Op(">").Lit(0)).BlockFunc(f.nested(func() {
		f.putCall(f.avroFn("PutLong").Call(f.tail(0), jen.Int64().Call(length())))
		f.settle()
		f.avroEntries(p, !f.avroEmpty(a.Elem), func(key, val place) func(*jen.Group) {
			return f.nested(func() {
				f.putCall(f.avroFn("PutString").Call(f.tail(0), f.convert(key, "string")))
				f.putAvro(val, a.Elem)
			})
		})
	}))
	f.putAvroEnd()
}

func (f *fn) consumeAvroMap(p place, a *ir.Avro) {
	key, val := p.typ.Key, p.typ.Elem
	bounds := []jen.Code{jen.Lit(1 + f.avroMin(a.Elem)), jen.Lit(int(2 * (key.GoSize + val.GoSize))), jen.Id(f.budget)}
	m := f.local(localName(p, "m"), localName(p, "m")+"Map")
	size := f.local("size", localName(p, "m")+"Size")
	list, op := f.temps(true, "n", "err")
	n, err := list[0], list[1]
	f.block.List(jen.Id(m), jen.Id(size), jen.Id(n), jen.Id(err)).Op(op).
		Add(f.avroFn("Map")).Call(append([]jen.Code{f.tail(0), jen.Id(p.value())}, bounds...)...).Comment("least bytes and memory of an entry")
	f.checkError(p.path, err)
	f.advance(n)
	f.settle()
	f.consumeAvroEntries(p, a, m, size, n, err, bounds)
	f.block.Id(p.value()).Op("=").Id(m)
}

// consumeAvroEntries reads the entries of all blocks into the map m; size is how many the first one has.
func (f *fn) consumeAvroEntries(p place, a *ir.Avro, m, size, n, err string, bounds []jen.Code) {
	defer f.loopScope()()
	j := f.local("j", "k")
	at := p.path.index(j)
	f.block.For(jen.Id(j + " := 0; " + size + " > 0; ")).BlockFunc(f.nested(func() {
		f.block.For(jen.Range().Id(size)).BlockFunc(f.nested(func() {
			start := f.local("start", "entryStart")
			f.block.Id(start).Op(":=").Id(f.index)
			key, val := f.local("key", "mapKey"), f.local("val", "mapValue")
			f.block.Var().Id(key).Add(f.typ(p.typ.Key))
			f.consumeAvroText(place{expr: key, typ: p.typ.Key, path: at, fresh: true}, &ir.Avro{Kind: ir.AvroString, Type: p.typ.Key})
			f.block.Var().Id(val).Add(f.typ(p.typ.Elem))
			f.consumeAvro(place{expr: val, typ: p.typ.Elem, path: at, fresh: true}, a.Elem)
			f.settle()
			f.block.Id(m + "[" + key + "]").Op("=").Id(val)
			f.block.If(jen.Len(jen.Id(m)).Op("==").Id(j)).Block(jen.Return(jen.Lit(0), f.wrap(at, start, f.wire("ErrDuplicateKey"))))
			f.block.Id(j).Op("++")
		}))
		f.block.If(
			jen.List(jen.Id(size), jen.Id(n), jen.Id(err)).Op("=").Add(f.avroFn("MoreEntries")).Call(append([]jen.Code{f.tail(0)}, bounds...)...),
			jen.Id(err).Op("!=").Nil(),
		).BlockFunc(f.pass(p.path, 0, jen.Id(err)))
		f.advance(n)
	}))
}
