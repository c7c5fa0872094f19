package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/names"
)

// typ returns the Go expression of a type.
func (f *file) typ(t *ir.Type) *jen.Statement {
	if t.Name != nil {
		return f.named(t.Name)
	}
	switch t.Kind {
	case ir.Bytes, ir.Slice:
		return jen.Index().Add(f.elemType(elemOf(t)))
	case ir.Array:
		return jen.Index(jen.Lit(int(t.Len))).Add(f.elemType(t.Elem))
	case ir.Pointer:
		return jen.Op("*").Add(f.typ(t.Elem))
	case ir.Map:
		return jen.Map(f.typ(t.Key)).Add(f.typ(t.Elem))
	case ir.Struct:
		return f.structType(t)
	case ir.Time:
		return f.qual("time", "Time")
	case ir.Opaque:
		return f.expression(t.Expr)
	}
	return jen.Id(goTypes[t.Kind])
}

// expression returns the expression that consists of words.
func (f *file) expression(words []ir.Word) *jen.Statement {
	x := jen.Null()
	for _, w := range words {
		if w.PkgPath == "" {
			x.Id(w.Text)
		} else {
			x.Add(f.qual(w.PkgPath, w.Text))
		}
	}
	return x
}

// elemType is typ for the elements of slices and arrays, where a byte is called a byte.
func (f *file) elemType(t *ir.Type) *jen.Statement {
	if is(t, "uint8") {
		return jen.Byte()
	}
	return f.typ(t)
}

// elemOf returns the element type of a slice, also where a byte slice does not say.
func elemOf(slice *ir.Type) *ir.Type {
	if slice.Elem == nil {
		return &ir.Type{Kind: ir.Uint8, GoSize: 1}
	}
	return slice.Elem
}

func (f *file) named(n *ir.Name) *jen.Statement {
	name := jen.Id(n.Name)
	if !n.Local && n.PkgPath != "" {
		name = f.qual(n.PkgPath, n.Name)
	}
	if len(n.Args) == 0 {
		return name
	}
	var args []jen.Code
	for _, a := range n.Args {
		args = append(args, f.typ(a))
	}
	return name.Types(args...)
}

// structType returns the struct type with the fields of t, without tags. No field may be skipped.
func (f *file) structType(t *ir.Type) *jen.Statement {
	if len(t.Fields) == 0 {
		return jen.Struct()
	}
	return jen.StructFunc(func(g *jen.Group) {
		for _, fld := range t.Fields {
			if fld.Embedded {
				g.Add(f.typ(fld.Type))
			} else {
				g.Id(fld.Name).Add(f.typ(fld.Type))
			}
		}
	})
}

// label returns a record type for people: the name of its Go type, or of its alias, or the expression of an instance.
func (f *file) label(r *ir.Record) string {
	if n := r.Type.Name; len(n.Args) == 0 || slices.Contains(f.pkg.Scope, r.Name) {
		return r.Name
	}
	return fmt.Sprintf("%#v", f.plainType(r.Type))
}

// docLink is label as a link of a doc comment, where that is possible.
func (f *file) docLink(r *ir.Record) string {
	if label := f.label(r); label != r.Name {
		return label
	}
	return "[" + r.Name + "]"
}

// plainType is typ for comments, which need no imports.
func (f *file) plainType(t *ir.Type) *jen.Statement {
	plain := *f
	plain.used = map[string]bool{}
	return plain.typ(t)
}

// pointed returns what a member of a union points to, or the member itself.
func pointed(member *ir.Type) *ir.Type {
	if member.Kind == ir.Pointer {
		return member.Elem
	}
	return member
}

// spelled says that the expression that typ returns is the very type: a struct type without a name may have tags, which belong to
// its identity, or fields whose types the generator does not know.
func spelled(t *ir.Type) bool {
	if t.Name != nil {
		for _, a := range t.Name.Args {
			if !spelled(a) {
				return false
			}
		}
		return true
	}
	switch t.Kind {
	case ir.Struct:
		return len(t.Fields) == 0
	case ir.Pointer, ir.Slice, ir.Array:
		return spelled(t.Elem)
	case ir.Map:
		return spelled(t.Key) && spelled(t.Elem)
	}
	return true
}

// convertible says that the expression that typ returns is the type but for tags, which conversions ignore.
func convertible(t *ir.Type) bool {
	if t.Name != nil {
		return spelled(t)
	}
	switch t.Kind {
	case ir.Struct:
		for _, fld := range t.Fields {
			if fld.Skip || !convertibleField(fld) {
				return false
			}
		}
	case ir.Pointer, ir.Slice, ir.Array:
		return convertible(t.Elem)
	case ir.Map:
		return convertible(t.Key) && convertible(t.Elem)
	}
	return true
}

// convertibleField is convertible for a field of a struct, which must not be a skipped one. A field that is embedded by an alias, such as
// byte, has the name of the alias, but typ returns the type that it stands for.
func convertibleField(fld *ir.Field) bool {
	return convertible(fld.Type) && (!fld.Embedded || embeddedName(fld.Type) == fld.Name)
}

// embeddedName returns the name of a field that embeds t by the expression that typ returns, "" if that cannot be embedded.
func embeddedName(t *ir.Type) string {
	switch {
	case t.Name != nil:
		return t.Name.Name
	case t.Kind == ir.Pointer:
		return embeddedName(t.Elem)
	}
	return goTypes[t.Kind]
}

// typeName returns a name for t to be part of an identifier: its own, with the package in front if that is another one, and with
// the type arguments.
func typeName(t *ir.Type) string {
	if t.Name == nil {
		switch t.Kind {
		case ir.Pointer:
			return typeName(t.Elem) + "Pointer"
		case ir.Slice, ir.Bytes:
			return typeName(elemOf(t)) + "Slice"
		case ir.Array:
			return typeName(t.Elem) + strconv.FormatInt(t.Len, 10)
		case ir.Map:
			return typeName(t.Key) + typeName(t.Elem) + "Map"
		case ir.Time:
			return "Time"
		case ir.Struct:
			return "Struct"
		case ir.Opaque:
			return "Type"
		}
		return names.Upper(goTypes[t.Kind])
	}
	var s strings.Builder
	if !t.Name.Local && t.Name.PkgPath != "" {
		s.WriteString(names.Upper(t.Name.PkgName))
	}
	s.WriteString(names.Upper(t.Name.Name))
	for _, a := range t.Name.Args {
		s.WriteString(typeName(a))
	}
	return s.String()
}

// localName returns a name for a variable that holds the value at p: that of the field, or other if it is no field.
func localName(p place, other string) string {
	if n := len(p.path); n == 0 || p.path[n-1].isIndex {
		return other
	}
	words := strings.Split(p.path.fieldName(), ".")
	name := names.Lower(words[0])
	for _, w := range words[1:] {
		name += names.Upper(w)
	}
	return name
}
