package ir

// Format says in which form a record travels. What is around it, frames, writers and readers, is the same for all.
type Format int

// The formats, named as in rwgen.yaml.
const (
	// Native is that of runtime/wire/FORMAT.md.
	Native Format = iota
	// AvroBinary is the binary encoding of the Avro specification, for records with a [Record.Avro].
	AvroBinary
	// Protobuf is what the type's own methods of protoc-gen-go or vtprotobuf make; rwgen generates writers and reader only.
	Protobuf
	// OwnBinary is what AppendBinary (or MarshalBinary) and UnmarshalBinary of the type make; rwgen generates writers and reader only.
	OwnBinary
)

var formats = [...]string{"native", "avro", "protobuf", "binary"}

// String returns the format as written in rwgen.yaml.
func (f Format) String() string { return formats[f] }

// Formats returns the names of all formats, in their order.
func Formats() []string { return formats[:] }

// ParseFormat returns the format of that name, false if there is none.
func ParseFormat(name string) (Format, bool) {
	for i, known := range formats {
		if name == known {
			return Format(i), true
		}
	}
	return 0, false
}
