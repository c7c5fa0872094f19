package avro

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// resolve finds what names refer to, and checks what can be checked only then.
func (r *reader) resolve() {
	for _, n := range r.refs {
		r.reference(n)
	}
	for _, d := range r.repeated {
		r.repetition(d)
	}
	if len(*r.diags) > 0 {
		return // what follows assumes that all types are there
	}
	for _, n := range r.unions {
		r.checkUnion(n)
	}
	r.finite()
	for _, d := range r.defs {
		for _, f := range d.fields {
			if f.fallback != nil {
				r.fallback(f)
			}
		}
	}
}

// reference finds the definition that a name means: one in the namespace in which it stands, or else one without a namespace.
func (r *reader) reference(n *node) {
	if !strings.Contains(n.ref, ".") {
		n.def = r.byName[join(n.space, n.ref)]
	}
	if n.def == nil {
		n.def = r.byName[n.ref]
	}
	if n.def == nil {
		r.fail(n.at.pos(), r.nearest(n), "the type %s is not defined in the files", n.ref)
		return
	}
	n.kind, n.logical = n.def.kind, n.def.logical
}

// nearest returns the name that was probably meant: the same one in another namespace, or one that is like it.
func (r *reader) nearest(n *node) string {
	_, name := split(n.ref)
	if hint := meant(n.ref); hint != "" {
		return hint
	}
	if !r.mayHint(n.ref) {
		return "add the file that defines it"
	}
	full := slices.Sorted(maps.Keys(r.byName))
	for _, f := range full {
		if _, other := split(f); other == name {
			return f
		}
	}
	candidates := append(full, typeNames()...)
	for _, f := range full {
		if space, short := split(f); space == n.space {
			candidates = append(candidates, short)
		}
	}
	return cmp.Or(diag.Nearest(n.ref, candidates), "add the file that defines it")
}

// meant returns the type that is meant by a name of other languages, or by that of a logical type, "" if it is none of these.
func meant(name string) string {
	kinds, ok := logicalTypes[name]
	if !ok {
		return map[string]string{
			"integer": "int", "int32": "int", "int64": "long", "bigint": "long", "bool": "boolean", "str": "string", "text": "string",
			"float32": "float", "float64": "double", "real": "double", "list": `{"type": "array", "items": …}`,
		}[strings.ToLower(name)]
	}
	switch name {
	case "decimal":
		return `{"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2}`
	case "duration":
		return `{"type": "fixed", "name": …, "size": 12, "logicalType": "duration"}`
	}
	return fmt.Sprintf(`{"type": %q, "logicalType": %q}`, kinds[0], name)
}

// mayHint says whether to look for a name that is like word. That takes long for long names and many of them, and a hint is for people.
func (r *reader) mayHint(word string) bool {
	const most, longest = 20, 64
	r.hints++
	return r.hints <= most && len(word) <= longest
}

// repetition looks at a definition of a name that another has. Files that are made to be read alone repeat what they share, so the same may stand there several times.
func (r *reader) repetition(d *definition) {
	first := r.byName[d.fullName()]
	if first.text() != d.text() {
		r.fail(d.nameAt, "another name or namespace, or the same definition", "%s is defined twice, and not in the same way", d.fullName()).
			Related = []diag.Related{{Pos: first.nameAt, Message: "the first one"}}
	}
	d.node.def = first
}

// text returns what makes a definition the same as another, with other definitions by their names.
func (d *definition) text() string {
	var b strings.Builder
	word := func(words ...string) {
		for _, w := range words {
			b.WriteString(w)
			b.WriteByte(0)
		}
	}
	word(d.kind.String(), d.fullName(), d.goName, d.doc, strings.Join(d.aliases, ","), strings.Join(d.symbols, ","), d.symbolDefault)
	if size := d.at.get("size"); size != nil {
		word(size.text)
	}
	word(d.logical.text())
	for _, f := range d.fields {
		word(f.name, f.goName, f.doc, strings.Join(f.aliases, ","), f.typ.text())
		if f.fallback != nil {
			word(f.fallback.json())
		}
	}
	return b.String()
}

func (n *node) text() string {
	if n.def != nil {
		return n.def.fullName()
	}
	s := n.kind.String() + n.logical.text()
	for _, p := range n.parts() {
		s += "(" + p.text() + ")"
	}
	return s
}

// mostSteps is how many records of a circle a message names.
const mostSteps = 8

// finite reports records that hold themselves without a union, an array or a map on the way: there are no values of them.
func (r *reader) finite() {
	const unseen, active, done = 0, 1, 2
	state := make(map[*definition]int)
	var path []*definition
	var visit func(d *definition)
	visit = func(d *definition) {
		state[d] = active
		path = append(path, d)
		for _, f := range d.fields {
			next := f.typ.def
			if f.typ.kind != ir.AvroRecord || state[next] == done {
				continue
			}
			if state[next] == unseen {
				visit(next)
				continue
			}
			if len(*r.diags) > mostFindings {
				return
			}
			var way []string
			for _, p := range path[slices.Index(path, next):] {
				way = append(way, p.name)
			}
			if len(way) > mostSteps {
				way = append(way[:mostSteps:mostSteps], "…")
			}
			r.fail(f.typ.at.pos(), `["null", "`+next.fullName()+`"]`, "the record %s contains itself (%s), without a union, an array or a map in between, so it has no values",
				next.fullName(), strings.Join(append(way, next.name), ", "))
		}
		path = path[:len(path)-1]
		state[d] = done
	}
	for _, d := range r.defs {
		if state[d] == unseen {
			visit(d)
		}
	}
}
