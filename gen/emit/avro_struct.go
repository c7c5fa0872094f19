package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Records of the format avro, and the functions for those that are no part of the code around them:
//
//	func sizeAvroT(v *T) int                       or (v *T, depth int) (int, bool)
//	func putAvroT(dst []byte, v *T) (int, error)   or (dst []byte, v *T, depth int)
//	func consumeAvroT(src []byte, v *T, budget *wire.Budget, text *wire.Copies) (int, error)   each of the last two where it is needed
//
// Unions that are interfaces have functions as well; those that write take the interface itself.

// avroBody generates the whole body of a function that treats a, which v is, or points to. header is the number of bytes that stand before it, for the method of a record.
func (f *fn) avroBody(part part, a *ir.Avro, header int) {
	p := place{expr: f.v, deref: true, typ: a.Type}
	if a.Kind == ir.AvroUnion {
		f.avroUnionBody(part, a)
		return
	}
	levels := entersDepth(a.Type)
	switch part {
	case sizePart:
		s := &sizer{fn: f, n: f.local("n", "size"), constant: header}
		if levels {
			s.enter(func() { s.giveUp(jen.Lit(0)) })
		}
		s.avroFields(p, a)
		s.finish()
	case putPart:
		if levels {
			f.enter(func() { f.block.Return(jen.Lit(0), f.wire("ErrDepth")) })
		}
		f.putAvroRecord(p, a)
		f.block.Return(jen.Id(f.at(0)), jen.Nil())
	case consumePart:
		if levels {
			f.ifError(f.budgetCall("Enter"), func(err string) func(*jen.Group) {
				return func(g *jen.Group) { g.Return(jen.Lit(0), jen.Id(err)) }
			})
		}
		f.consumeAvroRecord(p, a)
		if levels {
			f.block.Add(f.budgetCall("Leave"))
		}
		f.block.Return(jen.Id(f.at(0)), jen.Nil())
	}
}

// avroCall calls the function that treats a.
func (f *fn) avroCall(part part, p place, a *ir.Avro) *jen.Statement {
	var args []jen.Code
	if part != sizePart {
		args = append(args, f.tail(0))
	}
	value := p.pointer()
	if a.Kind == ir.AvroUnion && part != consumePart {
		value = p.value()
	}
	args = append(args, jen.Id(value))
	switch {
	case part == consumePart && f.needsBudget(a.Type):
		args = append(args, jen.Id(f.budget))
	case part != consumePart && f.needsDepth(a.Type):
		args = append(args, f.levelsLeft())
	}
	if part == consumePart && f.hasText(a.Type) {
		args = append(args, jen.Id(f.copies))
	}
	return jen.Id(f.plan.function(f.src, function{part, a.Type, a})).Call(args...)
}

// avroItems lists what function part of a record at p treats: its fields, those of records in it that are treated in place among them.
func (f *facts) avroItems(part part, p place, a *ir.Avro) []*item {
	var list []*item
	for _, fld := range a.Fields {
		at, t := p.field(fld.Field), fld.Type
		switch {
		case f.avroEmpty(t):
		case t.Kind == ir.AvroRecord && f.avroInPlace(part, t, true):
			list = append(list, f.avroItems(part, at, t)...)
		default:
			it := &item{place: at, avro: t}
			switch t.Kind {
			case ir.AvroInt, ir.AvroLong, ir.AvroEnum:
				it.varint = true
			}
			if f.avroLeaf(t) {
				it.size, _ = f.avroSize(t)
			}
			list = append(list, it)
		}
	}
	return list
}

// avroFields counts the fields of a record.
func (s *sizer) avroFields(p place, a *ir.Avro) {
	for _, it := range s.avroItems(sizePart, p, a) {
		s.avro(it.place, it.avro)
	}
}

// sizeAvroNested counts a record or union that has a function.
func (s *sizer) sizeAvroNested(p place, a *ir.Avro) {
	if !s.needsDepth(a.Type) {
		s.term(s.avroCall(sizePart, p, a))
		return
	}
	s.later(func() {
		list, op := s.temps(false, "n", "ok")
		m, ok := list[0], list[1]
		s.block.List(jen.Id(m), jen.Id(ok)).Op(op).Add(s.avroCall(sizePart, p, a))
		s.block.Id(s.n).Op("+=").Id(m)
		outer := s.block.Group
		outer.If(jen.Op("!").Id(ok)).BlockFunc(func(g *jen.Group) {
			s.block.Group = g
			s.giveUp(jen.Id(s.n))
			s.block.Group = outer
		})
	})
}

// putAvroRecord writes the fields of a record.
func (f *fn) putAvroRecord(p place, a *ir.Avro) {
	runs(f.avroItems(putPart, p, a), func(run []*item, size int) {
		f.block.If(f.fewer(size)).BlockFunc(f.short)
		if f.index != "" && len(run) > 1 {
			defer f.runOf(size)()
		}
		for _, it := range run {
			f.putAvroLeaf(it.place, it.avro)
		}
	}, func(it *item) { f.putAvro(it.place, it.avro) })
}

// putAvroNested writes a record or union that has a function.
func (f *fn) putAvroNested(p place, a *ir.Avro) {
	list, op := f.temps(false, "n", "err")
	n, err := list[0], list[1]
	f.block.List(jen.Id(n), jen.Id(err)).Op(op).Add(f.avroCall(putPart, p, a))
	f.avroRefused(p, a, err)
	f.advance(n)
}

// avroRefused generates the way out with the error of a function that writes the value at p.
func (f *fn) avroRefused(p place, a *ir.Avro, err string) {
	code := jen.Code(jen.Id(err))
	if f.avroRefuses(a) {
		code = f.wrap(p.path, f.at(0), code)
	}
	f.block.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Lit(0), code))
}

// consumeAvroRecord reads the fields of a record. If it has to copy its strings itself, and there is more than one, they are copied together.
func (f *fn) consumeAvroRecord(p place, a *ir.Avro) {
	list := f.avroItems(consumePart, p, a)
	wait := 0 // strings that are not read yet, if they are copied together
	if f.copies == "" {
		for _, it := range list {
			if it.isCopied() {
				wait++
			}
		}
	}
	if wait == 1 {
		wait = 0
	}
	together := wait > 0
	var texts []text
	runs(list, func(run []*item, size int) {
		f.block.If(f.fewer(size)).BlockFunc(f.fail(run[0].path, 0, f.wire("ErrTruncated")))
		if f.index != "" && len(run) > 1 {
			defer f.runOf(size)()
		}
		for _, it := range run {
			f.consumeAvroLeaf(it.place, it.avro)
		}
	}, func(it *item) {
		if !together || !it.isCopied() {
			f.consumeAvro(it.place, it.avro)
			return
		}
		texts = append(texts, text{it.place, f.avroSpan(it.place)})
		if wait--; wait == 0 && stretch(list) {
			if it == list[len(list)-1] {
				f.checkEnd(p)
			}
			f.copyStretch(texts)
			texts = nil
		}
	})
	if len(texts) > 0 {
		f.checkEnd(p)
	}
	f.copyText(texts)
}

// consumeAvroNested reads a record or union that has a function.
func (f *fn) consumeAvroNested(p place, a *ir.Avro) {
	list, op := f.temps(false, "n", "err")
	n, err := list[0], list[1]
	f.block.List(jen.Id(n), jen.Id(err)).Op(op).Add(f.avroCall(consumePart, p, a))
	f.checkError(p.path, err)
	f.advance(n)
}

// unknownAvro is for types that the switch before it should have known: a fault of the generator.
func unknownAvro(a *ir.Avro) {
	panic(fmt.Sprintf("emit: no code for the Avro type %s, logical type %q", a.Kind, a.Logical))
}
