package proto_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"os"

	"github.com/rwgen/rwgen/gen/frontend/proto"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// What is wrong with schemas is said all at once, each with its place. Files below root/ are those of a root.
func TestInvalid(t *testing.T) {
	files, err := filepath.Glob("testdata/invalid/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			cfg, root := settings(t, archive), fstest.MapFS{}
			want := ""
			for _, f := range archive.Files {
				name, below := strings.CutPrefix(f.Name, "root/")
				switch {
				case f.Name == "want":
					want = string(f.Data)
				case below:
					root[name] = &fstest.MapFile{Data: f.Data}
				default:
					cfg.Files = append(cfg.Files, schema.File{Name: f.Name, Content: f.Data})
				}
			}
			cfg.Roots = append(cfg.Roots, root)
			pkgs, diags := proto.Load(cfg)
			if pkgs != nil {
				t.Error("there are packages")
			}
			got := ""
			for _, d := range diags {
				got += d.Format("") + "\n"
			}
			if *update {
				last := len(archive.Files) - 1
				if archive.Files[last].Name != "want" {
					archive.Files = append(archive.Files, txtar.File{Name: "want"})
					last++
				}
				archive.Files[last].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want || got == "" {
				t.Errorf("(-want +got):\n%s", gocmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
		})
	}
}

// settings reads the comment of a case: "package: namespace path", "record: name writer; writer" and "format: name". Without packages, all go into one.
func settings(t *testing.T, archive *txtar.Archive) schema.Config {
	t.Helper()
	var cfg schema.Config
	for line := range strings.Lines(string(archive.Comment)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		first, rest, _ := strings.Cut(value, " ")
		switch name {
		case "package":
			cfg.Packages = append(cfg.Packages, schema.Package{Namespace: first, Dir: "/" + rest, Path: "example.com/" + rest, Name: rest})
		case "record":
			r := schema.Record{Name: first}
			if rest != "" {
				r.Writers = strings.Split(rest, "; ")
			}
			cfg.Records = append(cfg.Records, r)
		case "format":
			format, ok := ir.ParseFormat(value)
			if !ok {
				t.Fatal(line)
			}
			cfg.Format = format
		}
	}
	if len(cfg.Packages) == 0 {
		cfg.Packages = []schema.Package{{Subspaces: true, Dir: "/all", Path: "example.com/all", Name: "all"}}
	}
	return cfg
}
