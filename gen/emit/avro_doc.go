package emit

import (
	"fmt"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

// Comments on serializers of the format avro.

// avroFormat says what a serializer writes.
func avroFormat(r *ir.Record) string {
	s := "in Avro's binary encoding, as the schema " + r.Avro.Root.FullName
	if r.Avro.SingleObject {
		return s + " in the single-object encoding"
	}
	return s
}

// avroRefusals says which records cannot be written, and with which error.
func (f *file) avroRefusals(r *ir.Record) string {
	var list []string
	wire, avro := f.declaredName(wirePath), f.declaredName(avroPath)
	if f.needsDepth(r.Type) {
		list = append(list, fmt.Sprintf("[%s.ErrDepth] if v is nested too deeply", wire))
	}
	if f.avroCountsEmpty(r.Avro.Root) {
		list = append(list, fmt.Sprintf("[%s.ErrLimit] for more than [%[1]s.MaxEmptyElems] elements of no bytes", wire))
	}
	has := func(hit func(*ir.Avro) bool) bool { return avroAny(map[*ir.Avro]bool{}, r.Avro.Root, hit) }
	var what []string
	if has(func(a *ir.Avro) bool { return a.Kind == ir.AvroEnum }) {
		what = append(what, "a value of an enum that no symbol has")
	}
	if has(func(a *ir.Avro) bool { return isLogicalNumber(a) && refusesLogical(a) }) {
		what = append(what, "a time that the schema cannot express")
	}
	if has(isDecimal) {
		what = append(what, "a decimal that the schema cannot express")
	}
	if len(what) > 0 {
		list = append(list, fmt.Sprintf("[%s.ErrRange] for %s", avro, strings.Join(what, " or ")))
	}
	interfaces := func(a *ir.Avro) bool { _, optional := a.Optional(); return a.Kind == ir.AvroUnion && !optional }
	if has(interfaces) {
		list = append(list, fmt.Sprintf("[%s.ErrMember] for a value whose type is no member of its union, [%[1]s.ErrNil] for a nil pointer in a union", wire))
	}
	if has(func(a *ir.Avro) bool { return interfaces(a) && a.NullBranch() < 0 }) {
		list = append(list, fmt.Sprintf("[%s.ErrNull] for nil where a union has no null", avro))
	}
	if len(list) > 2 {
		return strings.Join(list[:len(list)-1], ", ") + ", and " + list[len(list)-1]
	}
	return strings.Join(list, ", and ")
}

func isDecimal(a *ir.Avro) bool { return a.Logical == "decimal" || a.Logical == "big-decimal" }

// avroPutCost says what a call of Put costs in memory.
func (f *file) avroPutCost(r *ir.Record) string {
	big := avroAny(map[*ir.Avro]bool{}, r.Avro.Root, func(a *ir.Avro) bool {
		return a.Logical == "big-decimal" || a.Logical == "decimal" && a.Precision > 200
	})
	switch {
	case big:
		return "It allocates for big decimals only, unless it fails."
	case f.recordRejects(r):
		return "It does not allocate unless it fails."
	}
	return "It does not allocate."
}

// avroLayout lists what stands in the bytes of a record, in order.
func (f *facts) avroLayout(r *ir.Record) []row {
	var rows []row
	if r.Avro.SingleObject {
		rows = append(rows, row{"", "marker c3 01, fingerprint", "10"})
	}
	for _, fld := range r.Avro.Root.Fields {
		n, constant := f.avroSize(fld.Type)
		bytes := fmt.Sprint(n)
		if !constant {
			bytes = fmt.Sprintf("%d or more", f.avroMin(fld.Type))
		}
		rows = append(rows, row{fld.Field.Name, avroEncoding(fld.Type), bytes})
	}
	return rows
}

// avroEncoding describes the encoding of a in a few words.
func avroEncoding(a *ir.Avro) string {
	s := a.Kind.String()
	switch a.Kind {
	case ir.AvroRecord, ir.AvroEnum, ir.AvroFixed:
		s += " " + a.FullName
	case ir.AvroArray, ir.AvroMap:
		return s + " of " + avroEncoding(a.Elem)
	case ir.AvroUnion:
		const most = 4
		var list []string
		for i, b := range a.Branches {
			if i == most {
				list = append(list, "…")
				break
			}
			list = append(list, avroEncoding(b))
		}
		return "union of " + strings.Join(list, ", ")
	}
	switch {
	case a.Logical == "decimal":
		s += fmt.Sprintf(", decimal(%d, %d)", a.Precision, a.Scale)
	case a.Logical != "":
		s += ", " + a.Logical
	}
	return s
}
