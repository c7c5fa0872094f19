package ir

import "slices"

// Format says in which form a record travels. What is around it, frames, writers and readers, is the same for all.
type Format int

// The formats, named as in rwgen.yaml.
const (
	// Native is that of runtime/wire/FORMAT.md.
	Native Format = iota
	// AvroBinary is the binary encoding of the Avro specification, for records with a [Record.Avro].
	AvroBinary
	// Protobuf is what the type's own methods of protoc-gen-go or vtprotobuf make; rwgen generates a serializer that calls them.
	Protobuf
	// OwnBinary is what AppendBinary (or MarshalBinary) and UnmarshalBinary of the type make; rwgen generates a serializer that calls them.
	OwnBinary
)

var formats = [...]string{"native", "avro", "protobuf", "binary"}

// String returns the format as written in rwgen.yaml.
func (f Format) String() string { return formats[f] }

// ParseFormat returns the format of a name.
func ParseFormat(name string) (f Format, ok bool) {
	i := slices.Index(formats[:], name)
	return Format(max(i, 0)), i >= 0
}

// Calls says that records of the format are written and read by methods of their type.
func (f Format) Calls() bool { return f == Protobuf || f == OwnBinary }

// Formats returns the names of all formats, in their order.
func Formats() []string { return formats[:] }

// SchemaFormats returns the names of the formats that records of schema files can have: avro those of Avro schemas. The others call methods of Go types.
func SchemaFormats() []string { return []string{Native.String(), AvroBinary.String()} }

// GoFormats returns the names of the formats that records can have which are declared in Go. The others need a schema.
func GoFormats() []string { return []string{Native.String(), Protobuf.String(), OwnBinary.String()} }
