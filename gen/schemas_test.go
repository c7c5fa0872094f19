package gen_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// lay writes schemas and a go.mod to a new directory: n records that refer to one another, in files of up to 10 records.
func lay(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/m\n"}
	for file := range (n + 9) / 10 {
		var b strings.Builder
		b.WriteString("[")
		for i := file * 10; i < min(n, file*10+10); i++ {
			if i > file*10 {
				b.WriteString(",\n")
			}
			fmt.Fprintf(&b, `{"type": "record", "name": "Record%d", "namespace": "org.example.n%d", "fields": [{"name": "id", "type": "long"},`, i, i%3)
			fmt.Fprintf(&b, `{"name": "tags", "type": {"type": "map", "values": "string"}}, {"name": "level", "type": {"type": "enum", "name": "Level%d", "symbols": ["LOW", "HIGH"]}},`, i)
			fmt.Fprintf(&b, `{"name": "spot", "type": {"type": "record", "name": "Spot%d", "fields": [{"name": "x", "type": "double"}, {"name": "label", "type": "string"}]}}]}`, i)
		}
		b.WriteString("]")
		files[fmt.Sprintf("schemas/f%03d.avsc", file)] = b.String()
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fingerprint returns names and contents of the files of a result, relative to dir.
func fingerprint(t *testing.T, r *gen.Result, dir string) map[string]string {
	t.Helper()
	if len(r.Diagnostics) > 0 {
		t.Fatal(r.Diagnostics)
	}
	out := make(map[string]string)
	for _, f := range r.Files {
		rel, err := filepath.Rel(dir, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.ToSlash(rel)] = string(f.Content)
	}
	return out
}

// The output depends on the schemas and the options alone: not on the directory, the order of the files, the platform, the number of processors, or what has been generated before.
func TestSchemasAreDeterministic(t *testing.T) {
	dir := lay(t, 24)
	generate := func(o gen.Options, dir string) map[string]string {
		t.Helper()
		r, err := gen.Generate(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return fingerprint(t, r, dir)
	}
	options := func(dir string, files ...string) gen.Options {
		return gen.Options{Dir: dir, Env: []string{}, Schemas: []gen.Schemas{{
			Files: files, Packages: []schema.Package{{Subspaces: true, Dir: "model"}, {Namespace: "org.example.n1", Dir: "one"}},
		}}}
	}
	want := generate(options(dir, "schemas/*.avsc"), dir)
	if len(want) < 6 {
		t.Fatalf("%d files", len(want))
	}
	compare := func(what string, got map[string]string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	compare("another order", generate(options(dir, "schemas/f002.avsc", "schemas/f00[01].avsc", "schemas/*.avsc"), dir))
	compare("absolute names", generate(options(dir, filepath.Join(dir, "schemas", "*.avsc")), dir))
	other := lay(t, 24)
	compare("another directory", generate(options(other, "schemas/*.avsc"), other))
	o := options(dir, "schemas/*.avsc")
	o.Env = []string{"GOOS=windows", "GOARCH=386"}
	compare("another platform", generate(o, dir))
	procs := runtime.GOMAXPROCS(1)
	compare("one processor", generate(options(dir, "schemas/*.avsc"), dir))
	runtime.GOMAXPROCS(8)
	compare("eight processors", generate(options(dir, "schemas/*.avsc"), dir))
	runtime.GOMAXPROCS(procs)
	t.Chdir(filepath.Join(dir, "schemas"))
	compare("another working directory", generate(options("..", "schemas/*.avsc"), dir))
	r, err := gen.Generate(t.Context(), options(dir, "schemas/*.avsc"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write(); err != nil {
		t.Fatal(err)
	}
	compare("after writing", generate(options(dir, "schemas/*.avsc"), dir))
}

// Only what has changed is written, progress is told, and the end of the context ends a run.
func TestSchemasRun(t *testing.T) {
	dir := lay(t, 20)
	var most, calls atomic.Int64
	o := gen.Options{Dir: dir, Schemas: []gen.Schemas{{Files: []string{"schemas/*.avsc"}, Packages: []schema.Package{{Subspaces: true, Dir: "model"}}}}, Progress: func(done, total int) {
		calls.Add(1)
		if done == total {
			most.Store(int64(total))
		}
	}}
	r, err := gen.Generate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	written, err := r.Write()
	if err != nil || len(written) != len(r.Files) || len(r.Files) != 4 {
		t.Fatalf("wrote %d of %d files: %v", len(written), len(r.Files), err)
	}
	if most.Load() != 4 || calls.Load() != 4 {
		t.Errorf("progress: %d of %d", calls.Load(), most.Load())
	}
	path := filepath.Join(dir, "schemas", "f001.avsc")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(content, []byte(`"tags"`), []byte(`"labels"`), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err = gen.Generate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if written, err = r.Write(); err != nil || len(written) != 2 || !strings.HasSuffix(written[0], "f001_rw.go") && !strings.HasSuffix(written[0], "f001_types.go") {
		t.Errorf("wrote %q, %v", written, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := gen.Generate(ctx, o); !errors.Is(err, why) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// A frontend is a value: one for another language is asked with all that the options say, and what it reads through the roots is an input of the run.
func TestFrontend(t *testing.T) {
	dir := lay(t, 0)
	write(t, filepath.Join(dir, "b.idl"), "b")
	write(t, filepath.Join(dir, "a.idl"), "a")
	write(t, filepath.Join(dir, "roots", "deep", "import.idl"), "import")
	write(t, filepath.Join(dir, "quakes", "hand.go"), "package tremors\n\nimport \"strings\"\n\nvar Hand = strings.ToUpper\n")
	format := ir.AvroBinary
	record := schema.Record{Name: "A", Writers: []string{"All broadcast"}, Format: &format}
	var asked schema.Config
	frontend := func(c schema.Config) ([]*ir.Package, diag.List) {
		asked = c
		if _, err := fs.ReadFile(c.Roots[0], "deep/import.idl"); err != nil {
			t.Error(err)
		}
		if _, err := fs.ReadFile(c.Roots[0], "deep/none.idl"); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		str := &ir.Type{Kind: ir.String, GoSize: 16}
		p := c.Packages[0]
		typ := &ir.Type{Kind: ir.Struct, Name: &ir.Name{PkgPath: p.Path, PkgName: p.Name, Name: "A", Local: true}, GoSize: 16}
		typ.Fields = []*ir.Field{{Name: "Text", Type: str, Pos: token.Position{Filename: "deep/import.idl", Line: 3}}}
		pos := token.Position{Filename: "a.idl", Line: 1, Column: 2}
		return []*ir.Package{{Path: p.Path, Name: p.Name, Dir: p.Dir, Files: []*ir.File{{
			Source: "a.idl", Output: "a_rw.go", DeclOutput: "a_types.go", Package: p.Name,
			Decls: []*ir.Decl{{Type: typ, Schema: "A", Pos: pos}}, Records: []*ir.Record{{Name: "A", Type: typ, Pos: pos, With: c.With}},
		}}}}, nil
	}
	o := gen.Options{Dir: dir, With: []string{"equal"}, Frontends: map[gen.Language]schema.Load{"idl": frontend}, Schemas: []gen.Schemas{{
		Files: []string{"*.idl"}, Language: "idl", Roots: []string{"roots"}, With: []string{"clone"}, Format: "avro",
		Packages: []schema.Package{{Namespace: "x", Subspaces: true, Dir: "quakes"}}, Records: []schema.Record{record},
	}}}
	r, err := gen.Generate(t.Context(), o)
	if err != nil || len(r.Diagnostics) > 0 {
		t.Fatal(err, r.Diagnostics)
	}
	want := schema.Config{
		Files:    []schema.File{{Name: "a.idl", Content: []byte("a")}, {Name: "b.idl", Content: []byte("b")}},
		Packages: []schema.Package{{Namespace: "x", Subspaces: true, Dir: filepath.Join(dir, "quakes"), Path: "example.com/m/quakes", Name: "tremors"}},
		Records:  []schema.Record{record}, With: ir.WithEqual | ir.WithClone, Format: ir.AvroBinary,
	}
	asked.Roots = nil
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("the frontend is asked (-want +got):\n%s", diff)
	}
	inputs := []string{filepath.Join(dir, "a.idl"), filepath.Join(dir, "b.idl"), filepath.Join(dir, "go.mod"), filepath.Join(dir, "roots", "deep", "import.idl")}
	if !slices.Equal(r.Inputs, inputs) {
		t.Errorf("inputs %q, want %q", r.Inputs, inputs)
	}
	if dirs := []string{filepath.Join(dir, "quakes")}; !slices.Equal(r.Dirs, dirs) {
		t.Errorf("directories %q", r.Dirs)
	}
	if len(r.Files) != 2 || !bytes.Contains(r.Files[0].Content, []byte("package tremors")) || !bytes.Contains(r.Files[0].Content, []byte(") Clone(")) {
		t.Errorf("files %v", r.Files)
	}
	rec := r.Packages[0].Files[0].Records[0]
	if rec.Pos.Filename != inputs[0] || rec.Type.Fields[0].Pos.Filename != inputs[3] {
		t.Errorf("positions %v and %v", rec.Pos, rec.Type.Fields[0].Pos)
	}
	if !slices.Contains(r.Packages[0].Scope, "Hand") || !slices.Contains(r.Packages[0].FileNames, "strings") {
		t.Errorf("taken %q and %q", r.Packages[0].Scope, r.Packages[0].FileNames)
	}

	o.Frontends["idl"] = func(c schema.Config) ([]*ir.Package, diag.List) {
		var diags diag.List
		diags.Addf(token.Position{Filename: "b.idl", Line: 4}, diag.Syntax, "bad").Related = []diag.Related{{Pos: token.Position{Filename: "a.idl"}}}
		return nil, diags
	}
	if r, err = gen.Generate(t.Context(), o); err != nil || len(r.Diagnostics) != 1 || r.Diagnostics[0].Pos.Filename != inputs[1] || r.Diagnostics[0].Related[0].Pos.Filename != inputs[0] {
		t.Errorf("diagnostics %v, %v", r.Diagnostics, err)
	}
	o.Schemas[0].Language = "other"
	if _, err := gen.Generate(t.Context(), o); !errors.Is(err, gen.ErrOptions) {
		t.Errorf("a language without a frontend: %v", err)
	}
}

// BenchmarkSchemas generates, in memory, all files for n records with two more types each.
func BenchmarkSchemas(b *testing.B) {
	for _, n := range []int{100, 500, 2000} {
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			dir := lay(b, n)
			b.ReportAllocs()
			for b.Loop() {
				r, err := gen.Generate(b.Context(), gen.Options{Dir: dir, Schemas: []gen.Schemas{{Files: []string{"schemas/*.avsc"}, Packages: []schema.Package{{Subspaces: true, Dir: "model"}}}}})
				if err != nil || len(r.Diagnostics) > 0 {
					b.Fatal(err, r.Diagnostics)
				}
			}
		})
	}
}
