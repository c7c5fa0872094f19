package corpus_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rwgen/rwgen/gen/frontend/avro"
	"github.com/rwgen/rwgen/gen/frontend/schema"
)

func TestQuick(t *testing.T) {
	for _, m := range lines(t, "testdata/modules.txt") {
		dir := download(t, m)
		for _, f := range files(t, dir, ".avsc", ".avpr") {
			b, _ := os.ReadFile(filepath.Join(dir, f))
			_, d := avro.Load(schema.Config{Files: []schema.File{{Name: m + "/" + f, Content: b}}, Packages: []schema.Package{{Subspaces: true, Dir: "/x", Path: "x/y", Name: "y"}}})
			for _, x := range d {
				t.Log(x.Format(""))
			}
		}
	}
}
