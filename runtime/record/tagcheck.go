package record

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Check returns a [TagError] if an option does not apply to a field of the type field, or its default is no value of it. Of field, it looks at the
// kind and at those of its direct parts only.
func (t Tag) Check(field *Type) error {
	kind := field.Kind
	text := kind == KindString || kind == KindBytes
	switch {
	case (t.Varint || t.Fixed) && !kind.CanVarint():
		return misplaced(t.pick("varint", "fixed"), kind, "integers of 16 bits or more")
	case t.Max > 0 && !text && kind != KindSlice && kind != KindMap:
		return misplaced("max", kind, "strings, slices and maps")
	case t.UTF8 && kind != KindString:
		return misplaced("utf8", kind, "strings")
	case t.Sorted && (kind != KindMap || !ordered(field.Key)):
		return misplaced("sorted", kind, "maps with keys that are integers, strings or bools")
	case t.UnixNano && kind != KindTime:
		return misplaced("unixnano", kind, "time.Time")
	case t.Intern && kind != KindString:
		return misplaced("intern", kind, "strings")
	case t.View && !text:
		return misplaced("view", kind, "strings and []byte")
	case t.HasDefault:
		return t.checkDefault(kind)
	}
	return nil
}

func (t Tag) pick(first, second string) string {
	if t.Varint {
		return first
	}
	return second
}

func misplaced(option string, kind Kind, what string) error {
	hint := "options hold for the field itself, not for what it points to or its elements; remove it"
	if kind != KindPointer && kind != KindSlice && kind != KindArray && kind != KindMap {
		hint = "remove it"
	}
	return &TagError{Option: option, Reason: fmt.Sprintf(`rw:"%s" is for %s`, option, what), Hint: hint}
}

// ordered reports whether maps with keys of type t can be sorted.
func ordered(t *Type) bool {
	if t == nil {
		return false
	}
	switch t.Kind {
	case KindBool, KindString, KindInt8, KindUint8:
		return true
	}
	return t.Kind.CanVarint()
}

// checkDefault checks the default against the kind of the field.
func (t Tag) checkDefault(kind Kind) error {
	e := &TagError{Option: "default", Reason: fmt.Sprintf("default %q is no value of the field, which is %s", t.Default, kind)}
	switch kind {
	case KindBool:
		if t.Default != "true" && t.Default != "false" {
			e.Hint = "write true or false"
			return e
		}
	case KindString:
		if t.UTF8 && !utf8.ValidString(t.Default) {
			e.Reason = "default is no valid UTF-8"
			return e
		}
		if t.Max > 0 && len(t.Default) > t.Max {
			e.Reason = fmt.Sprintf("default has %d bytes, but max=%d", len(t.Default), t.Max)
			return e
		}
	case KindFloat32, KindFloat64:
		f, err := strconv.ParseFloat(t.Default, floatBits(kind))
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			e.Hint = "write a number within its range"
			return e
		}
	default:
		bits, signed := integer(kind)
		if bits == 0 {
			return &TagError{Option: "default", Reason: "default is for bools, integers, floats and strings", Hint: "remove it"}
		}
		var err error
		if signed {
			_, err = strconv.ParseInt(t.Default, 10, bits)
		} else {
			_, err = strconv.ParseUint(t.Default, 10, bits)
		}
		if err != nil {
			e.Hint = "write a decimal number within its range"
			return e
		}
	}
	return nil
}

func floatBits(kind Kind) int {
	if kind == KindFloat32 {
		return 32
	}
	return 64
}

// integer returns how many bits an integer of this kind has on the wire when it is fixed, and whether it has a sign; 0 for other kinds.
func integer(kind Kind) (bits int, signed bool) {
	switch kind {
	case KindInt8:
		return 8, true
	case KindInt16:
		return 16, true
	case KindInt32:
		return 32, true
	case KindInt64, KindInt:
		return 64, true
	case KindUint8:
		return 8, false
	case KindUint16:
		return 16, false
	case KindUint32:
		return 32, false
	case KindUint64, KindUint, KindUintptr:
		return 64, false
	}
	return 0, false
}

// CheckNames returns the index of a field whose name or alias in the schema is also one of another field before it, with a [TagError]. It
// returns -1 and nil if there is none.
func CheckNames(fields []Field) (at int, err error) {
	taken := make(map[string]string, len(fields))
	take := func(name, owner, what string) error {
		if by, ok := taken[name]; ok {
			return &TagError{Option: what, Reason: fmt.Sprintf("%s %s is taken by %s", what, name, by), Hint: "names and aliases are unique in a struct"}
		}
		taken[name] = owner
		return nil
	}
	for i, f := range fields {
		if err := take(f.Name, "field "+f.Name, "name"); err != nil {
			return i, err
		}
	}
	for i, f := range fields {
		for _, a := range f.Aliases {
			if err := take(a, "an alias of field "+f.Name, "alias"); err != nil {
				return i, err
			}
		}
	}
	return -1, nil
}
