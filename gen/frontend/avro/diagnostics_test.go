package avro_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/avro"
	"github.com/rwgen/rwgen/gen/frontend/schema"
)

// everywhere puts all namespaces into one package.
var everywhere = []schema.Package{{Subspaces: true, Dir: "/p", Path: "example.com/p", Name: "p"}}

func rendered(diags diag.List) string {
	var b strings.Builder
	for _, d := range diags {
		b.WriteString(d.Format("") + "\n")
	}
	return b.String()
}

// Each archive below testdata/invalid holds schemas, and what is said of each in want/ and its name. Files in a directory are read together.
func TestDiagnostics(t *testing.T) {
	archives, err := filepath.Glob("testdata/invalid/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		files, wants := make(map[string][]schema.File), make(map[string]string)
		for _, f := range archive.Files {
			if want, ok := strings.CutPrefix(f.Name, "want/"); ok {
				wants[want] = string(f.Data)
				continue
			}
			group, _, _ := strings.Cut(f.Name, "/")
			if files[group] == nil {
				order = append(order, group)
			}
			files[group] = append(files[group], schema.File{Name: f.Name, Content: f.Data})
		}
		var rewritten []txtar.File
		for _, group := range order {
			pkgs, diags := avro.Load(schema.Config{Files: files[group], Packages: everywhere})
			got := rendered(diags)
			for _, f := range files[group] {
				rewritten = append(rewritten, txtar.File{Name: f.Name, Data: f.Content})
			}
			rewritten = append(rewritten, txtar.File{Name: "want/" + group, Data: []byte(got)})
			switch {
			case len(diags) == 0 || pkgs != nil:
				t.Errorf("%s: %s: %d packages, and the diagnostics %q", name, group, len(pkgs), got)
			case got != wants[group] && !*update:
				t.Errorf("%s: %s (-want +got):\n%s", name, group, gocmp.Diff(strings.Split(wants[group], "\n"), strings.Split(got, "\n")))
			}
			for _, d := range diags {
				if d.Pos.Filename == "" || d.Message == "" || d.Category == "" {
					t.Errorf("%s: %s: %#v", name, group, d)
				}
			}
		}
		if *update {
			archive.Files = rewritten
			if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
