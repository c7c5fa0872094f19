package emit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rwgen/rwgen/gen/ir"
)

// serializerDoc returns the doc comment of a serializer: what it is, the user's own words on the record, and the layout.
func (f *file) serializerDoc(r *ir.Record, n *recordNames) []string {
	doc := []string{fmt.Sprintf("%s writes and reads records of type [%s] in the native format of rwgen. It has no state: its zero value "+
		"is ready, and any number of goroutines may use it.", n.Serializer, r.Name)}
	if own := firstParagraph(r.Doc); own != "" {
		doc = append(doc, own)
	}
	size, constant := f.constSize(r.Type)
	switch {
	case size == 0 && constant:
		return append(doc, "A record takes no bytes.")
	case constant:
		doc = append(doc, fmt.Sprintf("A record takes %s:", count(size, "byte")))
	default:
		doc = append(doc, fmt.Sprintf("A record takes %s or more:", count(f.minSize(r.Type), "byte")))
	}
	return append(doc, table(f.layout(r.Type)))
}

// consumeDoc returns the doc comment of the method that reads.
func (f *file) consumeDoc(method string, r *ir.Record) []string {
	doc := method + " reads one " + r.Name + " from the start of src into v and returns how many bytes it took. It never " +
		"panics; an error names the field and the offset, and leaves the contents of v unspecified. "
	switch {
	case f.retains(r.Type):
		doc += "Everything that v refers to afterwards is its own, and src may be reused. "
	default:
		doc += "Nothing of src is kept. "
	}
	list := []string{strings.TrimSpace(doc)}
	var reuse string
	if f.holds(r.Type, ir.Slice, ir.Bytes, ir.Map) {
		reuse = "Slices and maps of v are reused where they are large enough, so v must not share them. "
	}
	if f.holds(r.Type, ir.Pointer) {
		reuse += "Pointers are set to new values. "
	}
	if n, apart := f.stringFields(r.Type); n > 1 {
		reuse += "The strings in the fields of one record share one allocation: keeping one keeps the memory of all. "
		if apart {
			reuse += "So do those of each larger struct within it, in an allocation of their own. "
		}
	}
	if f.partial(r.Type) {
		reuse += "Fields that are not part of the format keep their values. "
	}
	return append(list, strings.TrimSpace(reuse))
}

// retains says that a decoded t refers to other memory.
func (f *facts) retains(t *ir.Type) bool {
	return f.holds(t, ir.String, ir.Slice, ir.Bytes, ir.Map, ir.Pointer)
}

// holds says that a type of one of the kinds is part of t.
func (f *facts) holds(t *ir.Type, kinds ...ir.Kind) bool {
	return f.reaches(map[*ir.Type]bool{}, t, func(t *ir.Type) bool {
		for _, k := range kinds {
			if t.Kind == k {
				return true
			}
		}
		return false
	})
}

// stringFields counts the strings that are read into one allocation, and says whether there are structs with strings that are not among them.
func (f *facts) stringFields(t *ir.Type) (n int, apart bool) {
	for _, it := range f.items(consumePart, place{expr: "v", deref: true, typ: t}) {
		switch {
		case it.typ == nil:
		case it.typ.Kind == ir.String:
			n++
		case f.ownText(it.typ):
			apart = true
		}
	}
	return n, apart
}

// row is one line of the layout of a record.
type row struct{ field, encoding, bytes string }

// layout lists what stands in the bytes of a record, in order.
func (f *facts) layout(t *ir.Type) []row {
	var rows []row
	var bits []string
	for fld := range t.Encoded() {
		if hasBit(fld) {
			bits = append(bits, fld.Name)
		}
	}
	for i := 0; i < len(bits); i += 8 {
		group := bits[i:min(i+8, len(bits))]
		name := group[0]
		if len(group) > 1 {
			name += "…" + group[len(group)-1]
		}
		rows = append(rows, row{name, "presence bits", "1"})
	}
	for fld := range t.Encoded() {
		switch {
		case fld.Type.Kind == ir.Bool:
		case fld.Type.Kind == ir.Pointer:
			rows = append(rows, row{fld.Name, encoding(fld.Type.Elem) + ", if present", f.ifPresent(fld.Type.Elem)})
		case fld.Varint:
			text := "uvarint"
			if signed(fld.Type.Kind) {
				text = "zigzag uvarint"
			}
			rows = append(rows, row{fld.Name, text, "1 to " + fmt.Sprint(maxVarint(fld.Type.Kind))})
		default:
			rows = append(rows, row{fld.Name, encoding(fld.Type), f.orMore(fld.Type)})
		}
	}
	return rows
}

// maxVarint returns the most bytes that a varint of kind k takes.
func maxVarint(k ir.Kind) int { return (width(k) + 6) / 7 }

// orMore returns the number of bytes that a value of t takes, or the least number.
func (f *facts) orMore(t *ir.Type) string {
	if n, ok := f.constSize(t); ok {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d or more", f.minSize(t))
}

// ifPresent is orMore for something that may be missing.
func (f *facts) ifPresent(t *ir.Type) string {
	n, constant := f.constSize(t)
	switch {
	case !constant:
		return fmt.Sprintf("0, %d or more", f.minSize(t))
	case n == 0:
		return "0"
	}
	return fmt.Sprintf("0 or %d", n)
}

// encoding describes the encoding of t in a few words.
func encoding(t *ir.Type) string {
	switch t.Kind {
	case ir.Time:
		return "seconds, nanoseconds"
	case ir.String:
		return "length, bytes"
	case ir.Bytes:
		return "length + 1, bytes"
	case ir.Slice:
		return "length + 1, elements: " + encodingName(t.Elem)
	case ir.Map:
		return fmt.Sprintf("length + 1, entries: %s, %s", encodingName(t.Key), encodingName(t.Elem))
	case ir.Array:
		return fmt.Sprintf("%d × %s", t.Len, encodingName(t.Elem))
	case ir.Struct:
		return encodingName(t)
	case ir.Pointer:
		return "1 and " + encodingName(t.Elem) + ", or 0"
	}
	return scalarName(t)
}

func scalarName(t *ir.Type) string {
	switch t.Kind {
	case ir.Bool:
		return "0 or 1"
	case ir.Int, ir.Uint, ir.Uintptr:
		return fmt.Sprintf("%s, as 64 bits", goTypes[t.Kind])
	}
	return goTypes[t.Kind]
}

// encodingName names the type of an element.
func encodingName(t *ir.Type) string {
	if t.Kind == ir.Struct {
		if t.Name == nil {
			return "struct"
		}
		return typeLabel(t)
	}
	switch t.Kind {
	case ir.Time:
		return "time"
	case ir.String:
		return "string"
	case ir.Bytes:
		return "bytes"
	case ir.Slice:
		return "slice of " + encodingName(t.Elem)
	case ir.Map:
		return "map"
	case ir.Array:
		return fmt.Sprintf("%d × %s", t.Len, encodingName(t.Elem))
	case ir.Pointer:
		return "pointer to " + encodingName(t.Elem)
	}
	return goTypes[t.Kind]
}

// table lays the rows out as an indented block, which gofmt leaves alone.
func table(rows []row) string {
	rows = append([]row{{"field", "encoding", "bytes"}}, rows...)
	w1, w2 := 0, 0
	for _, r := range rows {
		w1 = max(w1, utf8.RuneCountInString(r.field))
		w2 = max(w2, utf8.RuneCountInString(r.encoding))
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "\t%s  %s  %s\n", pad(r.field, w1), pad(r.encoding, w2), r.bytes)
	}
	return b.String()
}

func pad(s string, width int) string { return s + strings.Repeat(" ", width-utf8.RuneCountInString(s)) }

// count returns "1 byte", "2 bytes".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
