package goldens_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/ir"
)

// All that is generated on request compiles for all records of the goldens, whatever they are made of.
func TestAllOnRequest(t *testing.T) {
	// Methods for the binary form are for types of the package only, which not all records are.
	var with []string
	for _, name := range ir.Withs() {
		if name != "binary" {
			with = append(with, name)
		}
	}
	result, err := gen.Generate(context.Background(), gen.Options{Patterns: []string{"./..."}, With: with})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Diagnostics {
		t.Error(d)
	}
	if len(result.Files) < 20 {
		t.Fatalf("only %d files generated", len(result.Files))
	}
	replace := map[string]string{}
	dir := t.TempDir()
	for _, f := range result.Files {
		at := filepath.Join(dir, filepath.Base(filepath.Dir(f.Path))+"_"+filepath.Base(f.Path))
		if err := os.WriteFile(at, f.Content, 0o600); err != nil {
			t.Fatal(err)
		}
		replace[f.Path] = at
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(overlay, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, "./...").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
