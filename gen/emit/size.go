package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// sizer generates the sum of the sizes of some values: a constant, terms that are expressions, and statements for those that need a loop
// or a condition. Sums do not mind the order, so the constant and the terms come first.
type sizer struct {
	*fn
	n        string // variable of the sum
	constant int
	terms    []jen.Code
	blocks   []func()
}

func (s *sizer) term(code jen.Code) { s.terms = append(s.terms, code) }

func (s *sizer) later(block func()) { s.blocks = append(s.blocks, block) }

// nested returns a generator of an inner block that adds what count finds.
func (s *sizer) nested(count func(*sizer)) func(*jen.Group) {
	return s.fn.nested(func() {
		inner := &sizer{fn: s.fn, n: s.n}
		count(inner)
		inner.add()
	})
}

// add generates statements that add everything to the variable.
func (s *sizer) add() {
	if sum := s.sum(); sum != nil {
		s.block.Add(increase(s.n, sum))
	}
	for _, block := range s.blocks {
		block()
	}
}

// increase returns n += sum.
func increase(n string, sum *jen.Statement) *jen.Statement {
	if sum.GoString() == "1" {
		return jen.Id(n).Op("++")
	}
	return jen.Id(n).Op("+=").Add(sum)
}

// sum returns the constant and the terms as one expression, nil if there is nothing to add.
func (s *sizer) sum() *jen.Statement {
	terms := s.terms
	if s.constant > 0 {
		terms = append([]jen.Code{jen.Lit(s.constant)}, terms...)
	}
	if len(terms) == 0 {
		return nil
	}
	sum := jen.Add(terms[0])
	for _, t := range terms[1:] {
		sum.Op("+")
		if len(terms) > 3 {
			sum.Line()
		}
		sum.Add(t)
	}
	return sum
}

// finish generates the end of a function that returns the sum.
func (s *sizer) finish() {
	sum := s.sum()
	if sum == nil {
		sum = jen.Lit(0)
	}
	if len(s.blocks) == 0 {
		s.done(sum)
		return
	}
	s.block.Id(s.n).Op(":=").Add(sum)
	for _, block := range s.blocks {
		block()
	}
	s.done(jen.Id(s.n))
}

// done generates the return of a sum, and giveUp that of a part of it. Functions that count levels of nesting say which of the two it is.
func (s *sizer) done(sum jen.Code) { s.result(sum, jen.True()) }

func (s *sizer) giveUp(sum jen.Code) { s.result(sum, jen.False()) }

func (s *sizer) result(sum, ok jen.Code) {
	if s.depth == "" {
		s.block.Return(sum)
		return
	}
	s.block.Return(sum, ok)
}

// value counts a value outside a struct field.
func (s *sizer) value(p place) {
	if n, ok := constSize(p.typ); ok {
		s.constant += n
		return
	}
	switch p.typ.Kind {
	case ir.String:
		s.term(s.wire("StringLen").Call(s.convert(p, "string")))
	case ir.Bytes:
		s.sizeBytes(p)
	case ir.Slice:
		s.sizeSlice(p)
	case ir.Array:
		s.sizeElems(p)
	case ir.Map:
		s.sizeMap(p)
	case ir.Pointer:
		s.sizePointer(p)
	case ir.Struct:
		s.sizeStruct(p)
	default:
		unknown(p.typ)
	}
}

// putValue writes a value outside a struct field.
func (f *fn) putValue(p place) {
	switch {
	case isEmpty(p.typ):
	case inPlace(p.typ):
		n, _ := constSize(p.typ)
		f.block.If(f.fewer(n)).BlockFunc(f.short)
		f.putFixed(p)
	case p.typ.Kind == ir.String:
		f.putString(p)
	case p.typ.Kind == ir.Bytes:
		f.putBytes(p)
	case p.typ.Kind == ir.Slice:
		f.putSlice(p)
	case p.typ.Kind == ir.Array:
		f.putArray(p)
	case p.typ.Kind == ir.Map:
		f.putMap(p)
	case p.typ.Kind == ir.Pointer:
		f.putPointer(p)
	case p.typ.Kind == ir.Struct:
		f.putNested(p)
	default:
		unknown(p.typ)
	}
}

// consumeValue reads a value outside a struct field.
func (f *fn) consumeValue(p place) {
	switch {
	case isEmpty(p.typ):
	case inPlace(p.typ):
		n, _ := constSize(p.typ)
		f.block.If(f.fewer(n)).BlockFunc(f.fail(p.path, 0, f.wire("ErrTruncated")))
		f.consumeFixed(p)
	case p.typ.Kind == ir.String:
		f.consumeString(p)
	case p.typ.Kind == ir.Bytes:
		f.consumeBytes(p)
	case p.typ.Kind == ir.Slice:
		f.consumeSlice(p)
	case p.typ.Kind == ir.Array:
		f.consumeArray(p)
	case p.typ.Kind == ir.Map:
		f.consumeMap(p)
	case p.typ.Kind == ir.Pointer:
		f.consumePointer(p)
	case p.typ.Kind == ir.Struct:
		f.consumeNested(p)
	default:
		unknown(p.typ)
	}
}

// unknown is for kinds that the switch before it should have known: a fault of the generator.
func unknown(t *ir.Type) { panic("emit: no code for a type of kind " + t.Kind.String()) }
