package avro_test

import (
	"cmp"
	"flag"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/avro"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/internal/trial"
	"github.com/rwgen/rwgen/gen/ir"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

const module = "example.com/cases"

// golden is a case: schemas, and the files that follow from them.
type golden struct {
	name, file string
	archive    *txtar.Archive
	cfg        schema.Config
	pkgs       []*ir.Package
	got        map[string]string // generated files, by their path below the case
}

// goldens returns the cases below testdata/cases, generated into the module in dir in a format.
//
// The comment of a case holds settings: "package: namespace dir" for a package in a directory of the case, the namespace with .* if it has subspaces; "record: name writer; writer" for a
// record; "with: equal" for all of them.
func goldens(t *testing.T, dir string, format ir.Format) []*golden {
	t.Helper()
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var list []*golden
	for _, file := range files {
		g := &golden{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), file: file, got: make(map[string]string)}
		if g.archive, err = txtar.ParseFile(file); err != nil {
			t.Fatal(err)
		}
		g.configure(t, dir)
		g.cfg.Format = format
		g.generate(t)
		list = append(list, g)
	}
	return list
}

func (g *golden) configure(t *testing.T, dir string) {
	t.Helper()
	add := func(space, sub string) {
		ns, all := strings.CutSuffix(space, "*")
		g.cfg.Packages = append(g.cfg.Packages, schema.Package{
			Namespace: strings.TrimSuffix(ns, "."), Subspaces: all, Dir: filepath.Join(dir, g.name, sub), Path: path.Join(module, g.name, sub), Name: cmp.Or(path.Base(sub), g.name),
		})
	}
	for line := range strings.Lines(string(g.archive.Comment)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		first, rest, _ := strings.Cut(value, " ")
		switch name {
		case "package":
			add(first, rest)
		case "record":
			r := schema.Record{Name: first}
			if rest != "" {
				r.Writers = strings.Split(rest, "; ")
			}
			g.cfg.Records = append(g.cfg.Records, r)
		case "with":
			w, ok := ir.ParseWith(value)
			if !ok {
				t.Fatalf("%s: %s", g.file, line)
			}
			g.cfg.With |= w
		default:
			if name != "" && name[0] != '#' {
				t.Fatalf("%s: %s", g.file, line)
			}
		}
	}
	if len(g.cfg.Packages) == 0 {
		g.cfg.Packages = []schema.Package{{Subspaces: true, Dir: filepath.Join(dir, g.name), Path: path.Join(module, g.name), Name: g.name}}
	}
	for _, f := range g.archive.Files {
		if !strings.HasPrefix(f.Name, "want/") && path.Ext(f.Name) != ".go" {
			g.cfg.Files = append(g.cfg.Files, schema.File{Name: f.Name, Content: f.Data})
		}
	}
}

func (g *golden) generate(t *testing.T) {
	t.Helper()
	pkgs, diags := avro.Load(g.cfg)
	for _, d := range diags {
		t.Errorf("%s: %s", g.name, d.Format(""))
	}
	g.pkgs = pkgs
	for _, p := range pkgs {
		e := emit.NewPackage(p)
		for _, f := range p.Files {
			sub := strings.TrimPrefix(strings.TrimPrefix(p.Path, path.Join(module, g.name)), "/")
			types, err := e.Decls(f, emit.Options{})
			if err != nil {
				t.Errorf("%s: %v", g.name, err)
			}
			g.got[path.Join(sub, f.DeclOutput)] = string(types)
			if len(f.Records) == 0 {
				continue
			}
			code, err := e.File(f, emit.Options{})
			if err != nil {
				t.Errorf("%s: %v", g.name, err)
			}
			g.got[path.Join(sub, f.Output)] = string(code)
		}
	}
}

// write writes the generated files, and the sources of the case, below dir.
func (g *golden) write(t *testing.T, dir string, content func(name, text string) string) {
	t.Helper()
	for name, text := range g.got {
		writeFile(t, filepath.Join(dir, g.name, name), content(name, text))
	}
	for _, f := range g.archive.Files {
		if path.Ext(f.Name) == ".go" && !strings.HasPrefix(f.Name, "want/") {
			writeFile(t, filepath.Join(dir, g.name, f.Name), string(f.Data))
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if text == "" {
		return
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func asIs(_, text string) string { return text }

// The types are as wanted, and so is the code where the case has it. All of it compiles, vet has nothing to say, and the serializers do what the reflective one does.
func TestGoldens(t *testing.T) {
	dir := newModule(t)
	for _, g := range goldens(t, dir, ir.Native) {
		g.write(t, dir, asIs)
		g.compare(t)
	}
	if err := trial.Checks(dir, module); err != nil {
		t.Fatal(err)
	}
	failures, err := trial.Test(t.Context(), dir, trial.Environ())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range failures {
		t.Errorf("%s %s: %s", f.Package, f.Record, f.Output)
	}
}

// In the format avro, all of it compiles as well, and vet has nothing to say. What the serializers do is tested in gen/gentest/avro.
func TestGoldensAvro(t *testing.T) {
	dir := newModule(t)
	for _, g := range goldens(t, dir, ir.AvroBinary) {
		g.write(t, dir, asIs)
	}
	vet := exec.CommandContext(t.Context(), "go", "vet", "./...")
	vet.Dir, vet.Env = dir, trial.Environ()
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// newModule returns the directory of a new module for cases.
func newModule(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir()) // the go command prints resolved paths
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
	return dir
}

// compare compares the generated files with those that the case wants, or rewrites the case. A case has all files with types, and those with code that it had before.
func (g *golden) compare(t *testing.T) {
	t.Helper()
	wants := make(map[string]string)
	for _, f := range g.archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			wants[name] = string(f.Data)
		}
	}
	if *update {
		g.archive.Files = slices.DeleteFunc(g.archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
		for _, name := range sortedKeys(g.got) {
			if _, had := wants[name]; had || strings.HasSuffix(name, "_types.go") {
				g.archive.Files = append(g.archive.Files, txtar.File{Name: "want/" + name, Data: []byte(g.got[name])})
			}
		}
		if err := os.WriteFile(g.file, txtar.Format(g.archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range sortedKeys(g.got) {
		want, ok := wants[name]
		delete(wants, name)
		switch {
		case !ok && strings.HasSuffix(name, "_types.go"):
			t.Errorf("%s: %s is generated, but not wanted", g.name, name)
		case ok && want != g.got[name]:
			t.Errorf("%s: %s (-want +got):\n%s", g.name, name, gocmp.Diff(strings.Split(want, "\n"), strings.Split(g.got[name], "\n")))
		}
	}
	for name := range wants {
		t.Errorf("%s: %s is wanted, but not generated", g.name, name)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
