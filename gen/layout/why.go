package layout

import (
	"fmt"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

// encoding describes the bytes of a field in a few words.
func (b *builder) encoding(f *ir.Field) string {
	t := f.Type
	switch {
	case f.Varint && signed(t.Kind):
		return "zigzag uvarint"
	case f.Varint:
		return "uvarint"
	case f.UnixNano:
		return "i64 nanoseconds since 1970"
	case t.Kind == ir.Pointer:
		return b.encoding(&ir.Field{Type: t.Elem})
	}
	switch t.Kind {
	case ir.Bool:
		return "0 or 1"
	case ir.Int, ir.Uint, ir.Uintptr:
		return t.Kind.String() + " as 64 bits"
	case ir.Time:
		return "i64 seconds, u32 nanoseconds"
	case ir.String:
		return "uvarint length; bytes"
	case ir.Bytes:
		return "uvarint length+1, 0 is nil; bytes"
	case ir.Slice:
		return "uvarint length+1, 0 is nil; elements: " + label(t.Elem)
	case ir.Map:
		return fmt.Sprintf("uvarint length+1, 0 is nil; entries: %s, %s", label(t.Key), label(t.Elem))
	case ir.Array:
		return fmt.Sprintf("%d times %s", t.Len, label(t.Elem))
	case ir.Struct:
		if t.Name == nil {
			return "struct"
		}
		return "struct " + TypeName(t)
	case ir.Union:
		return "uvarint tag, 0 is nil; value"
	case ir.Codec:
		return "uvarint length; bytes of " + label(t)
	}
	return t.Kind.String()
}

func signed(k ir.Kind) bool {
	switch k {
	case ir.Int8, ir.Int16, ir.Int32, ir.Int64, ir.Int:
		return true
	}
	return false
}

// why says why a field has its encoding, and what else its tag says.
func why(f *ir.Field) string {
	reasons := []string{reason(f)}
	add := func(on bool, format string, args ...any) {
		if on {
			reasons = append(reasons, fmt.Sprintf(format, args...))
		}
	}
	add(f.Embedded, "embedded: a field with the name of its type")
	unit := "elements"
	if f.Type.Kind == ir.String || f.Type.Kind == ir.Bytes {
		unit = "bytes"
	}
	add(f.Max > 0, "at most %d %s because of the tag max", f.Max, unit)
	add(f.UTF8, "checked for UTF-8 because of the tag utf8")
	add(f.Sorted, "in the order of the keys because of the tag sorted")
	add(f.Intern, "readers keep one copy of equal strings because of the tag intern")
	add(f.View, "readers share the payload's memory because of the tag view")
	add(f.Wire != "", "called %s in the schema because of the tag name", f.Wire)
	add(len(f.Aliases) > 0, "also read from %s because of the tag alias", strings.Join(f.Aliases, ", "))
	add(f.HasDefault, "%q if the writer has no such field because of the tag default", f.Default)
	return strings.Join(reasons, "; ")
}

// reason says why the type of a field is encoded as it is.
func reason(f *ir.Field) string {
	t := f.Type
	switch {
	case f.Varint:
		return "varint because of the tag"
	case f.UnixNano:
		return "fixed because of the tag unixnano"
	}
	switch t.Kind {
	case ir.Bool:
		return "a bool of a struct is one of its presence bits"
	case ir.Pointer:
		return "behind a bit because it may be nil; " + reason(&ir.Field{Type: t.Elem})
	case ir.Int8, ir.Uint8:
		return underlying(t) + "fixed because it is a byte"
	case ir.Int16, ir.Int32, ir.Int64, ir.Uint16, ir.Uint32, ir.Uint64:
		return underlying(t) + "fixed because there is no tag varint"
	case ir.Int, ir.Uint, ir.Uintptr:
		return underlying(t) + "fixed because there is no tag varint, and 8 bytes on every machine"
	case ir.Float32, ir.Float64, ir.Complex64, ir.Complex128:
		return underlying(t) + "fixed: the bits of IEEE 754"
	case ir.Time:
		return "fixed because time.Time is built in"
	case ir.String:
		return underlying(t) + "length first because its size varies"
	case ir.Bytes, ir.Slice:
		return underlying(t) + "length first because its size varies; nil and empty are kept apart"
	case ir.Map:
		return underlying(t) + "number of entries first because its size varies"
	case ir.Array:
		return underlying(t) + "no length because it is part of the type"
	case ir.Struct:
		return "its structure, because every field has an encoding"
	case ir.Union:
		return fmt.Sprintf("tag and value because %s is an interface with //rwgen:union", label(t))
	case ir.Codec:
		return codecReason(t)
	}
	return t.Kind.String()
}

// underlying begins the reason for a named type that is encoded as its underlying type.
func underlying(t *ir.Type) string {
	if t.Name == nil || t.Name.PkgPath == "" {
		return ""
	}
	return "as its underlying type, "
}

func codecReason(t *ir.Type) string {
	if t.Codec == nil {
		return "its own encoding"
	}
	switch t.Codec.Form {
	case ir.Registered:
		name := "a codec"
		if t.Codec.Registered != nil {
			name = t.Codec.Registered.Name
		}
		return fmt.Sprintf("own encoding because %s is registered for it with //rwgen:codec", name)
	case ir.Text:
		return fmt.Sprintf("own text because it declares %s and UnmarshalText, and its structure has no encoding", method(t, "Text"))
	}
	return fmt.Sprintf("own encoding because it declares %s and UnmarshalBinary", method(t, "Binary"))
}

func method(t *ir.Type, form string) string {
	if t.Codec.Append {
		return "Append" + form
	}
	return "Marshal" + form
}

// TypeName returns the name of a type as in the package that is generated, with the type arguments of an instance; "" if it has none.
func TypeName(t *ir.Type) string {
	n := t.Name
	if n == nil {
		return ""
	}
	s := n.Name
	if !n.Local && n.PkgPath != "" {
		s = n.PkgName + "." + s
	}
	if len(n.Args) > 0 {
		args := make([]string, len(n.Args))
		for i, a := range n.Args {
			args[i] = label(a)
		}
		s += "[" + strings.Join(args, ",") + "]"
	}
	return s
}

// label names a type in a few words.
func label(t *ir.Type) string {
	if t == nil {
		return "?"
	}
	if s := TypeName(t); s != "" {
		return s
	}
	switch t.Kind {
	case ir.Pointer:
		return "*" + label(t.Elem)
	case ir.Slice:
		return "[]" + label(t.Elem)
	case ir.Array:
		return fmt.Sprintf("[%d]%s", t.Len, label(t.Elem))
	case ir.Map:
		return fmt.Sprintf("map[%s]%s", label(t.Key), label(t.Elem))
	}
	return t.Kind.String()
}
