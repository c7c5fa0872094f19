package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of [ParseSchema].
const (
	maxSchemaText  = 1 << 20 // bytes
	maxSchemaDepth = 1000    // levels of types in types
)

// ParseSchema reads the text of a schema, as [NewSchema] makes it, and returns the name of the record and its type: NewSchema of both gives the text
// again. Names of instances of generic types stay whole, in [Type.Name]; fields have no aliases and defaults, because texts have none. The
// text may come from anywhere: an error names the byte that is wrong, and memory and depth are bounded by the length of the text, which is at most
// 1 MiB.
func ParseSchema(text string) (name string, t *Type, err error) {
	p := schemaParser{text: text, named: map[string]*Type{}, uses: map[string]int{}}
	if len(text) > maxSchemaText {
		return "", nil, fmt.Errorf("record: schema of %d bytes, more than %d", len(text), maxSchemaText)
	}
	name, t, err = p.schema()
	if err != nil {
		return "", nil, fmt.Errorf("record: schema at byte %d: %w", p.at, err)
	}
	// What is left to check is that names are numbered and types end as the printer has it.
	if again, err := newSchema(name, t); err != nil {
		return "", nil, fmt.Errorf("record: schema: %.300v", err)
	} else if again.Text != text {
		return "", nil, fmt.Errorf("record: schema is not in its canonical form, which is %.200q", again.Text)
	}
	return name, t, nil
}

// schemaParser reads a text from the left, without going back.
type schemaParser struct {
	text  string
	at    int // the next byte
	depth int
	named map[string]*Type // structs and unions by their names in the text
	uses  map[string]int   // how many share a name without the number
}

func (p *schemaParser) accept(s string) bool {
	if !strings.HasPrefix(p.text[p.at:], s) {
		return false
	}
	p.at += len(s)
	return true
}

func (p *schemaParser) expect(s string) error {
	if !p.accept(s) {
		return fmt.Errorf("%q expected", s)
	}
	return nil
}

func (p *schemaParser) schema() (name string, t *Type, err error) {
	if err := p.expect("rwgen/1 "); err != nil {
		return "", nil, err
	}
	// A record type without a name, such as one made for a test, has an empty one.
	if !strings.HasPrefix(p.text[p.at:], "{") {
		if name, err = p.name(); err != nil {
			return "", nil, err
		}
	}
	t = &Type{Kind: KindStruct, Name: name}
	p.named[name], p.uses[name] = t, 1
	if err := p.fields(t); err != nil {
		return "", nil, err
	}
	if p.at < len(p.text) {
		return "", nil, fmt.Errorf("something follows the record")
	}
	return name, t, nil
}

// name reads an identifier, or the name of an instance.
func (p *schemaParser) name() (string, error) {
	start := p.at
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if r != '_' && !unicode.IsLetter(r) && (p.at == start || !unicode.IsDigit(r)) {
			break
		}
		p.at += n
	}
	if p.at == start {
		return "", fmt.Errorf("a name expected")
	}
	if err := p.arguments(); err != nil {
		return "", err
	}
	return p.text[start:p.at], nil
}

// arguments passes over the type arguments of an instance, if there are any.
func (p *schemaParser) arguments() error {
	if !strings.HasPrefix(p.text[p.at:], "[") {
		return nil
	}
	for depth := 0; p.at < len(p.text); {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r != ',' && r != '*' && r != '?' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r):
			return fmt.Errorf("%q in type arguments", r)
		}
		p.at += n
		if depth == 0 {
			return nil
		}
	}
	return fmt.Errorf("type arguments do not end")
}

// number reads ~2, ~3 and so on behind a name, and returns 1 if there is none.
func (p *schemaParser) number() (int, error) {
	if !p.accept("~") {
		return 1, nil
	}
	n, err := p.digits()
	if err != nil || n < 2 || n > maxSchemaText {
		return 0, fmt.Errorf("a number from 2 expected behind ~")
	}
	return int(n), nil
}

func (p *schemaParser) digits() (int64, error) {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	digits := p.text[start:p.at]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != digits {
		p.at = start
		return 0, fmt.Errorf("a number expected")
	}
	return n, nil
}

func (p *schemaParser) fields(t *Type) error {
	if err := p.expect("{"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for !p.accept("}") {
		if len(t.Fields) > 0 {
			if err := p.expect(","); err != nil {
				return err
			}
		}
		start := p.at
		name, err := p.name()
		if err != nil {
			return err
		}
		if !isIdentifier(name) || seen[name] {
			p.at = start
			return fmt.Errorf("field %.100s is there twice or no identifier", name)
		}
		seen[name] = true
		if err := p.expect(" "); err != nil {
			return err
		}
		f := Field{Name: name}
		if f.Type, err = p.typ(&f); err != nil {
			return err
		}
		t.Fields = append(t.Fields, f)
	}
	return nil
}

// typ reads a type. f is the field that it is directly in, which may be a varint or unixnano; otherwise nil.
func (p *schemaParser) typ(f *Field) (*Type, error) {
	if p.depth++; p.depth > maxSchemaDepth {
		return nil, fmt.Errorf("types in types of more than %d levels", maxSchemaDepth)
	}
	defer func() { p.depth-- }()
	switch {
	case p.accept("*"):
		return p.around(&Type{Kind: KindPointer})
	case p.accept("[]"):
		return p.around(&Type{Kind: KindSlice})
	case p.accept("["):
		n, err := p.digits()
		if err == nil {
			err = p.expect("]")
		}
		if err != nil {
			return nil, err
		}
		return p.around(&Type{Kind: KindArray, Len: n})
	case p.accept("map["):
		key, err := p.typ(nil)
		if err == nil {
			err = p.expect("]")
		}
		if err != nil {
			return nil, err
		}
		return p.around(&Type{Kind: KindMap, Key: key})
	case p.accept("@"):
		return p.again()
	case strings.HasPrefix(p.text[p.at:], "{"):
		t := &Type{Kind: KindStruct}
		return t, p.fields(t)
	}
	return p.word(f)
}

// around completes a type with the one behind it.
func (p *schemaParser) around(t *Type) (_ *Type, err error) {
	t.Elem, err = p.typ(nil)
	return t, err
}

// again reads the name of a struct or union that was there before.
func (p *schemaParser) again() (*Type, error) {
	start := p.at
	if _, err := p.fullName(); err != nil {
		return nil, err
	}
	name := p.text[start:p.at]
	t := p.named[name]
	if t == nil {
		p.at = start
		return nil, fmt.Errorf("@%.100s is nowhere before", name)
	}
	return t, nil
}

// fullName reads a name with its number and returns it without.
func (p *schemaParser) fullName() (string, error) {
	if strings.HasPrefix(p.text[p.at:], "{") || p.at == len(p.text) {
		return "", fmt.Errorf("a name expected")
	}
	name, err := p.name()
	if err != nil {
		return "", err
	}
	_, err = p.number()
	return name, err
}

// word reads a type that begins with a name or the word for a kind.
func (p *schemaParser) word(f *Field) (*Type, error) {
	start := p.at
	name, err := p.fullName()
	if err != nil {
		return nil, err
	}
	full := p.text[start:p.at]
	next := byte(0)
	if p.at < len(p.text) {
		next = p.text[p.at]
	}
	switch {
	case next == '{':
		t, err := p.declare(full, name, KindStruct, start)
		if err != nil {
			return nil, err
		}
		return t, p.fields(t)
	case next == '<':
		t, err := p.declare(full, name, KindUnion, start)
		if err != nil {
			return nil, err
		}
		return t, p.members(t)
	case next == '(':
		return p.codec(full, start)
	}
	t := &Type{Kind: kindOf(full)}
	if t.Kind == KindInvalid && f != nil {
		if full == "unixnano" {
			f.UnixNano = true
			t.Kind = KindTime
		} else if plain, ok := strings.CutPrefix(full, "v"); ok && kindOf(plain).CanVarint() {
			f.Varint = true
			t.Kind = kindOf(plain)
		}
	}
	if t.Kind == KindInvalid {
		p.at = start
		return nil, fmt.Errorf("unknown type %.100s", full)
	}
	return t, nil
}

// declare makes a struct or union under a name that must be the next one.
func (p *schemaParser) declare(full, name string, kind Kind, start int) (*Type, error) {
	p.uses[name]++
	want := name
	if n := p.uses[name]; n > 1 {
		want += "~" + strconv.Itoa(n)
	}
	if full != want {
		p.at = start
		return nil, fmt.Errorf("the name %.100s where %.100s is next", full, want)
	}
	t := &Type{Kind: kind, Name: name}
	p.named[full] = t
	return t, nil
}

func (p *schemaParser) members(t *Type) error {
	for p.accept("<") || len(t.Members) > 0 && p.accept("|") {
		if len(t.Members) == MaxMembers {
			return fmt.Errorf("a union of more than %d members", MaxMembers)
		}
		name := p.memberName()
		m, err := p.typ(nil)
		if err != nil {
			return err
		}
		if name != "" {
			if m.namesItself() {
				return fmt.Errorf("member %.100s has two names", name)
			}
			m.Name = name
		}
		t.Members = append(t.Members, m)
	}
	return p.expect(">")
}

// memberName reads the name of a member whose type does not say it, "" if there is none.
func (p *schemaParser) memberName() string {
	start := p.at
	name, err := p.name()
	if err != nil || !p.accept(" ") {
		p.at = start
		return ""
	}
	return name
}

// codec reads the name in bin(), text() or codec(), form being the word before it.
func (p *schemaParser) codec(form string, start int) (*Type, error) {
	if !slices.Contains([]string{"bin", "text", "codec"}, form) {
		return nil, fmt.Errorf("unknown encoding %.100s", form)
	}
	p.at++
	name, err := p.name()
	if err == nil {
		err = p.expect(")")
	}
	if err != nil {
		return nil, err
	}
	return &Type{Kind: KindCodec, Name: name, Codec: p.text[start:p.at]}, nil
}

// kindOf returns the kind that a word of the text stands for, KindInvalid for none.
func kindOf(word string) Kind {
	for k := KindBool; k <= KindTime; k++ {
		if k.String() == word {
			return k
		}
	}
	return KindInvalid
}
