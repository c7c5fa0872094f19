package spec

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// Resolver looks up what the writers of records name.
type Resolver struct {
	// Diags takes what is wrong.
	Diags *diag.List
	// SchemaName returns another name that a field goes by, "" if it has none; nil if no field has one. A field's Go name comes first.
	SchemaName func(*ir.Field) string
	// Path, unless it is nil, follows a dotted path to a field, for records whose Type does not have their fields. It returns nil for what it has reported.
	Path func(r *ir.Record, use Use, name string, report Reporter) ir.Path
	// Type returns the Go expression of a record's type, for messages; nil stands for the record's name.
	Type func(*ir.Record) string
	// Custom checks the function of a writer with custom=, and returns whether it has an error as a second result. Nil stands for a function that nobody can check, which has
	// none.
	Custom func(r *ir.Record, name string, report Reporter) (fails bool)
	// Punctuation checks the function of watermark=punctuated. Nil as for Custom.
	Punctuation func(r *ir.Record, name string, report Reporter) bool
}

// Reporter reports what is wrong with a writer.
type Reporter func(category, hint, format string, args ...any) *diag.Diagnostic

// Resolve adds the writers to a record whose type is complete. Of a field without a type it assumes that this has been reported.
func (v Resolver) Resolve(r *ir.Record, writers []Writer) {
	seen := make(map[string]Writer)
	for _, w := range writers {
		if w.Flag != "" {
			w.Pos, w.At, w.HashAt = r.Pos, r.Pos, r.Pos
			w.EventTime.At, w.EventTime.MarkAt = r.Pos, r.Pos
		}
		out := &ir.Writer{Name: w.Name, Kind: w.Kind, Hash: w.Hash, Choices: w.Choices, Pos: w.Pos}
		report := v.reporter(w, w.At)
		if first, ok := seen[w.Name]; ok {
			if first.Flag != "" || w.Flag != "" {
				report(diag.Writer, "another name", "%s has a writer of this name already", r.Name)
			} else {
				report(diag.Writer, "another name", "%s has a writer of this name already", r.Name).
					Related = []diag.Related{{Pos: first.Pos, Message: "the first one"}}
			}
			continue
		}
		seen[w.Name] = w
		switch w.Kind {
		case ir.Keyed:
			out.Keys = v.keys(r, w, report)
			hashable(out, v.reporter(w, w.HashAt))
		case ir.Custom:
			out.Custom = w.Value
			out.Fails = v.custom(r, w.Value, report)
		}
		if w.EventTime.Given {
			out.EventTime = v.eventTime(r, w)
		}
		r.Writers = append(r.Writers, out)
	}
}

// reporter returns a function that reports what is wrong with a writer at a position.
func (v Resolver) reporter(w Writer, at token.Position) Reporter {
	return func(category, hint, format string, args ...any) *diag.Diagnostic {
		msg := fmt.Sprintf("writer %s: %s", w.Name, fmt.Sprintf(format, args...))
		if w.Flag != "" {
			msg = fmt.Sprintf("-writer %q: %s", w.Flag, fmt.Sprintf(format, args...))
		}
		d := v.Diags.Addf(at, category, "%s", msg)
		d.Hint = hint
		return d
	}
}

// typeOf returns the record's type for messages.
func (v Resolver) typeOf(r *ir.Record) string {
	if v.Type == nil {
		return r.Name
	}
	return v.Type(r)
}

// custom checks the function of a writer, and returns whether it returns an error as well.
func (v Resolver) custom(r *ir.Record, name string, report Reporter) (fails bool) {
	if token.IsIdentifier(name) {
		return v.Custom != nil && v.Custom(r, name, report)
	}
	typ := v.typeOf(r)
	what, hint := "no name of a function", fmt.Sprintf("custom=Func with func Func(v *%s, channels int) int, or (int, error)", typ)
	if v.Custom == nil {
		hint = fmt.Sprintf("custom=Func with func Func(v *%s, channels int) int", typ)
	}
	if pkg, fn, ok := strings.Cut(name, "."); ok && token.IsIdentifier(fn) {
		what = "no function of this package, and only such a function can be the selection"
		own := strings.ToLower(fn[:1]) + fn[1:]
		hint = fmt.Sprintf("custom=%s with func %s(v *%s, channels int) int { return %s.%s(v, channels) }", own, own, typ, pkg, fn)
	}
	report(diag.Writer, hint, "%s is %s", name, what)
	return false
}

// path follows a dotted path to a field.
func (v Resolver) path(r *ir.Record, use Use, name string, report Reporter) ir.Path {
	if v.Path != nil {
		return v.Path(r, use, name, report)
	}
	return use.path(r, name, v.SchemaName, report)
}

// keys looks up the key fields of a writer.
func (v Resolver) keys(r *ir.Record, w Writer, report Reporter) []ir.Path {
	var keys []ir.Path
	seen := make(map[string]bool)
	for name := range strings.SplitSeq(w.Value, ",") {
		path := ir.Path(nil)
		if !seen[name] {
			if path = v.keyPath(r, name, report); path != nil && path.String() != name {
				seen[name], name = true, path.String() // a field by another of its names
			}
		}
		if seen[name] {
			if name != "" { // an empty name has been reported as such
				report(diag.Key, "remove it", "the key field %s stands twice", name)
			}
			continue
		}
		seen[name] = true
		if path != nil {
			keys = append(keys, path)
		}
	}
	return keys
}

// keyPath returns the path to a key field, nil if there is no such field or it cannot be a key. Nothing is said about fields whose types have been reported already.
func (v Resolver) keyPath(r *ir.Record, name string, report Reporter) ir.Path {
	path := v.path(r, asKey, name, report)
	if path == nil || path.Leaf().Type == nil {
		return nil
	}
	if why := notKey(path.Leaf().Type); why != "" {
		hint := "a field of a basic type, string, []byte or time.Time, or a struct or array of these"
		if v.SchemaName != nil {
			// The Go type follows from the schema: what can be changed is that, or the writer.
			hint = "custom=Func, or another field"
			if path.Leaf().Type.Kind == ir.Codec { // of a logical type
				hint = "custom=Func, or the type string without logicalType"
			}
		}
		report(diag.Key, hint,
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
