package gosrc

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rwgen/rwgen/gen/diag"
)

// directory is one directory that the patterns match.
type directory struct {
	path  string
	files []sourceFile
}

// onlyOwn reports whether nothing but earlier output is there. Such a package has no sources left; that is no error.
func (d *directory) onlyOwn() bool {
	return len(d.files) > 0 && !slices.ContainsFunc(d.files, func(f sourceFile) bool { return !f.own })
}

// loader holds the steps of one load.
type loader struct {
	cfg     Config
	diags   *diag.List
	overlay map[string][]byte
	dirs    map[string]*directory
	roots   []*packages.Package
	// editable holds the import paths of packages whose sources belong to the user.
	editable map[string]bool
	// byPath finds the package of a type, for its syntax and errors.
	byPath map[string]*packages.Package
	// byTypes finds the package to which objects of the type checker belong.
	byTypes map[*types.Package]*packages.Package
}

// load finds the directories that the patterns match, hides earlier output there, and loads everything with types. A second
// load happens only if earlier output in a dependency is so broken that the go command or the parser stumbles over it.
func (l *loader) load(ctx context.Context) error {
	found, err := l.packages(ctx, packages.NeedName|packages.NeedFiles, false, nil)
	if err != nil {
		return err
	}
	for _, p := range found {
		if p.Dir != "" {
			if err := l.hide(p.Dir, true); err != nil {
				return err
			}
		}
	}
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
		packages.NeedTypes | packages.NeedSyntax | packages.NeedModule | packages.NeedForTest
	for {
		if l.roots, err = l.packages(ctx, mode, l.needTests(), l.parse); err != nil {
			return err
		}
		hidden := len(l.overlay)
		for p := range packages.Postorder(l.roots) {
			if p.Dir == "" || l.dirs[p.Dir] != nil || !slices.ContainsFunc(p.Errors, structural) || !editable(p) {
				continue
			}
			if err := l.hide(p.Dir, false); err != nil {
				return err
			}
		}
		if len(l.overlay) == hidden {
			break
		}
	}
	l.editable, l.byPath = make(map[string]bool), make(map[string]*packages.Package)
	l.byTypes = make(map[*types.Package]*packages.Package)
	for p := range packages.Postorder(l.roots) {
		l.byTypes[p.Types] = p
		// Without modules, what the patterns name is the user's.
		if editable(p) || p.Module == nil && l.dirs[p.Dir] != nil {
			l.editable[p.PkgPath] = true
		}
		// The variant for tests comes after the package that it is a variant of and has all of its files.
		if old := l.byPath[p.PkgPath]; old == nil || len(old.Syntax) < len(p.Syntax) {
			l.byPath[p.PkgPath] = p
		}
	}
	return nil
}

// structural reports whether an error is one that a broken file causes, not one of types.
func structural(err packages.Error) bool { return err.Kind != packages.TypeError }

// editable reports whether the sources of p belong to a module of the user: a main module or one replaced by a directory.
func editable(p *packages.Package) bool {
	m := p.Module
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// hide puts the earlier output in a directory under the overlay.
func (l *loader) hide(dir string, root bool) error {
	if l.dirs[dir] != nil {
		return nil
	}
	files, err := readDir(dir, l.cfg.Overlay, l.cfg.Output)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.own {
			l.overlay[f.path] = hidden
		}
	}
	if root {
		l.dirs[dir] = &directory{path: dir, files: files}
	}
	return nil
}

// needTests reports whether a test file may declare a record; otherwise what tests import need not be loaded.
func (l *loader) needTests() bool {
	for _, d := range l.dirs {
		for _, f := range d.files {
			if !f.own && strings.HasSuffix(f.path, "_test.go") && l.mentionsRecord(f.src) {
				return true
			}
		}
	}
	return false
}

// mentionsRecord reports whether a source may declare a record, going by its text alone.
func (l *loader) mentionsRecord(src []byte) bool {
	return bytes.Contains(src, []byte(prefix)) ||
		slices.ContainsFunc(l.cfg.Types, func(t string) bool { return bytes.Contains(src, []byte(baseName(t))) })
}

func (l *loader) packages(ctx context.Context, mode packages.LoadMode, tests bool,
	parse func(*token.FileSet, string, []byte) (*ast.File, error)) ([]*packages.Package, error) {
	cfg := &packages.Config{
		Mode: mode, Context: ctx, Dir: l.cfg.Dir, Env: l.cfg.Env, Tests: tests, Overlay: l.overlay, ParseFile: parse,
	}
	if l.cfg.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + l.cfg.Tags}
	}
	return packages.Load(cfg, l.cfg.Patterns...)
}

// parse parses a file for the loader. Bodies of functions are dropped, because nothing in them can change the type of a field,
// and comments are kept only where directives and documentation may come from: both save about half of the time.
func (l *loader) parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	mode := parser.AllErrors | parser.SkipObjectResolution
	if l.dirs[filepath.Dir(name)] != nil || bytes.Contains(src, []byte(prefix)) {
		mode |= parser.ParseComments
	} else {
		src = blankBodies(src)
	}
	f, err := parser.ParseFile(fset, name, src, mode)
	if f == nil {
		return nil, err
	}
	dropValues(f)
	return f, err
}

// dropValues empties the bodies of functions and the literals in the values of variables, such as the tables of package unicode. No type
// depends on them, but that of an array whose length is counted.
func dropValues(f *ast.File) {
	literal := func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if array, ok := lit.Type.(*ast.ArrayType); ok {
			if _, counted := array.Len.(*ast.Ellipsis); counted {
				return true
			}
		}
		lit.Elts = nil
		return false
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				d.Body.List = nil
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				ast.Inspect(d, literal)
			}
		}
	}
}

// units returns what is to be generated from: per directory the package, with its in-package tests if these were loaded, and the
// external test package. Packages that could not be loaded at all are reported.
func (l *loader) units() []*unit {
	type key struct {
		dir string
		ext bool
	}
	chosen := make(map[key]*packages.Package)
	var order []key
	for _, p := range l.roots {
		if len(p.Syntax) == 0 {
			l.reportUnloaded(p)
			continue
		}
		l.reportMixed(p)
		// The main package that the go command makes for tests has its only file in the build cache.
		if len(p.GoFiles) == 0 || filepath.Dir(p.GoFiles[0]) != p.Dir {
			continue
		}
		k := key{dir: p.Dir, ext: p.ForTest != "" && p.PkgPath != p.ForTest}
		if old := chosen[k]; old == nil {
			order = append(order, k)
		} else if len(old.GoFiles) >= len(p.GoFiles) {
			continue
		}
		chosen[k] = p
	}
	units := make([]*unit, 0, len(order))
	for _, k := range order {
		units = append(units, l.newUnit(chosen[k], k.ext))
	}
	slices.SortFunc(units, func(a, b *unit) int { return strings.Compare(a.pkg.PkgPath, b.pkg.PkgPath) })
	return units
}

// reportUnloaded reports the errors of a pattern or package of which no file could be used.
func (l *loader) reportUnloaded(p *packages.Package) {
	if d := l.dirs[p.Dir]; d != nil && d.onlyOwn() {
		return
	}
	for _, e := range p.Errors {
		msg := l.shorten(oneLine(e.Msg))
		pos := l.errorPosition(e)
		if pos.Filename == "" && !strings.Contains(msg, p.PkgPath) {
			msg = p.PkgPath + ": " + msg
		}
		hint := l.platformHint()
		if hint == "" && strings.Contains(msg, "build constraints exclude all") && l.importsC(p.Dir) {
			hint = "enable cgo, by CGO_ENABLED=1 and a C compiler: there are files that import \"C\""
		}
		l.diags.Addf(pos, diag.Load, "%s", msg).Hint = hint
	}
}

// importsC reports whether a source in a directory needs cgo.
func (l *loader) importsC(dir string) bool {
	d := l.dirs[dir]
	return d != nil && slices.ContainsFunc(d.files, func(f sourceFile) bool {
		return !f.own && slices.ContainsFunc(bytes.Split(f.src, []byte("\n")), func(line []byte) bool {
			return string(bytes.TrimSpace(line)) == `import "C"`
		})
	})
}

// reportMixed reports that the files of a directory have different package clauses. The go command takes the first for the
// package, but nothing can be built from it.
func (l *loader) reportMixed(p *packages.Package) {
	for _, e := range p.Errors {
		if e.Kind != packages.TypeError && strings.HasPrefix(e.Msg, "found packages ") {
			l.diags.Addf(token.Position{}, diag.Load, "%s", l.shorten(oneLine(e.Msg)))
			return
		}
	}
}

func getenv(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value
		}
	}
	return ""
}

// errorPosition parses the position of a loader's error, "file:line:col" with the last parts optional, or "-".
func (l *loader) errorPosition(e packages.Error) token.Position {
	var pos token.Position
	if e.Pos == "" || e.Pos == "-" {
		return pos
	}
	file, numbers := e.Pos, []int(nil)
	for len(numbers) < 2 {
		i := strings.LastIndexByte(file, ':')
		if i < 0 {
			break
		}
		n, err := strconv.Atoi(file[i+1:])
		if err != nil {
			break
		}
		numbers, file = append(numbers, n), file[:i]
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(l.cfg.Dir, file)
	}
	pos.Filename = file
	switch len(numbers) {
	case 1:
		pos.Line = numbers[0]
	case 2:
		pos.Line, pos.Column = numbers[1], numbers[0]
	}
	return pos
}
