package emit

import (
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/avro"
	"github.com/rwgen/rwgen/runtime/record"
)

// avroSchema returns the schema of a record in the format avro.
func avroSchema(s *ir.AvroSchema) record.Schema {
	text := avro.TextPrefix
	if s.SingleObject {
		text += avro.SingleObjectPrefix
	}
	schema := record.TextSchema(text+s.Canonical, s.Full)
	schema.Rules = avro.Rules{}
	return schema
}

// avroFingerprint returns the fingerprint that stands before single objects.
func avroFingerprint(s *ir.AvroSchema) uint64 {
	var b strings.Builder
	parsingForm(&b, s.Root, map[string]bool{})
	return avro.Fingerprint(b.String())
}

// parsingForm writes the Parsing Canonical Form of a: names with their namespaces, and of attributes only those that matter for the bytes, in the order of the specification.
func parsingForm(b *strings.Builder, a *ir.Avro, known map[string]bool) {
	if a.FullName != "" {
		if known[a.FullName] {
			b.WriteString(strconv.Quote(a.FullName))
			return
		}
		known[a.FullName] = true
	}
	switch a.Kind {
	case ir.AvroRecord:
		b.WriteString(`{"name":` + strconv.Quote(a.FullName) + `,"type":"record","fields":[`)
		for i, fld := range a.Fields {
			comma(b, i)
			b.WriteString(`{"name":` + strconv.Quote(fld.Name) + `,"type":`)
			parsingForm(b, fld.Type, known)
			b.WriteString("}")
		}
		b.WriteString("]}")
	case ir.AvroEnum:
		b.WriteString(`{"name":` + strconv.Quote(a.FullName) + `,"type":"enum","symbols":[`)
		for i, s := range a.Symbols {
			comma(b, i)
			b.WriteString(strconv.Quote(s))
		}
		b.WriteString("]}")
	case ir.AvroFixed:
		b.WriteString(`{"name":` + strconv.Quote(a.FullName) + `,"type":"fixed","size":` + strconv.Itoa(a.Size) + "}")
	case ir.AvroArray:
		b.WriteString(`{"type":"array","items":`)
		parsingForm(b, a.Elem, known)
		b.WriteString("}")
	case ir.AvroMap:
		b.WriteString(`{"type":"map","values":`)
		parsingForm(b, a.Elem, known)
		b.WriteString("}")
	case ir.AvroUnion:
		b.WriteString("[")
		for i, branch := range a.Branches {
			comma(b, i)
			parsingForm(b, branch, known)
		}
		b.WriteString("]")
	default:
		b.WriteString(strconv.Quote(a.Kind.String()))
	}
}

func comma(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}
