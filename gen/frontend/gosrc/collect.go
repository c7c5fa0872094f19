package gosrc

import (
	"cmp"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/spec"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// collect returns what is to be generated for the unit, nil for nothing. Findings go to the unit's list. The types that flags select are given by
// the names of their declarations. with is for all records.
func (u *unit) collect(selected map[string][]string, writers map[string][]spec.Writer, with ir.With) *ir.Package {
	pkg := &ir.Package{Path: u.pkg.PkgPath, Name: u.pkg.Name, Dir: u.pkg.Dir}
	b := newBuilder(u)
	var all []root
	decls := make(map[string]*typeDecl)
	for _, decl := range u.order {
		name := decl.spec.Name.Name
		roots := b.roots(decl, selected[name])
		if !decl.record && !decl.faulty && len(decl.instances) == 0 && len(selected[name]) == 0 && len(decl.writers) > 0 {
			u.diags.Addf(decl.directives.pos, diag.Directive, "%s has a //rwgen:writer but is no record", name).
				Hint = "//rwgen:record on a line of its own above it"
		}
		for _, r := range roots {
			decls[r.name] = cmp.Or(decls[r.name], decl)
		}
		all = append(all, roots...)
	}
	for _, root := range b.distinct(all) {
		decl := decls[root.name]
		u.records = append(u.records, root.name)
		r := &ir.Record{
			Name: root.name, Doc: strings.TrimSpace(decl.doc.Text()), Pos: u.position(decl.spec.Name.Pos()), With: root.with,
		}
		if r.Format = u.format(root, decl); r.Format.Calls() {
			b.called(r, root, decl)
		} else if declaresMessage(root.typ) {
			u.diags.Addf(r.Pos, diag.Record, "%s is a Protobuf message, whose fields are not for others to encode", r.Name).Hint = "format=protobuf behind //rwgen:record, or with -type: -format protobuf"
			continue
		} else {
			r.Type = b.root(root, decl)
			r.With |= with
		}
		u.setAliases(r, root)
		u.checkWith(r, root.typ)
		u.writers(r, root.typ, decl, b, slices.Concat(decl.writers, writers[root.name]))
		f := u.output(pkg, u.source(decl.spec.Pos()))
		f.Records = append(f.Records, r)
	}
	if len(pkg.Files) == 0 {
		return nil
	}
	ir.MarkRecursive(maps.Values(b.named))
	pkg.Imports = b.imports
	pkg.Scope, pkg.FileNames = u.scopes()
	slices.SortFunc(pkg.Files, func(a, b *ir.File) int { return cmp.Compare(a.Source, b.Source) })
	return pkg
}

// root builds the type of a record, nil or incomplete if something is wrong with it.
func (b *builder) root(r root, decl *typeDecl) *ir.Type {
	// A record is always its structure. It is another type than in fields only if it has another encoding there.
	key := typeKey(r.typ)
	if done := b.named[key]; b.codecs[key] != nil || b.methods(r.typ, ir.Binary) != nil || done != nil && done.Kind == ir.Codec {
		key += " as a record"
	}
	name := r.name
	if r.typ.TypeArgs().Len() > 0 {
		name = b.typeString(r.typ)
	}
	t := b.buildKeyed(key, r.typ, place{path: name, pos: decl.spec.Name.Pos()}, b.fillRecord)
	if t == nil {
		t = b.named[key]
	}
	st := r.typ.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if tag, err := record.ParseTag(st.Tag(i)); st.Field(i).Name() != "_" && (err != nil || !tag.Skip) {
			return t
		}
	}
	b.u.diags.Addf(b.u.position(decl.spec.Name.Pos()), diag.Record, "%s has no field to encode", name).
		Hint = "a record needs at least one field that is not blank and not left out"
	return t
}
