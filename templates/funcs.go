package templates

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"github.com/rwgen/rwgen/gen/names"
	"github.com/rwgen/rwgen/templates/model"
)

// stubs returns the functions for parsing: those that belong to an execution do nothing.
func stubs() template.FuncMap { return (&execution{}).funcs() }

// funcs returns the functions of an execution. MODEL.md documents them; a test compares the two.
func (x *execution) funcs() template.FuncMap {
	return template.FuncMap{
		"lower": strings.ToLower, "upper": strings.ToUpper, "title": names.Upper, "snake": snake, "camel": camel, "pascal": pascal,
		"trim": strings.TrimSpace, "trimSuffix": trimSuffix, "replace": replace, "join": join, "split": split, "indent": indent, "comment": comment,
		"list": func(v ...any) []any { return v }, "dict": dict,
		"markdown": markdown, "code": code, "quote": strconv.Quote, "json": jsonText, "add": func(a, b int) int { return a + b },
		"contains": strings.Contains, "hasPrefix": strings.HasPrefix, "hasSuffix": strings.HasSuffix,
		"fail":   func(message string) (string, error) { return "", errors.New(message) },
		"goType": x.goType, "import": x.importName, "local": x.local, "declare": x.declare,
		"print": bounded(fmt.Sprint), "println": bounded(fmt.Sprintln), "printf": boundedf,
		stepName: x.step,
	}
}

// words splits a name where a word begins: at an underscore or another sign, at a capital after a small letter or a digit, and at the last capital of several
// before a small letter.
func words(name string) []string {
	var list []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			list = append(list, string(word))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !plural(runes[i+1:])):
			end()
		}
		word = append(word, r)
	}
	end()
	return list
}

// plural says that what follows capitals is only their plural, as in IDs.
func plural(rest []rune) bool {
	return rest[0] == 's' && (len(rest) == 1 || !unicode.IsLower(rest[1]))
}

// snake turns FlightID into flight_id.
func snake(name string) string { return strings.ToLower(strings.Join(words(name), "_")) }

// camel turns flight_id and FlightID into flightId.
func camel(name string) string {
	p := []rune(pascal(name))
	if len(p) > 0 {
		p[0] = unicode.ToLower(p[0])
	}
	return string(p)
}

// pascal turns flight_id and FlightID into FlightId.
func pascal(name string) string {
	var b strings.Builder
	for _, w := range words(name) {
		r := []rune(strings.ToLower(w))
		r[0] = unicode.ToUpper(r[0])
		b.WriteString(string(r))
	}
	return b.String()
}

// replace replaces all of old in s, which comes last so that it can come through a pipe.
func replace(old, fresh, s string) (string, error) {
	if n := strings.Count(s, old); len(s)+n*(len(fresh)-len(old)) > MaxOutput {
		return "", fmt.Errorf("a string with %d replacements: %w", n, ErrLimit)
	}
	return strings.ReplaceAll(s, old, fresh), nil
}

// trimSuffix returns s without the suffix, if it has it.
func trimSuffix(suffix, s string) string { return strings.TrimSuffix(s, suffix) }

// join joins the strings of a list.
func join(sep string, list []string) (string, error) {
	n := len(sep) * len(list)
	for _, s := range list {
		n += len(s)
	}
	if n > MaxOutput {
		return "", fmt.Errorf("a string of %d bytes: %w", n, ErrLimit)
	}
	return strings.Join(list, sep), nil
}

// split returns the parts of s between separators; none of an empty s.
func split(sep, s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, sep)
}

// dict returns a map of keys, which are strings, and values, in turn.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("dict: %d arguments, where each key needs a value", len(pairs))
	}
	m := make(map[string]any)
	for i := 0; i < len(pairs); i += 2 {
		key, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("dict: the key %v is no string", pairs[i])
		}
		m[key] = pairs[i+1]
	}
	return m, nil
}

// indent puts a prefix before each line that is not empty.
func indent(prefix, s string) (string, error) {
	lines := strings.Split(s, "\n")
	if len(s)+len(prefix)*len(lines) > MaxOutput {
		return "", fmt.Errorf("%d lines with an indentation of %d bytes: %w", len(lines), len(prefix), ErrLimit)
	}
	for i, l := range lines {
		if l != "" {
			lines[i] = prefix + l
		}
	}
	return strings.Join(lines, "\n"), nil
}

// comment makes comment lines of a text, each with the prefix and a space. Nothing comes of nothing.
func comment(prefix, text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", nil
	}
	lines := strings.Split(text, "\n")
	if len(text)+(len(prefix)+1)*len(lines) > MaxOutput {
		return "", fmt.Errorf("a comment of %d lines: %w", len(lines), ErrLimit)
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(prefix+" "+strings.TrimRight(l, " \t\r"), " ")
	}
	return strings.Join(lines, "\n"), nil
}

// markdown escapes a text for one line of Markdown, also in a cell of a table. Lines are joined.
func markdown(text string) (string, error) {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return sized(b.String())
}

// code returns a text as code in a line of Markdown, also in a cell of a table. Lines are joined.
func code(text string) (string, error) {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	if text == "" {
		return "", nil
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		text = " " + text + " "
	}
	return sized(fence + text + fence)
}

// jsonText returns v in JSON. What refers to itself, as recursive types do, has none.
func jsonText(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return sized(string(b))
}

// goType returns the Go expression of a type, a field or a record, and imports what it needs.
func (x *execution) goType(v any) (string, error) {
	var t *model.Type
	switch v := v.(type) {
	case *model.Type:
		t = v
	case *model.Field:
		t = v.Type
	case *model.Record:
		t = v.Type
	default:
		return "", fmt.Errorf("goType of a %T, not of a type, a field or a record", v)
	}
	switch {
	case t == nil:
		return "", errors.New("goType of a type that is nil")
	case !model.Spelled(t):
		return "", fmt.Errorf("%s cannot be written as an expression: some of its fields are not known", t.GoType)
	}
	return model.Expr(t, x.importName), nil
}

// importName imports a package and returns the name that it has in the output.
func (x *execution) importName(path string) string {
	if x.names == nil {
		return ""
	}
	return x.imported(path)
}

// local returns name, or name with a number, for a variable or a parameter: no import of the output has it, and nothing in the package.
func (x *execution) local(name string) (string, error) {
	if !token.IsIdentifier(name) {
		return "", fmt.Errorf("local: %q is no identifier", name)
	}
	return x.imports.Pick(name), nil
}

// declare returns name, or name with a number, for something that the output declares in the package, and makes it taken.
func (x *execution) declare(name string) (string, error) {
	if !token.IsIdentifier(name) {
		return "", fmt.Errorf("declare: %q is no identifier", name)
	}
	picked := x.names.declared.Pick(name)
	for x.imports.Taken(picked) { // a local name of this output
		picked = x.names.declared.Pick(name)
	}
	x.imports.Reserve(picked)
	x.names.given = append(x.names.given, picked)
	return picked, nil
}
