package gosrc

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// writers adds the writers of a record to it.
func (u *unit) writers(r *ir.Record, t types.Type, decl *typeDecl, b *builder, specs []writerSpec) {
	seen := make(map[string]writerSpec)
	for _, w := range specs {
		if w.flag != "" {
			w.pos, w.at, w.hashAt = r.Pos, r.Pos, r.Pos
			w.eventTime.at, w.eventTime.markAt = r.Pos, r.Pos
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
			out.Keys = u.keys(r, t, decl, b, w, report)
			hashable(out, u.reporter(w, w.hashAt))
		case ir.Custom:
			out.Custom = w.value
			out.Fails = u.custom(r, t, decl, b, w, report)
		}
		if w.eventTime.given {
			out.EventTime = u.eventTime(r, t, decl, b, w)
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
func (u *unit) keys(r *ir.Record, t types.Type, decl *typeDecl, b *builder, w writerSpec, report reporter) []ir.Path {
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
		if path := u.keyPath(r, t, decl, b, name, report); path != nil {
			keys = append(keys, path)
		}
	}
	return keys
}

// keyPath returns the path to a key field, nil if there is no such field or it cannot be a key. Nothing is said about fields whose types have been reported already.
func (u *unit) keyPath(r *ir.Record, t types.Type, decl *typeDecl, b *builder, name string, report reporter) ir.Path {
	path := b.path(asKey, r, t, decl, name, report)
	if path == nil || path.Leaf().Type == nil {
		return nil
	}
	if why := notKey(path.Leaf().Type); why != "" {
		report(diag.Key, "a field of a basic type, string, []byte or time.Time, or a struct or array of these",
			"%s.%s cannot be a key: %s", r.Name, path, why)
		return nil
	}
	return path
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
	case ir.Union:
		return "it is or contains a union"
	case ir.Codec:
		name := t.Name.Name
		if !t.Name.Local {
			name = t.Name.PkgName + "." + name
		}
		return fmt.Sprintf("it is or contains the type %s, which has an encoding of its own", name)
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
