package gosrc

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// A builder turns the types of one package's records into ir types. Types that fail leave nil behind and diagnostics in the
// unit's list; a package with diagnostics is never emitted, so nothing else sees the nil.
type builder struct {
	u *unit
	// named holds the types that are finished or being built, by their full name: one ir.Type per Go type also where the loader
	// has two objects for it.
	named map[string]*ir.Type
	// stack holds the named types being built, outermost first.
	stack []*types.Named
	// aliases names types that have no name this package could use, such as those of internal packages, by an alias through
	// which they were reached.
	aliases map[*types.TypeName]*types.TypeName
	imports map[string]string
	// unions holds the unions looked up so far, by the key of the interface type, nil for an interface without members; unionDecls has those that
	// the package declares itself.
	unions     map[string]*union
	unionDecls map[string]*typeDecl
	// codecs holds the codecs that the package declares, by the key of the type that they are for.
	codecs map[string]*codec
	// found keeps one fault from being reported for each way that leads to it.
	found map[finding]bool
}

func newBuilder(u *unit) *builder {
	b := &builder{
		u:          u,
		named:      make(map[string]*ir.Type),
		aliases:    make(map[*types.TypeName]*types.TypeName),
		imports:    make(map[string]string),
		unions:     make(map[string]*union),
		unionDecls: make(map[string]*typeDecl),
		codecs:     make(map[string]*codec),
		found:      make(map[finding]bool),
	}
	b.readUnions()
	b.readCodecs()
	return b
}

// build returns the ir type of t, nil if it has none.
func (b *builder) build(t types.Type, p place) *ir.Type {
	switch t := t.(type) {
	case *types.Alias:
		b.noteAlias(t)
		return b.build(t.Rhs(), p)
	case *types.Named:
		return b.buildNamed(t, p)
	}
	out := &ir.Type{}
	if !b.fill(out, t, p) {
		return nil
	}
	return out
}

// maxInstances bounds how often instances of one generic type are nested, so that a type whose instances grow without end
// (which the compiler refuses, but only later) is noticed.
const maxInstances = 32

func (b *builder) buildNamed(t *types.Named, p place) *ir.Type {
	return b.buildKeyed(typeKey(t), t, p, b.fillNamed)
}

// buildKeyed builds a named type, which fill completes, unless there is one with its key already.
func (b *builder) buildKeyed(key string, t *types.Named, p place, fill func(*ir.Type, *types.Named, place) bool) *ir.Type {
	obj := t.Obj()
	if done, ok := b.named[key]; ok {
		b.checkCycle(t, p)
		return done
	}
	if obj.Pkg() != nil && strings.HasPrefix(obj.Name(), "_Ctype_") {
		b.fail(p, diag.Field, leaveOut, "the C type %s has no encoding", strings.TrimPrefix(obj.Name(), "_Ctype_"))
		return nil
	}
	nested := 0
	for _, s := range b.stack {
		if s.Origin() == t.Origin() {
			nested++
		}
	}
	if nested > maxInstances {
		b.fail(p, diag.Field, leaveOut, "the generic type %s is made of ever larger instances of itself", obj.Name())
		return nil
	}
	if t.TypeParams().Len() > 0 && t.TypeArgs().Len() == 0 {
		b.typeError(p, t)
		return nil
	}
	out := &ir.Type{}
	b.named[key] = out
	b.stack = append(b.stack, t)
	ok := fill(out, t, p)
	b.stack = b.stack[:len(b.stack)-1]
	if !ok {
		// What is wrong with a type of this package has been reported where it stands. What is wrong with one of another package
		// is reported at each of its uses, because that is where the user can do something.
		if obj.Pkg() == nil || obj.Pkg().Path() != b.u.pkg.PkgPath {
			delete(b.named, key)
		}
		return nil
	}
	return out
}

// fillNamed completes out with the encoding of t: the first of those built in, a registered codec, its own in binary form, that of its structure,
// and its own as text.
func (b *builder) fillNamed(out *ir.Type, t *types.Named, p place) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if b.union(t) == nil {
			b.noUnion(t, p)
			return false
		}
	case *types.Basic:
		if u.Kind() == types.Invalid {
			return b.fill(out, t, p)
		}
	}
	// What cannot be named is an error in any case, but the structure of a type without any encoding says more.
	codec, binary, text := b.codecs[typeKey(t)], b.methods(t, ir.Binary), b.methods(t, ir.Text)
	if codec == nil && binary == nil && text == nil {
		switch u := t.Underlying().(type) {
		case *types.Signature, *types.Chan:
			return b.fill(out, t, p)
		case *types.Basic:
			if u.Kind() == types.UnsafePointer {
				return b.fill(out, t, p)
			}
		}
	}
	if out.Name = b.goName(t, p); out.Name == nil {
		return false
	}
	switch {
	case isTime(t):
		out.Kind, out.GoSize = ir.Time, b.u.sizes.of(t).size
		return true
	case codec != nil:
		return !codec.faulty && b.encode(out, t, &ir.Encoding{Form: ir.Registered, Registered: codec.name})
	case binary != nil:
		return b.encode(out, t, binary)
	case text != nil:
		return b.fillOr(out, t, text, p)
	case types.IsInterface(t):
		return b.fillUnion(out, t, p)
	}
	return b.fill(out, t, p)
}

// fillRecord completes out from the structure of t, whatever other encodings it has: those are for its use in fields.
func (b *builder) fillRecord(out *ir.Type, t *types.Named, p place) bool {
	out.Name = b.goName(t, p)
	return out.Name != nil && b.fill(out, t, p)
}

// checkCycle reports a type that contains itself without a named struct in between. Its schema would have no end, because only
// structs have names there.
func (b *builder) checkCycle(t *types.Named, p place) {
	start := -1
	for i, s := range b.stack {
		if types.Identical(s, t) {
			start = i
		}
	}
	if start < 0 {
		return
	}
	for _, s := range b.stack[start:] {
		if _, ok := s.Underlying().(*types.Struct); ok {
			return
		}
	}
	b.fail(p, diag.Field, "declare a struct type around the recursion, or "+leaveOut,
		"the type %s contains itself without a named struct in between", b.typeString(t))
}

var basicKinds = map[types.BasicKind]ir.Kind{
	types.Bool: ir.Bool, types.String: ir.String,
	types.Int8: ir.Int8, types.Int16: ir.Int16, types.Int32: ir.Int32, types.Int64: ir.Int64, types.Int: ir.Int,
	types.Uint8: ir.Uint8, types.Uint16: ir.Uint16, types.Uint32: ir.Uint32, types.Uint64: ir.Uint64, types.Uint: ir.Uint,
	types.Uintptr: ir.Uintptr, types.Float32: ir.Float32, types.Float64: ir.Float64,
	types.Complex64: ir.Complex64, types.Complex128: ir.Complex128,
}

// fill completes out from the underlying type of t.
func (b *builder) fill(out *ir.Type, t types.Type, p place) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		kind, ok := basicKinds[u.Kind()]
		switch {
		case u.Kind() == types.UnsafePointer:
			b.fail(p, diag.Field, leaveOut, "an unsafe.Pointer has no encoding")
			return false
		case !ok:
			b.typeError(p, t)
			return false
		}
		out.Kind = kind
	case *types.Pointer:
		out.Kind = ir.Pointer
		if out.Elem = b.build(u.Elem(), p); out.Elem == nil {
			return false
		}
	case *types.Slice:
		out.Kind = ir.Slice
		if out.Elem = b.build(u.Elem(), p.elem()); out.Elem == nil {
			return false
		}
		if elem, ok := u.Elem().Underlying().(*types.Basic); ok && elem.Kind() == types.Uint8 {
			out.Kind = ir.Bytes
		}
	case *types.Array:
		out.Kind, out.Len = ir.Array, u.Len()
		if out.Len < 0 {
			b.typeError(p, t)
			return false
		}
		if out.Elem = b.build(u.Elem(), p.elem()); out.Elem == nil {
			return false
		}
	case *types.Map:
		out.Kind = ir.Map
		out.Key, out.Elem = b.build(u.Key(), p.key()), b.build(u.Elem(), p.elem())
		if out.Key == nil || out.Elem == nil {
			return false
		}
		switch {
		case b.inKey(u.Key(), types.IsInterface):
			b.fail(p.key(), diag.Field, "a key with the kind and the value as strings or integers, or "+leaveOut,
				"the key %s is or holds a union, which cannot be a key", b.typeString(u.Key()))
			return false
		case b.inKey(u.Key(), partial):
			b.fail(p.key(), diag.Field, leaveOut,
				"the key %s has fields that are left out: keys that differ only there would be the same", b.typeString(u.Key()))
			return false
		case holds(u.Elem(), true, isTime, isLock):
			b.fail(p.elem(), diag.Field, "a map of pointers, or "+leaveOut,
				"the map's values of type %s hold a lock, which must not be copied", b.typeString(u.Elem()))
			return false
		case b.inKey(u.Key(), isTime):
			what := "is a time.Time"
			if !isTime(u.Key()) {
				what = fmt.Sprintf("%s holds a time.Time", b.typeString(u.Key()))
			}
			b.fail(p.key(), diag.Field, "a key with the time as an integer, such as UnixNano returns, or "+leaveOut,
				"the key %s: keys that differ only in location would be the same", what)
			return false
		}
	case *types.Struct:
		out.Kind = ir.Struct
		if !b.fillStruct(out, u, t, p) {
			return false
		}
	case *types.Chan:
		b.fail(p, diag.Field, leaveOut, "a channel (%s) has no encoding", b.typeString(t))
		return false
	case *types.Signature:
		b.fail(p, diag.Field, leaveOut, "a function (%s) has no encoding", b.typeString(t))
		return false
	case *types.Interface:
		b.noUnion(t, p)
		return false
	default:
		b.typeError(p, t)
		return false
	}
	if out.GoSize = b.u.sizes.of(t).size; out.GoSize < 0 {
		b.fail(p, diag.Field, leaveOut, "the type %s is too large", b.typeString(t))
		return false
	}
	return true
}
