package avro

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schemas, read from the text of a [record.Schema] for resolution. That they are valid is what matters for bytes only: names are whatever they are.

// The bounds of a schema that is read.
const (
	maxSchemaBytes = 1 << 20
	maxSchemaDepth = 500
	// maxSchemaScan bounds the bytes that are looked at for all levels of nesting together.
	maxSchemaScan = 64 << 20
)

// kind is a type of the specification.
type kind int

const (
	kindNull kind = iota
	kindBoolean
	kindInt
	kindLong
	kindFloat
	kindDouble
	kindBytes
	kindString
	kindRecord
	kindEnum
	kindFixed
	kindArray
	kindMap
	kindUnion
)

var kinds = [...]string{"null", "boolean", "int", "long", "float", "double", "bytes", "string", "record", "enum", "fixed", "array", "map", "union"}

func (k kind) String() string { return kinds[k] }

// schema is a type of a schema. Named ones are shared, so that a recursive schema is a cycle.
type schema struct {
	kind     kind
	name     string // of a record, an enum and a fixed, with its namespace
	aliases  []string
	fields   []field
	symbols  []string
	fallback string // the default of an enum
	elem     *schema
	branches []*schema
	size     int
	// logical has precision and scale behind the name of a decimal.
	logical string
	// empty says that the values of a record take no bytes.
	empty bool
}

type field struct {
	name     string
	aliases  []string
	typ      *schema
	fallback json.RawMessage // nil for none
}

// parser reads a schema.
type parser struct {
	names map[string]*schema
	// records are all of them, each once.
	records []*schema
	depth   int
	scanned int
}

// node is a type in JSON.
type node struct {
	Type        json.RawMessage   `json:"type"`
	Name        string            `json:"name"`
	Namespace   *string           `json:"namespace"`
	Aliases     []string          `json:"aliases"`
	Fields      []json.RawMessage `json:"fields"`
	Symbols     []string          `json:"symbols"`
	Default     json.RawMessage   `json:"default"`
	Items       json.RawMessage   `json:"items"`
	Values      json.RawMessage   `json:"values"`
	Size        int               `json:"size"`
	LogicalType json.RawMessage   `json:"logicalType"`
	Precision   json.RawMessage   `json:"precision"`
	Scale       json.RawMessage   `json:"scale"`
}

// parseSchema reads the text of a record.
func parseSchema(text string) (*schema, error) {
	if len(text) > maxSchemaBytes {
		return nil, fmt.Errorf("schema of %d bytes, more than %d", len(text), maxSchemaBytes)
	}
	p := parser{names: map[string]*schema{}}
	s, err := p.parse(json.RawMessage(text), "")
	if err != nil {
		return nil, err
	}
	if s.kind != kindRecord {
		return nil, fmt.Errorf("schema of a %v, not of a record", s.kind)
	}
	state := make(map[*schema]int)
	for _, r := range p.records {
		if r.endless(state) {
			return nil, fmt.Errorf("a value of %s contains itself", r.name)
		}
	}
	return s, nil
}

// endless reports whether a record stands in itself, without a union, an array or a map between: such values have no end. It sets empty for s and for the records that stand in it so.
func (s *schema) endless(state map[*schema]int) bool {
	const open, done = 1, 2
	if state[s] > 0 {
		return state[s] == open
	}
	state[s] = open
	s.empty = true
	for _, f := range s.fields {
		if f.typ.kind == kindRecord && f.typ.endless(state) {
			return true
		}
		s.empty = s.empty && f.typ.mayBeEmpty()
	}
	state[s] = done
	return false
}

func (p *parser) parse(text json.RawMessage, space string) (*schema, error) {
	if p.depth++; p.depth > maxSchemaDepth {
		return nil, fmt.Errorf("schema of more than %d levels", maxSchemaDepth)
	}
	defer func() { p.depth-- }()
	if p.scanned += len(text); p.scanned > maxSchemaScan {
		return nil, fmt.Errorf("schema of too many levels for its size: more than %d bytes on all of them", maxSchemaScan)
	}
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil, fmt.Errorf("schema without a type")
	}
	switch text[0] {
	case '"':
		var name string
		if err := json.Unmarshal(text, &name); err != nil {
			return nil, err
		}
		return p.named(name, space)
	case '[':
		return p.union(text, space)
	}
	var n node
	if err := json.Unmarshal(text, &n); err != nil {
		return nil, err
	}
	return p.object(&n, space)
}

func (p *parser) named(name, space string) (*schema, error) {
	if i := slices.Index(kinds[:kindRecord], name); i >= 0 {
		return &schema{kind: kind(i)}, nil
	}
	if s := p.names[qualified(name, space)]; s != nil {
		return s, nil
	}
	if s := p.names[name]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("schema with an unknown type %.100q", name)
}

func qualified(name, space string) string {
	if space == "" || strings.Contains(name, ".") {
		return name
	}
	return space + "." + name
}

func (p *parser) union(text json.RawMessage, space string) (*schema, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	s := &schema{kind: kindUnion}
	for _, item := range list {
		b, err := p.parse(item, space)
		if err != nil {
			return nil, err
		}
		if b.kind == kindUnion {
			return nil, fmt.Errorf("schema of a union in a union")
		}
		s.branches = append(s.branches, b)
	}
	return s, nil
}

func (p *parser) object(n *node, space string) (*schema, error) {
	var word string
	if len(n.Type) == 0 || json.Unmarshal(n.Type, &word) != nil {
		return p.parse(n.Type, space)
	}
	k := slices.Index(kinds[:], word)
	if word == "error" {
		k = int(kindRecord)
	}
	if k < 0 || kind(k) == kindUnion {
		return p.named(word, space)
	}
	s := &schema{kind: kind(k), size: n.Size, symbols: n.Symbols}
	s.logical = n.logical()
	var err error
	switch s.kind {
	case kindArray:
		s.elem, err = p.parse(n.Items, space)
	case kindMap:
		s.elem, err = p.parse(n.Values, space)
	case kindRecord, kindEnum, kindFixed:
		err = p.definition(s, n, space)
	}
	return s, err
}

func (n *node) logical() string {
	var name string
	if len(n.LogicalType) == 0 || json.Unmarshal(n.LogicalType, &name) != nil {
		return ""
	}
	if name == "decimal" {
		scale := string(n.Scale)
		if scale == "" {
			scale = "0"
		}
		name += "(" + string(n.Precision) + "," + scale + ")"
	}
	return name
}

func (p *parser) definition(s *schema, n *node, space string) error {
	if n.Namespace != nil && !strings.Contains(n.Name, ".") {
		space = *n.Namespace
	}
	s.name = qualified(n.Name, space)
	space = ""
	if i := strings.LastIndexByte(s.name, '.'); i >= 0 {
		space = s.name[:i]
	}
	for _, a := range n.Aliases {
		s.aliases = append(s.aliases, qualified(a, space))
	}
	if p.names[s.name] != nil || s.name == "" {
		return fmt.Errorf("schema with two types %.100q", s.name)
	}
	p.names[s.name] = s
	if s.kind == kindRecord {
		p.records = append(p.records, s)
	}
	if s.size < 0 || int64(s.size) > 1<<31-1 {
		return fmt.Errorf("schema with a fixed of %d bytes", s.size)
	}
	if s.kind == kindEnum && n.Default != nil {
		if err := json.Unmarshal(n.Default, &s.fallback); err != nil {
			return err
		}
	}
	known := map[string]bool{}
	for _, text := range n.Fields {
		var f node
		if err := json.Unmarshal(text, &f); err != nil {
			return err
		}
		typ, err := p.parse(f.Type, space)
		if err != nil {
			return err
		}
		if known[f.Name] {
			return fmt.Errorf("schema with two fields %.100q", f.Name)
		}
		known[f.Name] = true
		s.fields = append(s.fields, field{f.Name, f.Aliases, typ, f.Default})
	}
	return nil
}

// canonical writes the Parsing Canonical Form.
func (s *schema) canonical(b *strings.Builder, known map[*schema]bool) {
	if s.name != "" {
		if known[s] {
			b.WriteString(strconv.Quote(s.name))
			return
		}
		known[s] = true
	}
	list := func(n int, each func(i int)) {
		b.WriteByte('[')
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			each(i)
		}
		b.WriteByte(']')
	}
	head := func() { b.WriteString(`{"name":` + strconv.Quote(s.name) + `,"type":"` + s.kind.String() + `"`) }
	switch s.kind {
	case kindRecord:
		head()
		b.WriteString(`,"fields":`)
		list(len(s.fields), func(i int) {
			b.WriteString(`{"name":` + strconv.Quote(s.fields[i].name) + `,"type":`)
			s.fields[i].typ.canonical(b, known)
			b.WriteByte('}')
		})
		b.WriteByte('}')
	case kindEnum:
		head()
		b.WriteString(`,"symbols":`)
		list(len(s.symbols), func(i int) { b.WriteString(strconv.Quote(s.symbols[i])) })
		b.WriteByte('}')
	case kindFixed:
		head()
		b.WriteString(`,"size":` + strconv.Itoa(s.size) + "}")
	case kindArray:
		b.WriteString(`{"type":"array","items":`)
		s.elem.canonical(b, known)
		b.WriteByte('}')
	case kindMap:
		b.WriteString(`{"type":"map","values":`)
		s.elem.canonical(b, known)
		b.WriteByte('}')
	case kindUnion:
		list(len(s.branches), func(i int) { s.branches[i].canonical(b, known) })
	default:
		b.WriteString(`"` + s.kind.String() + `"`)
	}
}

// fingerprint returns the fingerprint of s.
func (s *schema) fingerprint() uint64 {
	var b strings.Builder
	s.canonical(&b, map[*schema]bool{})
	return Fingerprint(b.String())
}
