package emit_test

import (
	"context"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/gen"
)

// sources maps file names to Go source.
type sources map[string]string

// generate runs the whole generator over packages in a module of their own, and returns the generated files by their paths.
func generate(t *testing.T, files sources) sources {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/p\n\ngo 1.26\n"
	for name, src := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	delete(files, "go.mod")
	result, err := gen.Generate(context.Background(), gen.Options{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Diagnostics {
		t.Error(d)
	}
	out := sources{}
	for _, f := range result.Files {
		rel, err := filepath.Rel(dir, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.ToSlash(rel)] = string(f.Content)
	}
	if len(out) == 0 {
		t.Fatal("nothing was generated")
	}
	return out
}

// imports reads imported packages from what the compiler exported of them.
var imports = sync.OnceValues(func() (types.Importer, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", "../../runtime/...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }), nil
})

// typeErrors type-checks a package and returns what is wrong with it, with the function that it is in, if any.
func typeErrors(t *testing.T, parts ...sources) []string {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, part := range parts {
		for name, src := range part {
			f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	imp, err := imports()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	conf := types.Config{Importer: imp, Error: func(err error) { found = append(found, err.Error()) }}
	conf.Check("example.com/p", fset, files, nil) // its error is the first one that Error got
	return found
}
