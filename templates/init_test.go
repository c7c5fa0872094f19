package templates_test

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/templates"
)

// The starting point is Go that compiles, with directives that stand where they count.
func TestInit(t *testing.T) {
	var b strings.Builder
	if err := templates.Init(&b, templates.Start{Package: "flights", Record: "Flight", Command: "go tool rwgen"}); err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "flight.go", b.String(), parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("flights", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if pkg.Name() != "flights" || pkg.Scope().Lookup("Flight") == nil {
		t.Errorf("package %s declares %v", pkg.Name(), pkg.Scope().Names())
	}
	for _, line := range []string{"//go:generate go tool rwgen", "//rwgen:record", "//rwgen:writer ByKey key=Key"} {
		if !strings.Contains(b.String(), "\n"+line+"\n") {
			t.Errorf("no line %q in\n%s", line, b.String())
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errDisk }

var errDisk = errors.New("disk full")

func TestInitErrors(t *testing.T) {
	for _, s := range []templates.Start{{Package: "a-b", Record: "R"}, {Package: "a", Record: ""}, {Package: "type", Record: "R"}} {
		if err := templates.Init(&strings.Builder{}, s); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
	if err := templates.Init(fullDisk{}, templates.Start{Package: "a", Record: "R"}); !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
}
