package public_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/internal/trial"
)

const module = "example.com/public"

// source returns a record with a type at several places.
func source(p publicType) string {
	return fmt.Sprintf(`package %[1]s

import %[2]q

//rwgen:record
type Record struct {
	Value  %[3]s
	List   []%[3]s
	ByName map[string]*%[3]s
	Number int32
}
`, p.name, p.path, p.expr)
}

// TestList checks what can be checked without the modules.
func TestList(t *testing.T) {
	content, err := os.ReadFile("testdata/go.mod.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for _, p := range types {
		if names[p.name] {
			t.Errorf("two packages %s", p.name)
		}
		names[p.name] = true
		pinned := false
		for line := range strings.Lines(string(content)) {
			if words := strings.Fields(line); len(words) >= 2 && strings.HasPrefix(p.path+"/", words[0]+"/") {
				pinned = true
			}
		}
		if !pinned {
			t.Errorf("%s is of no module in go.mod.txt", p.path)
		}
	}
	if len(types) < 30 {
		t.Errorf("only %d types", len(types))
	}
}

// TestPublic generates code for the types and runs it, if it was asked to.
func TestPublic(t *testing.T) {
	if os.Getenv("RWGEN_PUBLIC") == "" {
		t.Log("not asked for: see the documentation of the package")
		return
	}
	good, bad := setUp(t, func(p publicType) bool { return p.want == "" }), setUp(t, func(p publicType) bool { return p.want != "" })
	t.Run("good", func(t *testing.T) { testGood(t, good) })
	t.Run("bad", func(t *testing.T) { testBad(t, bad) })
}

// setUp writes a module with a package for each of the types for which choose is true, and returns its directory.
func setUp(t *testing.T, choose func(publicType) bool) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"testdata/go.mod.txt": "go.mod", "testdata/go.sum.txt": "go.sum"} {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	host, err := trial.Enclosing(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if err := host.WriteModule(t.Context(), dir, module); err != nil {
		t.Fatal(err)
	}
	for _, p := range types {
		if !choose(p) {
			continue
		}
		if err := os.Mkdir(filepath.Join(dir, p.name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, p.name, "record.go"), []byte(source(p)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// environ is that of a trial, but modules may be downloaded.
func environ() []string {
	return trial.Environ("GOPROXY="+os.Getenv("GOPROXY"), "GOSUMDB="+os.Getenv("GOSUMDB"))
}

func generate(t *testing.T, dir string) *gen.Result {
	result, err := gen.Generate(t.Context(), gen.Options{Dir: dir, Env: environ(), Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func testGood(t *testing.T, dir string) {
	result := generate(t, dir)
	refused := make(map[string]bool)
	for _, d := range result.Diagnostics {
		t.Error(d.Format(dir))
		refused[filepath.Base(filepath.Dir(d.Pos.Filename))] = true
	}
	if len(refused) > 0 { // the others, all the same
		for name := range refused {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		result = generate(t, dir)
	}
	if _, err := result.Write(); err != nil {
		t.Fatal(err)
	}
	if err := trial.Checks(dir, module); err != nil {
		t.Fatal(err)
	}
	failures, err := trial.Test(t.Context(), dir, environ())
	if err != nil {
		t.Fatal(err)
	}
	failed := make(map[string]bool)
	for _, f := range failures {
		t.Errorf("%s: %s", f.Package, strings.ReplaceAll(f.Output, dir, "$DIR"))
		failed[f.Package] = true
	}
	for _, p := range types {
		if p.want == "" && !refused[p.name] && !failed[module+"/"+p.name] {
			t.Logf("passed: %s of %s", p.expr, p.path)
		}
	}
}

func testBad(t *testing.T, dir string) {
	messages := make(map[string]string)
	for _, d := range generate(t, dir).Diagnostics {
		messages[filepath.Base(filepath.Dir(d.Pos.Filename))] += d.Format(dir) + "\n"
	}
	for _, p := range types {
		if p.want == "" {
			continue
		}
		first, _, _ := strings.Cut(messages[p.name], "\n")
		if !strings.Contains(messages[p.name], p.want) {
			t.Errorf("%s of %s: want a diagnostic with %q, got %q", p.expr, p.path, p.want, messages[p.name])
			continue
		}
		t.Logf("refused: %s of %s: %s", p.expr, p.path, first)
	}
}
