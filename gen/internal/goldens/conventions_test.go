package goldens_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rwgen/rwgen/gen/ir"
)

// generatedFiles calls f for each committed output file.
func generatedFiles(t *testing.T, f func(t *testing.T, fset *token.FileSet, file *ast.File, src string)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(src), ir.Header) {
			return err
		}
		n++
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			return err
		}
		t.Run(name, func(t *testing.T) { f(t, fset, file, string(src)) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 20 {
		t.Fatalf("only %d generated files found", n)
	}
}

// Every exported symbol is documented, and there is nothing that runs by itself.
func TestConventions(t *testing.T) {
	generatedFiles(t, func(t *testing.T, fset *token.FileSet, file *ast.File, src string) {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.Name == "init" {
					t.Error("there is an init function")
				}
				documented(t, d.Name, d.Doc)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						documented(t, s.Name, d.Doc)
					case *ast.ValueSpec:
						if s.Names[0].Name != "_" {
							t.Errorf("there is a package-level variable or constant %s", s.Names[0])
						}
					}
				}
			}
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if n := utf8.RuneCountInString(c.Text); n > 100 && !strings.HasPrefix(c.Text, "//\t") && strings.Contains(c.Text[4:], " ") {
					t.Errorf("%s: a comment of %d characters", fset.Position(c.Pos()), n)
				}
			}
		}
	})
}

func documented(t *testing.T, name *ast.Ident, doc *ast.CommentGroup) {
	t.Helper()
	if name.Name != "_" && !strings.HasPrefix(doc.Text(), name.Name+" ") {
		t.Errorf("the doc comment of %s does not start with its name", name)
	}
	if name.Name == "_" && !strings.Contains(doc.Text(), "If this does not compile") {
		t.Error("a check does not explain itself")
	}
}

// Imports have no alias unless the name is taken, and nothing unsafe is among them.
func TestImports(t *testing.T) {
	generatedFiles(t, func(t *testing.T, _ *token.FileSet, file *ast.File, _ string) {
		for _, spec := range file.Imports {
			p := strings.Trim(spec.Path.Value, `"`)
			if p == "unsafe" || p == "reflect" {
				t.Errorf("imports %s", p)
			}
			if spec.Name == nil {
				continue
			}
			if spec.Name.Name == path.Base(p) {
				t.Errorf("%s has a redundant alias", p)
			}
			if aliased[file.Name.Name+" "+p] == "" {
				t.Errorf("%s has the alias %s for no reason", p, spec.Name)
			}
		}
	})
}

// aliased says which imports may have an alias, and why.
var aliased = map[string]string{
	"foreign github.com/rwgen/rwgen/gen/internal/goldens/foreign/b/model": "two packages of one name",
	"foreign github.com/rwgen/rwgen/gen/internal/goldens/foreign/err":     "err is usually a variable",
	"foreign github.com/rwgen/rwgen/gen/internal/goldens/foreign/wire":    "named like one of the runtime",
	"names github.com/rwgen/rwgen/gen/internal/goldens/names/x.git":       "two packages of one name",
	"nameclash github.com/rwgen/rwgen/runtime/record":                     "named like a record",
	"nameclash github.com/rwgen/rwgen/runtime/selector":                   "named like a type",
	"nameclash github.com/rwgen/rwgen/runtime/wire":                       "named like a type",
	"nameclash encoding/binary":                                           "named like a record",
	"nameclash math":                                                      "named like a type",
	"nameclash time":                                                      "named like a type",
}
