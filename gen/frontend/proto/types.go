package proto

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// make notes a type, whose size is computed in the end.
func (b *packageBuilder) make(t *ir.Type) *ir.Type {
	b.all = append(b.all, t)
	return t
}

// name returns the name of a type in a package.
func (b *packageBuilder) name(home *schema.Package, name string) *ir.Name {
	n := &ir.Name{PkgPath: home.Path, PkgName: home.Name, Name: name, Local: home.Path == b.home.Path}
	if !n.Local {
		b.pkg.Imports[home.Path] = home.Name
	}
	return n
}

// ofTime returns the name of a type of package time.
func (b *packageBuilder) ofTime(name string) *ir.Name {
	b.pkg.Imports["time"] = "time"
	return &ir.Name{PkgPath: "time", PkgName: "time", Name: name}
}

// definition returns the Go type of a message or an enum, which it declares if it belongs to the package.
func (b *packageBuilder) definition(d *definition) *ir.Type {
	if done := b.named[d]; done != nil {
		return done
	}
	t := b.make(&ir.Type{Name: b.name(d.home, goName(d.desc))})
	b.named[d] = t
	decl := &ir.Decl{Type: t, Schema: string(d.desc.FullName()), Pos: d.pos}
	message, isMessage := d.desc.(protoreflect.MessageDescriptor)
	if isMessage {
		options, _ := message.Options().(*descriptorpb.MessageOptions)
		decl.Doc, t.Kind = docOf(message, options.GetDeprecated()), ir.Struct
	} else {
		b.enum(decl, d.desc.(protoreflect.EnumDescriptor))
	}
	decl.Doc = cmp.Or(decl.Doc, fmt.Sprintf("%s is the %s of the schema.", t.Name.Name, d.what()))
	if t.Name.Local {
		b.docs[d] = decl.Doc
		b.declare(d, decl, "the "+d.what())
	}
	if isMessage {
		b.fields(t, d, message)
	}
	return t
}

// enum completes the declaration of an enum. Names of values may begin with that of the enum, which is left out, because names of constants do so anyway.
func (b *packageBuilder) enum(decl *ir.Decl, e protoreflect.EnumDescriptor) {
	decl.Type.Kind = ir.Int32
	options, _ := e.Options().(*descriptorpb.EnumOptions)
	decl.Doc = docOf(e, options.GetDeprecated())
	prefix := lettersOf(string(e.Name()))
	for i := range e.Values().Len() {
		v := e.Values().Get(i)
		options, _ := v.Options().(*descriptorpb.EnumValueOptions)
		symbol := withoutPrefix(string(v.Name()), prefix)
		name := schema.GoSymbol(symbol)
		if '0' <= symbol[0] && symbol[0] <= '9' {
			name = name[1:] // behind the name of the type it needs no letter in front
		}
		decl.Constants = append(decl.Constants, ir.Constant{
			Name: decl.Type.Name.Name + name, Symbol: string(v.Name()), Value: int64(v.Number()), Doc: docOf(v, options.GetDeprecated()),
		})
	}
}

// lettersOf returns a name without underscores, in small letters: so names compare of which one has words and the other underscores.
func lettersOf(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// withoutPrefix returns the name of a value behind the prefix and an underscore, or all of it if it does not begin so.
func withoutPrefix(name, prefix string) string {
	for i, c := range name {
		if c == '_' && i > 0 && strings.Trim(name[i:], "_") != "" && lettersOf(name[:i]) == prefix {
			return strings.TrimLeft(name[i:], "_")
		}
	}
	return name
}

// member is a field of a message, or a oneof, which is one field in Go.
type member struct {
	number protoreflect.FieldNumber
	field  protoreflect.FieldDescriptor
	oneof  protoreflect.OneofDescriptor
}

func (m member) desc() protoreflect.Descriptor {
	if m.oneof != nil {
		return m.oneof
	}
	return m.field
}

func (m member) what() string {
	if m.oneof != nil {
		return "oneof " + string(m.oneof.Name())
	}
	return "field " + string(m.field.Name())
}

// members returns the members of a message by their numbers; that of a oneof is its lowest. So the order in the source is of no account, as it is in Protobuf.
func members(m protoreflect.MessageDescriptor) []member {
	var list []member
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		if o := f.ContainingOneof(); o == nil || o.IsSynthetic() {
			list = append(list, member{number: f.Number(), field: f})
		}
	}
	for i := range m.Oneofs().Len() {
		if o := m.Oneofs().Get(i); !o.IsSynthetic() && o.Fields().Len() > 0 {
			list = append(list, member{number: fieldsOf(o)[0].Number(), oneof: o})
		}
	}
	slices.SortStableFunc(list, func(a, b member) int { return cmp.Compare(a.number, b.number) })
	return list
}

// fieldsOf returns the fields of a oneof by their numbers.
func fieldsOf(o protoreflect.OneofDescriptor) []protoreflect.FieldDescriptor {
	list := make([]protoreflect.FieldDescriptor, o.Fields().Len())
	for i := range list {
		list[i] = o.Fields().Get(i)
	}
	slices.SortStableFunc(list, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	return list
}

// fields adds the fields of a message.
func (b *packageBuilder) fields(t *ir.Type, d *definition, m protoreflect.MessageDescriptor) {
	names := make(map[string]member)
	for _, mem := range members(m) {
		desc := mem.desc()
		out := &ir.Field{Name: schema.GoName(string(desc.Name())), Pos: d.file.position(desc)}
		if first, ok := names[out.Name]; ok && t.Name.Local {
			report := b.diags.Addf(out.Pos, diag.Name, "the %s of the %s is called %s in Go, as the %s is", mem.what(), d.what(), out.Name, first.what())
			report.Hint = "another name for one of them in the schema"
			report.Related = []diag.Related{{Pos: d.file.position(first.desc()), Message: "the other one"}}
		}
		names[out.Name] = mem
		if mem.oneof != nil {
			out.Doc = docOf(mem.oneof, false)
			out.Type = b.oneof(d, t, mem.oneof)
		} else {
			out.Doc = fieldDoc(mem.field)
			out.Type = b.field(mem.field)
		}
		if !t.Name.Local {
			out.Doc = ""
		}
		t.Fields = append(t.Fields, out)
		out.Schema = string(desc.Name())
	}
}

// fieldDoc returns the documentation of a field, with its default, which Go does not know of.
func fieldDoc(f protoreflect.FieldDescriptor) string {
	options, _ := f.Options().(*descriptorpb.FieldOptions)
	doc := docOf(f, options.GetDeprecated())
	if !f.HasDefault() {
		return doc
	}
	text := fmt.Sprint(f.Default().Interface())
	switch f.Kind() {
	case protoreflect.StringKind:
		text = strconv.Quote(f.Default().String())
	case protoreflect.BytesKind:
		text = strconv.Quote(string(f.Default().Bytes()))
	case protoreflect.EnumKind:
		if v := f.DefaultEnumValue(); v != nil {
			text = string(v.Name())
		}
	}
	return strings.TrimSpace(doc + "\n\nThe default of the schema is " + schema.Doc(text) + ".")
}

// field returns the Go type of a field that is in no oneof.
func (b *packageBuilder) field(f protoreflect.FieldDescriptor) *ir.Type {
	switch {
	case f.IsMap():
		key := b.value(f.MapKey())
		return b.make(&ir.Type{Kind: ir.Map, Key: key, Elem: b.value(f.MapValue())})
	case f.IsList():
		return b.make(&ir.Type{Kind: ir.Slice, Elem: b.value(f)})
	}
	t := b.value(f)
	// A required field is always there, and a slice can be nil.
	if f.HasPresence() && t.Kind != ir.Bytes && (f.Cardinality() != protoreflect.Required || f.Message() != nil) {
		return b.make(&ir.Type{Kind: ir.Pointer, Elem: t})
	}
	return t
}

// basics are the Go types of scalars.
var basics = map[protoreflect.Kind]ir.Kind{
	protoreflect.BoolKind: ir.Bool, protoreflect.StringKind: ir.String, protoreflect.FloatKind: ir.Float32, protoreflect.DoubleKind: ir.Float64,
	protoreflect.Int32Kind: ir.Int32, protoreflect.Sint32Kind: ir.Int32, protoreflect.Sfixed32Kind: ir.Int32,
	protoreflect.Int64Kind: ir.Int64, protoreflect.Sint64Kind: ir.Int64, protoreflect.Sfixed64Kind: ir.Int64,
	protoreflect.Uint32Kind: ir.Uint32, protoreflect.Fixed32Kind: ir.Uint32, protoreflect.Uint64Kind: ir.Uint64, protoreflect.Fixed64Kind: ir.Uint64,
}

// value returns the Go type of the values of a field, or of the elements of a repeated one.
func (b *packageBuilder) value(f protoreflect.FieldDescriptor) *ir.Type {
	switch m := f.Message(); {
	case m == nil:
	case special(m) == timestamp:
		return b.make(&ir.Type{Kind: ir.Time, Name: b.ofTime("Time")})
	case special(m) == duration:
		return b.make(&ir.Type{Kind: ir.Int64, Name: b.ofTime("Duration")})
	case special(m) == wrapper:
		return b.scalar(wrapped[m.FullName()])
	}
	if d := b.of(f); d != nil {
		return b.definition(d)
	}
	return b.scalar(f.Kind())
}

func (b *packageBuilder) scalar(kind protoreflect.Kind) *ir.Type {
	if kind == protoreflect.BytesKind {
		return b.make(&ir.Type{Kind: ir.Bytes, Elem: b.make(&ir.Type{Kind: ir.Uint8})})
	}
	return b.make(&ir.Type{Kind: basics[kind]})
}

// oneof returns the union of a oneof. Each of its fields is a type of its own, because several may have one type.
func (b *packageBuilder) oneof(d *definition, message *ir.Type, o protoreflect.OneofDescriptor) *ir.Type {
	name := message.Name.Name + schema.GoName(string(o.Name()))
	t := b.make(&ir.Type{Kind: ir.Union, Name: b.name(d.home, name)})
	decl := &ir.Decl{Type: t, Schema: string(o.FullName()), Pos: d.file.position(o), Marker: "is" + name}
	decl.Doc = cmp.Or(docOf(o, false), fmt.Sprintf("%s is the oneof %s of the schema. Nil is none of its fields.", name, o.FullName()))
	what := "the oneof " + string(o.FullName())
	if t.Name.Local {
		b.declare(d, decl, what)
	}
	for _, f := range fieldsOf(o) {
		own := b.make(&ir.Type{Name: b.name(d.home, name+schema.GoName(string(f.Name())))})
		value := b.value(f)
		if value.Name == nil {
			own.Kind, own.Elem = value.Kind, value.Elem
		} else {
			own.Kind = ir.Struct
			field := &ir.Field{Name: "Value", Type: value, Pos: d.file.position(f)}
			own.Fields = []*ir.Field{field}
		}
		if t.Name.Local {
			decl := &ir.Decl{Type: own, Schema: string(f.FullName()), Pos: d.file.position(f), Unions: []*ir.Type{t}}
			decl.Doc = cmp.Or(fieldDoc(f), fmt.Sprintf("%s is the field %s of %s.", own.Name.Name, f.Name(), what))
			b.declare(d, decl, fmt.Sprintf("the field %s of %s", f.Name(), what))
		}
		if own.Kind == ir.Struct {
			own = b.make(&ir.Type{Kind: ir.Pointer, Elem: own})
		}
		t.Members = append(t.Members, own)
	}
	return t
}
