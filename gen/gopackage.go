package gen

import (
	"errors"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/rwgen/rwgen/gen/frontend/gosrc"
	"github.com/rwgen/rwgen/gen/names"
)

// goPackage is what the disk says about the directory of a Go package without the go command: which names its files take.
type goPackage struct {
	name    string   // of the package clauses, "" without files
	clause  string   // the file that has it
	scope   []string // sorted
	imports []string // names that file scopes have, sorted
	// declared tells where a name is declared.
	declared map[string]token.Position
}

// readGoPackage reads the Go files in a directory that are no output of rwgen, under whatever conditions they are built. Nothing of the result depends on the platform or on what has been generated before.
// Files with the extension _test.go count if they are in the package. What does not parse is read as far as it does.
func readGoPackage(dir string) (*goPackage, error) {
	p := &goPackage{declared: make(map[string]token.Position)}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	type source struct {
		path string
		ast  *ast.File
		pos  func(token.Pos) token.Position
	}
	var tests []source
	add := func(s source) {
		for _, id := range declarations(s.ast) {
			p.scope = append(p.scope, id.Name)
			if _, ok := p.declared[id.Name]; !ok {
				p.declared[id.Name] = s.pos(id.Pos())
			}
		}
		for _, spec := range s.ast.Imports {
			if name := importName(spec); name != "" {
				p.imports = append(p.imports, name)
			}
		}
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		full := filepath.Join(dir, name)
		content, err := os.ReadFile(full)
		if err != nil || gosrc.IsOwn(content) {
			continue // what cannot be read is for the compiler to complain about
		}
		f, fset := parseIn(full, content)
		if f == nil || ignored(f) {
			continue
		}
		s := source{full, f, fset.Position}
		if strings.HasSuffix(name, "_test.go") {
			tests = append(tests, s)
			continue
		}
		if p.name == "" {
			p.name, p.clause = f.Name.Name, full
		}
		add(s)
	}
	for _, s := range tests {
		if s.ast.Name.Name == p.name || p.name == "" && !strings.HasSuffix(s.ast.Name.Name, "_test") {
			add(s)
		}
	}
	p.scope, p.imports = sortedNames(p.scope), sortedNames(p.imports)
	return p, nil
}

// ignored reports whether a file is one of those that go run takes and go build leaves out.
func ignored(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && strings.TrimSpace(c.Text) == "//go:build ignore" {
				return true
			}
		}
	}
	return false
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// importName returns the name under which a file knows an import, as far as the file itself tells: what the imported package calls itself is taken to be the last element of its path.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		if spec.Name.Name == "_" || spec.Name.Name == "." {
			return ""
		}
		return spec.Name.Name
	}
	imported, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return lastName(imported)
}

// lastName makes the name of a package of the last element of an import path that is not a major version.
func lastName(importPath string) string {
	base := path.Base(importPath)
	if dir := path.Dir(importPath); majorVersion.MatchString(base) && dir != "." {
		base = path.Base(dir)
	}
	base, _, _ = strings.Cut(base, ".")
	return names.Package(strings.TrimPrefix(base, "go-"))
}

// modulePath returns the import path of a directory: what follows from the next go.mod in it or above, which is read, and the name of that file.
func modulePath(dir string) (importPath, goMod string, err error) {
	for at := dir; ; {
		file := filepath.Join(at, "go.mod")
		content, err := os.ReadFile(file)
		switch {
		case err == nil:
			mod := modfile.ModulePath(content)
			if mod == "" {
				return "", file, errors.New("its go.mod has no module line")
			}
			rel, err := filepath.Rel(at, dir)
			if err != nil {
				return "", file, err
			}
			importPath := path.Join(mod, filepath.ToSlash(rel))
			if err := module.CheckImportPath(importPath); err != nil {
				return "", file, err
			}
			return importPath, file, nil
		case !errors.Is(err, fs.ErrNotExist) && !isDir(file):
			return "", "", err
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", "", errors.New("there is no go.mod in it or above")
		}
		at = parent
	}
}

// merge adds names to a sorted list of names.
func merge(list []string, more ...string) []string { return sortedNames(slices.Concat(list, more)) }
