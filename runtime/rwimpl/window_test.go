package rwimpl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/rwimpl"
)

// What this release's generator writes is in the window.
const (
	_ = rwimpl.Enforce(rwimpl.Newest - rwimpl.Oldest)
	_ = rwimpl.Enforce(rwimpl.Oldest - 1) // versions count from 1
)

// TestEnforce type-checks the two lines for windows on either side of the generated version.
func TestEnforce(t *testing.T) {
	for _, tc := range []struct {
		name           string
		oldest, newest string
		want           string // part of the compiler's message, empty if it compiles
	}{
		{"inside", "1", "3", ""},
		{"at both ends", "2", "2", ""},
		{"file too old", "3", "4", "Enforce(2 - oldest)"},
		{"runtime too old", "1", "1", "Enforce(newest - 2)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package p\n" +
				"type Enforce uint\n" +
				"const oldest, newest = " + tc.oldest + ", " + tc.newest + "\n" +
				"const _ = Enforce(2 - oldest)\n" +
				"const _ = Enforce(newest - 2)\n"
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", src, 0)
			if err != nil {
				t.Fatal(err)
			}
			var failed []string
			conf := types.Config{Error: func(err error) {
				pos := fset.Position(err.(types.Error).Pos)
				failed = append(failed, strings.Split(src, "\n")[pos.Line-1])
			}}
			conf.Check("p", fset, []*ast.File{file}, nil) // errors arrive through conf.Error
			switch {
			case tc.want == "" && len(failed) > 0:
				t.Errorf("does not compile: %q", failed)
			case tc.want != "" && (len(failed) != 1 || !strings.Contains(failed[0], tc.want)):
				t.Errorf("lines that do not compile: %q, want one with %q", failed, tc.want)
			}
		})
	}
}
