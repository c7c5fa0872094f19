package config

import (
	"errors"
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/rwgen/rwgen/gen/diag"
)

// maxSize is the largest file that is read, in bytes.
const maxSize = 1 << 20

// where remembers the positions of a mapping and of the values of its keys.
type where struct {
	pos  token.Position
	keys map[string]token.Position
}

func (w *where) setWhere(to where) { *w = to }

// at returns the position of the value of a key, that of the mapping if it is not there.
func (w *where) at(key string) token.Position {
	if pos, ok := w.keys[key]; ok {
		return pos
	}
	return w.pos
}

// itemKey is the key for the position of an item of a list, which no key of a document is.
func itemKey(key string, i int) string { return fmt.Sprintf("%s[%d]", key, i) }

// key is a key of a mapping.
type key struct {
	name     string
	required bool
	doc      string
	index    int // of the field
	typ      reflect.Type
}

// keysOf returns the keys of a struct of the document.
func keysOf(t reflect.Type) []key {
	var keys []key
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("key")
		if !ok {
			continue
		}
		name, required := strings.CutSuffix(tag, ",required")
		keys = append(keys, key{name, required, f.Tag.Get("doc"), i, f.Type})
	}
	return keys
}

// decoder reads a document. It goes on after a fault.
type decoder struct {
	name  string
	lines []string
	diags diag.List
}

// decode reads content into the document doc.
func decode(content []byte, name string, doc *document) diag.List {
	d := &decoder{name: name, lines: strings.Split(string(content), "\n")}
	switch {
	case len(content) > maxSize:
		d.diags.Addf(token.Position{Filename: name}, diag.Config, "the file has %d bytes, more than %d", len(content), maxSize)
		return d.diags
	case !utf8.Valid(content):
		line := strings.Count(string(content[:len(content)-len(afterInvalid(content))]), "\n") + 1
		d.diags.Addf(token.Position{Filename: name, Line: line, Column: 1}, diag.Config, "the file is not UTF-8")
		return d.diags
	}
	var root yaml.Node
	err := yaml.Load(content, &root)
	var fault *yaml.LoadError
	switch {
	case len(root.Content) == 0 && strings.TrimSpace(uncommented(d.lines)) == "":
		d.diags.Addf(token.Position{Filename: name, Line: 1, Column: 1}, diag.Config, "the file is empty").Hint = "rwgen init -config writes one to start from"
	case err != nil && len(root.Content) > 0:
		d.diags.Addf(token.Position{Filename: name}, diag.Config, "the file has several documents").Hint = "a file for each, and -config"
	case errors.As(err, &fault):
		mark := fault.Mark
		if mark.Line == 0 {
			mark = fault.ContextMark
		}
		pos := d.at(mark.Line, mark.Column)
		message := fault.Message
		if fault.ContextMsg != "" {
			message += " " + fault.ContextMsg
		}
		hint := ""
		if line := mark.Line; line >= 1 && line <= len(d.lines) && strings.HasPrefix(strings.TrimLeft(d.lines[line-1], " "), "\t") {
			hint = "spaces in place of the tab: YAML takes no tabs at the beginning of a line"
		}
		d.diags.Addf(pos, diag.Config, "no YAML: %s", message).Hint = hint
	case err != nil:
		d.diags.Addf(token.Position{Filename: name}, diag.Config, "no YAML: %v", err)
	default:
		d.value(root.Content[0], "", reflect.ValueOf(doc).Elem())
	}
	return d.diags
}

// afterInvalid returns what begins with the first byte that is not UTF-8.
func afterInvalid(b []byte) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			break
		}
		b = b[n:]
	}
	return b
}

// uncommented returns the lines without those that are comments.
func uncommented(lines []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "#") }), "")
}

// position returns the position of a node.
func (d *decoder) position(n *yaml.Node) token.Position { return d.at(n.Line, n.Column) }

// at returns the position of a column in characters. Columns of diagnostics count bytes. Where YAML sees more lines than others do, which takes characters
// such as U+2028 for ends of lines, the position is the end of the file.
func (d *decoder) at(line, column int) token.Position {
	if line > len(d.lines) {
		line, column = len(d.lines), maxSize
	}
	pos := token.Position{Filename: d.name, Line: line}
	if line < 1 {
		return pos
	}
	pos.Column = len(d.lines[line-1]) + 1
	for i := range d.lines[line-1] {
		if column--; column < 1 {
			pos.Column = i + 1
			break
		}
	}
	return pos
}

// fail reports a fault at a node; path is that of the value, empty for the file.
func (d *decoder) fail(n *yaml.Node, path, hint, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if path != "" {
		message = path + ": " + message
	}
	d.diags.Addf(d.position(n), diag.Config, "%s", message).Hint = hint
}

// value reads a node into v.
func (d *decoder) value(n *yaml.Node, path string, v reflect.Value) {
	switch {
	case n.Kind == yaml.AliasNode:
		d.fail(n, path, "write it out", "aliases are not supported")
		return
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null":
		d.fail(n, path, "give it one, or remove the key", "there is no value, but %s is wanted", wanted(v.Type()))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, path, v.Elem())
	case reflect.Struct:
		d.mapping(n, path, v)
	case reflect.Slice:
		d.list(n, path, v)
	default:
		d.scalar(n, path, v)
	}
}

// wanted says what a value of a type is.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.Struct:
		return "a mapping"
	case reflect.Slice:
		return "a list"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a number"
	}
	return "a string"
}

// given says what a node is.
func given(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!str":
		return fmt.Sprintf("the string %q", clip(n.Value))
	case "!!int", "!!float":
		return "the number " + clip(n.Value)
	case "!!timestamp":
		return "the date " + clip(n.Value)
	}
	return clip(n.Value)
}

func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func (d *decoder) list(n *yaml.Node, path string, v reflect.Value) {
	if n.Kind != yaml.SequenceNode {
		hint := ""
		if n.Kind == yaml.ScalarNode && v.Type().Elem().Kind() == reflect.String {
			hint = "[" + clip(n.Value) + "]"
		}
		if n.Kind == yaml.MappingNode && v.Type().Elem().Kind() == reflect.Struct {
			hint = "a dash in front of the first key"
		}
		d.fail(n, path, hint, "want a list, not %s", given(n))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		d.value(item, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
	}
}

func (d *decoder) mapping(n *yaml.Node, path string, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "", "want a mapping, not %s", given(n))
		return
	}
	keys := keysOf(v.Type())
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	w := where{pos: d.position(n), keys: make(map[string]token.Position)}
	first := make(map[string]*yaml.Node)
	meant := make(map[string]bool) // keys that are misspelt
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, value := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode {
			d.fail(k, path, "", "a key is a word, not %s", given(k))
			continue
		}
		at := slices.Index(names, k.Value)
		switch {
		case k.Value == "<<" && k.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0:
			d.fail(k, path, "write the keys out", "merge keys are not supported")
		case at < 0:
			hint := diag.Nearest(k.Value, names)
			meant[hint] = true
			if hint == "" {
				hint = "one of " + strings.Join(names, ", ")
			}
			d.fail(k, path, hint, "unknown key %q", clip(k.Value))
		case first[k.Value] != nil:
			d.fail(k, path, "remove one of them", "the key %q is there twice", k.Value)
			d.diags[len(d.diags)-1].Related = []diag.Related{{Pos: d.position(first[k.Value]), Message: "the first one"}}
		default:
			first[k.Value] = k
			w.keys[k.Value] = d.position(value)
			if value.Kind == yaml.SequenceNode {
				for i, item := range value.Content {
					w.keys[itemKey(k.Value, i)] = d.position(item)
				}
			}
			inner := k.Value
			if path != "" {
				inner = path + "." + inner
			}
			d.value(value, inner, v.Field(keys[at].index))
		}
	}
	for _, k := range keys {
		if k.required && first[k.name] == nil && !meant[k.name] {
			hint := ""
			if v, ok := reflect.Zero(k.typ).Interface().(version); ok && v != Version {
				hint = fmt.Sprintf("%s: %d", k.name, Version)
			}
			d.fail(n, path, hint, "the key %q is missing", k.name)
		}
	}
	v.Addr().Interface().(interface{ setWhere(where) }).setWhere(w)
}

func (d *decoder) scalar(n *yaml.Node, path string, v reflect.Value) {
	mismatch := func(hint string) { d.fail(n, path, hint, "want %s, not %s", wanted(v.Type()), given(n)) }
	if n.Kind != yaml.ScalarNode {
		mismatch("")
		return
	}
	switch tag := n.ShortTag(); v.Kind() {
	case reflect.Bool:
		if tag != "!!bool" {
			mismatch(map[string]string{"yes": "true", "on": "true", "y": "true", "1": "true", "no": "false", "off": "false", "n": "false", "0": "false"}[strings.ToLower(n.Value)])
			return
		}
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case reflect.Int:
		i, err := strconv.Atoi(n.Value)
		if tag != "!!int" || err != nil {
			mismatch("")
			return
		}
		v.SetInt(int64(i))
	default:
		if tag != "!!str" {
			mismatch(strconv.Quote(clip(n.Value)))
			return
		}
		v.SetString(n.Value)
	}
	if c, ok := v.Interface().(checker); ok {
		if problem, hint := c.check(); problem != "" {
			d.fail(n, path, hint, "%s", problem)
		}
	}
}
