package gosrc

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// mostMembers is how many members a union may have.
const mostMembers = 65_535

// union is an interface type whose values have one of the types of a directive.
type union struct {
	members []member
	// editable says that the directive stands in a package of the user.
	editable bool
	// faulty says that something is wrong with the directive, which has been reported.
	faulty bool
}

// member is one type of the values of a union.
type member struct {
	typ  types.Type // a named or predeclared type, or a pointer to a named one
	text string
	at   token.Pos // in the directive
}

// typeKey returns what tells a type from others, also where the loader has two objects for one.
func typeKey(t types.Type) string { return types.TypeString(t, (*types.Package).Path) }

// readUnions reads the unions and aliases of unions that the package declares.
func (b *builder) readUnions() {
	for _, decl := range b.u.order {
		if decl.union == nil {
			continue
		}
		t := b.interfaceOf(decl)
		if t == nil {
			continue
		}
		key := typeKey(t)
		if first, ok := b.unionDecls[key]; ok {
			d := b.u.diags.Addf(decl.union.pos, diag.Union, "the interface %s has members already", b.typeString(t))
			d.Hint = "remove one of the directives"
			d.Related = []diag.Related{{Pos: first.union.pos, Message: "the other directive"}}
			continue
		}
		b.unionDecls[key] = decl
		b.unions[key] = b.readUnion(b.u.pkg, decl, t)
	}
}

// interfaceOf returns the named interface type that a declaration with a union directive is about, nil if there is none, which is reported.
func (b *builder) interfaceOf(decl *typeDecl) *types.Named {
	u, name := b.u, decl.spec.Name.Name
	obj, ok := u.pkg.Types.Scope().Lookup(name).(*types.TypeName)
	if !ok || obj.Pos() != decl.spec.Name.Pos() { // declared twice, or blank
		u.diags.Addf(decl.union.pos, diag.Union, "the type %s of the union cannot be found in the package", name)
		return nil
	}
	t := types.Unalias(obj.Type())
	pos := u.position(obj.Pos())
	named, isNamed := t.(*types.Named)
	iface, isInterface := t.Underlying().(*types.Interface)
	switch {
	case generic(obj.Type()):
		u.diags.Addf(pos, diag.Union, "%s is generic: only an instance can be a union", name).
			Hint = "an alias of an instance with the directive: type Name = " + name + "[…]"
	case t.Underlying() == types.Typ[types.Invalid]:
		b.typeError(place{path: name, pos: obj.Pos()}, t)
	case !isInterface:
		d := u.diags.Addf(pos, diag.Union, "%s is no interface, so its values have only one type", name)
		if _, ok := t.Underlying().(*types.Struct); ok {
			d.Hint = "//rwgen:record, or an interface type"
		}
	case !iface.IsMethodSet():
		u.diags.Addf(pos, diag.Union, "%s is a constraint: there are no values of its type", name).Hint = "an interface with methods only"
	case !isNamed:
		u.diags.Addf(pos, diag.Union, "%s is an alias of an interface type without a name", name).
			Hint = "a type of its own: type " + name + " " + types.ExprString(decl.spec.Type)
	case obj.IsAlias() && !u.ext && u.inTest(decl.spec.Pos()):
		u.diags.Addf(pos, diag.Union, "the members of %s are declared in a test file", name).Hint = "move the alias out of " + u.source(decl.spec.Pos())
	default:
		return named
	}
	return nil
}

// union returns the members of an interface type, nil if no directive names them.
func (b *builder) union(t *types.Named) *union {
	key := typeKey(t)
	if un, ok := b.unions[key]; ok {
		return un
	}
	var un *union
	if obj := t.Obj(); obj.Pkg() != nil && obj.Pkg() != b.u.pkg.Types {
		if pkg := b.u.byTypes[obj.Pkg()]; pkg != nil {
			if decl := b.u.foreignDecl(pkg, obj); decl != nil && decl.union != nil {
				un = b.readUnion(pkg, decl, t)
			}
		}
	}
	b.unions[key] = un
	return un
}

// foreignDecl returns the declaration of a type of another package with its directives, nil if its source has not been loaded.
func (u *unit) foreignDecl(pkg *packages.Package, obj *types.TypeName) *typeDecl {
	for _, f := range pkg.Syntax {
		if obj.Pos() < f.FileStart || f.FileEnd <= obj.Pos() {
			continue
		}
		for spec, doc := range typeSpecs(f) {
			if spec.Name.Pos() == obj.Pos() {
				return &typeDecl{file: f, spec: spec, doc: doc, directives: parseDirectives(doc, u.position, u.diags)}
			}
		}
	}
	return nil
}

// readUnion finds the members of the interface t that a directive of a declaration in pkg names.
func (b *builder) readUnion(pkg *packages.Package, decl *typeDecl, t *types.Named) *union {
	un := &union{faulty: len(decl.union.types) == 0, editable: b.u.editable[pkg.PkgPath]} // without members it has been reported
	if n := len(decl.union.types); n > mostMembers {
		b.u.diags.Addf(decl.union.pos, diag.Union, "the union %s has %d members, more than %d", t.Obj().Name(), n, mostMembers)
		un.faulty = true
		return un
	}
	seen := make(map[string]member)
	for _, w := range decl.union.types {
		m, msg, hint := b.member(pkg, decl, t, w)
		var related []diag.Related
		if msg == "" {
			base := m.typ
			if ptr, ok := base.(*types.Pointer); ok {
				base = ptr.Elem()
			}
			first, twice := seen[typeKey(base)]
			seen[typeKey(base)] = m
			if twice {
				msg, hint = fmt.Sprintf("%s is a member already", m.text), "remove one of them"
				if !types.Identical(first.typ, m.typ) {
					msg = fmt.Sprintf("%s and %s cannot both be members: their bytes are the same", first.text, m.text)
				}
				related = []diag.Related{{Pos: b.u.position(first.at), Message: "the first one"}}
			}
		}
		if msg != "" {
			un.faulty = true
			d := b.u.diags.Addf(w.pos, diag.Union, "union %s: %s", decl.spec.Name.Name, msg)
			d.Hint, d.Related = hint, related
			continue
		}
		un.members = append(un.members, m)
	}
	return un
}

// member finds the type that a word of a directive names, or says what is wrong with it.
func (b *builder) member(pkg *packages.Package, decl *typeDecl, t *types.Named, w word) (m member, msg, hint string) {
	iface := t.Underlying().(*types.Interface)
	e := eval(pkg, decl.file, w.text)
	if e.typ == nil {
		if e.unknown != "" {
			near := e.hint(pkg.Types, func(t types.Type) bool {
				return !types.IsInterface(t) && (types.Implements(t, iface) || types.Implements(types.NewPointer(t), iface))
			})
			return m, fmt.Sprintf("the member %s is not declared here", w.text), near
		}
		return m, fmt.Sprintf("the member %s: %s", w.text, e.err), ""
	}
	if a, ok := e.typ.(*types.Alias); ok {
		b.noteAlias(a)
	}
	m = member{typ: types.Unalias(e.typ), text: w.text, at: w.at}
	base := m.typ
	if ptr, ok := m.typ.(*types.Pointer); ok {
		base = types.Unalias(ptr.Elem())
		if _, named := base.(*types.Named); !named {
			return m, fmt.Sprintf("the member %s is no pointer to a named type", w.text), "a type with a name"
		}
		m.typ = types.NewPointer(base)
	}
	switch base.(type) {
	case *types.Named, *types.Basic:
	default:
		return m, fmt.Sprintf("the member %s has no name, which it has in the schema", w.text), "a type of its own: type Name " + w.text
	}
	if types.IsInterface(base) {
		return m, fmt.Sprintf("the member %s is an interface, and values have other types", w.text), "the types of its values"
	}
	if b.u.pkg == pkg && !b.u.inTest(decl.spec.Pos()) {
		if file := b.u.testOnly(base); file != "" {
			return m, fmt.Sprintf("the member %s exists in tests only", w.text), "move it out of " + file
		}
	}
	if types.Implements(m.typ, iface) {
		return m, "", ""
	}
	if _, isPtr := m.typ.(*types.Pointer); !isPtr && types.Implements(types.NewPointer(base), iface) {
		return m, fmt.Sprintf("%s does not implement the interface, but *%s does", w.text, w.text), "*" + w.text
	}
	why := ""
	if missing, wrong := types.MissingMethod(m.typ, iface, true); missing != nil {
		why = ": the method " + missing.Name() + " is missing"
		if wrong {
			why = ": the method " + missing.Name() + " has another signature"
		}
	}
	return m, fmt.Sprintf("%s does not implement the interface%s", w.text, why), "implement it, or remove the member"
}

// fillUnion completes out from the directive of the interface type t.
func (b *builder) fillUnion(out *ir.Type, t *types.Named, p place) bool {
	un := b.union(t)
	if un == nil {
		b.noUnion(t, p)
		return false
	}
	if un.faulty { // reported where the directive stands
		return false
	}
	out.Kind, out.GoSize = ir.Union, b.u.sizes.of(t).size
	ok := true
	for _, m := range un.members {
		at := place{path: fmt.Sprintf("%s(%s)", p.path, m.text), pos: p.pos, field: p.field, foreign: true}
		if un.editable {
			at = place{path: fmt.Sprintf("%s(%s)", t.Obj().Name(), m.text), pos: m.at, remedy: "remove it from the union"}
		}
		mt := b.build(m.typ, at)
		if mt == nil {
			ok = false
			continue
		}
		out.Members = append(out.Members, mt)
	}
	return ok
}

// noUnion reports an interface type without a directive.
func (b *builder) noUnion(t types.Type, p place) {
	hint := "a named interface type with //rwgen:union and the types of its values, or " + leaveOut
	n, ok := t.(*types.Named)
	switch {
	case strings.HasSuffix(p.path, "[key]"):
		hint = leaveOut // unions are no keys
	case ok:
		obj := n.Obj()
		switch {
		case obj.Pkg() != nil && obj.Pkg().Path() == b.u.pkg.PkgPath:
			hint = "//rwgen:union above " + obj.Name() + " with the types of its values, or " + leaveOut
		case obj.Pkg() != nil:
			hint = "//rwgen:union with the types of its values above type " + obj.Name() + " = " + b.typeString(n) + ", or " + leaveOut
		}
	}
	b.fail(p, diag.Field, hint, "an interface (%s) has no encoding", b.typeString(t))
}
