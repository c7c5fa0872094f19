package gosrc

import (
	"context"
	"errors"
	"go/token"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/rwgen/rwgen/gen/diag"
)

// A go command that is newer than the type checker cannot be had on demand; the errors that go/packages makes of it can.
func TestReportToolchain(t *testing.T) {
	list := packages.Error{Pos: "-", Kind: packages.UnknownError, Msg: "This application uses version go1.25 of the source-processing " +
		"packages but runs version go1.99 of 'go list'. It may fail to process source files that rely on newer language features."}
	source := packages.Error{Kind: packages.TypeError, Msg: "package requires newer Go version go1.98 (application built with go1.25)"}
	other := diag.Diagnostic{Category: diag.Field, Message: "other"}
	tests := []struct {
		name          string
		root, imports []packages.Error
		others        diag.List
		want          string
	}{
		{"no errors", nil, nil, diag.List{&other}, ""},
		{"only a warning", []packages.Error{list}, nil, nil, ""},
		{"with other findings", []packages.Error{list}, nil, diag.List{&other}, "go1.99"},
		{"in an import", nil, []packages.Error{list}, diag.List{&other}, "go1.99"},
		{"in an import that does not matter", nil, []packages.Error{source}, nil, ""},
		{"sources refused", []packages.Error{source}, nil, nil, "go1.98"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dep := &packages.Package{ID: "dep", Errors: test.imports}
			root := &packages.Package{ID: "root", Errors: test.root, Imports: map[string]*packages.Package{"dep": dep}}
			diags := test.others
			l := &loader{diags: &diags, roots: []*packages.Package{root}}
			l.reportToolchain()
			added := diags[len(test.others):]
			if test.want == "" {
				if len(added) > 0 {
					t.Errorf("got %v", added)
				}
				return
			}
			if len(added) != 1 || added[0].Category != diag.Toolchain || !strings.Contains(added[0].Message, test.want) ||
				!strings.Contains(added[0].Message, runtime.Version()) || added[0].Hint == "" {
				t.Errorf("got %v", added)
			}
		})
	}
}

func TestErrorPosition(t *testing.T) {
	dir := t.TempDir()
	l := &loader{cfg: Config{Dir: dir}}
	abs := filepath.Join(dir, "x.go")
	tests := []struct {
		pos  string
		want token.Position
	}{
		{"", token.Position{}},
		{"-", token.Position{}},
		{"x.go", token.Position{Filename: abs}},
		{"x.go:3", token.Position{Filename: abs, Line: 3}},
		{"x.go:3:7", token.Position{Filename: abs, Line: 3, Column: 7}},
		{abs + ":3:7", token.Position{Filename: abs, Line: 3, Column: 7}},
		{"odd:name.go:3", token.Position{Filename: filepath.Join(dir, "odd:name.go"), Line: 3}},
	}
	for _, test := range tests {
		if got := l.errorPosition(packages.Error{Pos: test.pos}); got != test.want {
			t.Errorf("%q: got %v, want %v", test.pos, got, test.want)
		}
	}
}

func TestLoadCanceled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if _, _, err := Load(ctx, Config{Dir: t.TempDir()}); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

func TestImportable(t *testing.T) {
	tests := []struct {
		path, from string
		want       bool
	}{
		{"example.com/a/b", "example.com/c", true},
		{"example.com/a/internal/b", "example.com/a", true},
		{"example.com/a/internal/b", "example.com/a/x/y", true},
		{"example.com/a/internal", "example.com/a/x", true},
		{"example.com/a/internal/b", "example.com/ab", false},
		{"example.com/a/internal/b", "example.com", false},
		{"example.com/internal/a/internal/b", "example.com/x", false},
		{"example.com/internally/b", "example.net", true},
		{"internal/abi", "example.com", false},
		{"vendor/golang.org/x/net/dns", "example.com", false},
	}
	for _, test := range tests {
		if got := importable(test.path, test.from); got != test.want {
			t.Errorf("importable(%q, %q) = %t", test.path, test.from, got)
		}
	}
}

// Files that cgo rewrites lie in the build cache and say by line directives where they come from; line directives of the user's own
// files, such as those of a parser generator, do not count.
func TestPosition(t *testing.T) {
	dir := t.TempDir()
	fset := token.NewFileSet()
	add := func(path string) token.Pos {
		f := fset.AddFile(path, -1, 100)
		f.SetLines([]int{0, 50})
		f.AddLineColumnInfo(50, filepath.Join(dir, "source.go"), 7, 3)
		return f.Pos(50)
	}
	u := &unit{loader: &loader{dirs: map[string]*directory{dir: {}}}, pkg: &packages.Package{Fset: fset}}
	if got := u.position(add(filepath.Join(t.TempDir(), "source.cgo1.go"))); filepath.Base(got.Filename) != "source.go" || got.Line != 7 || got.Column != 3 {
		t.Errorf("in the cache: %v", got)
	}
	if got := u.position(add(filepath.Join(dir, "parser.go"))); filepath.Base(got.Filename) != "parser.go" || got.Line != 2 || got.Column != 1 {
		t.Errorf("in the directory: %v", got)
	}
	if got := u.position(token.NoPos); got.IsValid() {
		t.Errorf("no position: %v", got)
	}
}
