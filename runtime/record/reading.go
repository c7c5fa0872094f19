package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// readingPrinter writes [Schema.Reading].
type readingPrinter struct{ text []byte }

func (p *readingPrinter) field(path func() string, f *Field) {
	if len(f.Aliases) == 0 && !f.HasDefault {
		return
	}
	if len(p.text) > 0 {
		p.text = append(p.text, ';')
	}
	p.text = append(p.text, path()...)
	if len(f.Aliases) > 0 {
		p.text = append(p.text, " alias="+strings.Join(f.Aliases, "|")...)
	}
	if f.HasDefault {
		p.text = strconv.AppendQuoteToASCII(append(p.text, " default="...), f.Default)
	}
}

// record writes the aliases of the record itself, which come first.
func (p *readingPrinter) record(name string, t *Type) error {
	if len(t.Aliases) == 0 {
		return nil
	}
	if name == "" {
		return fmt.Errorf("a record without a name has aliases")
	}
	if err := CheckAliases(t.Aliases); err != nil {
		return err
	}
	p.text = append(p.text, name+" alias="+strings.Join(t.Aliases, "|")...)
	return nil
}

// applyReading sets the aliases and defaults that reading tells in the record type t, whose name is name.
func applyReading(name string, t *Type, reading string) error {
	if reading == "" {
		return nil
	}
	entries, err := parseReading(reading)
	if err != nil {
		return err
	}
	// Paths of fields have a dot behind the name.
	if e, ok := entries[name]; ok {
		if e.HasDefault {
			return fmt.Errorf("a default of the record")
		}
		if err := CheckAliases(e.Aliases); err != nil {
			return err
		}
		t.Aliases = e.Aliases
		delete(entries, name)
	}
	if _, err := printSchema(name, t, func(path func() string, f *Field) {
		if len(entries) == 0 {
			return
		}
		if e, ok := entries[path()]; ok {
			f.Aliases, f.Default, f.HasDefault = e.Aliases, e.Default, e.HasDefault
			delete(entries, path())
		}
	}); err != nil {
		return err
	}
	for path := range entries {
		return fmt.Errorf("aliases and defaults of a field %.100q, which the schema has not", path)
	}
	return checkReading(t, map[*Type]bool{})
}

// checkReading checks aliases and defaults as [CheckNames] and [Tag.Check] do for tags.
func checkReading(t *Type, seen map[*Type]bool) error {
	if t == nil || seen[t] {
		return nil
	}
	seen[t] = true
	if _, err := CheckNames(t.Fields); err != nil {
		return err
	}
	for _, f := range t.Fields {
		if err := (Tag{Default: f.Default, HasDefault: f.HasDefault}).Check(f.Type); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	for part := range t.parts() {
		if err := checkReading(part, seen); err != nil {
			return err
		}
	}
	return nil
}

// parts yields the types that t is made of.
func (t *Type) parts() func(func(*Type) bool) {
	return func(yield func(*Type) bool) {
		if t.Elem != nil && !yield(t.Elem) || t.Key != nil && !yield(t.Key) {
			return
		}
		for _, f := range t.Fields {
			if !yield(f.Type) {
				return
			}
		}
		for _, m := range t.Members {
			if !yield(m) {
				return
			}
		}
	}
}

// parseReading reads the entries of a text, by path.
func parseReading(text string) (map[string]Field, error) {
	entries := map[string]Field{}
	for rest := text; ; {
		bad := func(what string) (map[string]Field, error) {
			return nil, fmt.Errorf("aliases and defaults at byte %d: %s expected", len(text)-len(rest), what)
		}
		path, after, ok := strings.Cut(rest, " ")
		if !ok || path == "" {
			return bad("a field")
		}
		if _, again := entries[path]; again {
			return bad("another field")
		}
		var f Field
		if names, ok := strings.CutPrefix(after, "alias="); ok {
			end := strings.IndexAny(names, " ;")
			if end < 0 {
				end = len(names)
			}
			f.Aliases = strings.Split(names[:end], "|")
			if slices.Contains(f.Aliases, "") {
				return bad("an alias")
			}
			after = strings.TrimPrefix(names[end:], " ")
		}
		if value, ok := strings.CutPrefix(after, "default="); ok {
			quoted, err := strconv.QuotedPrefix(value)
			if err != nil {
				return bad("a default in quotes")
			}
			f.Default, _ = strconv.Unquote(quoted)
			f.HasDefault, after = true, value[len(quoted):]
		}
		if f.Aliases == nil && !f.HasDefault {
			return bad("alias= or default=")
		}
		entries[path] = f
		if after == "" {
			return entries, nil
		}
		if rest, ok = strings.CutPrefix(after, ";"); !ok {
			rest = after
			return bad("; or the end")
		}
	}
}
