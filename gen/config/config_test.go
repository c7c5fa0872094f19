package config_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
	"golang.org/x/tools/txtar"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/config"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata, and rwgen.schema.json")

// editor returns the schema that editors use.
func editor(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(config.JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("rwgen.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("rwgen.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid says what the schema for editors thinks of a file.
func valid(s *jsonschema.Schema, content []byte) error {
	var v any
	if err := yaml.Load(content, &v); err != nil {
		return err
	}
	j, err := json.Marshal(v)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(j))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// Every key comes through, with its position.
func TestLoad(t *testing.T) {
	content, err := os.ReadFile("testdata/all.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, diags := config.Load(content, "/repo/rwgen.yaml")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if err := valid(editor(t), content); err != nil {
		t.Errorf("the schema for editors: %v", err)
	}
	native := ir.Native
	want := &config.Config{
		Path: "/repo/rwgen.yaml",
		Options: gen.Options{
			Dir: "/repo", Header: "Copyright Ann\nAll rights\n", Clean: true, OwnDirs: true, Templates: []string{"sql", "one.md.tmpl"},
			Patterns: []string{"./..."}, Tags: "linux,cgo", Types: []string{"Flight", "Pair[string,int]"},
			Writers: []string{"Flight.ByOrigin key=Origin"}, With: []string{"equal", "hash"}, Output: "all_rw.go", Format: "protobuf",
			Schemas: []gen.Schemas{{
				Files: []string{"schemas/**/*.avsc", "extra/a.avpr"}, Language: gen.Avro, Roots: []string{"third_party"}, Format: "avro", With: []string{"clone"},
				Packages: []schema.Package{
					{Namespace: "org.usgs", Subspaces: true, Dir: "quakes", Path: "example.com/quakes", Name: "quakes"},
					{Namespace: "", Dir: "plain"},
					{Namespace: "org.usgs.old", Dir: "old"},
					{Subspaces: true, Dir: "rest"},
				},
				Records: []schema.Record{
					{Name: "org.usgs.Quake", Writers: []string{"ByPlace key=Place", "ToAll broadcast"}, With: ir.WithEqual | ir.WithClone, Format: &native},
					{Name: "Station", SingleObject: true},
				},
			}, {Files: []string{"b.proto"}}},
		},
		Lock: filepath.FromSlash("/repo/schemas.lock"),
	}
	ignore := cmp.Options{
		cmpopts.IgnoreUnexported(config.Config{}), cmpopts.IgnoreFields(gen.Schemas{}, "Pos"), cmpopts.IgnoreFields(schema.Package{}, "Pos"), cmpopts.IgnoreFields(schema.Record{}, "Pos", "WriterPos"),
	}
	if diff := cmp.Diff(want, c, ignore); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s := c.Options.Schemas[0]
	for what, want := range map[string]string{
		s.Pos.String(): "/repo/rwgen.yaml:18:12", s.Packages[0].Pos.String(): "/repo/rwgen.yaml:24:9", s.Records[1].Pos.String(): "/repo/rwgen.yaml:41:9",
		s.Records[0].WriterPos[1].String(): "/repo/rwgen.yaml:37:13",
	} {
		if what != want {
			t.Errorf("position %s, want %s", what, want)
		}
	}
}

// TestFaults reads each file of testdata/faults and compares what is wrong with it with want. Where the schema for editors sees the fault too, the comment says "editor: yes".
func TestFaults(t *testing.T) {
	paths, err := filepath.Glob("testdata/faults/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	s := editor(t)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, diags := config.Load(a.Files[0].Data, "rwgen.yaml")
			if c != nil || len(diags) == 0 {
				t.Fatal("no diagnostics")
			}
			var b strings.Builder
			if err := diags.Write(&b, ""); err != nil {
				t.Fatal(err)
			}
			seen := valid(s, a.Files[0].Data) != nil
			if want := strings.Contains(string(a.Comment), "editor: yes"); seen != want {
				t.Errorf("the schema for editors sees a fault: %t, want %t", seen, want)
			}
			if *update {
				a.Files = []txtar.File{a.Files[0], {Name: "want", Data: []byte(b.String())}}
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(a.Files[1].Data), b.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The published schema is that of the code.
func TestJSONSchema(t *testing.T) {
	const name = "rwgen.schema.json"
	if *update {
		if err := os.WriteFile(name, config.JSONSchema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	published, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(config.JSONSchema()), string(published)); diff != "" {
		t.Errorf("go test ./gen/config -update makes it anew (-want +got):\n%s", diff)
	}
}

func TestReadHeader(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, config.Name)
	if err := os.WriteFile(path, []byte("version: 1\nheader-file: licence.txt\ngo: {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, diags, err := config.Read(path)
	if err != nil || c != nil || len(diags) != 1 || !strings.HasSuffix(diags.Error(), "rwgen.yaml:2:14: header-file: licence.txt: no such file or directory") {
		t.Errorf("without the file: %v, %v, %v", c, diags, err)
	}
	for _, tt := range []struct{ header, want string }{{"Copyright Ann\n", ""}, {"//go:build linux\n", "constraint"}} {
		if err := os.WriteFile(filepath.Join(dir, "licence.txt"), []byte(tt.header), 0o644); err != nil {
			t.Fatal(err)
		}
		c, diags, err := config.Read(path)
		switch {
		case err != nil:
			t.Error(err)
		case tt.want == "" && (len(diags) > 0 || c.Options.Header != tt.header):
			t.Errorf("%q: %v, %v", tt.header, c, diags)
		case tt.want != "" && !strings.Contains(diags.Error(), tt.want):
			t.Errorf("%q: %v", tt.header, diags)
		}
	}
	if _, _, err := config.Read(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"repo/.git/HEAD", "repo/rwgen.yaml", "repo/module/go.mod", "repo/module/deep/er/x", "repo/plain/deep/x", "repo/own/go.mod", "repo/own/rwgen.yaml", "yml/go.mod", "yml/rwgen.yml"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{
		"repo": "repo/rwgen.yaml", "repo/plain/deep": "repo/rwgen.yaml", "repo/own": "repo/own/rwgen.yaml",
		"repo/module": "", "repo/module/deep/er": "",
	} {
		if want != "" {
			want = filepath.Join(root, filepath.FromSlash(want))
		}
		if got, err := config.Find(filepath.Join(root, filepath.FromSlash(dir))); got != want || err != nil {
			t.Errorf("in %s: %q, %v, want %q", dir, got, err, want)
		}
	}
	if _, err := config.Find(filepath.Join(root, "yml")); err == nil || !strings.Contains(err.Error(), "rename it") {
		t.Errorf("rwgen.yml: %v", err)
	}
}

// FuzzLoad feeds arbitrary files to the reader: it reports what it does not take, and what it takes the schema for editors takes as well.
func FuzzLoad(f *testing.F) {
	all, err := os.ReadFile("testdata/all.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(all)
	f.Add([]byte("version: 1\ngo: {packages: [.]}\n"))
	f.Add([]byte("a: &x [*x]\n"))
	s := editor(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		c, diags := config.Load(content, "rwgen.yaml")
		if (c == nil) != (len(diags) > 0) {
			t.Fatalf("configuration %v with diagnostics %v", c, diags)
		}
		lines := bytes.Split(content, []byte("\n"))
		for _, d := range diags {
			if d.Pos.Line > len(lines) || d.Pos.Line > 0 && d.Pos.Column > len(lines[d.Pos.Line-1])+1 {
				t.Errorf("a position outside of the file: %v", d)
			}
		}
		if c != nil {
			if err := valid(s, content); err != nil {
				t.Errorf("the schema for editors refuses what Load takes: %v", err)
			}
		}
	})
}
