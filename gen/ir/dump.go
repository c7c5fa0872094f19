package ir

import (
	"fmt"
	"strings"
)

// Dump returns a description of a package for people and for tests: one line per file, record, writer and field. Named struct
// types are spelled out where they appear first.
func Dump(p *Package) string {
	d := &dumper{seen: make(map[*Type]bool)}
	d.line(0, "package %s %q", p.Name, p.Path)
	d.line(1, "scope %s", strings.Join(p.Scope, " "))
	for _, f := range p.Files {
		test := ""
		if f.Test {
			test = " test"
		}
		d.line(1, "file %s from %s%s%s", f.Output, f.Source, orNone(" if ", f.Constraint), test)
		for _, r := range f.Records {
			format := ""
			if r.Format != Native {
				format = orNone(" ", strings.TrimSpace(r.Format.String()+" "+r.Called))
			}
			d.line(2, "record %s%s%s%s%s", r.Name, format, orNone(" with=", r.With.String()), orNone(" alias=", strings.Join(r.Aliases, "|")), quoted(r.Doc))
			if r.Format.Calls() {
				d.line(3, "%s", typeString(r.Type))
			}
			d.fields(3, r.Type)
			for _, w := range r.Writers {
				d.writer(3, w)
			}
		}
	}
	return d.String()
}

type dumper struct {
	strings.Builder
	seen map[*Type]bool
}

func (d *dumper) line(indent int, format string, args ...any) {
	fmt.Fprintf(d, "%s%s\n", strings.Repeat("\t", indent), fmt.Sprintf(format, args...))
}

// writer adds a writer as in the directive, and what the frontend has found out about its function.
func (d *dumper) writer(indent int, w *Writer) {
	words := []string{"writer", w.Name, w.Kind.String()}
	switch {
	case w.Kind == Custom:
		words[2] += "=" + w.Custom
	case len(w.Keys) > 0:
		keys := make([]string, len(w.Keys))
		for i, k := range w.Keys {
			keys[i] = k.String()
		}
		words[2] += "=" + strings.Join(keys, ",")
	}
	if w.Hash != XXH3 {
		words = append(words, "hash="+w.Hash.String())
	}
	if w.Choices > 0 {
		words = append(words, fmt.Sprint("choices=", w.Choices))
	}
	if w.EventTime != nil {
		words = append(words, w.EventTime.String())
	}
	if w.Fails {
		words = append(words, "with error")
	}
	d.line(indent, "%s", strings.Join(words, " "))
}

func (d *dumper) fields(indent int, t *Type) {
	d.seen[t] = true
	for _, f := range t.Fields {
		words := []string{f.Name}
		if f.Embedded {
			words = append(words, "embedded")
		}
		words = append(words, f.Options()...)
		if f.Skip {
			words = append(words, "-")
		} else {
			words = append(words, typeString(f.Type))
		}
		d.line(indent, "%s%s", strings.Join(words, " "), quoted(f.Doc))
		if !f.Skip {
			d.structs(indent+1, f.Type)
		}
	}
}

// structs spells out the structs that a field's type is made of.
func (d *dumper) structs(indent int, t *Type) {
	if t == nil || d.seen[t] {
		return
	}
	switch t.Kind {
	case Struct:
		d.fields(indent, t)
	case Union:
		d.seen[t] = true
		for i, m := range t.Members {
			d.line(indent, "%d: %s", i+1, typeString(m))
			d.structs(indent+1, m)
		}
	default:
		d.structs(indent, t.Key)
		d.structs(indent, t.Elem)
	}
}

// typeString returns the type in the notation of the schema text, with the Go name of named types in front of their form.
func typeString(t *Type) string {
	if t == nil {
		return "?"
	}
	if t.Name == nil {
		return form(t)
	}
	s := t.Name.Name
	if !t.Name.Local {
		s = t.Name.PkgName + "." + s
	}
	if t.Name.Declared != "" {
		s += " alias of " + t.Name.Declared
	}
	if len(t.Name.Args) > 0 {
		args := make([]string, len(t.Name.Args))
		for i, a := range t.Name.Args {
			args[i] = typeString(a)
		}
		s += "[" + strings.Join(args, ",") + "]"
	}
	if t.Recursive {
		s += " recursive"
	}
	if t.Kind == Opaque {
		return s
	}
	return s + "=" + form(t)
}

func form(t *Type) string {
	switch t.Kind {
	case Pointer, Slice:
		return t.Kind.String() + elem(t.Elem)
	case Array:
		return fmt.Sprintf("[%d]%s", t.Len, elem(t.Elem))
	case Map:
		return "map[" + elem(t.Key) + "]" + elem(t.Elem)
	case Struct:
		return fmt.Sprintf("struct(%d)", t.GoSize)
	case Union:
		return fmt.Sprintf("union(%d)", len(t.Members))
	case Codec:
		if t.Codec.Form == Registered {
			return "codec(" + t.Codec.Registered.Name + ")"
		}
		return t.Codec.Form.String()
	}
	return t.Kind.String()
}

// Options returns what the tag of an encoded field says, in a fixed order and each as it would be written, but without quotes.
func (f *Field) Options() []string {
	var list []string
	add := func(is bool, option string) {
		if is {
			list = append(list, option)
		}
	}
	add(f.Wire != "", "name="+f.Wire)
	add(len(f.Aliases) > 0, "alias="+strings.Join(f.Aliases, "|"))
	add(f.HasDefault, "default="+f.Default)
	add(f.Varint, "varint")
	add(f.UnixNano, "unixnano")
	add(f.Max > 0, fmt.Sprint("max=", f.Max))
	add(f.UTF8, "utf8")
	add(f.Sorted, "sorted")
	add(f.Intern, "intern")
	add(f.View, "view")
	return list
}

// elem is typeString with named structs by their names only.
func elem(t *Type) string {
	s := typeString(t)
	if t != nil && t.Name != nil {
		s, _, _ = strings.Cut(s, "=")
	}
	return s
}

func orNone(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func quoted(doc string) string {
	if doc == "" {
		return ""
	}
	return fmt.Sprintf(" %q", doc)
}
