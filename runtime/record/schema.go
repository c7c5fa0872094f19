package record

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// NewSchema returns the schema of the record type t, a struct, whose Go name is name. The text is that of FORMAT.md, section 5;
// it depends on nothing but the arguments, and name is used as it is (for an instance of a generic type see [Type.InstanceName]).
//
// It panics if t is no struct, or has a part that the text cannot express: a type of [KindInvalid], a nil Type, a union without a name or
// members, a codec without a name, a type that contains itself other than through a named struct, or aliases of the record that it cannot have.
func NewSchema(name string, t *Type) Schema {
	s, err := newSchema(name, t)
	if err != nil {
		panic("record: schema of " + name + ": " + err.Error())
	}
	return s
}

// Same reports whether s and o describe the same bytes.
func (s Schema) Same(o Schema) bool { return s.Fingerprint == o.Fingerprint && s.Text == o.Text }

// Hex returns the fingerprint as 16 lower-case hex digits.
func (s Schema) Hex() string { return fmt.Sprintf("%016x", s.Fingerprint) }

func newSchema(name string, t *Type) (Schema, error) {
	if t == nil || t.Kind != KindStruct {
		return Schema{}, fmt.Errorf("a record is a struct")
	}
	var reading readingPrinter
	if err := reading.record(name, t); err != nil {
		return Schema{}, err
	}
	text, err := printSchema(name, t, reading.field)
	if err != nil {
		return Schema{}, err
	}
	sum := sha256.Sum256(text)
	return Schema{Text: string(text), Fingerprint: binary.BigEndian.Uint64(sum[:8]), Reading: string(reading.text)}, nil
}

// printSchema returns the text of the record type t. If each is not nil it is called for every field once, where the text has it: path leads there from the record or the struct or union
// with a name that is next above it.
func printSchema(name string, t *Type, each func(path func() string, f *Field)) ([]byte, error) {
	p := schemaPrinter{
		text:  append([]byte("rwgen/1 "), name...),
		names: map[*Type]string{t: name},
		uses:  map[string]int{name: 1},
		path:  []string{name},
		each:  each,
	}
	if err := p.fields(t); err != nil {
		return nil, err
	}
	return p.text, nil
}

// schemaPrinter writes the text in one depth-first pass.
type schemaPrinter struct {
	text  []byte
	names map[*Type]string // named structs and unions that have appeared, by the name they were given
	uses  map[string]int   // how many of them share a Go name
	// open are the other types between the innermost named struct and here: meeting one of them again would go on for ever.
	open map[*Type]bool
	path []string // to where the printer is, from the named type next above
	each func(path func() string, f *Field)
}

// under prints a part with one more step of the path.
func (p *schemaPrinter) under(step string, t *Type) error {
	p.path = append(p.path, step)
	err := p.typ(t)
	p.path = p.path[:len(p.path)-1]
	return err
}

func (p *schemaPrinter) put(s string) { p.text = append(p.text, s...) }

func (p *schemaPrinter) typ(t *Type) error {
	if t == nil {
		return fmt.Errorf("a type is missing")
	}
	if t.Kind == KindStruct && t.Name != "" {
		return p.named(t)
	}
	if p.open[t] {
		return fmt.Errorf("a %v type contains itself other than through a named struct", t.Kind)
	}
	if name, ok := p.names[t]; ok && t.Kind == KindUnion {
		p.put("@" + name)
		return nil
	}
	if p.open == nil {
		p.open = map[*Type]bool{}
	}
	p.open[t] = true
	defer delete(p.open, t)
	switch t.Kind {
	case KindPointer:
		p.put("*")
		return p.typ(t.Elem)
	case KindSlice:
		p.put("[]")
		return p.under("[]", t.Elem)
	case KindArray:
		p.put("[" + strconv.FormatInt(t.Len, 10) + "]")
		return p.under("[]", t.Elem)
	case KindMap:
		p.put("map[")
		if err := p.under("[key]", t.Key); err != nil {
			return err
		}
		p.put("]")
		return p.under("[]", t.Elem)
	case KindStruct:
		return p.fields(t)
	case KindUnion:
		return p.union(t)
	case KindCodec:
		if t.Codec == "" {
			return fmt.Errorf("a codec has no name")
		}
		p.put(t.Codec)
		return nil
	}
	if t.Kind < KindBool || t.Kind > KindStruct {
		return fmt.Errorf("a type of kind %d has no encoding", t.Kind)
	}
	p.put(t.Kind.String())
	return nil
}

func (p *schemaPrinter) named(t *Type) error {
	if name, ok := p.names[t]; ok {
		p.put("@" + name)
		return nil
	}
	p.name(t)
	// From here on a cycle comes back to this struct, which ends it.
	open, path := p.open, p.path
	p.open, p.path = nil, []string{p.names[t]}
	err := p.fields(t)
	p.open, p.path = open, path
	return err
}

// name gives a struct or union its name in the text.
func (p *schemaPrinter) name(t *Type) {
	name := t.InstanceName()
	p.uses[name]++
	if n := p.uses[name]; n > 1 {
		name += "~" + strconv.Itoa(n)
	}
	p.names[t] = name
	p.put(name)
}

func (p *schemaPrinter) union(t *Type) error {
	if t.Name == "" || len(t.Members) == 0 {
		return fmt.Errorf("a union without a name or members")
	}
	p.name(t)
	path := p.path
	defer func() { p.path = path }()
	p.path = []string{p.names[t]}
	for i, m := range t.Members {
		if i == 0 {
			p.put("<")
		} else {
			p.put("|")
		}
		if m != nil && m.Name != "" && !m.namesItself() {
			p.put(m.InstanceName() + " ")
		}
		if err := p.under("("+memberName(m)+")", m); err != nil {
			return fmt.Errorf("member %d: %w", i+1, err)
		}
	}
	p.put(">")
	return nil
}

// namesItself reports whether the text of a named type of this kind says its name, or needs none.
func (t *Type) namesItself() bool {
	switch t.Kind {
	case KindStruct, KindUnion, KindCodec, KindTime:
		return true
	}
	return false
}

func (p *schemaPrinter) fields(t *Type) error {
	p.put("{")
	for i, f := range t.Fields {
		if i > 0 {
			p.put(",")
		}
		p.put(f.Name + " ")
		if p.each != nil {
			p.each(func() string { return strings.Join(p.path, "") + "." + f.Name }, &t.Fields[i])
		}
		if f.Varint {
			if f.Type == nil || !f.Type.Kind.CanVarint() {
				return fmt.Errorf("field %s is no integer of 16 bits or more and cannot be a varint", f.Name)
			}
			p.put("v")
		}
		if f.UnixNano {
			if f.Type == nil || f.Type.Kind != KindTime {
				return fmt.Errorf("field %s is no time and cannot be unixnano", f.Name)
			}
			p.put("unixnano")
			continue
		}
		if err := p.under("."+f.Name, f.Type); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	p.put("}")
	return nil
}
