package gen_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/config"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata")

// TestDiagnostics compares the diagnostics for each archive in testdata/diagnostics with its file want. The comment of an archive
// may hold settings, one "name: value" per line; lines that start with # are prose. If there is an rwgen.yaml, that is what the run is about.
func TestDiagnostics(t *testing.T) {
	archives, err := filepath.Glob("testdata/diagnostics/*.txtar")
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
			want := extract(t, a, dir)
			o := settings(t, string(a.Comment))
			o.Dir = filepath.Join(dir, o.Dir)
			if path := filepath.Join(o.Dir, config.Name); exists(path) {
				c, diags, err := config.Read(path)
				if err != nil || len(diags) > 0 {
					t.Fatal(err, diags)
				}
				c.Options.Env = o.Env
				o = c.Options
			}
			r, err := gen.Generate(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := r.Diagnostics.Write(&b, o.Dir); err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(b.String(), dir, "$DIR")
			if got == "" || len(r.Files) > 0 {
				t.Errorf("%d bytes of diagnostics and %d files", len(got), len(r.Files))
			}
			if *update {
				setWant(a, got)
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// extract writes the files of an archive below dir and returns the content of its file want.
func extract(t *testing.T, a *txtar.Archive, dir string) (want string) {
	t.Helper()
	for _, f := range a.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
	}
	return want
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func setWant(a *txtar.Archive, want string) {
	for i := range a.Files {
		if a.Files[i].Name == "want" {
			a.Files[i].Data = []byte(want)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(want)})
}

// environ is the environment of the tests: no network, and none of what the machine may have set.
func environ() []string {
	return append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=", "GOOS=", "GOARCH=")
}

func settings(t *testing.T, comment string) gen.Options {
	o := gen.Options{Env: environ()}
	for line := range strings.Lines(comment) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if strings.HasPrefix(name, "#") || !ok {
			continue
		}
		switch name {
		case "dir":
			o.Dir = value
		case "env":
			o.Env = append(o.Env, value)
		case "patterns":
			o.Patterns = strings.Fields(value)
		case "tags":
			o.Tags = value
		case "types":
			o.Types = strings.Fields(value)
		case "writer":
			o.Writers = append(o.Writers, value)
		case "format":
			o.Format = value
		case "output":
			o.Output = value
		default:
			t.Fatalf("unknown setting %q", name)
		}
	}
	return o
}
