package gosrc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sameButBodies reports whether a source and what is made of it parse to the same, apart from the bodies of functions. Sources that do not parse
// are not looked at.
func sameButBodies(src []byte) (ok bool) {
	parse := func(src []byte) (*ast.File, error) {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", src, parser.SkipObjectResolution)
		if f != nil {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Body != nil {
						n.Body.List = nil
					}
				case *ast.FuncLit:
					n.Body.List = nil
				}
				return true
			})
		}
		return f, err
	}
	want, err := parse(src)
	if err != nil {
		return true
	}
	got, err := parse(blankBodies(src))
	return err == nil && reflect.DeepEqual(got, want)
}

var bodySources = []string{
	"package p\n\nfunc f() {}\n\nfunc g() struct{ X int } { return struct{ X int }{1} }\n",
	"package p\n\nfunc f(x interface{ M() }, y map[string]struct{}) (z interface{}) {\n\treturn `}\n}` + \"}\\\"\" + string('}') // }\n}\n\ntype T struct{}\n",
	"package p\n\nfunc asm(x int)\n\nfunc (t *T[A]) m() func(struct{}) interface{} { /* } */ return nil }\n\ntype T[A any] struct{ V A }\n",
	"package p\n\nvar x = func() int {\n\treturn 1\n}()\n\nvar y =\nfunc() int { return 1 }()\n\nfunc h[T interface{ ~int }](x T) T { return x }\n",
	"package p\n\nfunc f() /* a\nb */ {\n\tx := '\\''\n\t_ = x\n}\n\nfunc g() interface /* c */ { M() } { return nil }\n",
	"package p\n\nfunc f() struct { // {\n\tX int\n} {\n\tpanic(0)\n}\nfunc g() [len(\"}\")]int { return [1]int{} }\n",
	"package p\r\n\r\nfunc f() {\r\n\treturn\r\n}\r\n\r\nvar s = `\r\nfunc g() {\r\n`\r\n",
	"package p\n\nfunc f() {\n\tif x := (struct{}{}); x == x {\n\t}\n\tfor range `{` {\n\t}\n}\n\nfunc é() { ö() }\n",
}

func TestBlankBodies(t *testing.T) {
	for _, src := range bodySources {
		if !sameButBodies([]byte(src)) {
			t.Errorf("%s\nbecomes\n%s", src, blankBodies([]byte(src)))
		}
		if out := string(blankBodies([]byte(src))); strings.Contains(out, "return") && !strings.Contains(src, "var x") || len(out) != len(src) {
			t.Errorf("bodies are left:\n%s", out)
		}
	}
	for _, src := range []string{"", "func", "func f() {", "func f() { \"", "func f() { ` }", "}", "func f() { /* }", "func f() '"} {
		if out := blankBodies([]byte(src)); string(out) != src {
			t.Errorf("%q becomes %q", src, out)
		}
	}
}

// The standard library has most of what can be written.
func TestBlankBodiesOfStd(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen, blanked := 0, 0
	for _, dir := range []string{"go/types", "net/http", "reflect", "runtime", "text/template", "encoding/json", "math/big"} {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if seen++; !sameButBodies(src) {
				t.Errorf("%s is not the same", file)
			}
			if string(blankBodies(src)) != string(src) {
				blanked++
			}
		}
	}
	if seen < 300 || blanked < seen*3/4 {
		t.Errorf("%d of %d sources have blank bodies", blanked, seen)
	}
}

func FuzzBlankBodies(f *testing.F) {
	for _, src := range bodySources {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !sameButBodies([]byte(src)) {
			t.Errorf("%s\nbecomes\n%s", src, blankBodies([]byte(src)))
		}
	})
}
