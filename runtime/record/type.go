package record

import "strconv"

// Kind classifies a type by its encoding.
type Kind int

// The kinds. A slice of an 8-bit unsigned type has the kind KindBytes, time.Time the kind KindTime; every other named type has the kind
// of its underlying type.
const (
	KindInvalid Kind = iota // no encoding; allowed only in type arguments
	KindBool
	KindInt8
	KindInt16
	KindInt32
	KindInt64
	KindInt
	KindUint8
	KindUint16
	KindUint32
	KindUint64
	KindUint
	KindUintptr
	KindFloat32
	KindFloat64
	KindComplex64
	KindComplex128
	KindString
	KindBytes
	KindTime
	KindPointer
	KindSlice
	KindArray
	KindMap
	KindStruct
	KindUnion
	KindCodec
)

// String returns the kind as it appears in the schema text, or a word for kinds that have no fixed text.
func (k Kind) String() string {
	switch k {
	case KindInvalid:
		return "?"
	case KindBool:
		return "bool"
	case KindInt8:
		return "i8"
	case KindInt16:
		return "i16"
	case KindInt32:
		return "i32"
	case KindInt64:
		return "i64"
	case KindInt:
		return "int"
	case KindUint8:
		return "u8"
	case KindUint16:
		return "u16"
	case KindUint32:
		return "u32"
	case KindUint64:
		return "u64"
	case KindUint:
		return "uint"
	case KindUintptr:
		return "uintptr"
	case KindFloat32:
		return "f32"
	case KindFloat64:
		return "f64"
	case KindComplex64:
		return "c64"
	case KindComplex128:
		return "c128"
	case KindString:
		return "string"
	case KindBytes:
		return "bytes"
	case KindTime:
		return "time"
	case KindPointer:
		return "pointer"
	case KindSlice:
		return "slice"
	case KindArray:
		return "array"
	case KindMap:
		return "map"
	case KindStruct:
		return "struct"
	case KindUnion:
		return "union"
	case KindCodec:
		return "codec"
	default:
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
}

// CanVarint reports whether a field of this kind may be tagged rw:"varint".
func (k Kind) CanVarint() bool {
	switch k {
	case KindInt16, KindInt32, KindInt64, KindInt, KindUint16, KindUint32, KindUint64, KindUint, KindUintptr:
		return true
	}
	return false
}

// Type is a type as the format sees it: the model that both the reflective serializer and the generator make of a record, and from
// which [NewSchema] takes the schema text.
//
// Named structs are told apart by pointer: every use of one struct type is the same *Type, and recursive types are cycles.
// Other types may be shared or not.
type Type struct {
	Kind Kind
	// Name is the Go name of a named type, without package and type arguments. It is required for named structs and, in
	// type arguments, for every named type but time.Time; elsewhere it is not used.
	Name string
	// Args are the type arguments of an instance of a generic type. An argument that has no encoding is nil.
	Args   []*Type
	Elem   *Type   // of a pointer, slice, array, and the values of a map; optional for KindBytes
	Key    *Type   // of a map
	Len    int64   // of an array
	Fields []Field // of a struct: those that are part of the format, in source order
	// Members are those of a union, in their order. A member that is a pointer in Go is the type that it points to here: the bytes are the same.
	Members []*Type
	// Codec names the encoding of a KindCodec type as in the schema text: bin(Addr), text(Int), codec(MoneyCodec).
	Codec string
	// Aliases are the names that a record had before, as in schema texts; see [CheckAliases] and [Type.HadName]. Like those of fields they are no part of the schema text. In
	// types that are parts of records they mean nothing.
	Aliases []string
}

// Field is one encoded field of a struct.
type Field struct {
	Name     string // of the tag, else the Go name; the name of the type for an embedded field
	Type     *Type
	Varint   bool // tagged rw:"varint"; Type.Kind.CanVarint is true
	UnixNano bool // tagged rw:"unixnano"; a KindTime
	// Aliases and Default are no part of the schema text: they say how a reader treats the schemas of others.
	Aliases    []string
	Default    string // as written in the tag
	HasDefault bool
}
