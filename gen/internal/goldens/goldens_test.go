package goldens_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen"
)

var update = flag.Bool("update", false, "write the generated files")

// generate returns what the generator makes of the goldens.
func generate(t *testing.T, opts gen.Options) *gen.Result {
	t.Helper()
	opts.Types, opts.Version = nil, ""
	result, err := gen.Generate(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Diagnostics {
		t.Error(d)
	}
	if len(result.Files) < 20 {
		t.Fatalf("only %d files generated", len(result.Files))
	}
	return result
}

func TestGoldens(t *testing.T) {
	result := generate(t, gen.Options{Patterns: []string{"./..."}})
	if len(result.Orphans) > 0 {
		t.Errorf("generated files that are not generated any more: %q", result.Orphans)
	}
	if *update {
		if _, err := result.Write(); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, f := range result.Files {
		if !bytes.Equal(f.Content, f.Old) {
			t.Errorf("%s differs from what is generated now; see -update\n%s", filepath.Base(f.Path),
				cmp.Diff(strings.Split(string(f.Old), "\n"), strings.Split(string(f.Content), "\n")))
		}
	}
}

// The output depends on the sources alone: not on the machine that it is generated for, nor on where it is generated.
func TestSameEverywhere(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]gen.Options{
		"again":            {Patterns: []string{"./..."}},
		"from another dir": {Dir: filepath.Dir(here), Patterns: []string{"./goldens/..."}},
		"for 386":          {Env: append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0"), Patterns: []string{"./..."}},
		"for windows":      {Env: append(os.Environ(), "GOOS=windows", "CGO_ENABLED=0"), Patterns: []string{"./..."}},
	}
	for name, opts := range runs {
		t.Run(name, func(t *testing.T) {
			for _, f := range generate(t, opts).Files {
				if !bytes.Equal(f.Content, f.Old) {
					t.Errorf("%s differs:\n%s", f.Path, cmp.Diff(string(f.Old), string(f.Content)))
				}
			}
		})
	}
}

// Whether other packages are loaded, and with them what tests import, makes no difference either.
func TestSameAlone(t *testing.T) {
	for _, dir := range []string{"vectors", "text"} {
		result, err := gen.Generate(t.Context(), gen.Options{Dir: dir})
		if err != nil || len(result.Diagnostics) > 0 || len(result.Files) == 0 {
			t.Fatalf("%s: %v, %v", dir, err, result)
		}
		for _, f := range result.Files {
			if !bytes.Equal(f.Content, f.Old) {
				t.Errorf("%s differs:\n%s", f.Path, cmp.Diff(string(f.Old), string(f.Content)))
			}
		}
	}
}
