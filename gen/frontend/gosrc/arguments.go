package gosrc

import (
	"fmt"
	"go/types"
	"strings"
	"unicode"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// goName returns the name by which the package refers to the named type t, nil if there is none, which it reports.
func (b *builder) goName(t *types.Named, p place) *ir.Name {
	obj := t.Obj()
	if obj.Pkg() == nil { // error, comparable
		return &ir.Name{Name: obj.Name()}
	}
	name, declared := obj, ""
	if !b.nameable(obj) {
		alias, ok := b.aliases[obj]
		if !ok {
			b.unnameable(obj, t, p)
			return nil
		}
		name, declared = alias, obj.Name()
	}
	out := &ir.Name{PkgPath: name.Pkg().Path(), PkgName: name.Pkg().Name(), Name: name.Name(), Declared: declared}
	if out.Local = out.PkgPath == b.u.pkg.PkgPath; !out.Local {
		b.imports[out.PkgPath] = out.PkgName
	}
	for i := range t.TypeArgs().Len() {
		at := p
		at.path = fmt.Sprintf("%s (type argument %d)", p.path, i+1)
		arg := b.argument(t.TypeArgs().At(i), at)
		if arg == nil {
			return nil
		}
		out.Args = append(out.Args, arg)
	}
	return out
}

func (b *builder) unnameable(obj *types.TypeName, t types.Type, p place) {
	why := "is not exported"
	if obj.Exported() {
		why = "belongs to an internal package"
	}
	b.fail(p, diag.Field, leaveOut, "the type %s %s and cannot be named here", b.typeString(t), why)
}

// argument returns a type argument. Only its name matters, which is part of that of the instance: fields that are made of it are looked at
// where they stand, and there need not be any. It is nil if the package cannot name the type, or if the type does not compile.
func (b *builder) argument(t types.Type, p place) *ir.Type {
	out := &ir.Type{Kind: ir.Opaque}
	ok := true
	part := func(t types.Type) *ir.Type {
		arg := b.argument(t, p)
		ok = ok && arg != nil
		return arg
	}
	switch t := t.(type) {
	case *types.Alias:
		b.noteAlias(t)
		return b.argument(t.Rhs(), p)
	case *types.Named:
		if isTime(t) {
			out.Kind = ir.Time
		}
		out.Name = b.goName(t, p)
		ok = out.Name != nil
	case *types.Basic:
		kind, basic := basicKinds[t.Kind()]
		switch {
		case t.Kind() == types.UnsafePointer:
			out.Name = &ir.Name{PkgPath: "unsafe", PkgName: "unsafe", Name: "Pointer"}
			b.imports["unsafe"] = "unsafe"
		case !basic:
			b.typeError(p, t)
			return nil
		default:
			out.Kind = kind
		}
	case *types.Pointer:
		out.Kind, out.Elem = ir.Pointer, part(t.Elem())
	case *types.Slice:
		out.Kind, out.Elem = ir.Slice, part(t.Elem())
		if elem, basic := t.Elem().Underlying().(*types.Basic); basic && elem.Kind() == types.Uint8 {
			out.Kind = ir.Bytes
		}
	case *types.Array:
		out.Kind, out.Len, out.Elem = ir.Array, t.Len(), part(t.Elem())
	case *types.Map:
		out.Kind, out.Key, out.Elem = ir.Map, part(t.Key()), part(t.Elem())
	default:
		out.Expr = b.expression(t, p)
		ok = out.Expr != nil
	}
	if !ok {
		return nil
	}
	return out
}

// expression returns the Go expression of a type without a name, nil if the package cannot write it, which it reports.
func (b *builder) expression(t types.Type, p place) []ir.Word {
	const mark = "\x00" // around import paths, in which it cannot stand, as in no Go source
	packages := make(map[string]*types.Package)
	text := types.TypeString(t, func(pkg *types.Package) string {
		if pkg.Path() == b.u.pkg.PkgPath {
			return ""
		}
		packages[pkg.Path()] = pkg
		return mark + pkg.Path() + mark
	})
	if strings.Contains(text, types.Typ[types.Invalid].String()) {
		b.typeError(p, t)
		return nil
	}
	parts := strings.Split(text, mark)
	words := []ir.Word{{Text: parts[0]}}
	for i := 1; i < len(parts); i += 2 {
		pkg, rest := packages[parts[i]], strings.TrimPrefix(parts[i+1], ".")
		name := rest[:identifier(rest)]
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			b.fail(p, diag.Field, leaveOut, "the type %s cannot be written here", b.typeString(t))
			return nil
		}
		if !b.nameable(obj) {
			b.unnameable(obj, obj.Type(), p)
			return nil
		}
		b.imports[pkg.Path()] = pkg.Name()
		words = append(words, ir.Word{Text: name, PkgPath: pkg.Path()}, ir.Word{Text: rest[len(name):]})
	}
	return words
}

// identifier returns the length of the identifier that s starts with.
func identifier(s string) int {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(s)
}
