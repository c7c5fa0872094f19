package gosrc

import (
	"fmt"
	"go/types"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// codec is a type of the package that encodes another.
type codec struct {
	name *ir.Name
	decl *typeDecl
	// faulty says that something is wrong with it, which has been reported.
	faulty bool
}

// readCodecs reads the codecs that the package declares.
func (b *builder) readCodecs() {
	for _, decl := range b.u.order {
		if decl.codec == nil || len(decl.codec.types) == 0 {
			continue
		}
		w := decl.codec.types[0]
		t, ok := b.codecFor(decl, w)
		if t == nil {
			continue
		}
		key := typeKey(t)
		if first := b.codecs[key]; first != nil {
			d := b.u.diags.Addf(w.pos, diag.Codec, "%s has a codec already", w.text)
			d.Hint = "remove one of the directives"
			d.Related = []diag.Related{{Pos: first.decl.codec.pos, Message: "the other one"}}
			continue
		}
		b.codecs[key] = &codec{
			name:   &ir.Name{PkgPath: b.u.pkg.PkgPath, PkgName: b.u.pkg.Name, Name: decl.spec.Name.Name, Local: true},
			decl:   decl,
			faulty: !ok,
		}
	}
}

// codecFor returns the type that a codec is for, nil if there is none, and whether the codec is sound. What is wrong is reported.
func (b *builder) codecFor(decl *typeDecl, w word) (t *types.Named, ok bool) {
	u, name := b.u, decl.spec.Name.Name
	fail := func(hint, format string, args ...any) {
		u.diags.Addf(w.pos, diag.Codec, "codec %s: %s", name, fmt.Sprintf(format, args...)).Hint = hint
	}
	e := eval(u.pkg, decl.file, w.text)
	if e.typ == nil {
		if e.unknown != "" {
			fail(e.hint(u.pkg.Types, nil), "the type %s is not declared here", w.text)
		} else {
			fail("", "%s: %s", w.text, e.err)
		}
		return nil, false
	}
	if a, ok := e.typ.(*types.Alias); ok {
		b.noteAlias(a)
	}
	t, isNamed := types.Unalias(e.typ).(*types.Named)
	switch {
	case !isNamed:
		hint := "a named type"
		if ptr, ok := types.Unalias(e.typ).(*types.Pointer); ok {
			hint = prefix + "codec " + b.typeString(ptr.Elem())
		}
		fail(hint, "%s is no named type", w.text)
		return nil, false
	case types.IsInterface(t):
		fail("//rwgen:union above an interface type, with the types of its values", "%s is an interface", w.text)
		return nil, false
	case isTime(t):
		fail("a type of its own for other times", "time.Time has an encoding already")
		return nil, false
	case !u.ext && u.inTest(decl.spec.Pos()):
		fail("move it out of "+u.source(decl.spec.Pos()), "it exists in tests only")
		return t, false
	}
	return t, b.isCodec(decl, t, w.text, fail)
}

// isCodec reports whether a declaration is a codec for t: a struct without fields that has the methods.
func (b *builder) isCodec(decl *typeDecl, t *types.Named, text string, fail func(hint, format string, args ...any)) bool {
	name := decl.spec.Name.Name
	obj, ok := b.u.pkg.Types.Scope().Lookup(name).(*types.TypeName)
	if !ok || obj.Pos() != decl.spec.Name.Pos() {
		fail("", "the type cannot be found in the package")
		return false
	}
	own, ok := obj.Type().(*types.Named)
	if ok {
		st, isStruct := own.Underlying().(*types.Struct)
		ok = isStruct && st.NumFields() == 0 && own.TypeParams().Len() == 0
	}
	if !ok {
		fail("type "+name+" struct{}", "it is no struct type without fields")
		return false
	}
	ptr := types.NewPointer(t)
	good := b.codecMethod(own, "Append", fmt.Sprintf("func (%s) Append(dst []byte, v *%s) ([]byte, error)", name, text),
		[]types.Type{byteSlice, ptr}, []types.Type{byteSlice, errorType}, fail)
	return b.codecMethod(own, "Consume", fmt.Sprintf("func (%s) Consume(src []byte, v *%s) error", name, text),
		[]types.Type{byteSlice, ptr}, []types.Type{errorType}, fail) && good
}

// codecMethod reports whether a codec has a method with these parameters and results.
func (b *builder) codecMethod(own *types.Named, name, want string, params, results []types.Type, fail func(hint, format string, args ...any)) bool {
	for m := range own.Methods() {
		if m.Name() != name {
			continue
		}
		_, isPtr := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
		switch {
		case !signature(m.Signature(), params, results):
			fail(want, "its method %s has the signature %s", name, b.typeString(m.Signature()))
		case isPtr:
			fail(want, "its method %s is one of pointers", name)
		default:
			return true
		}
		return false
	}
	fail(want, "it has no method %s", name)
	return false
}
