package gosrc

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// writers adds the writers of a record to it.
func (u *unit) writers(r *ir.Record, obj *types.TypeName, b *builder, specs []writerSpec) {
	seen := make(map[string]writerSpec)
	for _, w := range specs {
		if w.flag != "" {
			w.pos, w.at, w.hashAt = r.Pos, r.Pos, r.Pos
		}
		out := &ir.Writer{Name: w.name, Kind: w.kind, Hash: w.hash, Choices: w.choices, Pos: w.pos}
		report := u.reporter(w, w.at)
		if first, ok := seen[w.name]; ok {
			if first.flag != "" || w.flag != "" {
				report(diag.Writer, "another name", "%s has a writer of this name already", r.Name)
			} else {
				report(diag.Writer, "another name", "%s has a writer of this name already", r.Name).
					Related = []diag.Related{{Pos: first.pos, Message: "the first one"}}
			}
			continue
		}
		seen[w.name] = w
		switch w.kind {
		case ir.Keyed:
			out.Keys = u.keys(r, w, report)
			hashable(out, u.reporter(w, w.hashAt))
		case ir.Custom:
			out.Custom = w.value
			out.Fails = u.custom(r, obj, b, w, report)
		}
		r.Writers = append(r.Writers, out)
	}
}

type reporter func(category, hint, format string, args ...any) *diag.Diagnostic

// reporter returns a function that reports what is wrong with a writer at a position.
func (u *unit) reporter(w writerSpec, at token.Position) reporter {
	return func(category, hint, format string, args ...any) *diag.Diagnostic {
		msg := fmt.Sprintf("writer %s: %s", w.name, fmt.Sprintf(format, args...))
		if w.flag != "" {
			msg = fmt.Sprintf("-writer %q: %s", w.flag, fmt.Sprintf(format, args...))
		}
		d := u.diags.Addf(at, category, "%s", msg)
		d.Hint = hint
		return d
	}
}

// keys looks up the key fields of a writer.
func (u *unit) keys(r *ir.Record, w writerSpec, report reporter) []ir.Path {
	var keys []ir.Path
	seen := make(map[string]bool)
	for name := range strings.SplitSeq(w.value, ",") {
		if seen[name] {
			if name != "" { // an empty name has been reported as such
				report(diag.Key, "remove it", "the key field %s stands twice", name)
			}
			continue
		}
		seen[name] = true
		if path := u.keyPath(r, name, report); path != nil {
			keys = append(keys, path)
		}
	}
	return keys
}

// keyPath follows a dotted path from the record to a field, nil if there is no such field or it cannot be a key. Nothing is said
// about fields whose types have been reported already.
func (u *unit) keyPath(r *ir.Record, name string, report reporter) ir.Path {
	var path ir.Path
	t, where := r.Type, r.Name
	for elem := range strings.SplitSeq(name, ".") {
		if elem == "" {
			report(diag.Key, "key=A,B or key=A.B for a field of a field", "an empty name among the key fields")
			return nil
		}
		switch t.Kind {
		case ir.Struct:
		case ir.Pointer:
			report(diag.Key, "", "%s is behind the pointer %s, but a key must always be there", name, where)
			return nil
		default:
			report(diag.Key, "", "%s is no struct and has no field %s", where, elem)
			return nil
		}
		i := slices.IndexFunc(t.Fields, func(f *ir.Field) bool { return f.Name == elem && f.Name != "_" })
		if i < 0 {
			report(diag.Key, suggestField(t, path, elem), "%s has no field %s", where, elem)
			return nil
		}
		f := t.Fields[i]
		path, where = append(path, f), where+"."+elem
		if f.Skip {
			report(diag.Key, "", `%s is left out of the format by the tag rw:"-", so it cannot be a key`, where)
			return nil
		}
		if f.Type == nil {
			return nil
		}
		t = f.Type
	}
	if why := notKey(t); why != "" {
		report(diag.Key, "a field of a basic type, string, []byte or time.Time, or a struct or array of these",
			"%s cannot be a key: %s", where, why)
		return nil
	}
	return path
}

// suggestField returns the key that was probably meant by elem in the struct t: a field of an embedded struct, which Go would
// promote, or one with a similar name.
func suggestField(t *ir.Type, path ir.Path, elem string) string {
	lead := "key="
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
		return lead + near
	}
	if len(names) > 8 {
		names = append(names[:8], "…")
	}
	return "one of " + strings.Join(names, ", ")
}

// notKey says why a type cannot be a key, "" if it can.
func notKey(t *ir.Type) string {
	parts := 0
	why := keyParts(t, &parts)
	if why == "" && parts == 0 {
		return "it is always empty"
	}
	return why
}

func keyParts(t *ir.Type, parts *int) string {
	if t == nil { // reported already
		*parts++
		return ""
	}
	switch t.Kind {
	case ir.Pointer:
		return "it is or contains a pointer"
	case ir.Slice:
		return "it is or contains a slice other than []byte"
	case ir.Map:
		return "it is or contains a map"
	case ir.Complex64, ir.Complex128:
		return "it is or contains a complex number"
	case ir.Array:
		if t.Len == 0 {
			return ""
		}
		return keyParts(t.Elem, parts)
	case ir.Struct:
		for f := range t.Encoded() {
			if why := keyParts(f.Type, parts); why != "" {
				return why
			}
		}
		return ""
	}
	*parts++
	return ""
}
