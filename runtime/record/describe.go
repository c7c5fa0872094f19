package record

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// TypeError says which part of a record type has no encoding.
type TypeError struct {
	// Path leads from the record to the part, with [] for elements and map values and [key] for map keys:
	// "Order.Lines[].Done".
	Path string
	// Type is the type of that part.
	Type reflect.Type
	// Reason says why it has no encoding.
	Reason string
}

// Error returns path, type and reason on one line.
func (e *TypeError) Error() string {
	return fmt.Sprintf("record: %s: %v %s", e.Path, e.Type, e.Reason)
}

var timeType = reflect.TypeFor[time.Time]()

// description is the model of a record type made by reflection.
type description struct {
	pkg     string // import path of the record's own package
	options *reflectOptions
	root    *Type // the record; not in types if its type has an encoding of its own elsewhere
	types   map[reflect.Type]*Type
	kept    []reflect.Type // the keys of types, in the order they were put in
	fields  map[*Type][]boundField
	codecs  map[reflect.Type]*userCodec // of types that have an encoding of their own
	errs    []error
	tagErrs int // how many of errs are about tags
}

// boundField is where an encoded field of a struct is in Go, and its tag.
type boundField struct {
	index int
	tag   Tag
}

// describe models a record type. The error joins a [TypeError] for each part without encoding.
func describe(rt reflect.Type, opts ...ReflectOption) (*description, Schema, error) {
	d := &description{
		pkg: ownPackage(rt), types: map[reflect.Type]*Type{}, fields: map[*Type][]boundField{}, codecs: map[reflect.Type]*userCodec{},
		options: &reflectOptions{unions: map[reflect.Type][]reflect.Type{}, codecs: map[reflect.Type]*userCodec{}},
	}
	for _, opt := range opts {
		if opt != nil {
			opt.apply(d.options)
		}
	}
	if len(d.options.errs) > 0 {
		return nil, Schema{}, errors.Join(d.options.errs...)
	}
	path := rt.String()
	if rt.Kind() != reflect.Struct || rt == timeType {
		return nil, Schema{}, &TypeError{path, rt, "is no record: a record is a struct with fields of its own"}
	}
	if rt.Name() != "" {
		path, _ = parseTypeName(rt.Name())
	}
	// A record is its structure, whatever values of its type are elsewhere.
	t := &Type{Kind: KindStruct}
	if d.ownCodec(rt) == nil {
		d.keep(rt, t)
	}
	d.root = d.structType(t, rt, path)
	if len(d.errs) > 0 {
		return nil, Schema{}, errors.Join(d.errs...)
	}
	if t.Aliases = d.options.aliases; slices.Contains(t.Aliases, t.InstanceName()) {
		return nil, Schema{}, &TypeError{path, rt, "has its own name as an alias"}
	}
	schema, err := newSchema(t.InstanceName(), t)
	if err != nil {
		return nil, Schema{}, &TypeError{path, rt, "has no schema: " + err.Error()}
	}
	return d, schema, nil
}

// ownPackage returns the package whose unexported fields are part of the record. An unnamed struct has no package; it is
// that of its unexported fields.
func ownPackage(rt reflect.Type) string {
	if rt.Name() != "" || rt.Kind() != reflect.Struct {
		return rt.PkgPath()
	}
	for i := range rt.NumField() {
		if f := rt.Field(i); f.PkgPath != "" {
			return f.PkgPath
		}
	}
	return ""
}

func (d *description) refuse(path string, rt reflect.Type, reason string) *Type {
	d.errs = append(d.errs, &TypeError{path, rt, reason})
	return nil
}

// typ returns the model of rt, or nil after an error. Types are kept, so that recursion ends; what is refused is not, so that each
// place it is used at is reported.
func (d *description) typ(rt reflect.Type, path string) *Type {
	if t, ok := d.types[rt]; ok {
		return t
	}
	if c := d.ownCodec(rt); c != nil {
		return d.keepCodec(rt, c)
	}
	if !declaresMethods(rt) {
		return d.structure(rt, path)
	}
	c := textMethods(rt)
	if c == nil {
		return d.structure(rt, path)
	}
	// Text is the last resort. What was kept on the way to a part without encoding may refer to it.
	kept, errs, tagErrs := len(d.kept), len(d.errs), d.tagErrs
	t := d.structure(rt, path)
	if len(d.errs) == errs || d.tagErrs > tagErrs {
		return t
	}
	for _, rt := range d.kept[kept:] {
		delete(d.types, rt)
	}
	d.kept, d.errs = d.kept[:kept], d.errs[:errs]
	return d.keepCodec(rt, c)
}

// ownCodec returns the encoding that goes before the structure of rt, nil if there is none.
func (d *description) ownCodec(rt reflect.Type) *userCodec {
	if rt == timeType {
		return nil
	}
	if c := d.options.codecs[rt]; c != nil {
		return c
	}
	if !declaresMethods(rt) {
		return nil
	}
	return binaryMethods(rt)
}

// declaresMethods reports whether methods can be declared for rt that say how it is encoded.
func declaresMethods(rt reflect.Type) bool {
	return rt.PkgPath() != "" && rt.Name() != "" && rt.Kind() != reflect.Interface && rt.Kind() != reflect.Pointer && rt != timeType
}

// structure models a type without an encoding of its own.
func (d *description) structure(rt reflect.Type, path string) *Type {
	if kind := basicKind(rt.Kind().String()); kind != KindInvalid {
		return d.keepKind(rt, kind)
	}
	switch rt.Kind() {
	case reflect.Pointer:
		t := d.keepKind(rt, KindPointer)
		t.Elem = d.typ(rt.Elem(), path)
		return t
	case reflect.Slice:
		if rt.Elem().Kind() == reflect.Uint8 {
			return d.keepKind(rt, KindBytes)
		}
		t := d.keepKind(rt, KindSlice)
		t.Elem = d.typ(rt.Elem(), path+"[]")
		return t
	case reflect.Array:
		t := d.keepKind(rt, KindArray)
		t.Len, t.Elem = int64(rt.Len()), d.typ(rt.Elem(), path+"[]")
		return t
	case reflect.Map:
		t := d.keepKind(rt, KindMap)
		t.Key, t.Elem = d.typ(rt.Key(), path+"[key]"), d.typ(rt.Elem(), path+"[]")
		if reason := d.notMapKey(rt.Key()); t.Key != nil && reason != "" {
			return d.refuse(path+"[key]", rt.Key(), reason)
		}
		return t
	case reflect.Struct:
		if rt == timeType {
			return d.keepKind(rt, KindTime)
		}
		if reason := d.foreign(rt); reason != "" {
			return d.refuse(path, rt, reason)
		}
		return d.structType(d.keepKind(rt, KindStruct), rt, path)
	case reflect.Interface:
		if members := d.options.unions[rt]; members != nil {
			return d.union(rt, members, path)
		}
	}
	return d.refuse(path, rt, "has no encoding")
}

func (d *description) keep(rt reflect.Type, t *Type) {
	d.types[rt] = t
	d.kept = append(d.kept, rt)
}

func (d *description) keepKind(rt reflect.Type, kind Kind) *Type {
	t := &Type{Kind: kind}
	if rt.PkgPath() != "" && kind != KindTime {
		t.Name, t.Args = parseTypeName(rt.Name())
	}
	d.keep(rt, t)
	return t
}

func (d *description) keepCodec(rt reflect.Type, c *userCodec) *Type {
	t := d.keepKind(rt, KindCodec)
	t.Codec = c.name
	d.codecs[rt] = c
	return t
}

func (d *description) union(rt reflect.Type, members []reflect.Type, path string) *Type {
	t := d.keepKind(rt, KindUnion)
	t.Name, t.Args = parseTypeName(rt.Name()) // also of error, which has no package
	for _, m := range members {
		t.Members = append(t.Members, d.typ(pointed(m), path+"("+m.String()+")"))
	}
	return t
}

// foreign says why a struct of another package has no encoding, "" if it has.
func (d *description) foreign(rt reflect.Type) string {
	for i := range rt.NumField() {
		f := rt.Field(i)
		if tag, err := ParseTag(string(f.Tag)); f.PkgPath != "" && f.PkgPath != d.pkg && f.Name != "_" && (err != nil || !tag.Skip) {
			return "has no encoding: it belongs to another package and has unexported fields (" + f.Name + ")"
		}
	}
	return ""
}

// structType completes t, the model of the struct rt.
func (d *description) structType(t *Type, rt reflect.Type, path string) *Type {
	if rt.Name() != "" {
		t.Name, t.Args = parseTypeName(rt.Name())
	}
	for i := range rt.NumField() {
		f := rt.Field(i)
		if f.Name == "_" {
			continue
		}
		at := path + "." + f.Name
		tag, err := ParseTag(string(f.Tag))
		if err != nil {
			d.refuseTag(at, f.Type, err)
			continue
		}
		if tag.Skip {
			continue
		}
		ft := d.typ(f.Type, at)
		if ft == nil {
			continue
		}
		if err := tag.Check(ft); err != nil {
			d.refuseTag(at, f.Type, err)
			continue
		}
		t.Fields = append(t.Fields, Field{
			Name: cmp.Or(tag.Name, f.Name), Type: ft, Varint: tag.Varint, UnixNano: tag.UnixNano,
			Aliases: tag.Aliases, Default: tag.Default, HasDefault: tag.HasDefault,
		})
		d.fields[t] = append(d.fields[t], boundField{i, tag})
	}
	if i, err := CheckNames(t.Fields); err != nil {
		f := rt.Field(d.fields[t][i].index)
		d.refuseTag(path+"."+f.Name, f.Type, err)
	}
	return t
}

func (d *description) refuseTag(path string, rt reflect.Type, err error) {
	d.tagErrs++
	d.refuse(path, rt, err.Error())
}

// allocates reports whether reading the type takes memory that is charged against a budget.
func (d *description) allocates() bool {
	for _, t := range d.types {
		switch t.Kind {
		case KindPointer, KindSlice, KindMap, KindUnion:
			return true
		}
	}
	return d.interns()
}

// nestsInMaps reports whether the type has maps, and structs that can contain themselves.
func (d *description) nestsInMaps() bool {
	maps, recursive := false, false
	for _, t := range d.types {
		maps = maps || t.Kind == KindMap
		recursive = recursive || t.Kind == KindStruct && contains(t, t)
	}
	return maps && recursive
}

// interns reports whether the type has fields tagged intern: the budget carries the place where their strings are kept.
func (d *description) interns() bool {
	for _, fields := range d.fields {
		if slices.ContainsFunc(fields, func(f boundField) bool { return f.tag.Intern }) {
			return true
		}
	}
	return false
}

// notMapKey says why values of type rt that Go takes for different map keys may have the same bytes, "" if they cannot.
func (d *description) notMapKey(rt reflect.Type) string {
	leaf := func(rt reflect.Type) bool { return d.codecs[rt] != nil }
	isUnion := func(rt reflect.Type) bool { return rt.Kind() == reflect.Interface }
	isTime := func(rt reflect.Type) bool { return rt == timeType }
	switch {
	case standsIn(rt, map[reflect.Type]bool{}, leaf, isUnion):
		return "is or holds a union and cannot be a map key"
	case partial(rt, leaf):
		return "has fields outside the format and cannot be a map key: keys that differ only there would be the same key"
	case standsIn(rt, map[reflect.Type]bool{}, leaf, isTime):
		return "is or holds a time.Time and cannot be a map key: keys that differ only in location would be the same key"
	}
	return ""
}

// partial reports whether a value of type rt has fields, in itself and not behind pointers, that are not part of the format. Blank
// fields do not count: no comparison sees them. Nor does what is in a leaf.
func partial(rt reflect.Type, leaf func(reflect.Type) bool) bool {
	return standsIn(rt, map[reflect.Type]bool{}, leaf, func(rt reflect.Type) bool {
		if rt.Kind() != reflect.Struct || rt == timeType {
			return false
		}
		for i := range rt.NumField() {
			if tag, _ := ParseTag(string(rt.Field(i).Tag)); tag.Skip && rt.Field(i).Name != "_" {
				return true
			}
		}
		return false
	})
}

// standsIn reports whether hit is true of rt or of a type that stands in its values as an element of an array or as a field, other than a
// blank one. It skips seen types and leaves.
func standsIn(rt reflect.Type, seen map[reflect.Type]bool, leaf, hit func(reflect.Type) bool) bool {
	if seen[rt] || leaf(rt) {
		return false
	}
	seen[rt] = true
	switch {
	case hit(rt):
		return true
	case rt == timeType: // its fields are no concern of anybody
	case rt.Kind() == reflect.Array:
		return standsIn(rt.Elem(), seen, leaf, hit)
	case rt.Kind() == reflect.Struct:
		for i := range rt.NumField() {
			if f := rt.Field(i); f.Name != "_" && standsIn(f.Type, seen, leaf, hit) {
				return true
			}
		}
	}
	return false
}
