package record

import "strconv"

// InstanceName returns the name of a named type as the schema text gives it: its Go name, and for an instance of a generic
// type the arguments in brackets, for example Pair[string,i64]. In arguments, named types appear by their names alone, also those
// that are no structs; unnamed structs and types without encoding appear as "?"; other types as in the text. It returns ""
// for an unnamed type.
//
// Arguments are names rather than structure because they need not occur in the fields of an instance, and because the name
// is all that reflection knows of them.
func (t *Type) InstanceName() string {
	if t.Name == "" || len(t.Args) == 0 {
		return t.Name
	}
	s := t.Name + "["
	for i, arg := range t.Args {
		if i > 0 {
			s += ","
		}
		s += argument(arg)
	}
	return s + "]"
}

// argument returns a type argument, or a part of one.
func argument(t *Type) string {
	switch {
	case t == nil:
		return KindInvalid.String()
	case t.Kind == KindTime:
		return t.Kind.String()
	case t.Name != "":
		return t.InstanceName()
	}
	switch t.Kind {
	case KindBytes:
		if t.Elem != nil && t.Elem.Name != "" {
			return "[]" + argument(t.Elem)
		}
		return t.Kind.String()
	case KindPointer:
		return "*" + argument(t.Elem)
	case KindSlice:
		return "[]" + argument(t.Elem)
	case KindArray:
		return "[" + strconv.FormatInt(t.Len, 10) + "]" + argument(t.Elem)
	case KindMap:
		return "map[" + argument(t.Key) + "]" + argument(t.Elem)
	case KindStruct:
		return KindInvalid.String()
	}
	return t.Kind.String()
}
