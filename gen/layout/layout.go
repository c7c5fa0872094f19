package layout

import (
	"fmt"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

// Layout describes the bytes of a record.
type Layout struct {
	// Name is the name of the record.
	Name string
	// Least is the least number of bytes that a record takes; if Constant is set, each takes exactly that many.
	Least    int64
	Constant bool
	// Memory is the size of the Go value on a 64-bit machine, in bytes, without what it refers to.
	Memory int64
	// Sections are the record itself, first, and then each struct and union that stands in it behind a pointer, in a slice or a map, or is
	// too large to be spelled out where it stands. Each type has one section, however often it appears.
	Sections []*Section
}

// Section describes the bytes of one type, by rows in the order of the bytes.
type Section struct {
	// Title names the type: "Flight", "Line, in Lines[]".
	Title string
	Rows  []Row
}

// Name returns the name of a row with that of its section: Flight.Origin, Line.ID.
func (s *Section) Name(r Row) string {
	title, _, _ := strings.Cut(s.Title, ", in ")
	return title + "." + r.Field
}

// Row is one part of a section: the presence bits of a struct, a field, or a member of a union.
type Row struct {
	// Field is the name of the field, with those of the fields around it in front: Address.City. The presence bits of the section's own
	// struct have the name "bits", those of a struct within it Address.bits. The row of a bool has the name of the field; it
	// takes no bytes of its own.
	Field string
	// Depth is the number of structs around the field within the section.
	Depth int
	// After is empty if Offset counts from the start of the section; otherwise Offset counts from the end of this field, whose
	// size is not constant.
	After  string
	Offset int64
	// Bytes says how many bytes the part takes: "4", "1 to 10", "1 or more", "0 or 4".
	Bytes string
	// Encoding says what the bytes are, and Why says why that was chosen.
	Encoding, Why string

	least    int64
	constant bool
	bit      bool // within the presence bits
	nested   bool // the rows below spell this one out
}

// Position returns where the part begins: an offset in decimal, or "after Origin", or "after Origin + 4"; for a bool the name of the bits
// that it is one of.
func (r *Row) Position() string {
	switch {
	case r.bit:
		return "in " + r.Field[:strings.LastIndexByte(r.Field, '.')+1] + "bits"
	case r.After == "":
		return fmt.Sprint(r.Offset)
	case r.Offset == 0:
		return "after " + r.After
	}
	return fmt.Sprintf("after %s + %d", r.After, r.Offset)
}

// Of returns the layout of a record.
func Of(r *ir.Record) *Layout {
	b := builder{sizes: sizes{}, titled: map[*ir.Type]bool{r.Type: true}}
	if r.Format.Calls() {
		return called(r)
	}
	if r.Format == ir.AvroBinary {
		return avro(r)
	}
	b.queue = []titled{{r.Name, r.Type}}
	l := &Layout{Name: r.Name, Memory: r.Type.GoSize}
	l.Least, l.Constant = b.sizes.of(r.Type)
	for len(b.queue) > 0 {
		next := b.queue[0]
		b.queue = b.queue[1:]
		l.Sections = append(l.Sections, b.section(next))
	}
	return l
}

// called returns the layout of a record that methods of its type encode, of which no more is known than who does.
func called(r *ir.Record) *Layout {
	row := Row{Field: "all", Bytes: "0 or more", Encoding: "Protobuf message " + r.Called, Why: "the format is protobuf: methods of protoc-gen-go"}
	switch {
	case r.Format == ir.OwnBinary:
		row.Encoding, row.Why = "binary form of "+TypeName(r.Type), "the format is binary: methods of the type"
	case r.Type.Codec.Fast:
		row.Why = "the format is protobuf: methods of vtprotobuf"
	}
	return &Layout{Name: r.Name, Memory: r.Type.GoSize, Sections: []*Section{{Title: r.Name, Rows: []Row{row}}}}
}

// Bounds on what is spelled out where it stands.
const (
	maxDepth  = 3
	maxFields = 16
)

// titled is a type that gets a section.
type titled struct {
	title string
	typ   *ir.Type
}

type builder struct {
	sizes  sizes
	titled map[*ir.Type]bool
	queue  []titled

	rows []Row
	// The end of the last row: an offset behind the end of a field, or behind the start.
	after string
	at    int64
}

func (b *builder) section(t titled) *Section {
	b.rows, b.after, b.at = nil, "", 0
	if t.typ.Kind == ir.Union {
		b.union(t.typ)
	} else {
		b.structure("", 0, t.typ)
	}
	return &Section{Title: t.title, Rows: b.rows}
}

// add appends a row, for something that takes least bytes or, if that is not constant, more.
func (b *builder) add(r Row) {
	r.After, r.Offset = b.after, b.at
	b.rows = append(b.rows, r)
	switch {
	case r.bit || r.nested:
	case r.constant:
		b.at += r.least
	default:
		b.after, b.at = r.Field, 0
	}
}

// structure adds the rows of a struct whose fields have the prefix in front of their names.
func (b *builder) structure(prefix string, depth int, t *ir.Type) {
	var bits []*ir.Field
	for f := range t.Encoded() {
		if hasBit(f) {
			bits = append(bits, f)
		}
	}
	if len(bits) > 0 {
		n := presenceBytes(t)
		b.add(Row{
			Field: prefix + "bits", Depth: depth, Bytes: fmt.Sprint(n), least: n, constant: true,
			Encoding: "presence bits", Why: "one for each bool and pointer of the struct: " + bitNames(bits),
		})
	}
	bit := 0
	for f := range t.Encoded() {
		if hasBit(f) {
			bit++
		}
		b.field(prefix, depth, f, bit-1)
	}
}

func bitNames(fields []*ir.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	if len(names) > 8 {
		names = append(names[:7:7], "…", names[len(names)-1])
	}
	return strings.Join(names, ", ")
}

// field adds the row of a field and, for a struct that is spelled out, those of its fields.
func (b *builder) field(prefix string, depth int, f *ir.Field, bit int) {
	name, t := prefix+f.Name, f.Type
	r := Row{Field: name, Depth: depth, Encoding: b.encoding(f), Why: why(f)}
	switch {
	case t.Kind == ir.Bool:
		r.Bytes, r.bit = "1 bit", true
		r.Encoding = fmt.Sprintf("bit %d of byte %d", bit%8, bit/8)
	case t.Kind == ir.Pointer:
		least, constant := b.sizes.of(t.Elem)
		r.Bytes = "0, " + orMore(least, constant)
		switch {
		case constant && least == 0:
			r.Bytes = "0"
		case constant:
			r.Bytes = fmt.Sprintf("0 or %d", least)
		}
		r.constant = constant && least == 0
		r.Encoding = fmt.Sprintf("%s, if bit %d of byte %d is set", r.Encoding, bit%8, bit/8)
	case f.Varint:
		r.least, r.Bytes = 1, fmt.Sprintf("1 to %d", maxVarint(t.Kind))
	default:
		r.least, r.constant = b.sizes.field(f)
		r.Bytes = orMore(r.least, r.constant)
	}
	if t.Kind == ir.Struct && b.spelledOut(depth, t) {
		r.nested = true
		b.add(r)
		b.structure(name+".", depth+1, t)
		return
	}
	b.add(r)
	b.later(name, t)
}

// spelledOut says that the fields of a struct follow its own row.
func (b *builder) spelledOut(depth int, t *ir.Type) bool {
	return !t.Recursive && depth < maxDepth && len(t.Fields) <= maxFields && hasFields(t)
}

// hasFields says that a struct has anything to encode.
func hasFields(t *ir.Type) bool {
	for range t.Encoded() {
		return true
	}
	return false
}

// later gives sections to the structs and unions that a field is made of.
func (b *builder) later(path string, t *ir.Type) {
	if t == nil {
		return
	}
	switch t.Kind {
	case ir.Struct, ir.Union:
		if b.titled[t] || t.Kind == ir.Struct && !hasFields(t) {
			return
		}
		b.titled[t] = true
		title := TypeName(t)
		if title == "" {
			title = "struct"
		}
		b.queue = append(b.queue, titled{title + ", in " + path, t})
	case ir.Pointer:
		b.later(path, t.Elem)
	case ir.Slice, ir.Array:
		b.later(path+"[]", t.Elem)
	case ir.Map:
		b.later(path+"[key]", t.Key)
		b.later(path+"[]", t.Elem)
	}
}

// union adds the rows of a union: its tag, then what follows each value of that.
func (b *builder) union(t *ir.Type) {
	bytes := "1"
	if most := tagBytes(len(t.Members)); most > 1 {
		bytes = fmt.Sprintf("1 to %d", most)
	}
	b.add(Row{
		Field: "tag", Bytes: bytes, least: 1,
		Encoding: fmt.Sprintf("uvarint, 0 for nil to %d", len(t.Members)), Why: "the number of the member in the directive",
	})
	for i, m := range t.Members {
		value := m
		if m.Kind == ir.Pointer {
			value = m.Elem
		}
		least, constant := b.sizes.of(value)
		b.rows = append(b.rows, Row{
			Field: fmt.Sprintf("%d: %s", i+1, label(m)), After: "tag", Bytes: orMore(least, constant), least: least, constant: constant,
			Encoding: b.encoding(&ir.Field{Type: value}), Why: why(&ir.Field{Type: value}),
		})
		b.later(label(t), value)
	}
}

// tagBytes returns how many bytes a uvarint up to n takes.
func tagBytes(n int) int {
	bytes := 1
	for n >= 0x80 {
		n >>= 7
		bytes++
	}
	return bytes
}
