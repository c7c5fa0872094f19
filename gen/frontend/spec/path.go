package spec

import (
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// Use is what an option of a writer uses a field for. It speaks of the field in diagnostics.
type Use struct {
	Category string
	Option   string // "key="
	Noun     string // "a key"
	Forms    string // how the option is written
	Always   string // why there can be no pointer on the way
	unnamed  string
}

var (
	asKey       = Use{diag.Key, "key=", "a key", "key=A,B or key=A.B for a field of a field", "a key must always be there", "an empty name among the key fields"}
	asEventTime = Use{diag.Writer, "eventtime=", "an event time", "eventtime=A or eventtime=A.B for a field of a field", "every record needs an event time",
		"an empty name of a field after eventtime="}
)

// Unnamed reports an empty name in a path.
func (use Use) Unnamed(report Reporter) { report(use.Category, use.Forms, "%s", use.unnamed) }

// path follows a dotted path from the record to a field, nil if there is no such field or it is no part of the format. A field whose type
// has been reported already is returned without one, if it is the last, and nothing is said about what follows on one.
func (use Use) path(r *ir.Record, name string, schemaName func(*ir.Field) string, report Reporter) ir.Path {
	var path ir.Path
	t, where := r.Type, r.Name
	for elem := range strings.SplitSeq(name, ".") {
		if elem == "" {
			use.Unnamed(report)
			return nil
		}
		if t == nil {
			return nil
		}
		switch t.Kind {
		case ir.Struct:
		case ir.Pointer:
			report(use.Category, "", "%s is behind the pointer %s, but %s", name, where, use.Always)
			return nil
		default:
			report(use.Category, "", "%s is no struct and has no field %s", where, elem)
			return nil
		}
		i := slices.IndexFunc(t.Fields, func(f *ir.Field) bool { return f.Name == elem && f.Name != "_" })
		if i < 0 && schemaName != nil {
			i = slices.IndexFunc(t.Fields, func(f *ir.Field) bool { return !f.Skip && schemaName(f) == elem })
		}
		if i < 0 {
			report(use.Category, use.suggest(t, path, elem, rest(name, len(path)+1)), "%s has no field %s", where, elem)
			return nil
		}
		f := t.Fields[i]
		path, where = append(path, f), where+"."+f.Name
		if f.Skip {
			report(use.Category, "", `%s is left out of the format by the tag rw:"-", so it cannot be %s`, where, use.Noun)
			return nil
		}
		t = f.Type
	}
	return path
}

// rest returns the elements of a path behind the first n.
func rest(path string, n int) []string { return strings.Split(path, ".")[n:] }

// follow returns the names of the fields that were probably meant by rest, in the struct that is the field name of t, up to the first that is like none.
func follow(t *ir.Type, name string, rest []string) []string {
	var found []string
	for _, elem := range rest {
		i := slices.IndexFunc(t.Fields, func(f *ir.Field) bool { return f.Name == name })
		if i < 0 || t.Fields[i].Type == nil || t.Fields[i].Type.Kind != ir.Struct {
			break
		}
		t = t.Fields[i].Type
		var names []string
		for f := range t.Encoded() {
			names = append(names, f.Name)
		}
		if name = elem; !slices.Contains(names, elem) {
			name = diag.Nearest(elem, names)
		}
		if name == "" {
			break
		}
		found = append(found, name)
	}
	return found
}

// suggest returns the option that was probably meant by elem in the struct t: a field of an embedded struct, which Go would
// promote, or one with a similar name. rest is what follows elem, which goes into the option as far as it means anything.
func (use Use) suggest(t *ir.Type, path ir.Path, elem string, rest []string) string {
	lead := use.Option
	if len(path) > 0 {
		lead += path.String() + "."
	}
	var names []string
	for f := range t.Encoded() {
		names = append(names, f.Name)
		if !f.Embedded || f.Type == nil || f.Type.Kind != ir.Struct {
			continue
		}
		for g := range f.Type.Encoded() {
			if g.Name == elem {
				return lead + f.Name + "." + elem
			}
		}
	}
	if near := diag.Nearest(elem, names); near != "" {
		return lead + strings.Join(append([]string{near}, follow(t, near, rest)...), ".")
	}
	if len(names) > 8 {
		names = append(names[:8], "…")
	}
	return "one of " + strings.Join(names, ", ")
}
