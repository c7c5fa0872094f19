package gosrc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// unit is one package to generate for.
type unit struct {
	*loader
	pkg   *packages.Package
	ext   bool // external test package
	sizes *sizes
	// fields finds the syntax of a field by the position of its name.
	fields map[token.Pos]*ast.Field
	// decls finds the declaration of a package-level type by its name.
	decls   map[string]*typeDecl
	order   []*typeDecl // in source order, files by name
	records []string    // names of the records, as far as they have been collected
}

// typeDecl is a package-level type declaration.
type typeDecl struct {
	file *ast.File
	spec *ast.TypeSpec
	doc  *ast.CommentGroup
	directives
}

func (l *loader) newUnit(p *packages.Package, ext bool) *unit {
	u := &unit{
		loader: l, pkg: p, ext: ext,
		sizes:  newSizes(),
		fields: make(map[token.Pos]*ast.Field),
		decls:  make(map[string]*typeDecl),
	}
	for _, f := range p.Syntax {
		u.scan(f)
	}
	return u
}

// scan indexes the declarations of a file and reads its directives. A directive anywhere else than in the doc comment of a type
// is reported: it would have no effect.
func (u *unit) scan(f *ast.File) {
	docs := make(map[*ast.CommentGroup]bool)
	for spec, doc := range typeSpecs(f) {
		docs[doc] = true
		decl := &typeDecl{file: f, spec: spec, doc: doc, directives: parseDirectives(doc, u.position, u.diags)}
		u.order = append(u.order, decl)
		if u.decls[spec.Name.Name] == nil {
			u.decls[spec.Name.Name] = decl
		}
		ast.Inspect(spec.Type, u.indexFields)
	}
	for _, group := range f.Comments {
		if docs[group] {
			continue
		}
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, prefix) {
				verb, _, _ := strings.Cut(strings.TrimPrefix(c.Text, prefix), " ")
				u.diags.Addf(u.position(c.Pos()), diag.Directive, "//rwgen:%s is not attached to a type declaration", verb).
					Hint = u.attachHint(f, c.Pos())
			}
		}
	}
}

// typeSpecs yields the types that a file declares at package level, with their doc comments.
func typeSpecs(f *ast.File) iter.Seq2[*ast.TypeSpec, *ast.CommentGroup] {
	return func(yield func(*ast.TypeSpec, *ast.CommentGroup) bool) {
		for _, d := range f.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok || gd.Tok != token.TYPE {
				continue
			}
			for _, s := range gd.Specs {
				spec := s.(*ast.TypeSpec)
				doc := spec.Doc
				if !gd.Lparen.IsValid() {
					doc = gd.Doc
				}
				if !yield(spec, doc) {
					return
				}
			}
		}
	}
}

func (u *unit) indexFields(n ast.Node) bool {
	st, ok := n.(*ast.StructType)
	if !ok {
		return true
	}
	for _, f := range st.Fields.List {
		for _, name := range f.Names {
			u.fields[name.Pos()] = f
		}
		if len(f.Names) == 0 {
			u.fields[embeddedName(f.Type).Pos()] = f
		}
	}
	return true
}

// embeddedName returns the part of an embedded field's type that names the field.
func embeddedName(x ast.Expr) ast.Expr {
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.ParenExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.SelectorExpr:
			return t.Sel
		default:
			return x
		}
	}
}

// attachHint says where a directive at pos should have been.
func (u *unit) attachHint(f *ast.File, pos token.Pos) string {
	for _, d := range f.Decls {
		if d.Pos() <= pos && pos < d.End() {
			switch d := d.(type) {
			case *ast.FuncDecl:
				return "move the type out of the function: records are declared at package level"
			case *ast.GenDecl:
				if d.Tok == token.TYPE {
					return "put it into the comment above the type, on a line of its own"
				}
			}
		}
		if gd, ok := d.(*ast.GenDecl); ok && gd.Tok == token.TYPE && gd.Doc != nil && gd.Doc.Pos() <= pos && pos < gd.Doc.End() {
			return "put it above one of the types inside the parentheses"
		}
	}
	return "put it into the comment directly above a type, without a blank line in between"
}

// position returns where pos stands in what the user wrote. For files that cgo has rewritten, and only for these, that is what
// their line directives say.
func (u *unit) position(pos token.Pos) token.Position {
	if !pos.IsValid() {
		return token.Position{}
	}
	p := u.pkg.Fset.PositionFor(pos, false)
	if u.dirs[filepath.Dir(p.Filename)] == nil {
		if adjusted := u.pkg.Fset.PositionFor(pos, true); adjusted.Filename != p.Filename && filepath.IsAbs(adjusted.Filename) {
			return adjusted
		}
	}
	return p
}

func (u *unit) fieldDoc(pos token.Pos) string {
	f := u.fields[pos]
	switch {
	case f == nil:
		return ""
	case f.Doc != nil:
		return strings.TrimSpace(f.Doc.Text())
	default:
		return strings.TrimSpace(f.Comment.Text())
	}
}

// importPath returns the path that the rule for internal packages sees.
func (u *unit) importPath() string {
	if u.ext {
		return u.pkg.ForTest
	}
	return u.pkg.PkgPath
}

// source returns the base name of the file in which pos stands.
func (u *unit) source(pos token.Pos) string { return filepath.Base(u.position(pos).Filename) }

// sourceText returns the content of a source by its base name.
func (u *unit) sourceText(name string) []byte {
	for _, f := range u.files() {
		if filepath.Base(f.path) == name {
			return f.src
		}
	}
	return nil
}

// files returns the files in the package's directory.
func (u *unit) files() []sourceFile {
	if d := u.dirs[u.pkg.Dir]; d != nil {
		return d.files
	}
	return nil
}

// scopes returns the names that the package declares at package level and in the scopes of its files, also in files that this
// build leaves out: a generated name must not clash there either.
func (u *unit) scopes() (pkg, file []string) {
	names, fileNames := make(map[string]bool), make(map[string]bool)
	for _, n := range u.pkg.Types.Scope().Names() {
		names[n] = true
	}
	loaded := make(map[string]*ast.File)
	for _, f := range u.pkg.Syntax {
		loaded[u.pkg.Fset.PositionFor(f.Package, false).Filename] = f
	}
	for _, f := range u.files() {
		if f.own {
			continue
		}
		syntax := loaded[f.path]
		if syntax == nil {
			syntax, _ = parser.ParseFile(token.NewFileSet(), f.path, blankBodies(f.src), parser.SkipObjectResolution)
		}
		if syntax != nil && syntax.Name.Name == u.pkg.Name {
			declared(syntax, names)
			u.imported(syntax, fileNames)
		}
	}
	delete(names, "_")
	delete(names, "init")
	return slices.Sorted(maps.Keys(names)), slices.Sorted(maps.Keys(fileNames))
}

// declared adds the package-level names of a file to names.
func declared(f *ast.File, names map[string]bool) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
}

// imported adds the names that a file's imports declare to names.
func (u *unit) imported(f *ast.File, names map[string]bool) {
	for _, spec := range f.Imports {
		importPath := strings.Trim(spec.Path.Value, "`\"")
		dep := u.pkg.Imports[importPath]
		switch {
		case spec.Name == nil && dep != nil:
			names[dep.Name] = true
		case spec.Name == nil:
			names[guessName(importPath)] = true
		case spec.Name.Name == ".":
			if dep != nil && dep.Types != nil {
				for _, n := range dep.Types.Scope().Names() {
					if token.IsExported(n) {
						names[n] = true
					}
				}
			}
		case spec.Name.Name != "_":
			names[spec.Name.Name] = true
		}
	}
}

// guessName returns the name that a package most likely has by its path. It is for imports of files that were not loaded, above all of tests: these are loaded or not depending on what else a run is about, and
// the output must not depend on that.
func guessName(importPath string) string {
	name := path.Base(importPath)
	if dir := path.Dir(importPath); dir != "." && majorVersion.MatchString(name) {
		name = path.Base(dir)
	}
	if base, version, ok := strings.Cut(name, ".v"); ok && majorVersion.MatchString("v"+version) { // gopkg.in/yaml.v3
		name = base
	}
	return name
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// output returns the file of the package for a source, adding it if need be.
func (u *unit) output(pkg *ir.Package, source string) *ir.File {
	for _, f := range pkg.Files {
		if f.Source == source {
			return f
		}
	}
	f := &ir.File{
		Source:     source,
		Output:     OutputName(source),
		Constraint: fileConstraint(u.sourceText(source)),
		Test:       strings.HasSuffix(source, "_test.go"),
		Package:    u.pkg.Name,
	}
	pkg.Files = append(pkg.Files, f)
	return f
}
