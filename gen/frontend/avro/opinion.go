package avro

import (
	"fmt"
	"sort"
	"strings"

	"github.com/twmb/avro"

	"github.com/rwgen/rwgen/gen/ir"
)

// secondOpinion lets another implementation of the specification parse what has been read, and reports what it refuses.
func (r *reader) secondOpinion() {
	var roots []*node
	for _, d := range r.defs {
		roots = append(roots, d.node)
	}
	if parses(r.wrapped(roots)) == nil {
		return
	}
	// The first definition with which what stands before it is refused.
	i := sort.Search(len(roots), func(i int) bool { return parses(r.wrapped(roots[:i+1])) != nil })
	d := r.defs[min(i, len(roots)-1)]
	r.fail(d.nameAt, "", "the %s is refused by the second opinion of github.com/twmb/avro: %v", d.what(), parses(r.wrapped(roots[:i+1])))
}

// wrapped returns one schema with all types: a record with a field for each.
func (r *reader) wrapped(roots []*node) string {
	name := "rwgen_all"
	for r.byName[name] != nil {
		name += "_"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":%s,"name":%s,"fields":[`, quote(ir.AvroRecord.String()), quote(name))
	for i, text := range full(roots...) {
		comma(&b, i)
		fmt.Fprintf(&b, `{"name":"f%d","type":%s}`, i, text)
	}
	b.WriteString("]}")
	return b.String()
}

// parses returns the error of the other implementation for a schema. If that panics, this is not a fault of the schema.
func parses(schema string) (err error) {
	defer func() {
		if recover() != nil {
			err = nil
		}
	}()
	_, err = avro.Parse(schema)
	return err
}
