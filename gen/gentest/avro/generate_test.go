package avro_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/avro"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

var update = flag.Bool("update", false, "write the generated files")

// The generated files of package cases are those that its schemas make.
func TestGenerated(t *testing.T) {
	names, err := filepath.Glob("cases/*.avsc")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	cfg := schema.Config{
		Packages: []schema.Package{{Subspaces: true, Dir: "/cases", Path: "github.com/rwgen/rwgen/gen/gentest/avro/cases", Name: "cases"}},
		Format:   ir.AvroBinary,
	}
	for _, name := range []string{"All", "Logical", "Tree", "Flight"} {
		cfg.Records = append(cfg.Records, schema.Record{Name: name})
	}
	cfg.Records = append(cfg.Records,
		schema.Record{Name: "Tick", Writers: []string{"ByVenue key=Venue", "Spread rebalance"}},
		schema.Record{Name: "Packet", SingleObject: true},
		schema.Record{Name: "Object", SingleObject: true},
	)
	for i := range cfg.Records {
		cfg.Records[i].With = ir.WithEqual | ir.WithClone | ir.WithReset | ir.WithHash
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Files = append(cfg.Files, schema.File{Name: filepath.Base(name), Content: content})
	}
	pkgs, diags := avro.Load(cfg)
	for _, d := range diags {
		t.Error(d.Format(""))
	}
	for _, p := range pkgs {
		e := emit.NewPackage(p)
		for _, f := range p.Files {
			types, err := e.Decls(f, emit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			code, err := e.File(f, emit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			check(t, f.DeclOutput, types)
			check(t, f.Output, code)
		}
	}
}

// check compares a file with the one that was committed, or writes it.
func check(t *testing.T, name string, content []byte) {
	t.Helper()
	name = filepath.Join("cases", name)
	if *update {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(old), string(content)); diff != "" {
		t.Errorf("%s (-committed +generated):\n%s", name, diff)
	}
}
