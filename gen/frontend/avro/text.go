package avro

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

// json returns the value as JSON on one line.
func (v *value) json() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v *value) write(b *strings.Builder) {
	switch v.kind {
	case stringValue:
		b.WriteString(quote(v.text))
	case arrayValue:
		b.WriteByte('[')
		for i, item := range v.items {
			comma(b, i)
			item.write(b)
		}
		b.WriteByte(']')
	case objectValue:
		b.WriteByte('{')
		for i, m := range v.members {
			comma(b, i)
			b.WriteString(quote(m.name) + ":")
			m.value.write(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString(v.text)
	}
}

func comma(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

// quote returns s as a string of JSON, with nothing escaped that need not be.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil { // strings always have an encoding
		return strconv.Quote(s)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (l logical) text() string {
	if l.name == "" {
		return ""
	}
	s := `,"logicalType":` + quote(l.name)
	if l.name == "decimal" {
		s += `,"precision":` + strconv.Itoa(l.precision)
		if l.scale > 0 {
			s += `,"scale":` + strconv.Itoa(l.scale)
		}
	}
	return s
}

// canonical returns what decides about the bytes of a type: its Parsing Canonical Form, with logical types.
func canonical(n *node) string {
	var b strings.Builder
	c := canonizer{&b, make(map[*definition]bool)}
	c.node(n)
	return b.String()
}

type canonizer struct {
	*strings.Builder
	seen map[*definition]bool
}

func (c canonizer) add(words ...string) {
	for _, w := range words {
		c.WriteString(w)
	}
}

func (c canonizer) node(n *node) {
	switch {
	case n.def != nil && c.seen[n.def]:
		c.add(quote(n.def.fullName()))
	case n.def != nil:
		c.seen[n.def] = true
		c.definition(n.def)
	case n.kind == ir.AvroArray, n.kind == ir.AvroMap:
		c.add(`{"type":`, quote(n.kind.String()), map[ir.AvroKind]string{ir.AvroArray: `,"items":`, ir.AvroMap: `,"values":`}[n.kind])
		c.node(n.elem)
		c.add("}")
	case n.kind == ir.AvroUnion:
		c.add("[")
		for i, branch := range n.branches {
			comma(c.Builder, i)
			c.node(branch)
		}
		c.add("]")
	case n.logical.name != "":
		c.add(`{"type":`, quote(n.kind.String()), n.logical.text(), "}")
	default:
		c.add(quote(n.kind.String()))
	}
}

func (c canonizer) definition(d *definition) {
	c.add(`{"name":`, quote(d.fullName()), `,"type":`, quote(d.kind.String()))
	switch d.kind {
	case ir.AvroRecord:
		c.add(`,"fields":[`)
		for i, f := range d.fields {
			comma(c.Builder, i)
			c.add(`{"name":`, quote(f.name), `,"type":`)
			c.node(f.typ)
			c.add("}")
		}
		c.add("]")
	case ir.AvroEnum:
		c.add(`,"symbols":[`)
		for i, s := range d.symbols {
			comma(c.Builder, i)
			c.add(quote(s))
		}
		c.add("]")
	case ir.AvroFixed:
		c.add(`,"size":`, strconv.Itoa(d.size))
	}
	c.add(d.logical.text(), "}")
}

// full returns types as they were read, with all that they refer to, and with full names.
func full(nodes ...*node) []string {
	w := fullWriter{seen: make(map[*definition]bool)}
	texts := make([]string, len(nodes))
	for i, n := range nodes {
		w.Builder = new(strings.Builder)
		w.node(n, "")
		texts[i] = w.String()
	}
	return texts
}

type fullWriter struct {
	*strings.Builder
	seen map[*definition]bool
}

// node writes a type that stands in a definition of the namespace space.
func (w fullWriter) node(n *node, space string) {
	switch {
	case n.def != nil && w.seen[n.def]:
		w.WriteString(quote(n.def.fullName()))
	case n.def != nil:
		w.seen[n.def] = true
		w.definition(n.def, space)
	case n.kind == ir.AvroUnion:
		w.WriteByte('[')
		for i, b := range n.branches {
			comma(w.Builder, i)
			w.node(b, space)
		}
		w.WriteByte(']')
	case n.at.kind == objectValue:
		w.object(n.at, func(m member) {
			if m.value == n.at.get("items") && n.kind == ir.AvroArray || m.value == n.at.get("values") && n.kind == ir.AvroMap {
				w.node(n.elem, space)
			} else {
				m.value.write(w.Builder)
			}
		})
	default:
		w.WriteString(quote(n.kind.String()))
	}
}

// object writes an object with the values that write writes, without the members of those names, and without attributes that are null, which are as good as missing. Defaults are values, though.
func (w fullWriter) object(v *value, write func(member), without ...string) {
	w.WriteByte('{')
	first := true
	for _, m := range v.members {
		if slices.Contains(without, m.name) || m.kind == nullValue && m.name != "default" {
			continue
		}
		if !first {
			w.WriteByte(',')
		}
		first = false
		w.WriteString(quote(m.name) + ":")
		write(m)
	}
	w.WriteByte('}')
}

func (w fullWriter) definition(d *definition, space string) {
	without := []string{"namespace"}
	if d.symbolDefault == "" {
		without = append(without, "default")
	}
	w.object(d.at, func(m member) {
		switch {
		case m.name == "type":
			w.WriteString(quote(d.kind.String()))
		case m.name == "name":
			w.WriteString(quote(d.fullName()))
			if d.space == "" && space != "" {
				w.WriteString(`,"namespace":""`)
			}
		case m.name == "aliases":
			w.WriteByte('[')
			for i, a := range d.aliases {
				comma(w.Builder, i)
				w.WriteString(quote(a))
			}
			w.WriteByte(']')
		case m.name == "fields" && d.kind == ir.AvroRecord:
			w.WriteByte('[')
			for i, f := range d.fields {
				comma(w.Builder, i)
				w.object(f.at, func(m member) {
					if m.name == "type" {
						w.node(f.typ, d.space)
					} else {
						m.value.write(w.Builder)
					}
				})
			}
			w.WriteByte(']')
		default:
			m.value.write(w.Builder)
		}
	}, without...)
}
