package gosrc

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// collect returns what is to be generated for the unit, nil for nothing. Findings go to the unit's list.
func (u *unit) collect(selected map[string]bool, writers map[string][]writerSpec) *ir.Package {
	pkg := &ir.Package{Path: u.pkg.PkgPath, Name: u.pkg.Name, Dir: u.pkg.Dir}
	b := newBuilder(u)
	for _, decl := range u.order {
		name := decl.spec.Name.Name
		extra := writers[name]
		switch {
		case decl.record || selected[name]:
		case len(decl.writers) > 0:
			u.diags.Addf(decl.directives.pos, diag.Directive, "%s has a //rwgen:writer but is no record", name).
				Hint = "//rwgen:record on a line of its own above it"
			continue
		default:
			continue
		}
		obj, st := b.record(decl)
		if st == nil {
			continue
		}
		r := &ir.Record{Name: name, Doc: strings.TrimSpace(decl.doc.Text()), Pos: u.position(decl.spec.Name.Pos())}
		r.Type = b.root(obj, st)
		u.writers(r, obj, b, slices.Concat(decl.writers, extra))
		f := u.output(pkg, u.source(decl.spec.Pos()))
		f.Records = append(f.Records, r)
	}
	if len(pkg.Files) == 0 {
		return nil
	}
	markRecursive(b.named)
	pkg.Imports = b.imports
	pkg.Scope, pkg.FileNames = u.scopes()
	slices.SortFunc(pkg.Files, func(a, b *ir.File) int { return cmp.Compare(a.Source, b.Source) })
	return pkg
}

// record returns the object of a declaration if it can be a record: a type of its own, not generic, whose underlying type is a
// struct. What is wrong otherwise is reported.
func (b *builder) record(decl *typeDecl) (*types.TypeName, *types.Struct) {
	u, name := b.u, decl.spec.Name.Name
	pos := u.position(decl.spec.Name.Pos())
	if name == "_" {
		u.diags.Addf(pos, diag.Record, "a record needs a name other than _")
		return nil, nil
	}
	obj, ok := u.pkg.Types.Scope().Lookup(name).(*types.TypeName)
	if !ok || obj.Pos() != decl.spec.Name.Pos() {
		d := u.diags.Addf(pos, diag.Record, "%s is declared more than once in the package", name)
		if other := u.pkg.Types.Scope().Lookup(name); other != nil {
			d.Related = []diag.Related{{Pos: u.position(other.Pos()), Message: "the other declaration"}}
		}
		return nil, nil
	}
	if obj.IsAlias() {
		u.diags.Addf(pos, diag.Record, "%s is an alias of %s, not a type of its own", name, b.typeString(types.Unalias(obj.Type()))).
			Hint = "mark the aliased type, or declare a type: type " + name + " " + types.ExprString(decl.spec.Type)
		return nil, nil
	}
	named, ok := obj.Type().(*types.Named)
	if !ok {
		b.typeError(place{path: name, pos: obj.Pos()}, obj.Type())
		return nil, nil
	}
	if named.TypeParams().Len() > 0 {
		u.diags.Addf(pos, diag.Record, "%s is generic: only an instance can be a record", name).
			Hint = "declare a type for an instance and mark that: type Name " + name + "[…]"
		return nil, nil
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		if basic, ok := named.Underlying().(*types.Basic); ok && basic.Kind() == types.Invalid {
			b.typeError(place{path: name, pos: obj.Pos()}, named)
		} else {
			u.diags.Addf(pos, diag.Record, "%s is no struct: its underlying type is %s", name, b.typeString(named.Underlying())).
				Hint = "a struct with fields of its own"
		}
		return nil, nil
	}
	return obj, st
}

// root builds the type of a record, nil or incomplete if something is wrong with it.
func (b *builder) root(obj *types.TypeName, st *types.Struct) *ir.Type {
	t := b.buildNamed(obj.Type().(*types.Named), place{path: obj.Name(), pos: obj.Pos()})
	if t == nil {
		t = b.named[types.TypeString(obj.Type(), (*types.Package).Path)]
	}
	for i := range st.NumFields() {
		if tag, err := record.ParseTag(st.Tag(i)); st.Field(i).Name() != "_" && (err != nil || !tag.Skip) {
			return t
		}
	}
	b.u.diags.Addf(b.u.position(obj.Pos()), diag.Record, "%s has no field to encode", obj.Name()).
		Hint = "a record needs at least one field that is not blank and not left out"
	return t
}

// markRecursive marks the types that can contain themselves: those that lie on a cycle of the graph. It is Tarjan's algorithm
// for strongly connected components.
func markRecursive(named map[string]*ir.Type) {
	index := make(map[*ir.Type]int)
	low := make(map[*ir.Type]int)
	onStack := make(map[*ir.Type]bool)
	var stack []*ir.Type
	var visit func(t *ir.Type)
	visit = func(t *ir.Type) {
		index[t], low[t] = len(index)+1, len(index)+1
		stack, onStack[t] = append(stack, t), true
		self := false
		for _, next := range successors(t) {
			switch {
			case next == t:
				self = true
			case index[next] == 0:
				visit(next)
				low[t] = min(low[t], low[next])
			case onStack[next]:
				low[t] = min(low[t], index[next])
			}
		}
		if low[t] != index[t] {
			return
		}
		start := slices.Index(stack, t)
		component := stack[start:]
		for _, member := range component {
			member.Recursive = self || len(component) > 1
			onStack[member] = false
		}
		stack = stack[:start]
	}
	for _, t := range named {
		if index[t] == 0 {
			visit(t)
		}
	}
}

// successors returns the types that t directly consists of.
func successors(t *ir.Type) []*ir.Type {
	var next []*ir.Type
	if t.Key != nil {
		next = append(next, t.Key)
	}
	if t.Elem != nil {
		next = append(next, t.Elem)
	}
	for f := range t.Encoded() {
		if f.Type != nil {
			next = append(next, f.Type)
		}
	}
	return next
}
