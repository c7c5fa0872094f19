package gosrc_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/rwgen/rwgen/gen/frontend/gosrc"
	"github.com/rwgen/rwgen/gen/ir"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata")

// TestLoad compares what is loaded from each archive in testdata/load with the archive's file want. The comment of an archive may
// hold settings, one "name: value" per line, before prose that starts with #.
func TestLoad(t *testing.T) {
	archives, err := filepath.Glob("testdata/load/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			var want string
			wantAt := -1
			for i, f := range a.Files {
				if f.Name == "want" {
					want, wantAt = string(f.Data), i
					continue
				}
				name := filepath.Join(dir, f.Name)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cfg := settings(t, string(a.Comment))
			cfg.Dir = filepath.Join(dir, cfg.Dir)
			in, diags, err := gosrc.Load(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			if err := diags.Write(&got, cfg.Dir); err != nil {
				t.Fatal(err)
			}
			if len(diags) == 0 {
				for _, p := range in.Packages {
					got.WriteString(ir.Dump(p) + extras(p))
				}
			}
			if *update {
				if wantAt < 0 {
					a.Files, wantAt = append(a.Files, txtar.File{Name: "want"}), len(a.Files)
				}
				a.Files[wantAt].Data = []byte(got.String())
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func settings(t *testing.T, comment string) gosrc.Config {
	cfg := gosrc.Config{Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=", "GOOS=linux", "GOARCH=amd64")}
	for line := range strings.Lines(comment) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if strings.HasPrefix(name, "#") || !ok {
			continue
		}
		switch name {
		case "dir":
			cfg.Dir = value
		case "env":
			cfg.Env = append(cfg.Env, value)
		case "patterns":
			cfg.Patterns = strings.Fields(value)
		case "tags":
			cfg.Tags = value
		case "types":
			cfg.Types = strings.Fields(value)
		case "with":
			cfg.With = strings.Split(value, ",")
		case "writer":
			cfg.Writers = append(cfg.Writers, value)
		default:
			t.Fatalf("unknown setting %q", name)
		}
	}
	return cfg
}
