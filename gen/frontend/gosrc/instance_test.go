package gosrc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestArgumentName(t *testing.T) {
	for expr, want := range map[string]string{
		"int":                         "Int",
		"string":                      "String",
		"[]byte":                      "SliceByte",
		"*[4]uint8":                   "PtrArray4Uint8",
		"map[string][]*error":         "MapStringSlicePtrError",
		"any":                         "Any",
		"interface{ M() }":            "Interface",
		"struct{ X int }":             "Struct",
		"func()":                      "Func",
		"<-chan int":                  "ChanInt",
		"unsafe.Pointer":              "",
		"map[struct{}]map[rune]int64": "MapStructMapRuneInt64",
	} {
		e := evalIn(t, expr)
		switch {
		case want == "" && e.typ == nil:
		case e.typ == nil || argumentName(e.typ) != want:
			t.Errorf("%s: %+v, want %s", expr, e, want)
		}
	}
}

// Places of errors lie within the expression, whatever it is.
func TestEvalErrors(t *testing.T) {
	for expr, want := range map[string]typeExpr{
		"":               {err: "it is no type"},
		"[]":             {err: "it is no type", offset: 1},
		"1 + 2":          {err: "it is no type"},
		"[]nowhere":      {err: "undefined: nowhere", offset: 2, unknown: "nowhere"},
		"far.T":          {err: "undefined: far", unknown: "far", qualifier: true},
		"map[[]int]bool": {err: "invalid map key type []int", offset: 4},
		"len":            {err: "it is no type"},
		"nil":            {err: "it is no type"},
		"func() {}":      {err: "it is no type"},
		"[-1]int":        {err: "it is no type", offset: 1},
		"x(y)":           {err: "it is no type"},
	} {
		if e := evalIn(t, expr); e != want {
			t.Errorf("%q: %+v, want %+v", expr, e, want)
		}
	}
}

// evalIn evaluates an expression in a package without declarations.
func evalIn(t *testing.T, expr string) typeExpr {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n", parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := new(types.Config).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return eval(&packages.Package{Fset: fset, Types: checked}, file, expr)
}
