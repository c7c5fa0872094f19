package avro

import (
	"encoding/json"
	"fmt"
	"go/token"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rwgen/rwgen/gen/diag"
)

// The limits of a schema file. They are far beyond what people and tools write, and keep hostile files from taking more than moments.
const (
	mostBytes   = 4 << 20
	mostNesting = 256 // of arrays and objects in JSON
)

// kind is a type of JSON.
type kind int

const (
	nullValue kind = iota
	boolValue
	numberValue
	stringValue
	arrayValue
	objectValue
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}

func (k kind) String() string { return kindNames[k] }

// value is a value of JSON with its place.
type value struct {
	kind    kind
	at      int    // offset in the file
	text    string // of a string what it stands for; of a number, true and false as written
	items   []*value
	members []member
	file    *file
}

// member is a name and a value of an object.
type member struct {
	name string
	at   int
	*value
}

// get returns the value of a member, nil if there is none.
func (v *value) get(name string) *value {
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// pos returns where the value stands.
func (v *value) pos() token.Position { return v.file.position(v.at) }

// file is a schema file that is being read.
type file struct {
	name  string
	src   string
	lines []int // offsets at which lines begin
}

func newFile(name string, content []byte) *file {
	f := &file{name: name, src: string(content), lines: []int{0}}
	for i, c := range content {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// position returns the line and the column of an offset, in bytes and from 1.
func (f *file) position(offset int) token.Position {
	line := sort.SearchInts(f.lines, offset+1)
	return token.Position{Filename: f.name, Offset: offset, Line: line, Column: offset - f.lines[line-1] + 1}
}

// parser reads JSON as the tools of Avro do: with comments.
type parser struct {
	*file
	diags *diag.List
	at    int
	depth int
}

// stop is the panic that ends a parser after its first syntax error, which has been reported.
type stop struct{}

// parse returns the value that a file holds, nil if it is no JSON. What is wrong is reported.
func parse(f *file, diags *diag.List) (v *value) {
	p := &parser{file: f, diags: diags}
	if len(f.src) > mostBytes {
		diags.Addf(token.Position{Filename: f.name}, diag.Schema, "the file has %d bytes, more than %d", len(f.src), mostBytes).Hint = "several files"
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stop); !ok {
				panic(r)
			}
			v = nil
		}
	}()
	p.at = len(f.src) - len(strings.TrimPrefix(f.src, "\ufeff"))
	p.space()
	if p.at == len(f.src) {
		p.fail(p.at, `{"type": "record", "name": …, "fields": […]}`, "the file is empty")
	}
	v = p.value()
	if p.space(); p.at < len(p.src) {
		p.fail(p.at, "a file has one schema; several types are a list, [ … , … ]", "unexpected %s after the schema", p.here())
	}
	return v
}

func (p *parser) fail(at int, hint, format string, args ...any) {
	p.report(at, hint, format, args...)
	panic(stop{})
}

func (p *parser) report(at int, hint, format string, args ...any) {
	p.diags.Addf(p.position(at), diag.Syntax, format, args...).Hint = hint
}

// here describes what stands at the position, for messages.
func (p *parser) here() string {
	if p.at >= len(p.src) {
		return "end of the file"
	}
	r, size := utf8.DecodeRuneInString(p.src[p.at:])
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf("byte %#x", p.src[p.at])
	}
	return fmt.Sprintf("%q", r)
}

// space skips white space and comments.
func (p *parser) space() {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.at++
		case strings.HasPrefix(p.src[p.at:], "//"):
			end := strings.IndexByte(p.src[p.at:], '\n')
			if end < 0 {
				end = len(p.src) - p.at
			}
			p.at += end
		case strings.HasPrefix(p.src[p.at:], "/*"):
			end := strings.Index(p.src[p.at+2:], "*/")
			if end < 0 {
				p.fail(p.at, "*/", "the comment has no end")
			}
			p.at += end + 4
		default:
			return
		}
	}
}

func (p *parser) value() *value {
	v := &value{at: p.at, file: p.file}
	if p.at == len(p.src) {
		p.fail(p.at, "", "unexpected end of the file: a value is missing")
	}
	switch c := p.src[p.at]; {
	case c == '{':
		v.kind = objectValue
		p.nested(func() { p.members(v) })
	case c == '[':
		v.kind = arrayValue
		p.nested(func() { p.items(v) })
	case c == '"':
		v.kind, v.text = stringValue, p.string()
	case c == '-' || '0' <= c && c <= '9':
		v.kind, v.text = numberValue, p.number()
	default:
		p.word(v)
	}
	return v
}

// nested reads what is in brackets, of which the first has not been read.
func (p *parser) nested(read func()) {
	if p.depth == mostNesting {
		p.fail(p.at, "", "the schema is nested more than %d levels deep", mostNesting)
	}
	p.depth++
	p.at++
	p.space()
	read()
	p.at++
	p.depth--
}

// next reads the comma after an element of a list, and returns false at the end of the list.
func (p *parser) next(end byte, what string) bool {
	p.space()
	switch {
	case p.at < len(p.src) && p.src[p.at] == end:
		return false
	case p.at < len(p.src) && p.src[p.at] == ',':
		comma := p.at
		p.at++
		if p.space(); p.at < len(p.src) && p.src[p.at] == end {
			p.fail(comma, "remove it", "a comma after the last %s", what)
		}
		return true
	}
	p.fail(p.at, "a comma, or "+string(end), "unexpected %s after the %s", p.here(), what)
	return false
}

func (p *parser) items(v *value) {
	if p.at < len(p.src) && p.src[p.at] == ']' {
		return
	}
	for {
		v.items = append(v.items, p.value())
		if !p.next(']', "element") {
			return
		}
		p.space()
	}
}

func (p *parser) members(v *value) {
	if p.at < len(p.src) && p.src[p.at] == '}' {
		return
	}
	seen := make(map[string]int)
	for {
		if p.at == len(p.src) || p.src[p.at] != '"' {
			p.fail(p.at, `"name": value`, "unexpected %s in place of a name in quotes", p.here())
		}
		at := p.at
		name := p.string()
		if first, twice := seen[name]; twice {
			d := p.diags.Addf(p.position(at), diag.Syntax, "the object has %.60q twice", name)
			d.Hint = "remove one of them"
			d.Related = []diag.Related{{Pos: p.position(first), Message: "the first one"}}
		} else {
			seen[name] = at
		}
		if p.space(); p.at == len(p.src) || p.src[p.at] != ':' {
			p.fail(p.at, "a colon", "unexpected %s after the name %.60q", p.here(), name)
		}
		p.at++
		p.space()
		m := member{name: name, at: at, value: p.value()}
		if seen[name] == at {
			v.members = append(v.members, m)
		}
		if !p.next('}', fmt.Sprintf("value of %.60q", name)) {
			return
		}
		p.space()
	}
}

func (p *parser) string() string {
	start := p.at
	for p.at++; p.at < len(p.src); p.at++ {
		switch c := p.src[p.at]; {
		case c == '"':
			p.at++
			var s string
			if err := json.Unmarshal([]byte(p.src[start:p.at]), &s); err != nil {
				p.fail(start, `\", \\, \/, \b, \f, \n, \r, \t and \u0041 are the escapes of JSON`, "the string %.40s has a wrong escape", p.src[start:p.at])
			}
			return s
		case c == '\\':
			p.at++
		case c == '\n' || c == '\r':
			p.fail(start, `a quote at its end; a line break in it is \n`, "the string has no end on its line")
		case c < ' ':
			p.fail(p.at, fmt.Sprintf(`\u%04x`, c), "a control character, %#02x, in a string", c)
		}
	}
	p.fail(start, "a quote at its end", "the string has no end")
	return ""
}

func (p *parser) number() string {
	start := p.at
	for p.at < len(p.src) && strings.IndexByte("+-.0123456789eE", p.src[p.at]) >= 0 {
		p.at++
	}
	text := p.src[start:p.at]
	if !json.Valid([]byte(text)) {
		p.fail(start, "", "%.40s is no number of JSON", text)
	}
	return text
}

// word reads null, true or false.
func (p *parser) word(v *value) {
	start := p.at
	for p.at < len(p.src) && ('a' <= p.src[p.at] && p.src[p.at] <= 'z' || 'A' <= p.src[p.at] && p.src[p.at] <= 'Z' || p.src[p.at] == '_') {
		p.at++
	}
	switch v.text = p.src[start:p.at]; v.text {
	case "null":
		v.kind = nullValue
	case "true", "false":
		v.kind = boolValue
	case "":
		p.fail(start, "", "unexpected %s in place of a value", p.here())
	default:
		p.fail(start, fmt.Sprintf("%.60q", v.text), "%.40s is no value of JSON", v.text)
	}
}
