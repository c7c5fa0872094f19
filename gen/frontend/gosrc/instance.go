package gosrc

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rwgen/rwgen/gen/diag"
)

// root is a type that is to be a record, with the name that its generated identifiers are made of.
type root struct {
	name string
	typ  *types.Named
	pos  token.Position // of the declaration or of the type arguments
	recordOptions
}

// roots returns the records that a declaration and the flags that name it ask for. What is wrong with them is reported.
func (b *builder) roots(decl *typeDecl, flags []string) []root {
	u, name := b.u, decl.spec.Name.Name
	if !decl.record && len(decl.instances) == 0 && len(flags) == 0 {
		return nil
	}
	pos := u.position(decl.spec.Name.Pos())
	if name == "_" {
		u.diags.Addf(pos, diag.Record, "a record needs a name other than _")
		return nil
	}
	obj, ok := u.pkg.Types.Scope().Lookup(name).(*types.TypeName)
	if !ok || obj.Pos() != decl.spec.Name.Pos() {
		d := u.diags.Addf(pos, diag.Record, "%s is declared more than once in the package", name)
		if other := u.pkg.Types.Scope().Lookup(name); other != nil {
			d.Related = []diag.Related{{Pos: u.position(other.Pos()), Message: "the other declaration"}}
		}
		return nil
	}
	isGeneric := generic(obj.Type())
	var out []root
	bare := decl.record
	for i, w := range decl.instances {
		if !isGeneric {
			u.diags.Addf(w.pos, diag.Record, "%s is not generic and takes no type arguments, but has %s", name, w.text).Hint = "//rwgen:record"
			continue
		}
		n := len(out)
		out = b.instance(out, decl, w, "")
		for j := range out[n:] {
			out[n+j].recordOptions = decl.instancesOptions[i]
		}
	}
	for _, flag := range flags {
		args := flag[len(name):]
		switch {
		case args == "":
			bare = bare || len(decl.instances) == 0
		case !isGeneric:
			u.diags.Addf(pos, diag.Record, "-type '%s': %s is not generic and takes no type arguments", flag, name).Hint = "-type " + name
		default:
			out = b.instance(out, decl, word{text: args, pos: pos}, flag)
		}
	}
	if !bare {
		return out
	}
	if isGeneric {
		hint := "//rwgen:record [string] with the type arguments of each instance, or type Name = " + name + "[…] with //rwgen:record"
		if !decl.record {
			hint = "-type '" + name + "[…]' with type arguments"
		}
		u.diags.Addf(pos, diag.Record, "%s is generic: only an instance can be a record", name).Hint = hint
		return out
	}
	if t := b.structOf(obj, decl); t != nil {
		out = append(out, root{name: name, typ: t, pos: pos, recordOptions: decl.options})
	}
	return out
}

// structOf returns the struct type that a declaration which is not generic names, nil if it names none, which is reported.
func (b *builder) structOf(obj *types.TypeName, decl *typeDecl) *types.Named {
	u, name := b.u, obj.Name()
	pos := u.position(obj.Pos())
	t := types.Unalias(obj.Type())
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Kind() == types.Invalid {
		b.typeError(place{path: name, pos: obj.Pos()}, t)
		return nil
	}
	if a, ok := obj.Type().(*types.Alias); ok {
		b.noteAlias(a)
	}
	named, ok := t.(*types.Named)
	_, isStruct := t.Underlying().(*types.Struct)
	_, isInterface := t.Underlying().(*types.Interface)
	switch {
	case isTime(t):
		u.diags.Addf(pos, diag.Record, "%s is an alias of time.Time, which is no record", name).Hint = "a struct with fields of its own"
	case isInterface:
		u.diags.Addf(pos, diag.Record, "%s is no struct: its underlying type is %s", name, b.typeString(t.Underlying())).
			Hint = "//rwgen:union with the types of its values; records that have fields of the type " + name + " can then be encoded"
	case !isStruct:
		u.diags.Addf(pos, diag.Record, "%s is no struct: its underlying type is %s", name, b.typeString(t.Underlying())).
			Hint = "a struct with fields of its own"
	case !ok:
		u.diags.Addf(pos, diag.Record, "%s is an alias of a struct type without a name", name).
			Hint = "a type of its own: type " + name + " " + types.ExprString(decl.spec.Type)
	default:
		return named
	}
	return nil
}

// instance adds the instance of a generic type that has the type arguments w, in brackets, to out. A flag may repeat what a directive asks for.
func (b *builder) instance(out []root, decl *typeDecl, w word, flag string) []root {
	u, name := b.u, decl.spec.Name.Name
	text := name + w.text
	e := eval(u.pkg, decl.file, text)
	if e.typ == nil {
		at, where := w.pos, text
		if flag == "" {
			at.Column += max(0, e.offset-len(name))
		} else {
			where = "-type '" + flag + "'"
		}
		u.diags.Addf(at, diag.Record, "%s is no instance: %s", where, e.err).Hint = e.hint(u.pkg.Types, nil)
		return out
	}
	if a, ok := e.typ.(*types.Alias); ok {
		b.noteAlias(a)
	}
	t, ok := types.Unalias(e.typ).(*types.Named)
	if _, isStruct := e.typ.Underlying().(*types.Struct); !ok || !isStruct {
		u.diags.Addf(w.pos, diag.Record, "%s is no struct with a name: its underlying type is %s", text, b.typeString(e.typ.Underlying())).
			Hint = "a struct with fields of its own"
		return out
	}
	for i := range t.TypeArgs().Len() {
		if file := u.testOnly(t.TypeArgs().At(i)); file != "" && !u.inTest(decl.spec.Pos()) {
			u.diags.Addf(w.pos, diag.Record, "%s has a type argument that is declared in %s and exists in tests only", text, file).
				Hint = "move it out of " + file
			return out
		}
	}
	for _, r := range out {
		if types.Identical(r.typ, t) {
			if flag == "" {
				u.diags.Addf(w.pos, diag.Record, "the instance %s stands here twice", text).Hint = "remove one of them"
			}
			return out
		}
	}
	return append(out, root{name: instanceName(e.typ), typ: t, pos: w.pos})
}

// instanceName returns the name of a type as a part of an identifier: that of an instance is followed by those of its arguments.
func instanceName(t types.Type) string {
	var args *types.TypeList
	name := ""
	switch t := t.(type) {
	case *types.Alias:
		name, args = t.Obj().Name(), t.TypeArgs()
	case *types.Named:
		name, args = t.Obj().Name(), t.TypeArgs()
	}
	for arg := range args.Types() {
		name += argumentName(arg)
	}
	return name
}

// argumentName returns the name of a type argument as a part of an identifier, with an upper-case first letter. It has the words of the Go
// expression in their order: map[string][]*Order gives MapStringSlicePtrOrder.
func argumentName(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return title(instanceName(t))
	case *types.Named:
		return title(instanceName(t))
	case *types.Basic:
		return title(t.Name())
	case *types.Pointer:
		return "Ptr" + argumentName(t.Elem())
	case *types.Slice:
		return "Slice" + argumentName(t.Elem())
	case *types.Array:
		return "Array" + strconv.FormatInt(t.Len(), 10) + argumentName(t.Elem())
	case *types.Map:
		return "Map" + argumentName(t.Key()) + argumentName(t.Elem())
	case *types.Struct:
		return "Struct"
	case *types.Interface:
		return "Interface"
	case *types.Signature:
		return "Func"
	case *types.Chan:
		return "Chan" + argumentName(t.Elem())
	}
	return "Type"
}

func title(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}

// distinct reports roots that cannot stand side by side: two of one type, or two with one name. It returns the others.
func (b *builder) distinct(all []root) []root {
	var out []root
	for _, r := range all {
		i := slices.IndexFunc(out, func(o root) bool { return o.name == r.name || types.Identical(o.typ, r.typ) })
		if i < 0 {
			out = append(out, r)
			continue
		}
		first := out[i]
		d := b.u.diags.Addf(r.pos, diag.Record, "%s and %s are records of the same type", r.name, first.name)
		d.Hint = "remove one of the directives"
		if !types.Identical(first.typ, r.typ) {
			d.Category = diag.Name
			d.Message = "the generated names for " + b.typeString(r.typ) + " and " + b.typeString(first.typ) + " would both start with " + r.name
			d.Hint = "an alias with the directive: type Name = " + b.typeString(r.typ)
		}
		d.Related = []diag.Related{{Pos: first.pos, Message: "the first one"}}
	}
	return out
}

// testOnly returns the file of a type that t is made of and that only tests of the package have, "" if there is none.
func (u *unit) testOnly(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == u.pkg.PkgPath && u.inTest(t.Obj().Pos()) {
			return u.source(t.Obj().Pos())
		}
		for arg := range t.TypeArgs().Types() {
			if file := u.testOnly(arg); file != "" {
				return file
			}
		}
	case *types.Map:
		if file := u.testOnly(t.Key()); file != "" {
			return file
		}
		return u.testOnly(t.Elem())
	case interface{ Elem() types.Type }:
		return u.testOnly(t.Elem())
	}
	return ""
}

// inTest reports whether pos stands in a test file.
func (u *unit) inTest(pos token.Pos) bool { return strings.HasSuffix(u.source(pos), "_test.go") }
