package corpus_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bufbuild/protocompile"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/internal/trial"
)

const module = "example.com/corpus"

// entry is one schema file.
type entry struct {
	module string // module@version
	file   string // in the module, with slashes
	dir    string // of the module
	root   string // of imports, in the module
	format string
	pkg    string // the name of the package that is generated for it
}

func (e entry) String() string { return e.module + "/" + e.file }

// lines returns the lines of a file without comments.
func lines(t *testing.T, name string) []string {
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

// refusals returns the texts that diagnostics of files must have, by module@version/file.
func refusals(t *testing.T) map[string]string {
	list := make(map[string]string)
	for _, line := range lines(t, "testdata/refused.txt") {
		name, want, ok := strings.Cut(line, ": ")
		if !ok || want == "" {
			t.Fatalf("refused.txt: %q is not of the form module/file: text", line)
		}
		if list[name] != "" {
			t.Errorf("refused.txt: %s stands there twice", name)
		}
		list[name] = want
	}
	return list
}

// TestLists checks what can be checked without the modules.
func TestLists(t *testing.T) {
	modules := lines(t, "testdata/modules.txt")
	for name := range refusals(t) {
		if !slices.ContainsFunc(modules, func(m string) bool { return strings.HasPrefix(name, m+"/") }) {
			t.Errorf("%s is of no module in modules.txt", name)
		}
	}
}

// TestCorpus generates code for the files and runs it, if it was asked to.
func TestCorpus(t *testing.T) {
	if os.Getenv("RWGEN_PUBLIC") == "" {
		t.Log("not asked for: see the documentation of the package")
		return
	}
	total := make(map[string]int)
	for _, m := range lines(t, "testdata/modules.txt") {
		t.Run(m, func(t *testing.T) {
			for _, e := range testModule(t, m) {
				total[strings.TrimPrefix(path.Ext(e.file), ".")+" as "+e.format]++
			}
		})
	}
	for _, kind := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%s: %d files", kind, total[kind])
	}
	if flag.Lookup("test.run").Value.String() != "" {
		return // it may be about some of the modules only
	}
	for kind, want := range map[string]int{"avsc as native": 80, "avsc as avro": 80, "proto as native": 200} {
		if total[kind] < want {
			t.Errorf("%s: %d files, want at least %d", kind, total[kind], want)
		}
	}
}

// testModule generates code for the files of one module, and compiles and runs it. It returns those that get code.
func testModule(t *testing.T, name string) []entry {
	source := download(t, name)
	entries := slices.Concat(avroFiles(t, name, source), protoFiles(t, name, source))
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	host, err := trial.Enclosing(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if err := host.WriteModule(t.Context(), dir, module); err != nil {
		t.Fatal(err)
	}
	for i := range entries {
		entries[i].pkg = fmt.Sprintf("p%03d%s", i, entries[i].format)
	}
	passed := generateAll(t, dir, entries)
	if err := trial.Checks(dir, module); err != nil {
		t.Fatal(err)
	}
	failures, err := trial.Test(t.Context(), dir, trial.Environ())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range failures {
		name := f.Package
		for _, e := range passed {
			if f.Package == module+"/"+e.pkg {
				name = e.String() + " as " + e.format
			}
		}
		t.Errorf("%s: %s", name, strings.ReplaceAll(f.Output, dir, "$DIR"))
	}
	t.Logf("%d files, %d of them with code", len(entries), len(passed))
	return passed
}

// download returns the directory of a module in the module cache.
func download(t *testing.T, module string) string {
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir()
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go mod download %s: %v\n%s", module, err, out)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m.Dir
}

// files returns the files of a module with one of the extensions, each content once, in the order of their names.
func files(t *testing.T, dir string, extensions ...string) []string {
	var list []string
	seen := make(map[[sha256.Size]byte]bool)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(extensions, path.Ext(name)) {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(content); !seen[sum] {
			seen[sum] = true
			rel, err := filepath.Rel(dir, name)
			if err != nil {
				return err
			}
			list = append(list, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func avroFiles(t *testing.T, module, dir string) []entry {
	var list []entry
	for _, name := range files(t, dir, ".avsc", ".avpr") {
		for _, format := range []string{"native", "avro"} {
			list = append(list, entry{module: module, file: name, dir: dir, format: format})
		}
	}
	return list
}

// protoFiles leaves out the files that the compiler refuses whatever the root of their imports is: they import files of other modules, or are meant to be wrong.
func protoFiles(t *testing.T, module, dir string) []entry {
	var list []entry
	for _, name := range files(t, dir, ".proto") {
		parts := strings.Split(name, "/")
		for i := range parts {
			root := path.Join(parts[:i]...)
			resolver := &protocompile.SourceResolver{ImportPaths: []string{filepath.Join(dir, filepath.FromSlash(root))}}
			c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(resolver)}
			compiled, err := c.Compile(t.Context(), path.Join(parts[i:]...))
			if err != nil {
				continue
			}
			if compiled[0].Messages().Len() > 0 {
				list = append(list, entry{module: module, file: name, dir: dir, root: root, format: "native"})
			}
			break
		}
	}
	return list
}

// generateAll writes the packages of the entries and returns those that have one.
func generateAll(t *testing.T, dir string, entries []entry) []entry {
	refused := refusals(t)
	results := make([]error, len(entries))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				results[i] = entries[i].generate(t.Context(), dir)
			}
		})
	}
	for i := range entries {
		next <- i
	}
	close(next)
	wg.Wait()
	var passed []entry
	met := make(map[string]bool)
	for i, e := range entries {
		want, bad := refused[e.String()]
		met[e.String()] = true
		switch err := results[i]; {
		case err == nil && bad:
			t.Errorf("%s as %s: want a diagnostic with %q, got none", e, e.format, want)
		case err == nil:
			passed = append(passed, e)
		case !bad || !strings.Contains(err.Error(), want):
			t.Errorf("%s as %s: %v (want %q)", e, e.format, err, want)
		}
	}
	for name := range refused {
		if strings.HasPrefix(name, entries[0].module+"/") && !met[name] {
			t.Errorf("refused.txt: %s is not among the files", name)
		}
	}
	return passed
}

// generate writes the package of an entry. The error has the diagnostics.
func (e entry) generate(ctx context.Context, dir string) error {
	out := filepath.Join(dir, e.pkg)
	if err := os.Mkdir(out, 0o777); err != nil {
		return err
	}
	group := gen.Schemas{
		Files:    []string{path.Join(filepath.ToSlash(e.dir), e.file)},
		Packages: []schema.Package{{Subspaces: true, Dir: out, Path: module + "/" + e.pkg, Name: e.pkg}},
		Format:   e.format,
		With:     []string{"equal", "clone", "reset", "hash"},
	}
	if strings.HasSuffix(e.file, ".proto") {
		group.Roots = []string{filepath.Join(e.dir, filepath.FromSlash(e.root))}
	}
	result, err := gen.Generate(ctx, gen.Options{Dir: dir, Schemas: []gen.Schemas{group}})
	if err != nil {
		return err
	}
	if len(result.Diagnostics) > 0 {
		var b strings.Builder
		for _, d := range result.Diagnostics {
			b.WriteString(d.Format(e.dir) + "\n")
		}
		return errors.New(b.String())
	}
	_, err = result.Write()
	return err
}
