package goldens_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var serializer = regexp.MustCompile(`^(\w+)Serializer$`)

// Every record of the goldens that has the native format is tested on hostile bytes, and has a fuzz target.
func TestAllAreHostile(t *testing.T) {
	tests := map[string]string{} // by directory
	files, err := filepath.Glob("*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("*/*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, below...) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests[filepath.Dir(name)] += string(src)
	}
	generatedFiles(t, func(t *testing.T, _ *token.FileSet, file *ast.File, _ string) {
		dir := filepath.Dir(strings.TrimPrefix(t.Name(), "TestAllAreHostile/"))
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE || !strings.Contains(strings.Join(strings.Fields(d.Doc.Text()), " "), "in the native format of rwgen") {
				continue
			}
			for _, spec := range d.Specs {
				name := spec.(*ast.TypeSpec).Name.Name
				if !serializer.MatchString(name) {
					continue
				}
				for _, call := range []string{"check.Hostile(t, " + name + "{}", "check.Fuzz(f, " + name + "{}"} {
					if !strings.Contains(tests[dir], call) {
						t.Errorf("%s has no %s…)", dir, call)
					}
				}
			}
		}
	})
}
