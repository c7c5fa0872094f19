package record

import (
	"errors"
	"fmt"
	"reflect"
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
	pkg   string // import path of the record's own package
	types map[reflect.Type]*Type
	errs  []error
}

// describe models a record type. The error joins a [TypeError] for each part without encoding.
func describe(rt reflect.Type) (*description, Schema, error) {
	d := &description{pkg: ownPackage(rt), types: map[reflect.Type]*Type{}}
	path := rt.String()
	if rt.Kind() != reflect.Struct || rt == timeType {
		return nil, Schema{}, &TypeError{path, rt, "is no record: a record is a struct with fields of its own"}
	}
	if rt.Name() != "" {
		path, _ = parseTypeName(rt.Name())
	}
	t := d.typ(rt, path)
	if len(d.errs) > 0 {
		return nil, Schema{}, errors.Join(d.errs...)
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
	if kind := basicKind(rt.Kind().String()); kind != KindInvalid {
		return d.keep(rt, kind)
	}
	switch rt.Kind() {
	case reflect.Pointer:
		t := d.keep(rt, KindPointer)
		t.Elem = d.typ(rt.Elem(), path)
		return t
	case reflect.Slice:
		if rt.Elem().Kind() == reflect.Uint8 {
			return d.keep(rt, KindBytes)
		}
		t := d.keep(rt, KindSlice)
		t.Elem = d.typ(rt.Elem(), path+"[]")
		return t
	case reflect.Array:
		t := d.keep(rt, KindArray)
		t.Len, t.Elem = int64(rt.Len()), d.typ(rt.Elem(), path+"[]")
		return t
	case reflect.Map:
		t := d.keep(rt, KindMap)
		t.Key, t.Elem = d.typ(rt.Key(), path+"[key]"), d.typ(rt.Elem(), path+"[]")
		if reason := notMapKey(rt.Key()); reason != "" {
			return d.refuse(path+"[key]", rt.Key(), reason)
		}
		return t
	case reflect.Struct:
		if rt == timeType {
			return d.keep(rt, KindTime)
		}
		return d.structType(rt, path)
	}
	return d.refuse(path, rt, "has no encoding")
}

func (d *description) keep(rt reflect.Type, kind Kind) *Type {
	t := &Type{Kind: kind}
	d.types[rt] = t
	return t
}

func (d *description) structType(rt reflect.Type, path string) *Type {
	for i := range rt.NumField() {
		f := rt.Field(i)
		if tag, err := ParseTag(string(f.Tag)); f.PkgPath != "" && f.PkgPath != d.pkg && f.Name != "_" && (err != nil || !tag.Skip) {
			return d.refuse(path, rt, "has no encoding: it belongs to another package and has unexported fields ("+f.Name+")")
		}
	}
	t := d.keep(rt, KindStruct)
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
			d.refuse(at, f.Type, err.Error())
			continue
		}
		if tag.Skip {
			continue
		}
		ft := d.typ(f.Type, at)
		if ft == nil {
			continue
		}
		if tag.Varint && !ft.Kind.CanVarint() {
			d.refuse(at, f.Type, `is no integer of 16 bits or more and cannot be tagged rw:"varint"`)
			continue
		}
		t.Fields = append(t.Fields, Field{Name: f.Name, Type: ft, Varint: tag.Varint})
	}
	return t
}

// allocates reports whether reading the type takes memory that is charged against a budget.
func (d *description) allocates() bool {
	for _, t := range d.types {
		switch t.Kind {
		case KindPointer, KindSlice, KindMap:
			return true
		}
	}
	return false
}

// notMapKey says why values of type rt that Go takes for different map keys may have the same bytes, "" if they cannot.
func notMapKey(rt reflect.Type) string {
	switch {
	case partial(rt):
		return "has fields outside the format and cannot be a map key: keys that differ only there would be the same key"
	case standsIn(rt, map[reflect.Type]bool{}, func(rt reflect.Type) bool { return rt == timeType }):
		return "is or holds a time.Time and cannot be a map key: keys that differ only in location would be the same key"
	}
	return ""
}

// partial reports whether a value of type rt has fields, in itself and not behind pointers, that are not part of the format. Blank
// fields do not count: no comparison sees them.
func partial(rt reflect.Type) bool {
	return standsIn(rt, map[reflect.Type]bool{}, func(rt reflect.Type) bool {
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
// blank one. It skips seen types.
func standsIn(rt reflect.Type, seen map[reflect.Type]bool, hit func(reflect.Type) bool) bool {
	if seen[rt] {
		return false
	}
	seen[rt] = true
	switch {
	case hit(rt):
		return true
	case rt == timeType: // its fields are no concern of anybody
	case rt.Kind() == reflect.Array:
		return standsIn(rt.Elem(), seen, hit)
	case rt.Kind() == reflect.Struct:
		for i := range rt.NumField() {
			if f := rt.Field(i); f.Name != "_" && standsIn(f.Type, seen, hit) {
				return true
			}
		}
	}
	return false
}
