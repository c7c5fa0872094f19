package record

import (
	"cmp"
	"fmt"
	"strings"
)

// ResolveOption configures [Resolve].
type ResolveOption interface{ applyResolve(*schemaComparison) }

type resolveOption func(*schemaComparison)

func (f resolveOption) applyResolve(c *schemaComparison) { f(c) }

// RefuseUnknown refuses a writer's schema that has fields, or members of unions, that the reader's has not. Without it fields are skipped, and members are errors of the records that
// have a value of them.
func RefuseUnknown() ResolveOption {
	return resolveOption(func(c *schemaComparison) { c.unknown, c.members = true, true })
}

// ResolveError says why a reader cannot read what a writer writes.
type ResolveError struct {
	Writer, Reader string            // the names of the records
	Findings       []Incompatibility // in the order of the reader's fields; at least one
}

// Error returns every finding on a line of its own.
func (e *ResolveError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "record: %s cannot be read as %s:", e.Writer, e.Reader)
	for _, f := range e.Findings {
		b.WriteString("\n\t" + f.String())
	}
	return b.String()
}

// Resolve returns how what was written under the schema writer becomes what a reader of the schema reader understands. It is nil if the reader can read the writer's bytes as they
// are: of equal schemas, and if only names differ, or members were added to the end of unions. The rules are those of [Compare], with the aliases and defaults of reader.Reading; a member of a union that the
// reader lacks is not refused here, but in the records that have a value of it.
//
// The error is a [ResolveError] that names each field if the schemas do not fit together, and another one if one of them is none. The writer's may come from anywhere: time and memory are bounded
// by the product of the lengths of both texts.
//
// Schemas of different formats do not fit together, nor do those of [NamedSchema] if the names differ. Those of a format with [Rules] are resolved by the reader's.
func Resolve(writer, reader Schema, opts ...ResolveOption) (*Translation, error) {
	if writer.Same(reader) {
		return nil, nil
	}
	if t, ok, err := resolveByRules(writer, reader, opts); ok {
		return t, err
	}
	if ok, err := resolveNamed(writer, reader); ok {
		return nil, err
	}
	wname, w, err := ParseSchema(writer.Text)
	if err != nil {
		return nil, fmt.Errorf("the writer's schema: %w", err)
	}
	rname, r, err := ParseSchema(reader.Text)
	if err != nil {
		return nil, fmt.Errorf("the reader's schema: %w", err)
	}
	if err := applyReading(rname, r, reader.Reading); err != nil {
		return nil, fmt.Errorf("record: the reader's schema: %w", err)
	}
	for _, t := range []*Type{w, r} {
		if endless(t) {
			return nil, fmt.Errorf("record: a value of %s contains itself", t.InstanceName())
		}
	}
	var c schemaComparison
	for _, opt := range opts {
		if opt != nil {
			opt.applyResolve(&c)
		}
	}
	if found := c.records(w, r); len(found) > 0 {
		return nil, &ResolveError{Writer: cmp.Or(wname, "the writer's record"), Reader: cmp.Or(rname, "the reader's"), Findings: found}
	}
	return translate(w, r)
}

// endless reports whether a type that stands in t without a pointer, slice, map or union around it stands in itself.
func endless(t *Type) bool {
	const open, done = 1, 2
	state := map[*Type]int{}
	var visit func(t *Type) bool
	visit = func(t *Type) bool {
		if state[t] == open {
			return true
		}
		if state[t] != 0 {
			return false
		}
		state[t] = open
		for part := range t.parts() {
			if (t.Kind == KindStruct || t.Kind == KindArray) && visit(part) {
				return true
			}
		}
		state[t] = done
		return false
	}
	// Parts behind pointers are looked at one after the other, each on its own.
	seen := map[*Type]bool{t: true}
	for queue := []*Type{t}; len(queue) > 0; queue = queue[1:] {
		if visit(queue[0]) {
			return true
		}
		for part := range queue[0].parts() {
			if !seen[part] {
				seen[part] = true
				queue = append(queue, part)
			}
		}
	}
	return false
}
