package avro

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// place is where a type without a name stands. What has to be declared there is called by it.
type place struct {
	name   string // QuakeMag
	schema string // org.usgs.Quake.mag
	home   *schema.Package
	at     *value
}

// part returns the place of an element or of a value within p.
func (p place) part(name, schema string) place {
	p.name, p.schema = p.name+name, p.schema+schema
	return p
}

// make notes a type, whose size is computed in the end.
func (b *packageBuilder) make(t *ir.Type) *ir.Type {
	b.all = append(b.all, t)
	return t
}

// name returns the name of a type in the package of a place.
func (b *packageBuilder) name(home *schema.Package, name string) *ir.Name {
	n := &ir.Name{PkgPath: home.Path, PkgName: home.Name, Name: name, Local: home.Path == b.home.Path}
	if !n.Local {
		b.pkg.Imports[home.Path] = home.Name
	}
	return n
}

// foreign returns the name of a type of the standard library or the runtime.
func (b *packageBuilder) foreign(path, pkg, name string) *ir.Name {
	b.pkg.Imports[path] = pkg
	return &ir.Name{PkgPath: path, PkgName: pkg, Name: name}
}

// basics are the Go types of primitives.
var basics = map[ir.AvroKind]ir.Kind{
	ir.AvroNull: ir.Struct, ir.AvroBoolean: ir.Bool, ir.AvroInt: ir.Int32, ir.AvroLong: ir.Int64, ir.AvroFloat: ir.Float32, ir.AvroDouble: ir.Float64, ir.AvroString: ir.String,
}

// node returns a type with the Go type of its values.
func (b *packageBuilder) node(n *node, p place) *ir.Avro {
	switch {
	case n.def != nil:
		return b.definition(n.def)
	case n.logical.name != "":
		return b.logicalType(n.kind, n.logical)
	}
	a := &ir.Avro{Kind: n.kind}
	switch n.kind {
	case ir.AvroBytes:
		a.Type = b.make(&ir.Type{Kind: ir.Bytes, Elem: b.make(&ir.Type{Kind: ir.Uint8})})
	case ir.AvroArray:
		a.Elem = b.node(n.elem, p.part("Item", "[]"))
		a.Type = b.make(&ir.Type{Kind: ir.Slice, Elem: a.Elem.Type})
	case ir.AvroMap:
		a.Elem = b.node(n.elem, p.part("Value", "{}"))
		a.Type = b.make(&ir.Type{Kind: ir.Map, Key: b.make(&ir.Type{Kind: ir.String}), Elem: a.Elem.Type})
	case ir.AvroUnion:
		b.union(a, n, p)
	default:
		a.Type = b.make(&ir.Type{Kind: basics[n.kind]})
	}
	return a
}

// runtimePath is the package of the types of logical types for which Go has none.
const runtimePath = "github.com/rwgen/rwgen/runtime/avro"

// logicalType returns a type with a logical type.
func (b *packageBuilder) logicalType(kind ir.AvroKind, l logical) *ir.Avro {
	a := &ir.Avro{Kind: kind, Logical: l.name, Precision: l.precision, Scale: l.scale}
	switch l.name {
	case "decimal", "big-decimal":
		a.Type = b.make(&ir.Type{Kind: ir.Codec, Name: b.foreign("math/big", "big", "Rat"), Codec: &ir.Encoding{Form: ir.Text, Append: true}})
		b.sizer.Known(a.Type, 64, 8) // two integers: a sign and a slice of words each
	case "uuid":
		a.Type = b.make(&ir.Type{Kind: ir.Codec, Name: b.foreign(runtimePath, "avro", "UUID"), Codec: &ir.Encoding{Form: ir.Binary, Append: true}})
		b.sizer.Known(a.Type, 16, 1)
	case "time-millis", "time-micros":
		a.Type = b.make(&ir.Type{Kind: ir.Int64, Name: b.foreign("time", "time", "Duration")})
	case "duration":
		t := b.make(&ir.Type{Kind: ir.Struct, Name: b.foreign(runtimePath, "avro", "Duration")})
		for _, name := range []string{"Months", "Days", "Milliseconds"} {
			t.Fields = append(t.Fields, &ir.Field{Name: name, Type: b.make(&ir.Type{Kind: ir.Uint32})})
		}
		a.Type = t
	default:
		a.Type = b.make(&ir.Type{Kind: ir.Time, Name: b.foreign("time", "time", "Time")})
	}
	return a
}

// definition returns a record, an enum or a fixed with its Go type, which it declares if it belongs to the package.
func (b *packageBuilder) definition(d *definition) *ir.Avro {
	if done := b.named[d]; done != nil {
		return done
	}
	if d.logical.name != "" {
		a := b.logicalType(d.kind, d.logical)
		a.FullName, a.Aliases, a.Size = d.fullName(), d.aliases, d.size
		b.named[d] = a
		return a
	}
	home := b.homes[d]
	t := b.make(&ir.Type{Name: b.name(home, goNameOf(d))})
	a := &ir.Avro{Kind: d.kind, Type: t, FullName: d.fullName(), Aliases: d.aliases}
	b.named[d] = a
	decl := &ir.Decl{Type: t, Schema: d.fullName(), Pos: d.nameAt}
	decl.Doc = cmp.Or(schema.TypeDoc(t.Name.Name, d.doc), fmt.Sprintf("%s is the %s of the schema.", t.Name.Name, d.what()))
	switch d.kind {
	case ir.AvroEnum:
		t.Kind = ir.Int32
		a.Symbols, a.Default = d.symbols, d.symbolDefault
		for i, s := range d.symbols {
			decl.Constants = append(decl.Constants, ir.Constant{Name: t.Name.Name + schema.GoSymbol(s), Symbol: s, Value: int64(i)})
		}
	case ir.AvroFixed:
		t.Kind, t.Len, t.Elem = ir.Array, int64(d.size), b.make(&ir.Type{Kind: ir.Uint8})
		a.Size = d.size
	case ir.AvroRecord:
		t.Kind = ir.Struct
	}
	if t.Name.Local {
		b.decls[d] = decl
		b.declare(d.at.file, decl, "the "+d.what(), renameHint)
	}
	b.fields(a, d)
	return a
}

// fields adds the fields of a record.
func (b *packageBuilder) fields(a *ir.Avro, d *definition) {
	names := make(map[string]*field)
	for _, f := range d.fields {
		name := cmp.Or(f.goName, schema.GoName(f.name))
		if first := names[name]; first != nil && a.Type.Name.Local {
			report := b.diags.Addf(f.nameAt, diag.Name, "the field %s of the %s is called %s in Go, as the field %s is", f.name, d.what(), name, first.name)
			report.Hint = renameHint
			report.Related = []diag.Related{{Pos: first.nameAt, Message: "the other one"}}
		}
		names[name] = f
		typ := b.node(f.typ, place{name: a.Type.Name.Name + name, schema: d.fullName() + "." + f.name, home: b.homes[d], at: f.typ.at})
		out := &ir.Field{Name: name, Type: typ.Type, Pos: f.nameAt, Doc: schema.Doc(f.doc)}
		out.Default, out.HasDefault = nativeDefault(f, typ)
		if !a.Type.Name.Local {
			out.Doc = ""
		}
		field := &ir.AvroField{Name: f.name, Field: out, Type: typ, Aliases: f.aliases}
		if f.fallback != nil {
			field.Default = f.fallback.json()
		}
		a.Fields = append(a.Fields, field)
		a.Type.Fields = append(a.Type.Fields, out)
		out.Schema = f.name
	}
	// Names come before aliases, whatever the order of the fields.
	for i, f := range d.fields {
		for _, alias := range f.aliases {
			if name := schema.GoName(alias); names[name] == nil {
				names[name] = f
				a.Type.Fields[i].Aliases = append(a.Type.Fields[i].Aliases, name)
			}
		}
	}
}

// union completes a union: one of null and another type is that type with a nil, others are interfaces.
func (b *packageBuilder) union(a *ir.Avro, n *node, p place) {
	if i := optional(n); i >= 0 {
		other := b.node(n.branches[i], p)
		a.Branches = []*ir.Avro{other, other}
		a.Branches[1-i] = b.node(n.branches[1-i], p)
		switch a.Type = other.Type; other.Type.Kind {
		case ir.Bytes, ir.Slice, ir.Map:
		default:
			a.Type = b.make(&ir.Type{Kind: ir.Pointer, Elem: other.Type})
		}
		return
	}
	a.Type = b.make(&ir.Type{Kind: ir.Union, Name: b.name(p.home, p.name)})
	decl := &ir.Decl{Type: a.Type, Schema: p.schema, Pos: p.at.pos(), Marker: "is" + p.name}
	decl.Doc = unionDoc(p, n)
	b.declareAt(p, decl, "the union of "+p.schema)
	for _, branch := range n.branches {
		if branch.kind == ir.AvroNull {
			a.Branches = append(a.Branches, b.node(branch, p))
			continue
		}
		typ, member := b.member(a.Type, branch, p)
		a.Branches = append(a.Branches, typ)
		a.Type.Members = append(a.Type.Members, member)
	}
}

// optional returns the index of the type that is not null in a union of two with null, -1 for others.
func optional(n *node) int {
	for i, b := range n.branches {
		if len(n.branches) == 2 && b.kind != ir.AvroNull && n.branches[1-i].kind == ir.AvroNull {
			return i
		}
	}
	return -1
}

// declareAt declares what has no name in the schema.
func (b *packageBuilder) declareAt(p place, d *ir.Decl, what string) {
	if d.Type.Name.Local {
		b.declare(p.at.file, d, what, renameHint)
	}
}

// member returns a branch of a union, and the type of its values there. Records, enums and fixed of the package are members themselves. Others are so by a type of their own, because methods
// can only be added to types of the package: a defined type where that is as good, and otherwise a struct with a field Value.
func (b *packageBuilder) member(union *ir.Type, n *node, p place) (*ir.Avro, *ir.Type) {
	own := n.def != nil && n.logical.name == "" && b.homes[n.def].Path == p.home.Path
	if own {
		a := b.definition(n.def)
		if decl := b.decls[n.def]; decl != nil {
			decl.Unions = append(decl.Unions, union)
		}
		return a, b.asMember(a.Type)
	}
	word, name := n.kind.String(), ""
	switch {
	case n.def != nil:
		word, name = n.def.fullName(), goNameOf(n.def)
	case n.logical.name != "":
		word = n.logical.name
	}
	name = cmp.Or(name, schema.GoName(word))
	at := p.part(name, "("+word+")")
	a := b.node(n, at)
	t := b.make(&ir.Type{Name: b.name(p.home, at.name)})
	switch {
	case n.def == nil && n.logical.name == "": // a type without a name, which gets one
		t.Kind, t.Elem, t.Key = a.Type.Kind, a.Type.Elem, a.Type.Key
		a.Type = t
	default:
		t.Kind = ir.Struct
		t.Fields = []*ir.Field{{Name: "Value", Type: a.Type, Pos: n.at.pos()}}
	}
	what := n.kind.String()
	switch {
	case n.logical.name != "":
		what = n.logical.name
	case n.def != nil:
		what = n.def.what()
	}
	decl := &ir.Decl{Type: t, Schema: at.schema, Pos: n.at.pos(), Unions: []*ir.Type{union}}
	decl.Doc = fmt.Sprintf("%s is %s %s that is %s %s.", t.Name.Name, article(union.Name.Name), union.Name.Name, article(what), what)
	b.declareAt(p, decl, fmt.Sprintf("the %s of the union %s", what, p.schema))
	return a, b.asMember(t)
}

// article returns the indefinite article for a word.
func article(word string) string {
	if strings.ContainsAny(word[:1], "aeioAEIO") {
		return "an"
	}
	return "a"
}

// asMember returns the type of a union's values for a type: structs are members by a pointer.
func (b *packageBuilder) asMember(t *ir.Type) *ir.Type {
	if t.Kind == ir.Struct {
		return b.make(&ir.Type{Kind: ir.Pointer, Elem: t})
	}
	return t
}

// unionDoc describes a union.
func unionDoc(p place, n *node) string {
	null := slices.ContainsFunc(n.branches, func(b *node) bool { return b.kind == ir.AvroNull })
	if null {
		return fmt.Sprintf("%s holds the values of %s, a union of the schema. Nil is null.", p.name, p.schema)
	}
	return fmt.Sprintf("%s holds the values of %s, a union of the schema.", p.name, p.schema)
}
