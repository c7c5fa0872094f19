package emit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// schema returns the schema of a record, by the same code that the reflective serializer uses.
func schema(r *ir.Record) record.Schema {
	if r.Format == ir.AvroBinary {
		return avroSchema(r.Avro)
	}
	if r.Format.Calls() {
		return record.NamedSchema(r.Format.String(), r.Called)
	}
	t := Model(r)
	return record.NewSchema(t.InstanceName(), t)
}

// schemaName returns the name of a record in its schema: that of the Go type, with its arguments.
func schemaName(r *ir.Record) string { return modeler{}.model(r.Type).InstanceName() }

// modeler turns types into those of package record, one for one, so that cycles stay cycles.
type modeler map[*ir.Type]*record.Type

var kinds = map[ir.Kind]record.Kind{
	ir.Bool: record.KindBool, ir.Int8: record.KindInt8, ir.Int16: record.KindInt16, ir.Int32: record.KindInt32, ir.Int64: record.KindInt64,
	ir.Int: record.KindInt, ir.Uint8: record.KindUint8, ir.Uint16: record.KindUint16, ir.Uint32: record.KindUint32,
	ir.Uint64: record.KindUint64, ir.Uint: record.KindUint, ir.Uintptr: record.KindUintptr, ir.Float32: record.KindFloat32,
	ir.Float64: record.KindFloat64, ir.Complex64: record.KindComplex64, ir.Complex128: record.KindComplex128,
	ir.String: record.KindString, ir.Bytes: record.KindBytes, ir.Time: record.KindTime, ir.Pointer: record.KindPointer,
	ir.Slice: record.KindSlice, ir.Array: record.KindArray, ir.Map: record.KindMap, ir.Struct: record.KindStruct,
	ir.Union: record.KindUnion, ir.Codec: record.KindCodec,
}

func (m modeler) model(t *ir.Type) *record.Type {
	if t == nil {
		return nil
	}
	if done, ok := m[t]; ok {
		return done
	}
	r := &record.Type{Kind: kinds[t.Kind], Len: t.Len}
	m[t] = r
	if t.Name != nil {
		r.Name = t.Name.Own()
		for _, a := range t.Name.Args {
			r.Args = append(r.Args, m.model(a))
		}
	}
	r.Elem, r.Key = m.model(t.Elem), m.model(t.Key)
	for f := range t.Encoded() {
		r.Fields = append(r.Fields, record.Field{
			Name: f.SchemaName(), Type: m.model(f.Type), Varint: f.Varint, UnixNano: f.UnixNano,
			Aliases: f.Aliases, Default: f.Default, HasDefault: f.HasDefault,
		})
	}
	for _, member := range t.Members {
		r.Members = append(r.Members, m.model(pointed(member)))
	}
	if t.Kind == ir.Codec {
		name := r.InstanceName()
		if t.Codec.Form == ir.Registered {
			name = t.Codec.Registered.Own()
		}
		r.Codec = t.Codec.Form.String() + "(" + name + ")"
	}
	return r
}

// schemaWidth is where the text of a schema is broken into several literals.
const schemaWidth = 90

// schemaMethod generates the method that returns the schema.
func (f *file) schemaMethod(r *ir.Record, n *recordNames) {
	s := schema(r)
	fields := []jen.Code{
		jen.Id("Text").Op(":").Add(schemaLiteral(s.Text)),
		jen.Id("Fingerprint").Op(":").Id("0x" + s.Hex()),
	}
	if s.Reading != "" {
		fields = append(fields, jen.Id("Reading").Op(":").Add(schemaLiteral(s.Reading)))
	}
	if r.Format == ir.AvroBinary {
		fields = append(fields, jen.Id("Rules").Op(":").Add(f.avroFn("Rules")).Values())
	}
	f.comment("Schema implements [%s.Serializer].", f.declaredName(recordPath))
	f.out.Func().Params(jen.Id(n.Serializer)).Id("Schema").Params().Add(f.qual(recordPath, "Schema")).Block(
		jen.Return(f.qual(recordPath, "Schema").Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, fields...)),
	)
	f.out.Line()
}

// schemaLiteral returns a text as several literals, raw ones where that makes it readable: a text in JSON. Others stay as one if they are no schema's.
func schemaLiteral(text string) *jen.Statement {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "avro/") {
		if !strings.HasPrefix(text, "rwgen/") {
			return jen.Lit(text)
		}
	}
	lit := func(s string) *jen.Statement {
		if strings.Contains(s, `"`) && !strings.ContainsAny(s, "`\r\ufeff") && utf8.ValidString(s) {
			return jen.Id("`" + s + "`")
		}
		return jen.Lit(s)
	}
	lines := breakSchema(text)
	all := lit(lines[0])
	for _, l := range lines[1:] {
		all.Op("+").Line().Add(lit(l))
	}
	return all
}

// breakSchema cuts the text behind commas and opening braces.
func breakSchema(text string) []string {
	var lines []string
	for len(text) > schemaWidth {
		cut := 0
		for i, c := range []byte(text) {
			if c == ',' || c == '{' {
				if i >= schemaWidth && cut > 0 {
					break
				}
				cut = i + 1
			}
		}
		if cut == 0 || cut == len(text) {
			break
		}
		lines = append(lines, text[:cut])
		text = text[cut:]
	}
	return append(lines, text)
}

// fingerprints returns what the head of the file says about the schemas: one line for each if there are several, so that changes of
// different records do not conflict.
func (f *file) fingerprints() string {
	if len(f.src.Records) == 1 {
		return " schema=" + schema(f.src.Records[0]).Hex()
	}
	s := ""
	for _, r := range f.src.Records {
		s += fmt.Sprintf("\n// schema(%s)=%s", r.Name, schema(r).Hex())
	}
	return s
}
