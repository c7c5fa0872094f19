package emit

import "github.com/dave/jennifer/jen"

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

// same returns the number of bytes that every value of p's type takes, if there is nothing in one that has to be looked at: also where a pointer to nothing has one byte either way.
func (s *sizer) same(p place) (int, bool) {
	probe := &sizer{fn: s.fn, n: s.n}
	probe.value(p)
	return probe.constant, len(probe.terms) == 0 && len(probe.blocks) == 0
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
