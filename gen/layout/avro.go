package layout

import (
	"fmt"
	"math"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

// The longest forms of numbers, in bytes.
const (
	maxAvroInt  = 5
	maxAvroLong = 10
)

// avro returns the layout of a record in the format avro: a section for the record, and one for each other record within.
func avro(r *ir.Record) *Layout {
	a := avroBuilder{least: map[*ir.Avro]int64{}, titled: map[*ir.Avro]bool{r.Avro.Root: true}}
	l := &Layout{Name: r.Name, Memory: r.Type.GoSize}
	l.Least, l.Constant = a.size(r.Avro.Root)
	a.queue = []avroTitled{{r.Name, r.Avro.Root}}
	for first := true; len(a.queue) > 0; first = false {
		next := a.queue[0]
		a.queue = a.queue[1:]
		var b builder
		if first && r.Avro.SingleObject {
			l.Least += 10
			b.add(Row{Field: "header", Bytes: "10", Encoding: "marker c3 01, fingerprint", Why: "the record is a single object", least: 10, constant: true})
		}
		for _, f := range next.record.Fields {
			row := Row{Field: f.Field.Name, Encoding: avroEncoding(f.Type), Why: avroWhy(f.Type)}
			row.least, row.constant = a.size(f.Type)
			row.Bytes = orMore(row.least, row.constant)
			switch f.Type.Kind {
			case ir.AvroInt:
				row.Bytes = fmt.Sprintf("1 to %d", maxAvroInt)
			case ir.AvroLong:
				row.Bytes = fmt.Sprintf("1 to %d", maxAvroLong)
			}
			b.add(row)
			a.later(f.Field.Name, f.Type)
		}
		l.Sections = append(l.Sections, &Section{Title: next.title, Rows: b.rows})
	}
	return l
}

type avroTitled struct {
	title  string
	record *ir.Avro
}

type avroBuilder struct {
	least  map[*ir.Avro]int64
	titled map[*ir.Avro]bool
	queue  []avroTitled
}

// later gives sections to the records that a field is made of.
func (b *avroBuilder) later(path string, a *ir.Avro) {
	switch a.Kind {
	case ir.AvroRecord:
		if !b.titled[a] && len(a.Fields) > 0 {
			b.titled[a] = true
			b.queue = append(b.queue, avroTitled{TypeName(a.Type) + ", in " + path, a})
		}
	case ir.AvroArray, ir.AvroMap:
		b.later(path+"[]", a.Elem)
	case ir.AvroUnion:
		for _, branch := range a.Branches {
			b.later(path, branch)
		}
	}
}

// size returns the least number of bytes that a value of a takes, and whether each takes that many.
func (b *avroBuilder) size(a *ir.Avro) (least int64, constant bool) {
	if _, ok := b.least[a]; !ok {
		// Of records that contain one another, what is known of one makes what is known of the others smaller, until nothing changes.
		within := avroWithin(a)
		for _, t := range within {
			b.least[t] = math.MaxInt32
		}
		for changed := true; changed; {
			changed = false
			for _, t := range within {
				if n := b.leastOf(t); n < b.least[t] {
					b.least[t], changed = n, true
				}
			}
		}
	}
	constant = true
	for _, t := range avroWithin(a) {
		switch t.Kind {
		case ir.AvroNull, ir.AvroBoolean, ir.AvroFloat, ir.AvroDouble, ir.AvroFixed, ir.AvroRecord:
		default:
			constant = false
		}
	}
	return b.least[a], constant
}

// leastOf is the least size of a, given what is known of its parts.
func (b *avroBuilder) leastOf(a *ir.Avro) int64 {
	switch a.Kind {
	case ir.AvroNull:
		return 0
	case ir.AvroFloat:
		return 4
	case ir.AvroDouble:
		return 8
	case ir.AvroFixed:
		return int64(a.Size)
	case ir.AvroRecord:
		n := int64(0)
		for _, f := range a.Fields {
			n = min(n+b.least[f.Type], math.MaxInt32)
		}
		return n
	case ir.AvroUnion:
		n := int64(math.MaxInt32 - 1)
		for _, branch := range a.Branches {
			n = min(n, b.least[branch])
		}
		return 1 + n
	}
	switch {
	case a.Kind == ir.AvroString && a.Logical == "uuid":
		return 33 // without hyphens, and the length
	case a.Kind == ir.AvroBytes && a.Logical == "decimal":
		return 2
	case a.Kind == ir.AvroBytes && a.Logical == "big-decimal":
		return 3
	}
	return 1
}

// avroWithin returns a and all types that values of it are made of.
func avroWithin(a *ir.Avro) []*ir.Avro {
	seen := map[*ir.Avro]bool{a: true}
	list := []*ir.Avro{a}
	add := func(part *ir.Avro) {
		if part != nil && !seen[part] {
			seen[part] = true
			list = append(list, part)
		}
	}
	for i := 0; i < len(list); i++ {
		add(list[i].Elem)
		for _, branch := range list[i].Branches {
			add(branch)
		}
		for _, f := range list[i].Fields {
			add(f.Type)
		}
	}
	return list
}

// avroEncoding describes the bytes of a value in a few words, as the comment on a serializer does.
func avroEncoding(a *ir.Avro) string {
	s := a.Kind.String()
	switch a.Kind {
	case ir.AvroRecord, ir.AvroEnum, ir.AvroFixed:
		s += " " + a.FullName
	case ir.AvroArray, ir.AvroMap:
		return s + " of " + avroEncoding(a.Elem)
	case ir.AvroUnion:
		const most = 4
		var list []string
		for i, b := range a.Branches {
			if i == most {
				list = append(list, "…")
				break
			}
			list = append(list, avroEncoding(b))
		}
		return "union of " + strings.Join(list, ", ")
	}
	switch {
	case a.Logical == "decimal":
		s += fmt.Sprintf(", decimal(%d, %d)", a.Precision, a.Scale)
	case a.Logical != "":
		s += ", " + a.Logical
	}
	return s
}

// avroWhy says why a value is encoded as it is: the format leaves no choice but the type.
func avroWhy(a *ir.Avro) string {
	switch a.Kind {
	case ir.AvroNull:
		return "null takes no bytes"
	case ir.AvroInt, ir.AvroLong:
		return "zigzag varint: numbers near 0 are short"
	case ir.AvroBytes, ir.AvroString:
		return "length first because its size varies"
	case ir.AvroEnum:
		return "the index of its symbol, as an int"
	case ir.AvroUnion:
		return "the index of the branch first, then its value"
	case ir.AvroArray, ir.AvroMap:
		return "blocks of elements, each behind its count, and 0 at the end"
	case ir.AvroRecord:
		return "its fields, one behind the other"
	}
	return "all values take as many bytes"
}
