package proto_test

import (
	"os"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/proto"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// The package that is compared with the runtime of Protobuf is what is generated now.
func TestSample(t *testing.T) {
	const dir = "../../internal/quakes"
	cfg := schema.Config{
		Packages: []schema.Package{{Subspaces: true, Dir: dir, Path: "github.com/rwgen/rwgen/gen/internal/quakes", Name: "quakes"}},
		Records:  []schema.Record{{Name: "Quake", Writers: []string{"ByID key=id"}}, {Name: "Network"}, {Name: "Place"}}, With: ir.WithEqual,
	}
	for _, name := range []string{"quake.proto", "place.proto"} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		cfg.Files = append(cfg.Files, schema.File{Name: name, Content: content})
	}
	pkgs, diags := proto.Load(cfg)
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	for _, p := range pkgs {
		e := emit.NewPackage(p)
		for _, f := range p.Files {
			types, err := e.Decls(f, emit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			same(t, filepath.Join(dir, f.DeclOutput), types)
			if len(f.Records) == 0 {
				continue
			}
			code, err := e.File(f, emit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			same(t, filepath.Join(dir, f.Output), code)
		}
	}
}

// same compares a file with what it should hold, or writes it.
func same(t *testing.T, name string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-generated +there):\n%s", name, diff)
	}
}
