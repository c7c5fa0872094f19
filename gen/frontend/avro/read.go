package avro

import (
	"cmp"
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// reader turns JSON into definitions. It goes on after what is wrong, so that all of it is reported.
type reader struct {
	diags *diag.List
	// defs are the definitions in the order in which they stand in the files, without those that repeat another.
	defs   []*definition
	byName map[string]*definition
	refs   []*node // to be resolved when all files have been read
	unions []*node // to be checked when names have been resolved
	// repeated are definitions of a name that has one already, to be compared when all files have been read.
	repeated []*definition
	checks   checker
	hints    int // names for which one that is like them has been looked for
}

// mostFindings is how many faults of schemas are reported. Nobody reads more.
const mostFindings = 1000

func (r *reader) fail(pos token.Position, hint, format string, args ...any) *diag.Diagnostic {
	switch n := len(*r.diags); {
	case n == mostFindings:
		r.diags.Addf(token.Position{Filename: pos.Filename}, diag.Schema, "there are more than %d faults", mostFindings)
		fallthrough
	case n > mostFindings:
		return &diag.Diagnostic{}
	}
	d := r.diags.Addf(pos, diag.Schema, format, args...)
	d.Hint = hint
	return d
}

// primitives are the types without a definition. Their names cannot be those of definitions.
var primitives = map[string]ir.AvroKind{
	"null": ir.AvroNull, "boolean": ir.AvroBoolean, "int": ir.AvroInt, "long": ir.AvroLong, "float": ir.AvroFloat, "double": ir.AvroDouble, "bytes": ir.AvroBytes,
	"string": ir.AvroString,
}

// complexKinds are the types that are objects. An error is a record that messages of protocols return.
var complexKinds = map[string]ir.AvroKind{
	"record": ir.AvroRecord, "error": ir.AvroRecord, "enum": ir.AvroEnum, "fixed": ir.AvroFixed, "array": ir.AvroArray, "map": ir.AvroMap,
}

// typeNames lists what types are called, for hints.
func typeNames() []string {
	return []string{"null", "boolean", "int", "long", "float", "double", "bytes", "string", "record", "enum", "fixed", "array", "map"}
}

// file reads the schema, or the protocol, of a file.
func (r *reader) file(v *value) {
	if v.kind == objectValue && v.get("protocol") != nil {
		r.protocol(v)
		return
	}
	r.node(v, "")
}

// protocol reads the types of a protocol. Its messages have no part in records.
func (r *reader) protocol(v *value) {
	name := v.get("protocol")
	space := ""
	switch {
	case name.kind != stringValue:
		r.fail(name.pos(), "", `"protocol" is %v, want the name of the protocol`, name.kind)
	default:
		space, _ = split(name.text)
	}
	if ns := v.get("namespace"); ns != nil && space == "" {
		space = r.namespace(ns)
	}
	types := v.get("types")
	switch {
	case types == nil:
	case types.kind != arrayValue:
		r.fail(types.pos(), "", `"types" is %v, want a list of types`, types.kind)
	default:
		for _, t := range types.items {
			r.node(t, space)
		}
	}
}

// node reads a type. It returns nil if it is none, which has been reported.
func (r *reader) node(v *value, space string) *node {
	switch v.kind {
	case stringValue:
		return r.named(v, v.text, space)
	case arrayValue:
		return r.union(v, space)
	case objectValue:
		return r.object(v, space)
	}
	r.fail(v.pos(), `a name such as "string", an object such as {"type": "array", …}, or a list for a union`, "%v is no type", v.kind)
	return nil
}

// named reads a type that is a name.
func (r *reader) named(v *value, name, space string) *node {
	if kind, ok := primitives[name]; ok {
		return &node{kind: kind, at: v}
	}
	if _, ok := complexKinds[name]; ok {
		hint := map[string]string{
			"array": `{"type": "array", "items": …}`, "map": `{"type": "map", "values": …}`, "fixed": `{"type": "fixed", "name": …, "size": …}`,
			"enum": `{"type": "enum", "name": …, "symbols": […]}`,
		}[name]
		r.fail(v.pos(), cmp.Or(hint, `{"type": "record", "name": …, "fields": […]}`), "%s needs an object of its own", name)
		return nil
	}
	if !validFull(name) {
		r.fail(v.pos(), cmp.Or(meant(name), nameRule), "%.60q is no name of a type", name)
		return nil
	}
	n := &node{at: v, ref: name, space: space}
	r.refs = append(r.refs, n)
	return n
}

// object reads a type that is an object.
func (r *reader) object(v *value, space string) *node {
	typ := v.get("type")
	switch {
	case typ == nil:
		r.fail(v.pos(), `"type": "record", or another`, `the object has no "type"`)
		return nil
	case typ.kind != stringValue:
		r.fail(typ.pos(), "this value in place of the object around it", `the "type" of a type is %v, want a string`, typ.kind)
		return nil
	}
	kind, isComplex := complexKinds[typ.text]
	if !isComplex {
		n := r.named(typ, typ.text, space)
		if n != nil && n.ref == "" {
			n.at = v
			n.logical = r.logical(v, n.kind, 0)
		}
		return n
	}
	n := &node{kind: kind, at: v}
	switch kind {
	case ir.AvroArray:
		n.elem = r.part(v, "items", space)
	case ir.AvroMap:
		n.elem = r.part(v, "values", space)
	default:
		n.def = r.definition(v, kind, space)
		if n.def == nil {
			return nil
		}
		n.def.node = n
		n.logical = n.def.logical
		return n
	}
	if n.elem == nil {
		return nil
	}
	return n
}

// part reads the type of the elements of an array, or of the values of a map.
func (r *reader) part(v *value, name, space string) *node {
	part := v.get(name)
	if part == nil {
		r.fail(v.pos(), fmt.Sprintf(`"%s": "string", or another type`, name), "%s without %q", v.get("type").text, name)
		return nil
	}
	return r.node(part, space)
}

// union reads a list of types.
func (r *reader) union(v *value, space string) *node {
	n := &node{kind: ir.AvroUnion, at: v}
	ok := true
	for _, item := range v.items {
		if item.kind == arrayValue {
			r.fail(item.pos(), "its types in the outer union", "a union directly in a union")
			ok = false
			continue
		}
		b := r.node(item, space)
		ok = ok && b != nil
		n.branches = append(n.branches, b)
	}
	if !ok {
		return nil
	}
	r.unions = append(r.unions, n)
	return n
}

// checkUnion reports branches that cannot be told apart: there is one of each type, and of each name. It runs when names have been resolved.
func (r *reader) checkUnion(n *node) {
	seen := make(map[string]*node)
	values := 0
	for _, b := range n.branches {
		key := b.kind.String()
		if b.def != nil {
			key = b.def.fullName()
		}
		if first := seen[key]; first != nil {
			d := r.fail(b.at.pos(), "remove one of them, or put them into records or other types with names", "the union has %s twice", key)
			d.Related = []diag.Related{{Pos: first.at.pos(), Message: "the first one"}}
		}
		seen[key] = b
		if b.kind != ir.AvroNull {
			values++
		}
	}
	if values == 0 {
		r.fail(n.at.pos(), `"null", or other types`, "a union without values")
	}
}

const nameRule = "letters, digits and _, not a digit first; a namespace before it with dots; at most 1000 characters"

var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// longestName is how long a name may be, with its namespace. It is far beyond what Go sources have.
const longestName = 1000

func validName(name string) bool { return len(name) <= longestName && nameForm.MatchString(name) }

// validFull reports whether a name, with or without a namespace, is one.
func validFull(name string) bool {
	if len(name) > longestName {
		return false
	}
	for part := range strings.SplitSeq(name, ".") {
		if !validName(part) {
			return false
		}
	}
	return true
}

// namespace reads a namespace; "" is none.
func (r *reader) namespace(v *value) string {
	switch {
	case v.kind == nullValue:
	case v.kind != stringValue:
		r.fail(v.pos(), "", "the namespace is %v, want a string", v.kind)
	case v.text != "" && !validFull(v.text):
		r.fail(v.pos(), nameRule, "%.60q is no namespace", v.text)
	default:
		return v.text
	}
	return ""
}

// text reads a string that may be missing, or null, as some tools write it.
func (r *reader) text(v *value, name string) string {
	t := v.get(name)
	if t == nil || t.kind == nullValue {
		return ""
	}
	if t.kind != stringValue {
		r.fail(t.pos(), "", "%q is %v, want a string", name, t.kind)
		return ""
	}
	return t.text
}

// list reads a list of strings that may be missing, or null.
func (r *reader) list(v *value, name string) []*value {
	l := v.get(name)
	if l == nil || l.kind == nullValue {
		return nil
	}
	if l.kind != arrayValue {
		r.fail(l.pos(), fmt.Sprintf(`"%s": ["…"]`, name), "%q is %v, want a list of strings", name, l.kind)
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.items), func(i *value) bool {
		if i.kind != stringValue {
			r.fail(i.pos(), "", "%q has %v in it, want strings", name, i.kind)
		}
		return i.kind != stringValue
	})
}

// number reads an integer that is not negative. ok is false if there is none, or another value.
func number(v *value) (n int, ok bool) {
	if v == nil || v.kind != numberValue {
		return 0, false
	}
	i, err := strconv.ParseInt(v.text, 10, 32)
	return int(i), err == nil && i >= 0
}

// definition reads a record, an enum or a fixed. It returns nil if it has no name.
func (r *reader) definition(v *value, kind ir.AvroKind, space string) *definition {
	d := &definition{kind: kind, at: v, goName: r.goName(v), isError: v.get("type").text == "error", doc: r.text(v, "doc")}
	if !r.defineName(d, space) {
		return nil
	}
	full := d.fullName()
	if r.byName[full] == nil {
		r.byName[full] = d
		r.defs = append(r.defs, d)
	} else {
		r.repeated = append(r.repeated, d)
	}
	d.aliases = r.aliases(d, v)
	switch kind {
	case ir.AvroRecord:
		r.fields(d)
	case ir.AvroEnum:
		r.symbols(d)
	case ir.AvroFixed:
		size := v.get("size")
		n, ok := number(size)
		switch {
		case size == nil:
			r.fail(v.pos(), `"size": 16, or another number of bytes`, "the %s has no size", d.what())
		case !ok:
			r.fail(size.pos(), "a number of bytes", "the size of the %s is no whole number from 0 to 2147483647", d.what())
		default:
			d.size = n
			d.logical = r.logical(v, kind, n)
		}
	}
	return d
}

// defineName finds out the name and the namespace of a definition.
func (r *reader) defineName(d *definition, space string) bool {
	name := d.at.get("name")
	switch {
	case name == nil:
		r.fail(d.at.pos(), `"name": "…"`, "%s without a name", d.at.get("type").text)
		return false
	case name.kind != stringValue:
		r.fail(name.pos(), "", "the name is %v, want a string", name.kind)
		return false
	case !validFull(name.text):
		r.fail(name.pos(), nameRule, "%.60q is no name of a type", name.text)
		return false
	}
	d.nameAt = name.pos()
	ns := d.at.get("namespace")
	d.space, d.name = split(name.text)
	switch {
	case d.space != "": // the namespace has no meaning then
	case ns != nil:
		d.space = r.namespace(ns)
	default:
		d.space = space
	}
	_, primitive := primitives[d.name]
	_, other := complexKinds[d.name]
	if primitive || other && d.space == "" && d.name != "error" {
		r.fail(d.nameAt, "another name", "%s is the name of a type of Avro", d.name)
		return false
	}
	return true
}

// goName reads the attribute that gives a type or a field another Go name.
func (r *reader) goName(v *value) string {
	name := r.text(v, goNameAttribute)
	if name != "" && (!token.IsIdentifier(name) || !token.IsExported(name)) {
		r.fail(v.get(goNameAttribute).pos(), "letters and digits, an upper-case letter first", "%.60q is no exported name of Go", name)
		return ""
	}
	return name
}

// goNameAttribute is the attribute of definitions and fields for users to name them in Go.
const goNameAttribute = "go.name"

// aliases reads the other names of a definition. They are full, or in the namespace of the definition.
func (r *reader) aliases(d *definition, v *value) []string {
	var aliases []string
	for _, a := range r.list(v, "aliases") {
		full := a.text
		if validFull(full) && !strings.Contains(full, ".") {
			full = join(d.space, full)
		}
		switch {
		case !validFull(full):
			r.fail(a.pos(), nameRule, "the alias %.60q is no name of a type", a.text)
		case full == d.fullName():
			r.fail(a.pos(), "remove it", "the alias %s is the name of the %s", a.text, d.kind)
		case slices.Contains(aliases, full):
			r.fail(a.pos(), "remove one of them", "the alias %s stands here twice", a.text)
		default:
			aliases = append(aliases, full)
		}
	}
	return aliases
}

// fields reads the fields of a record.
func (r *reader) fields(d *definition) {
	fields := d.at.get("fields")
	switch {
	case fields == nil:
		r.fail(d.at.pos(), `"fields": []`, "the %s has no fields", d.what())
		return
	case fields.kind != arrayValue:
		r.fail(fields.pos(), "", "the fields of the %s are %v, want a list", d.what(), fields.kind)
		return
	}
	seen := make(map[string]*value)
	for _, v := range fields.items {
		if f := r.field(d, v); f != nil {
			if first := seen[f.name]; first != nil {
				r.fail(f.nameAt, "another name", "the %s has two fields %s", d.what(), f.name).
					Related = []diag.Related{{Pos: first.pos(), Message: "the first one"}}
				continue
			}
			seen[f.name] = v.get("name")
			d.fields = append(d.fields, f)
		}
	}
	for _, f := range d.fields {
		for _, a := range r.list(f.at, "aliases") {
			first := seen[a.text]
			switch {
			case !validName(a.text):
				r.fail(a.pos(), "letters, digits and _, not a digit first", "the alias %.60q is no name of a field", a.text)
			case first != nil:
				r.fail(a.pos(), "remove it", "the alias %s of the field %s is the name or an alias of a field already", a.text, f.name).
					Related = []diag.Related{{Pos: first.pos(), Message: "this one"}}
			default:
				seen[a.text] = a
				f.aliases = append(f.aliases, a.text)
			}
		}
	}
}

func (r *reader) field(d *definition, v *value) *field {
	if v.kind != objectValue {
		r.fail(v.pos(), `{"name": …, "type": …}`, "a field of the %s is %v, want an object", d.what(), v.kind)
		return nil
	}
	name, typ := v.get("name"), v.get("type")
	ok := true
	switch {
	case name == nil:
		r.fail(v.pos(), `"name": "…"`, "a field of the %s has no name", d.what())
		ok = false
	case name.kind != stringValue || !validName(name.text):
		r.fail(name.pos(), "letters, digits and _, not a digit first", "a field of the %s has a name that is none", d.what())
		ok = false
	}
	if typ == nil {
		label := ""
		if ok {
			label = " " + name.text
		}
		r.fail(v.pos(), `"type": "string", or another`, "the field%s of the %s has no type", label, d.what())
		return nil
	}
	f := &field{at: v, goName: r.goName(v), doc: r.text(v, "doc"), typ: r.node(typ, d.space), fallback: v.get("default")}
	if !ok || f.typ == nil {
		return nil
	}
	f.name, f.nameAt = name.text, name.pos()
	if order := r.text(v, "order"); order != "" && !slices.Contains([]string{"ascending", "descending", "ignore"}, order) {
		r.fail(v.get("order").pos(), "ascending, descending or ignore", "the field %s has the unknown order %.60q", f.name, order)
	}
	return f
}

// symbols reads the symbols of an enum.
func (r *reader) symbols(d *definition) {
	v := d.at.get("symbols")
	if v == nil {
		r.fail(d.at.pos(), `"symbols": ["…"]`, "the %s has no symbols", d.what())
		return
	}
	seen := make(map[string]*value)
	for _, s := range r.list(d.at, "symbols") {
		first := seen[s.text]
		switch {
		case !validName(s.text):
			r.fail(s.pos(), "letters, digits and _, not a digit first", "%.60q is no symbol of an enum", s.text)
		case first != nil:
			r.fail(s.pos(), "remove one of them", "the %s has the symbol %s twice", d.what(), s.text).
				Related = []diag.Related{{Pos: first.pos(), Message: "the first one"}}
		default:
			d.symbols = append(d.symbols, s.text)
			seen[s.text] = s
		}
	}
	if v.kind == arrayValue && len(v.items) == 0 {
		r.fail(v.pos(), `"symbols": ["…"]`, "the %s has no symbols", d.what())
	}
	d.symbolDefault = r.text(d.at, "default")
	if d.symbolDefault != "" && seen[d.symbolDefault] == nil {
		hint := ""
		if r.mayHint(d.symbolDefault) {
			hint = diag.Nearest(d.symbolDefault, d.symbols)
		}
		r.fail(d.at.get("default").pos(), cmp.Or(hint, "one of its symbols"),
			"the default %.60s of the %s is none of its symbols", d.symbolDefault, d.what())
	}
}
