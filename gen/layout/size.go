package layout

import (
	"fmt"
	"math"

	"github.com/rwgen/rwgen/gen/ir"
)

// sizes remembers how many bytes values of a type take.
type sizes map[*ir.Type]size

type size struct {
	least    int64
	constant bool
}

// of returns the least number of bytes that a value of t takes outside a struct field, and whether every value takes that many.
func (s sizes) of(t *ir.Type) (least int64, constant bool) {
	known, ok := s[t]
	if !ok {
		known = s.compute(t)
		s[t] = known
	}
	return known.least, known.constant
}

func (s sizes) compute(t *ir.Type) size {
	switch t.Kind {
	case ir.Bool, ir.Int8, ir.Uint8:
		return size{1, true}
	case ir.Int16, ir.Uint16:
		return size{2, true}
	case ir.Int32, ir.Uint32, ir.Float32:
		return size{4, true}
	case ir.Int64, ir.Uint64, ir.Int, ir.Uint, ir.Uintptr, ir.Float64, ir.Complex64:
		return size{8, true}
	case ir.Time:
		return size{12, true}
	case ir.Complex128:
		return size{16, true}
	case ir.Array:
		if t.Len == 0 {
			return size{0, true}
		}
		least, constant := s.of(t.Elem)
		if least > math.MaxInt64/t.Len {
			return size{math.MaxInt64, constant}
		}
		return size{least * t.Len, constant}
	case ir.Struct:
		sum := size{presenceBytes(t), true}
		for f := range t.Encoded() {
			least, constant := s.field(f)
			if least > math.MaxInt64-sum.least {
				least = math.MaxInt64 - sum.least
			}
			sum.least, sum.constant = sum.least+least, sum.constant && constant
		}
		return sum
	}
	return size{1, false} // a length, a tag, or whether a pointer is nil
}

// field is of for the field of a struct: its presence bit does not count.
func (s sizes) field(f *ir.Field) (least int64, constant bool) {
	switch {
	case f.Type.Kind == ir.Bool:
		return 0, true
	case f.Type.Kind == ir.Pointer:
		return 0, false
	case f.Varint:
		return 1, false
	case f.UnixNano:
		return 8, true
	}
	return s.of(f.Type)
}

// hasBit says that a field is one of the presence bits of its struct.
func hasBit(f *ir.Field) bool { return f.Type.Kind == ir.Bool || f.Type.Kind == ir.Pointer }

func presenceBytes(t *ir.Type) int64 {
	var n int64
	for f := range t.Encoded() {
		if hasBit(f) {
			n++
		}
	}
	return (n + 7) / 8
}

// maxVarint returns the most bytes that a varint of an integer kind takes.
func maxVarint(k ir.Kind) int {
	switch k {
	case ir.Int16, ir.Uint16:
		return 3
	case ir.Int32, ir.Uint32:
		return 5
	}
	return 10
}

func orMore(least int64, constant bool) string {
	if constant {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d or more", least)
}
