package goldens_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen"
)

// templated are families with all that the built-in templates have to cope with: names that are taken, unexported records, records of test files and for one system, instances, unions, registered
// codecs, types of other packages, several writers.
var templated = []string{"builds", "codecs", "foreign", "instances", "nameclash", "unexported", "unions", "writers"}

// The built-in tests, fuzz targets and benchmarks compile, are vetted, and pass. They are not in the tree: the go command takes them from elsewhere, as if they were.
func TestTemplates(t *testing.T) {
	opts := gen.Options{With: []string{"test", "fuzz", "bench", "docs"}}
	args := []string{"test", "-vet=all", "-run=RoundTrip$|^Fuzz", "-bench=.", "-benchtime=1x"}
	for _, family := range templated {
		opts.Patterns = append(opts.Patterns, "./"+family)
	}
	r, err := gen.Generate(t.Context(), opts)
	if err != nil || len(r.Diagnostics) > 0 {
		t.Fatal(err, r.Diagnostics)
	}
	dir := t.TempDir()
	var overlay struct{ Replace map[string]string }
	overlay.Replace = make(map[string]string)
	made := make(map[string]int)
	for i, f := range r.Files {
		if f.Template == "" {
			continue
		}
		made[f.Template]++
		if filepath.Ext(f.Path) == ".md" {
			continue
		}
		name := filepath.Join(dir, strings.Repeat("x", i)+filepath.Base(f.Path))
		if err := os.WriteFile(name, f.Content, 0o666); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[f.Path] = name
	}
	for _, template := range []string{"rwgen:test", "rwgen:fuzz", "rwgen:bench", "rwgen:docs"} {
		if made[template] < len(templated) {
			t.Errorf("%d files by %s, for %d packages", made[template], template, len(templated))
		}
	}
	content, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, content, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", slices.Concat(args, []string{"-overlay=" + list}, opts.Patterns)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, ran := range []string{"BenchmarkDrawing/Emit", "BenchmarkRow/Consume"} {
		if !strings.Contains(string(out), ran) {
			t.Errorf("there is no %s in\n%s", ran, out)
		}
	}
}
