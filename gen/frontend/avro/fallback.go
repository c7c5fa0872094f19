package avro

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/rwgen/rwgen/gen/ir"
)

// mostChecks is how many times values in defaults are compared with types, for all defaults of a run.
const mostChecks = 1_000_000

// fallback checks the default of a field.
func (r *reader) fallback(f *field) {
	if v, why, hint := r.checks.check(f.fallback, f.typ); why != "" {
		r.fail(v.pos(), hint, "the default of the field %s: %s", f.name, why)
		return
	}
	if r.checks.total += r.checks.values(f.fallback, f.typ); r.checks.total > mostChecks {
		r.fail(f.fallback.pos(), "remove it", "the default of the field %s: with those of the fields that it leaves out, the defaults have more than %d values", f.name, mostChecks)
		r.checks.total = 0
	}
}

// checker compares values of JSON with types.
type checker struct {
	// failed remembers what is no value of a type. In unions within unions there are many ways to a value.
	failed map[comparison]verdict
	count  int
	// sizes are results of values; 0 stands for one that is being found out.
	sizes map[comparison]int
	total int // of all defaults
}

type comparison struct {
	value *value
	node  *node
}

type verdict struct {
	at        *value
	why, hint string
}

// check returns why a value of JSON is no value of a type, "" if it is one, and the part of it that is wrong.
func (c *checker) check(v *value, n *node) (at *value, why, hint string) {
	if known, ok := c.failed[comparison{v, n}]; ok {
		return known.at, known.why, known.hint
	}
	if c.count++; c.count > mostChecks {
		return v, "the defaults are too large to be checked", "remove it"
	}
	if at, why, hint = c.compare(v, n); why != "" {
		if c.failed == nil {
			c.failed = make(map[comparison]verdict)
		}
		c.failed[comparison{v, n}] = verdict{at, why, hint}
	}
	return at, why, hint
}

func (c *checker) compare(v *value, n *node) (at *value, why, hint string) {
	wrong := func(hint, format string, args ...any) (*value, string, string) {
		return v, fmt.Sprintf(format, args...), hint
	}
	want := func(kind kind, form string) (*value, string, string) {
		if v.kind != kind {
			return wrong(form, "%v where the type is %v", v.kind, n.kind)
		}
		return nil, "", ""
	}
	switch n.kind {
	case ir.AvroNull:
		return want(nullValue, "null")
	case ir.AvroBoolean:
		return want(boolValue, "true or false")
	case ir.AvroInt, ir.AvroLong:
		if at, why, hint := want(numberValue, "0, or another whole number"); why != "" {
			return at, why, hint
		}
		bits := map[ir.AvroKind]int{ir.AvroInt: 32, ir.AvroLong: 64}[n.kind]
		if _, err := strconv.ParseInt(v.text, 10, bits); err != nil {
			return wrong(fmt.Sprintf("a whole number of %d bits", bits), "%.40s is no %v", v.text, n.kind)
		}
	case ir.AvroFloat, ir.AvroDouble:
		if at, why, hint := want(numberValue, "0.0, or another number"); why != "" {
			return at, why, hint
		}
		bits := map[ir.AvroKind]int{ir.AvroFloat: 32, ir.AvroDouble: 64}[n.kind]
		if x, err := strconv.ParseFloat(v.text, bits); err != nil || math.IsInf(x, 0) {
			return wrong("a number within its range", "%.40s is no %v", v.text, n.kind)
		}
	case ir.AvroString:
		return want(stringValue, `"", or another string`)
	case ir.AvroBytes, ir.AvroFixed:
		if at, why, hint := want(stringValue, `"\u0000\u00ff", a character for each byte`); why != "" {
			return at, why, hint
		}
		for _, r := range v.text {
			if r > math.MaxUint8 {
				return wrong(`\u0000 to \u00ff`, "the character %q is no byte", r)
			}
		}
		if size := utf8.RuneCountInString(v.text); n.kind == ir.AvroFixed && size != n.def.size {
			return wrong(fmt.Sprintf("%d characters", n.def.size), "%d bytes for a fixed of %d", size, n.def.size)
		}
	case ir.AvroEnum:
		if at, why, hint := want(stringValue, "one of the symbols"); why != "" {
			return at, why, hint
		}
		for _, s := range n.def.symbols {
			if s == v.text {
				return nil, "", ""
			}
		}
		return wrong("one of the symbols", "%.40q is no symbol of %s", v.text, n.def.fullName())
	case ir.AvroArray:
		if at, why, hint := want(arrayValue, "[], or another list"); why != "" {
			return at, why, hint
		}
		for _, item := range v.items {
			if at, why, hint := c.check(item, n.elem); why != "" {
				return at, why, hint
			}
		}
	case ir.AvroMap:
		if at, why, hint := want(objectValue, "{}, or another object"); why != "" {
			return at, why, hint
		}
		for _, m := range v.members {
			if at, why, hint := c.check(m.value, n.elem); why != "" {
				return at, why, hint
			}
		}
	case ir.AvroUnion:
		return c.union(v, n)
	case ir.AvroRecord:
		return c.record(v, n.def)
	}
	return nil, "", ""
}

// union checks a default against the branches of a union, one of which it must be a value of.
func (c *checker) union(v *value, n *node) (at *value, why, hint string) {
	for i, b := range n.branches {
		bAt, bWhy, bHint := c.check(v, b)
		if bWhy == "" {
			return nil, "", ""
		}
		if i == 0 {
			at, why, hint = bAt, bWhy, bHint
		}
	}
	if len(n.branches) > 1 {
		return v, fmt.Sprintf("%v is no value of any type of the union", v.kind), "a value of the first type: " + hint
	}
	return at, why, hint
}

// record checks a default of a record: fields that it leaves out must have defaults of their own.
func (c *checker) record(v *value, d *definition) (at *value, why, hint string) {
	if v.kind != objectValue {
		return v, fmt.Sprintf("%v where the type is the record %s", v.kind, d.fullName()), `{"field": …}`
	}
	for _, f := range d.fields {
		m := v.get(f.name)
		switch {
		case m != nil:
			if at, why, hint := c.check(m, f.typ); why != "" {
				return at, why, hint
			}
		case f.fallback == nil:
			return v, fmt.Sprintf("the field %s of %s is missing, and has no default of its own", f.name, d.fullName()), fmt.Sprintf("%q: …", f.name)
		}
	}
	return nil, "", ""
}

// values returns how many values a default has, with the defaults of fields that records in it leave out: a few records of two fields each make any number. It is mostChecks + 1 for more, and for a default that
// contains itself. REQUIRES: v is a value of n.
func (c *checker) values(v *value, n *node) int {
	const tooMany = mostChecks + 1
	at := comparison{v, n}
	if known, ok := c.sizes[at]; ok {
		if known == 0 {
			return tooMany
		}
		return known
	}
	if c.sizes == nil {
		c.sizes = make(map[comparison]int)
	}
	c.sizes[at] = 0
	sum := 1
	add := func(v *value, n *node) { sum = min(sum+c.values(v, n), tooMany) }
	switch n.kind {
	case ir.AvroArray:
		for _, item := range v.items {
			add(item, n.elem)
		}
	case ir.AvroMap:
		for _, m := range v.members {
			add(m.value, n.elem)
		}
	case ir.AvroUnion:
		for _, b := range n.branches {
			if _, why, _ := c.check(v, b); why == "" {
				add(v, b)
				break
			}
		}
	case ir.AvroRecord:
		for _, f := range n.def.fields {
			if m := v.get(f.name); m != nil {
				add(m, f.typ)
			} else if f.fallback != nil && f.typ != nil {
				add(f.fallback, f.typ)
			}
		}
	}
	c.sizes[at] = sum
	return sum
}
