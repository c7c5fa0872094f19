package record

import (
	"reflect"
)

// ReflectOption tells [Reflect] about types what generated code has from directives. See [UnionOf], [CodecOf] and [Alias].
type ReflectOption interface{ apply(*reflectOptions) }

// reflectOptions is what the options of one call say. Types are looked at once records are described.
type reflectOptions struct {
	unions  map[reflect.Type][]reflect.Type
	codecs  map[reflect.Type]*userCodec
	aliases []string // of the record
	errs    []error
}

type reflectOption func(*reflectOptions)

func (o reflectOption) apply(all *reflectOptions) { o(all) }

// UnionOf makes the interface I a union of the types of members, in their order, as the directive //rwgen:union does. Of members, only the
// dynamic types matter: zero values and nil pointers will do.
//
// Reflect fails if I is no interface with a name or declared twice, or if a member is a nil interface, there twice, or has no encoding.
func UnionOf[I any](members ...I) ReflectOption {
	return reflectOption(func(all *reflectOptions) {
		rt := reflect.TypeFor[I]()
		types := make([]reflect.Type, len(members))
		for i, m := range members {
			types[i] = reflect.TypeOf(m)
		}
		if reason := notUnion(rt, types); reason != "" {
			all.errs = append(all.errs, &TypeError{rt.String(), rt, reason})
			return
		}
		if _, ok := all.unions[rt]; ok {
			all.errs = append(all.errs, &TypeError{rt.String(), rt, "is declared as a union twice"})
			return
		}
		all.unions[rt] = types
	})
}

// MaxMembers is the number of members that a union may have.
const MaxMembers = 1<<16 - 1

// notUnion says why there can be no union rt of members, "" if there can.
func notUnion(rt reflect.Type, members []reflect.Type) string {
	switch {
	case rt.Kind() != reflect.Interface:
		return "is no interface and cannot be a union"
	case rt.Name() == "":
		return "has no name and cannot be a union"
	case len(members) == 0:
		return "has no members and cannot be a union"
	case len(members) > MaxMembers:
		return "has more than 65,535 members and cannot be a union"
	}
	seen := map[reflect.Type]bool{}
	for _, m := range members {
		if m == nil {
			return "has a nil interface among its members"
		}
		base := pointed(m)
		switch {
		case base.Name() == "" || base != m && base.PkgPath() == "":
			return "has the member " + m.String() + ", which is neither a type with a name nor a pointer to one"
		case base.Kind() == reflect.Interface:
			return "has the member " + m.String() + ", which is an interface"
		case seen[base]:
			return "has the member " + base.String() + " twice, pointers counted like what they point to"
		}
		seen[base] = true
	}
	return ""
}

// pointed returns what an unnamed pointer type points to, other types as they are.
func pointed(rt reflect.Type) reflect.Type {
	if rt.Kind() == reflect.Pointer && rt.Name() == "" {
		return rt.Elem()
	}
	return rt
}

// CodecOf makes codec the encoding of all values of T, as the directive //rwgen:codec does. T is a named type other than time.Time and the predeclared ones. The
// name of codec's type, a struct or a pointer to one, becomes part of the schema. Append appends the bytes of a value, which may be of any number and are written with
// their length; Consume reads all of src, which it must not keep, into a zero T. Both may be called by several goroutines at once.
//
// Reflect fails if T or codec is of another kind, or T has two codecs.
func CodecOf[T any](codec interface {
	Append(dst []byte, v *T) ([]byte, error)
	Consume(src []byte, v *T) error
}) ReflectOption {
	return reflectOption(func(all *reflectOptions) {
		rt := reflect.TypeFor[T]()
		refuse := func(reason string) { all.errs = append(all.errs, &TypeError{rt.String(), rt, reason}) }
		if codec == nil {
			refuse("has a nil codec")
			return
		}
		ct := pointed(reflect.TypeOf(codec))
		switch {
		case rt == timeType:
			refuse("has an encoding of its own in the format and cannot have a codec")
		case rt.Name() == "" || rt.PkgPath() == "":
			refuse("is no type that a package declares and cannot have a codec")
		case ct.Name() == "" || ct.Kind() != reflect.Struct:
			refuse("has the codec " + ct.String() + ", which is no struct type with a name")
		case all.codecs[rt] != nil:
			refuse("has two codecs")
		default:
			name, args := parseTypeName(ct.Name())
			all.codecs[rt] = &userCodec{
				name:    "codec(" + (&Type{Name: name, Args: args}).InstanceName() + ")",
				append:  func(dst []byte, p ptr) ([]byte, error) { return codec.Append(dst, (*T)(p)) },
				consume: func(src []byte, p ptr) error { return codec.Consume(src, (*T)(p)) },
			}
		}
	})
}
