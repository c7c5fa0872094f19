package proto_test

import (
	"os"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/proto"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// A descriptor set gives what its sources give, with all documentation if it has the information for that.
func TestSets(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/cases/quakes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var cfg schema.Config
	cfg.Packages = everywhere
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".proto") {
			cfg.Files = append(cfg.Files, schema.File{Name: f.Name, Content: f.Data})
		}
	}
	records := []schema.Record{{Name: "org.usgs.Quake"}, {Name: "Network"}}
	cfg.Records = records
	want, diags := proto.Load(cfg)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for name, doc := range map[string]bool{"quakes": true, "bare": false} {
		t.Run(name, func(t *testing.T) {
			content, err := os.ReadFile("testdata/sets/" + name + ".binpb")
			if err != nil {
				t.Fatal(err)
			}
			got, diags := proto.Load(schema.Config{Files: []schema.File{{Name: "sets/" + name + ".binpb", Content: content}}, Packages: everywhere, Records: records})
			if len(diags) > 0 {
				t.Fatal(diags.Err())
			}
			if a, b := shape(want[0], doc), shape(got[0], doc); a != b {
				t.Errorf("(-sources +set):\n%s", gocmp.Diff(strings.Split(a, "\n"), strings.Split(b, "\n")))
			}
			for _, f := range got[0].Files {
				for _, r := range f.Records {
					if r.Pos.Filename != map[bool]string{true: "quake.proto", false: "sets/bare.binpb"}[doc] || r.Pos.IsValid() != doc {
						t.Errorf("%s stands at %v", r.Name, r.Pos)
					}
					if f.Source != name+".binpb" || f.Output != name+"_rw.go" {
						t.Errorf("%s is generated from %s to %s", r.Name, f.Source, f.Output)
					}
				}
			}
		})
	}
}

// shape returns what the records of a package are, and what is said about them if doc is set.
func shape(p *ir.Package, doc bool) string {
	s := ""
	for _, f := range p.Files {
		for _, r := range f.Records {
			s += emit.Schema(r).Text + "\n"
			if doc {
				s += r.Doc + "\n"
				for _, f := range r.Type.Fields {
					s += f.Name + ": " + f.Doc + "\n"
				}
			}
		}
	}
	return s
}

// What is in a set only because the schema imports it is no record by itself.
func TestSetRecords(t *testing.T) {
	content, err := os.ReadFile("testdata/sets/quakes.binpb")
	if err != nil {
		t.Fatal(err)
	}
	pkgs, diags := proto.Load(schema.Config{Files: []schema.File{{Name: "-", Content: content}}, Packages: everywhere})
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	var names []string
	for _, f := range pkgs[0].Files {
		for _, r := range f.Records {
			names = append(names, r.Name+" to "+f.Output)
		}
	}
	if got := strings.Join(names, ", "); got != "Quake to stdin_rw.go, Network to stdin_rw.go" {
		t.Errorf("the records are %s", got)
	}
}
