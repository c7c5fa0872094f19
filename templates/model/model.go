package model

// Version is the version of the model. It goes up with each field or function that is added, and with nothing else: see MODEL.md.
const Version = 1

// Input is what a template is executed with: the dot at its start.
type Input struct {
	Package *Package
	File    *File     // nil for one output per package
	Record  *Record   // nil unless there is one output per record
	Records []*Record // that the output is about: those of the package or the file, or the one
	// Mark is a line by which rwgen knows its own output. It must be within the first 1,024 bytes; rwgen puts a head there itself where the extension of the output's name tells
	// how comments are written.
	Mark     string
	Template string // base name of the template's file; rwgen:test and the like for the built-in ones
	Model    int    // Version
}

// Package is one Go package with records.
type Package struct {
	Name    string    // in the package clause
	Path    string    // import path
	Dir     string    // last element of the directory; its full path would make output depend on the machine
	Imports []*Import // packages that types of records come from, sorted by path
	Files   []*File   // sources with records, in the order of generated files
	Records []*Record // those of all Files
	Types   []*Type   // declared by generated code, for schema files; types of Go sources are not listed
}

// Import is a package that a type comes from.
type Import struct {
	Path string
	Name string // that its package clause declares
}

// File is one source of records.
type File struct {
	Source     string // base name, or several with ", " between them if there is a single output
	Output     string // base name of what rwgen generates
	Stem       string // Source without extension, and without what names a system or an architecture
	Tail       string // what Stem leaves out, as the name of a test file has it: _test.go, _linux_test.go
	Constraint string // build constraint, empty for none
	Test       bool   // a _test.go file
	Records    []*Record
}

// Record is one record type.
type Record struct {
	Name         string // what generated names begin with
	GoType       string // Go expression of the type, with declared package names
	Type         *Type  // the struct
	Doc          string // without directives
	Source       string // base name of the source
	Line         int    // in Source
	Exported     bool
	Format       string   // native, avro, protobuf or binary
	With         []string // what is generated on request
	Aliases      []string // earlier names in schemas
	Fields       []*Field // encoded ones, in order
	Writers      []*Writer
	Serializer   string // name of the type
	Writer       string // name of the general writer's type, whose selector is an option
	NewWriter    string // name of its constructor
	Reader       string // name of the reader's type
	NewReader    string // name of its constructor
	SchemaText   string
	Fingerprint  string     // of the schema: 16 hexadecimal digits
	MinSize      int64      // least number of bytes; 0 for formats other than native
	ConstantSize bool       // every record takes MinSize bytes
	MemorySize   int64      // of the Go value on a 64-bit machine, without what it refers to
	Layout       []*Section // of the bytes; empty for formats other than native
	Unions       []*Type    // that values of the record can hold
	Codecs       []*Type    // types with registered codecs that values of the record can hold
	Schema       string     // full name in the schema file, or of the message; empty without one
	Types        []*Type    // other types of schema files, of the same package, that values of the record can hold
}

// Writer is a writer that a directive asks for.
type Writer struct {
	Name        string // in the directive
	Type        string // name of its type
	Constructor string // name of its constructor
	Selection   string // as in the directive
	Kind        string // key, broadcast, rebalance, rescale, shuffle, global, forward, load or custom
	Keys        []string
	Hash        string // of keys: xxh3, flink or kafka; empty without Keys
	Choices     int    // 2 if a key goes to either of two channels
	Custom      string // name of the function that selects
	EventTime   *EventTime
}

// EventTime is where a writer takes event times from.
type EventTime struct {
	Field     string
	Unit      string // s, ms, us or ns for an integer
	Watermark string // monotonic, bounded or punctuated
	Bound     string // as a duration of Go, for bounded
	Func      string // name of the function, for punctuated
}

// Field is an encoded field of a struct.
type Field struct {
	Name       string
	GoType     string // Go expression of the type, with declared package names
	Type       *Type
	Kind       string // of the type
	SchemaName string // in the native format
	Schema     string // in the schema file that declares the field; empty without one
	Doc        string
	Tag        []string // options of the tag rw, each as it would be written
	Embedded   bool
	Optional   bool // a pointer
	Varint     bool
	UTF8       bool
	Sorted     bool
	UnixNano   bool
	Intern     bool
	View       bool
	Max        int // bytes or elements, 0 for no limit
	Aliases    []string
	Default    string
	HasDefault bool
	// Where it stands in the bytes of its struct, as in the rows of a layout; empty for formats other than native.
	Encoding string // in words
	Bytes    string // how many: 4, 1 to 10, 1 or more
	Position string // an offset, or: after Origin
	Offset   int64  // the offset, −1 if it is not constant
}

// Type is a Go type as the format sees it. The same struct is the same *Type, and recursive types are cycles.
type Type struct {
	Kind      string // bool, int8 … complex128, string, bytes, time, pointer, slice, array, map, struct, union, codec or opaque
	GoType    string // Go expression, with declared package names
	Name      string // of a named type, without package and type arguments
	Package   string // import path of a named type of another package
	Elem      *Type  // of pointers, slices and arrays, and of the values of maps
	Key       *Type  // of maps
	Len       int64  // of arrays
	Fields    []*Field
	Members   []*Type // of unions, in the order of the directive
	Codec     string  // binary, text, protobuf for a message that is a record, or the name of the registered codec's type
	CodecType *Type   // of a registered codec
	Recursive bool    // it can contain itself
	Doc       string  // of Types of a package
	Schema    string  // name in the schema file, of Types of a package
	Constants []*Constant

	expr  []word
	vague bool // expr leaves something out
}

// Constant is a value of an enum from a schema file.
type Constant struct {
	Name   string // Go name
	Symbol string // in the schema
	Value  int64
	Doc    string
}

// Section describes the bytes of one struct or union.
type Section struct {
	Title   string
	Picture string // boxes
	Rows    []*Row
}

// Row is one part of a section, in the order of the bytes.
type Row struct {
	Field    string
	Depth    int    // structs around it within the section
	Position string // an offset, or: after Origin
	Bytes    string // how many: 4, 1 to 10, 1 or more
	Encoding string // in words
	Why      string // that was chosen
}

// word is a piece of a Go expression: a name of another package, or text as it stands if pkg is empty.
type word struct{ text, pkg string }
