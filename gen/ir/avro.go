package ir

// AvroSchema is the Avro schema of a record of the format [AvroBinary].
type AvroSchema struct {
	Root *Avro // a record
	// Canonical is the schema that writers state: what decides about the bytes and what they mean, which is the Parsing Canonical Form of the
	// specification with the attributes logicalType, precision and scale.
	Canonical string
	// Full is the schema as it was read, on one line, with documentation, aliases and defaults.
	Full string
	// SingleObject says that each record begins with the marker and the fingerprint of the single-object encoding.
	SingleObject bool
}

// AvroKind is a type of the Avro specification.
type AvroKind int

// The kinds, in the order of the specification.
const (
	AvroNull AvroKind = iota
	AvroBoolean
	AvroInt
	AvroLong
	AvroFloat
	AvroDouble
	AvroBytes
	AvroString
	AvroRecord
	AvroEnum
	AvroArray
	AvroMap
	AvroUnion
	AvroFixed
)

var avroKinds = [...]string{"null", "boolean", "int", "long", "float", "double", "bytes", "string", "record", "enum", "array", "map", "union", "fixed"}

// String returns the kind as schemas have it.
func (k AvroKind) String() string { return avroKinds[k] }

// Avro is a type of an Avro schema together with the Go type that holds its values. Named types are shared: a recursive schema is a cycle.
type Avro struct {
	Kind AvroKind
	// Logical is the logical type that counts, empty for none: decimal, big-decimal, uuid, date, time-millis, time-micros, timestamp-millis, -micros and -nanos,
	// local-timestamp-millis, -micros and -nanos, and duration. One that is unknown, or stands at a type where it may not, does not count.
	Logical string
	// Type holds the values. Of a union with null and one other branch it is a pointer to the other's type, or that type itself if it is a slice, a map or
	// bytes, where nil is null. Of every other union it is a [Union], whose members are those of Branches other than null, in
	// their order; nil is null. A member is the Type of its branch, or a pointer to it if that is a struct. It is a pointer to a struct with that Type in its only field, Value, if
	// methods cannot be added to the Type: for logical types, and for types of other packages.
	Type     *Type
	FullName string // of a record, an enum and a fixed
	Aliases  []string
	Elem     *Avro        // of an array, and of a map's values
	Fields   []*AvroField // of a record, in the order of the bytes
	Branches []*Avro      // of a union
	Symbols  []string     // of an enum; the constants of Type have the indexes as their values
	// Default is the symbol that stands for unknown ones, empty for none.
	Default          string
	Size             int // of a fixed, in bytes
	Precision, Scale int // of a decimal
}

// AvroField is a field of an Avro record.
type AvroField struct {
	Name    string // in the schema
	Field   *Field // in Go
	Type    *Avro
	Aliases []string
	// Default is the JSON text of the default, empty for none.
	Default string
}

// NullBranch returns the index of null among the branches of a union, -1 if it has none.
func (a *Avro) NullBranch() int {
	for i, b := range a.Branches {
		if b.Kind == AvroNull {
			return i
		}
	}
	return -1
}

// Optional returns the branch that is not null of a union of two with null. ok is false for every other type.
func (a *Avro) Optional() (other *Avro, ok bool) {
	null := a.NullBranch()
	if a.Kind != AvroUnion || len(a.Branches) != 2 || null < 0 {
		return nil, false
	}
	return a.Branches[1-null], true
}
