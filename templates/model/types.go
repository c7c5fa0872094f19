package model

import (
	"cmp"
	"path"
	"strconv"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/layout"
)

var kinds = map[ir.Kind]string{
	ir.Bool: "bool", ir.Int8: "int8", ir.Int16: "int16", ir.Int32: "int32", ir.Int64: "int64", ir.Int: "int",
	ir.Uint8: "uint8", ir.Uint16: "uint16", ir.Uint32: "uint32", ir.Uint64: "uint64", ir.Uint: "uint", ir.Uintptr: "uintptr",
	ir.Float32: "float32", ir.Float64: "float64", ir.Complex64: "complex64", ir.Complex128: "complex128",
	ir.String: "string", ir.Bytes: "bytes", ir.Time: "time", ir.Pointer: "pointer", ir.Slice: "slice", ir.Array: "array",
	ir.Map: "map", ir.Struct: "struct", ir.Union: "union", ir.Codec: "codec", ir.Opaque: "opaque",
}

// builder makes types, each once.
type builder struct {
	imports map[string]string // declared names of packages by path
	types   map[*ir.Type]*Type
}

// typ returns the type, nil for nil.
func (b *builder) typ(t *ir.Type) *Type {
	if t == nil {
		return nil
	}
	if done := b.types[t]; done != nil {
		return done
	}
	m := &Type{Kind: kinds[t.Kind], Len: t.Len, Recursive: t.Recursive}
	b.types[t] = m
	if n := t.Name; n != nil {
		m.Name = n.Name
		if !n.Local {
			m.Package = n.PkgPath
		}
	}
	m.expr, m.vague = b.expr(t)
	m.GoType = Expr(m, b.qualifier)
	m.Elem, m.Key = b.typ(t.Elem), b.typ(t.Key)
	if t.Kind == ir.Struct {
		m.Fields = b.fields(t)
	}
	for _, member := range t.Members {
		m.Members = append(m.Members, b.typ(member))
	}
	if t.Kind == ir.Codec && t.Codec != nil {
		switch t.Codec.Form {
		case ir.Binary:
			m.Codec = "binary"
		case ir.Text:
			m.Codec = "text"
		case ir.Message:
			m.Codec = "protobuf"
		case ir.Registered:
			m.Codec = t.Codec.Registered.Name
			m.CodecType = b.typ(&ir.Type{Kind: ir.Struct, Name: t.Codec.Registered})
		}
	}
	return m
}

// qualifier returns the name that a package declares.
func (b *builder) qualifier(importPath string) string {
	return cmp.Or(b.imports[importPath], path.Base(importPath))
}

// Expr returns the Go expression of a type, with the names for packages that qualifier returns for their import paths. It is no method, since templates could call that.
func Expr(t *Type, qualifier func(importPath string) string) string {
	s := ""
	for _, w := range t.expr {
		if w.pkg != "" {
			s += qualifier(w.pkg) + "."
		}
		s += w.text
	}
	return s
}

// Spelled reports whether the expression of a type is the type. That of a struct type without a name is not if rwgen does not know all of its fields.
func Spelled(t *Type) bool { return !t.vague }

// expr returns the Go expression of a type, and whether that leaves something out.
func (b *builder) expr(t *ir.Type) (words []word, vague bool) {
	text := func(s string) { words = append(words, word{text: s}) }
	add := func(t *ir.Type) {
		w, v := b.expr(t)
		words, vague = append(words, w...), vague || v
	}
	switch n := t.Name; {
	case n != nil:
		pkg := n.PkgPath
		if n.Local {
			pkg = ""
		}
		words = append(words, word{n.Name, pkg})
		for i, a := range n.Args {
			if i == 0 {
				text("[")
			} else {
				text(",")
			}
			add(a)
		}
		if len(n.Args) > 0 {
			text("]")
		}
		return words, vague
	case t.Kind == ir.Bytes || t.Kind == ir.Slice:
		text("[]")
		if t.Elem == nil || byteElem(t.Elem) {
			text("byte")
		} else {
			add(t.Elem)
		}
	case t.Kind == ir.Array:
		text("[" + strconv.FormatInt(t.Len, 10) + "]")
		if byteElem(t.Elem) {
			text("byte")
		} else {
			add(t.Elem)
		}
	case t.Kind == ir.Pointer:
		text("*")
		add(t.Elem)
	case t.Kind == ir.Map:
		text("map[")
		add(t.Key)
		text("]")
		add(t.Elem)
	case t.Kind == ir.Time:
		words = append(words, word{"Time", "time"})
	case t.Kind == ir.Opaque:
		for _, w := range t.Expr {
			words = append(words, word{w.Text, w.PkgPath})
		}
	case t.Kind == ir.Struct:
		text("struct{")
		for i, f := range t.Fields {
			if f.Skip || f.Type == nil {
				vague = true
				continue
			}
			if i > 0 {
				text("; ")
			} else {
				text(" ")
			}
			if !f.Embedded {
				text(f.Name + " ")
			}
			add(f.Type)
		}
		if len(t.Fields) > 0 {
			text(" ")
		}
		text("}")
	default:
		text(kinds[t.Kind])
	}
	return words, vague
}

func byteElem(t *ir.Type) bool { return t.Kind == ir.Uint8 && t.Name == nil }

// fields returns the encoded fields of a struct, with their places in its bytes.
func (b *builder) fields(t *ir.Type) []*Field {
	rows := make(map[string]*layout.Row)
	if sections := layout.Of(&ir.Record{Name: "struct", Type: t}).Sections; len(sections) > 0 {
		for i := range sections[0].Rows {
			if r := &sections[0].Rows[i]; r.Depth == 0 && r.Field != "bits" {
				rows[r.Field] = r
			}
		}
	}
	var fields []*Field
	for f := range t.Encoded() {
		m := &Field{
			Name: f.Name, Type: b.typ(f.Type), Kind: kinds[f.Type.Kind], SchemaName: f.SchemaName(), Schema: f.Schema, Doc: f.Doc, Tag: f.Options(),
			Embedded: f.Embedded, Optional: f.Type.Kind == ir.Pointer, Varint: f.Varint, UTF8: f.UTF8, Sorted: f.Sorted, UnixNano: f.UnixNano,
			Intern: f.Intern, View: f.View, Max: f.Max, Aliases: f.Aliases, Default: f.Default, HasDefault: f.HasDefault, Offset: -1,
		}
		m.GoType = m.Type.GoType
		if r := rows[f.Name]; r != nil {
			m.Encoding, m.Bytes, m.Position = r.Encoding, r.Bytes, r.Position()
			if m.Position == strconv.FormatInt(r.Offset, 10) {
				m.Offset = r.Offset
			}
		}
		fields = append(fields, m)
	}
	return fields
}
