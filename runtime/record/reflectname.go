package record

import (
	"strconv"
	"strings"
)

// parseTypeName reads what reflection calls a named type: a plain name, or for an instance of a generic type the name with
// the arguments in brackets, in which names carry their import paths.
func parseTypeName(s string) (name string, args []*Type) {
	p := nameParser{rest: s}
	if t := p.typ(); t != nil {
		return t.Name, t.Args
	}
	return s, nil
}

// nameParser reads Go types in the notation of reflection. What the names of instances do not spell out becomes nil.
type nameParser struct{ rest string }

func (p *nameParser) accept(s string) bool {
	after, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = after
	}
	return ok
}

func (p *nameParser) typ() *Type {
	switch {
	case p.accept("*"):
		return &Type{Kind: KindPointer, Elem: p.typ()}
	case p.accept("[]"):
		elem := p.typ()
		if elem != nil && elem.Kind == KindUint8 {
			return &Type{Kind: KindBytes, Elem: elem}
		}
		return &Type{Kind: KindSlice, Elem: elem}
	case p.accept("["):
		n, err := strconv.ParseInt(p.until("]"), 10, 64)
		if err != nil {
			return p.skip()
		}
		return &Type{Kind: KindArray, Len: n, Elem: p.typ()}
	case p.accept("map["):
		t := &Type{Kind: KindMap, Key: p.typ()}
		p.accept("]")
		t.Elem = p.typ()
		return t
	}
	end := strings.IndexAny(p.rest, "[],; (){}")
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	if after := p.rest[end:]; word == "" || after != "" && strings.IndexByte("[],", after[0]) < 0 {
		return p.skip() // struct, interface, func, chan
	}
	p.rest = p.rest[end:]
	return p.named(word)
}

// named continues after the name of a type.
func (p *nameParser) named(word string) *Type {
	if word == "time.Time" {
		return &Type{Kind: KindTime}
	}
	if kind := basicKind(word); kind != KindInvalid {
		return &Type{Kind: kind}
	}
	t := &Type{Name: localName(word)}
	if !p.accept("[") {
		return t
	}
	for p.rest != "" && !p.accept("]") {
		t.Args = append(t.Args, p.typ())
		p.accept(",")
	}
	return t
}

// until takes everything before the next end, and end.
func (p *nameParser) until(end string) string {
	before, after, _ := strings.Cut(p.rest, end)
	p.rest = after
	return before
}

// skip passes over one type, up to a comma or bracket that does not belong to it.
func (p *nameParser) skip() *Type {
	depth := 0
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case '"': // a struct tag
			for i++; i < len(p.rest) && p.rest[i] != '"'; i++ {
				if p.rest[i] == '\\' {
					i++
				}
			}
		case '(', '{', '[':
			depth++
		case ')', '}', ']', ',':
			if depth == 0 {
				p.rest = p.rest[i:]
				return nil
			}
			if c != ',' {
				depth--
			}
		}
	}
	p.rest = ""
	return nil
}

// localName cuts the import path off a type name, and the number that tells local types of one name apart.
func localName(word string) string {
	word = word[strings.LastIndexByte(word, '/')+1:]
	word = word[strings.LastIndexByte(word, '.')+1:] // a dot in the last element of a path is escaped
	word, _, _ = strings.Cut(word, "·")
	return word
}

// basicKind returns the kind of a predeclared type by its Go name.
func basicKind(name string) Kind {
	switch name {
	case "bool":
		return KindBool
	case "int8":
		return KindInt8
	case "int16":
		return KindInt16
	case "int32":
		return KindInt32
	case "int64":
		return KindInt64
	case "int":
		return KindInt
	case "uint8":
		return KindUint8
	case "uint16":
		return KindUint16
	case "uint32":
		return KindUint32
	case "uint64":
		return KindUint64
	case "uint":
		return KindUint
	case "uintptr":
		return KindUintptr
	case "float32":
		return KindFloat32
	case "float64":
		return KindFloat64
	case "complex64":
		return KindComplex64
	case "complex128":
		return KindComplex128
	case "string":
		return KindString
	}
	return KindInvalid
}
