package emit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rwgen/rwgen/gen/ir"
)

// serializerDoc returns the doc comment of a serializer: what it is, the user's own words on the record, and the layout.
func (f *file) serializerDoc(r *ir.Record, n *recordNames) []string {
	format := "in the native format of rwgen"
	switch r.Format {
	case ir.AvroBinary:
		format = avroFormat(r)
	case ir.Protobuf:
		format = "as Protobuf messages " + r.Called
	case ir.OwnBinary:
		format = "in the binary form that the methods of the type give them"
	}
	doc := []string{fmt.Sprintf("%s writes and reads records of type %s %s. It has no state: its zero value "+
		"is ready, and any number of goroutines may use it.", n.Serializer, f.docLink(r), format)}
	if f.interns(r.Type) {
		doc[0] += fmt.Sprintf(" Limits with a [%s.Interner] are for one goroutine at a time.", f.declaredName(wirePath))
	}
	if own := firstParagraph(r.Doc); own != "" {
		doc = append(doc, own)
	}
	if r.Format.Calls() {
		return doc
	}
	size, constant := f.recordSize(r)
	switch {
	case size == 0 && constant:
		return append(doc, "A record takes no bytes.")
	case constant:
		doc = append(doc, fmt.Sprintf("A record takes %s:", count(size, "byte")))
	default:
		doc = append(doc, fmt.Sprintf("A record takes %s or more:", count(f.recordMin(r), "byte")))
	}
	if r.Format == ir.AvroBinary {
		return append(doc, table(f.avroLayout(r)))
	}
	return append(doc, table(f.layout(r.Type)))
}

// consumeDoc returns the doc comment of the method that reads.
func (f *file) consumeDoc(method string, r *ir.Record) []string {
	doc := method + " reads one " + f.label(r) + " from the start of src into v and returns how many bytes it took. It never " +
		"panics; an error names the field and the offset, and leaves the contents of v unspecified. "
	if f.recordUserCode(r) {
		doc = strings.Replace(doc, "never panics;", "never panics unless a method does that decodes a value;", 1)
	}
	switch {
	case f.views(r.Type):
		doc += fmt.Sprintf("Fields tagged view share the memory of src: they are valid as long as src stays as it is, and must not be written to; [%s.Detach] makes copies of them. ",
			f.plan.records[r].Serializer)
	case f.retains(r.Type):
		doc += "Everything that v refers to afterwards is its own, and src may be reused. "
	default:
		doc += "Nothing of src is kept. "
	}
	list := []string{strings.TrimSpace(doc)}
	var reuse string
	if what := f.reused(r.Type); what != "" {
		reuse = what + " of v are reused where they are large enough, so v must not share them. "
	}
	switch pointers, unions := f.holds(r.Type, ir.Pointer), f.holds(r.Type, ir.Union); {
	case pointers && unions:
		reuse += "Pointers and unions are set to new values. "
	case pointers:
		reuse += "Pointers are set to new values. "
	case unions:
		reuse += "Unions are set to new values. "
	}
	if f.interns(r.Type) {
		reuse += "Strings tagged intern stay what they are if they are equal, and otherwise come from the interner of the limits if there is one. "
	}
	switch {
	case f.usesCopies(r):
		reuse += "The strings of a record are parts of copies of it of up to 1 KiB, or of one longer string: keeping one keeps the memory of such a copy. "
	case f.textFields(r.Type) > 1:
		reuse += "The strings of a record share one allocation: keeping one keeps the memory of all. "
	}
	if f.partial(r.Type) {
		reuse += "Fields that are not part of the format keep their values. "
	}
	return append(list, strings.TrimSpace(reuse))
}

// retains says that a decoded t refers to other memory.
func (f *facts) retains(t *ir.Type) bool {
	return f.holds(t, ir.String, ir.Slice, ir.Bytes, ir.Map, ir.Pointer, ir.Union, ir.Codec)
}

// reused names what a t holds whose memory is used again, in the plural: "Slices and maps"; "" if there is nothing.
func (f *facts) reused(t *ir.Type) string {
	slices, maps := f.reusesSlices(t), f.holds(t, ir.Map)
	switch {
	case slices && maps:
		return "Slices and maps"
	case slices:
		return "Slices"
	case maps:
		return "Maps"
	}
	return ""
}

// reusesSlices says that there are slices in t whose memory is used again: all but byte slices that are views.
func (f *facts) reusesSlices(t *ir.Type) bool {
	if f.holds(t, ir.Slice) || !f.views(t) {
		return f.holds(t, ir.Slice, ir.Bytes)
	}
	return f.reaches(f.known("reused bytes"), t, func(t *ir.Type) bool {
		return t.Kind == ir.Pointer && t.Elem.Kind == ir.Bytes || anyField(t, func(fld *ir.Field) bool { return fld.Type.Kind == ir.Bytes && !fld.View })
	})
}

// holds says that a type of one of the kinds is part of t.
func (f *facts) holds(t *ir.Type, kinds ...ir.Kind) bool {
	return f.reaches(f.known(fmt.Sprint(kinds)), t, func(t *ir.Type) bool {
		for _, k := range kinds {
			if t.Kind == k {
				return true
			}
		}
		return false
	})
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
		case fld.UnixNano:
			rows = append(rows, row{fld.Name, "nanoseconds since 1970", fmt.Sprint(unixNanoSize)})
		default:
			rows = append(rows, row{fld.Name, encoding(fld.Type) + bounds(fld), f.orMore(fld.Type)})
		}
	}
	return rows
}

// bounds says in the words of the tag what a value must be like, and how it is read.
func bounds(fld *ir.Field) string {
	s := ""
	if fld.Max > 0 {
		s += fmt.Sprintf(", max %d", fld.Max)
	}
	for _, option := range []struct {
		set  bool
		name string
	}{{fld.UTF8, "utf8"}, {fld.Sorted, "sorted"}, {fld.Intern, "intern"}, {fld.View, "view"}} {
		if option.set {
			s += ", " + option.name
		}
	}
	return s
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
	case ir.Union:
		return "tag and member: " + memberNames(t)
	case ir.Codec:
		return "length, " + codecName(t)
	case ir.Pointer:
		return "1 and " + encodingName(t.Elem) + ", or 0"
	}
	return scalarName(t)
}

// memberNames lists the members of a union with their tags: all of a few, otherwise the first ones and the last.
func memberNames(t *ir.Type) string {
	const most = 5
	var list []string
	for i, m := range t.Members {
		if n := len(t.Members); n > most && most-2 <= i && i < n-1 {
			if i == most-2 {
				list = append(list, "…")
			}
			continue
		}
		list = append(list, fmt.Sprintf("%d %s", i+1, memberName(m)))
	}
	return strings.ReplaceAll(strings.Join(list, ", "), "…,", "…")
}

// memberName returns the type of a member as it was declared.
func memberName(t *ir.Type) string {
	switch {
	case t.Kind == ir.Pointer:
		return "*" + memberName(t.Elem)
	case t.Name != nil:
		return typeLabel(t)
	case t.Kind == ir.Time:
		return "time.Time"
	}
	return goTypes[t.Kind]
}

// codecName says who encodes the values of a codec type.
func codecName(t *ir.Type) string {
	switch t.Codec.Form {
	case ir.Binary:
		return "binary form of " + typeLabel(t)
	case ir.Text:
		return "text form of " + typeLabel(t)
	}
	return typeLabel(&ir.Type{Name: t.Codec.Registered})
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
	case ir.Union, ir.Codec:
		return typeLabel(t)
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
