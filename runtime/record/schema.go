package record

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
)

// NewSchema returns the schema of the record type t, a struct, whose Go name is name. The text is that of FORMAT.md, section 5;
// it depends on nothing but the arguments, and name is used as it is (for an instance of a generic type see [Type.InstanceName]).
//
// It panics if t is no struct, or has a part that the text cannot express: a type of [KindInvalid], a nil Type, or a type
// that contains itself other than through a named struct.
func NewSchema(name string, t *Type) Schema {
	s, err := newSchema(name, t)
	if err != nil {
		panic("record: schema of " + name + ": " + err.Error())
	}
	return s
}

// Hex returns the fingerprint as 16 lower-case hex digits.
func (s Schema) Hex() string { return fmt.Sprintf("%016x", s.Fingerprint) }

func newSchema(name string, t *Type) (Schema, error) {
	if t == nil || t.Kind != KindStruct {
		return Schema{}, fmt.Errorf("a record is a struct")
	}
	p := schemaPrinter{
		text:  append([]byte("rwgen/1 "), name...),
		names: map[*Type]string{t: name},
		uses:  map[string]int{name: 1},
	}
	if err := p.fields(t); err != nil {
		return Schema{}, err
	}
	sum := sha256.Sum256(p.text)
	return Schema{Text: string(p.text), Fingerprint: binary.BigEndian.Uint64(sum[:8])}, nil
}

// schemaPrinter writes the text in one depth-first pass.
type schemaPrinter struct {
	text  []byte
	names map[*Type]string // named structs that have appeared, by the name they were given
	uses  map[string]int   // how many of them share a Go name
	// open are the other types between the innermost named struct and here: meeting one of them again would go on for ever.
	open map[*Type]bool
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
		return p.typ(t.Elem)
	case KindArray:
		p.put("[" + strconv.FormatInt(t.Len, 10) + "]")
		return p.typ(t.Elem)
	case KindMap:
		p.put("map[")
		if err := p.typ(t.Key); err != nil {
			return err
		}
		p.put("]")
		return p.typ(t.Elem)
	case KindStruct:
		return p.fields(t)
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
	name := t.InstanceName()
	p.uses[name]++
	if n := p.uses[name]; n > 1 {
		name += "~" + strconv.Itoa(n)
	}
	p.names[t] = name
	p.put(name)
	// From here on a cycle comes back to this struct, which ends it.
	outer := p.open
	p.open = nil
	err := p.fields(t)
	p.open = outer
	return err
}

func (p *schemaPrinter) fields(t *Type) error {
	p.put("{")
	for i, f := range t.Fields {
		if i > 0 {
			p.put(",")
		}
		p.put(f.Name + " ")
		if f.Varint {
			if f.Type == nil || !f.Type.Kind.CanVarint() {
				return fmt.Errorf("field %s is no integer of 16 bits or more and cannot be a varint", f.Name)
			}
			p.put("v")
		}
		if err := p.typ(f.Type); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	p.put("}")
	return nil
}
