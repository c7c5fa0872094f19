package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// generated is how a generated file begins.
const generated = generatedHeader + "\n// rwgen (devel) schema=0123456789abcdef\n// Source: a.go\n\npackage p\n"

// TestRules shows for each rule what it finds and what it lets pass.
func TestRules(t *testing.T) {
	imports := func(path string) string { return "package p\n\nimport _ \"" + Module + "/" + path + "\"\n" }
	for _, tt := range []struct {
		name  string
		rule  func(*Tree) []Finding
		files map[string]string
		want  []string
	}{
		{"a lower level may be imported", Imports, map[string]string{
			"runtime/buffer/a.go":    imports("runtime/memory"),
			"runtime/writer/a.go":    imports("runtime/partition"),
			"runtime/gate/a.go":      imports("runtime/record"),
			"runtime/exchange/a.go":  imports("runtime/gate"),
			"runtime/record/a.go":    imports("runtime/wire"),
			"examples/x/a.go":        imports("runtime/exchange"),
			"gen/a.go":               imports("gen/frontend/gosrc"),
			"gen/emit/a.go":          imports("runtime/record"),
			"cmd/rwgen/a.go":         imports("gen"),
			"runtime/wire/a_test.go": imports("runtime/record"),
		}, nil},
		{"a higher level may not", Imports, map[string]string{"runtime/memory/a.go": imports("runtime/buffer")},
			[]string{"runtime/memory/a.go:3: imports runtime/buffer: its level 3 is not below level 2 of runtime/memory"}},
		{"nor the same level", Imports, map[string]string{"runtime/writer/a.go": imports("runtime/gate")},
			[]string{"runtime/writer/a.go:3: imports runtime/gate: its level 5 is not below level 5 of runtime/writer"}},
		{"a new package needs a level", Imports, map[string]string{
			"runtime/new/a.go":    imports("runtime/wire"),
			"runtime/buffer/a.go": imports("runtime/new"),
		}, []string{
			"runtime/buffer/a.go:3: imports runtime/new: runtime/new has no level yet; give it one in cmd/rwgen/internal/lint",
			"runtime/new/a.go:3: imports runtime/wire: runtime/new has no level yet; give it one in cmd/rwgen/internal/lint",
		}},
		{"leaves", Imports, map[string]string{
			"runtime/metrics/a.go":  imports("runtime/wire"),
			"runtime/selector/a.go": imports("runtime/record"),
		}, []string{
			`runtime/metrics/a.go:3: imports runtime/wire: of our packages runtime/metrics may import only []`,
			`runtime/selector/a.go:3: imports runtime/record: of our packages runtime/selector may import only ["runtime/wire"]`,
		}},
		{"runtime and generator", Imports, map[string]string{
			"runtime/record/a.go":      imports("gen/ir"),
			"runtime/record/a_test.go": imports("gen"),
		}, []string{
			"runtime/record/a.go:3: imports gen/ir: the runtime does not know the generator",
			"runtime/record/a_test.go:3: imports gen: the runtime does not know the generator",
		}},
		{"emitter, frontends and ir", Imports, map[string]string{
			"gen/emit/a.go":           imports("gen/frontend/gosrc"),
			"gen/frontend/gosrc/a.go": imports("gen/emit"),
			"gen/frontend/avro/a.go":  imports("gen/frontend/gosrc"),
			"gen/ir/a.go":             imports("gen/diag"),
			"examples/x/a.go":         imports("gen/frontend/gosrc"),
			"cmd/rwgen/a.go":          imports("gen/frontend/gosrc"),
			"gen/frontend/avro/b.go":  imports("gen/ir"),
			"gen/frontend/avro/d.go":  imports("gen/frontend/schema"),
			"gen/frontend/gosrc/b.go": imports("gen/frontend/spec"),
			"gen/emit/a_test.go":      imports("gen/frontend/gosrc"),
			"gen/frontend/avro/c.go":  imports("runtime/selector"),
		}, []string{
			"examples/x/a.go:3: imports gen/frontend/gosrc: frontends are imported by gen and the command only",
			"gen/emit/a.go:3: imports gen/frontend/gosrc: frontends are imported by gen and the command only",
			"gen/frontend/avro/a.go:3: imports gen/frontend/gosrc: frontends do not know each other",
			`gen/frontend/avro/c.go:3: imports runtime/selector: of our packages gen/frontend may import only ["gen/diag" "gen/frontend/schema" "gen/frontend/spec" "gen/ir" "gen/names" "runtime/record"]`,
			`gen/frontend/gosrc/a.go:3: imports gen/emit: of our packages gen/frontend may import only ["gen/diag" "gen/frontend/schema" "gen/frontend/spec" "gen/ir" "gen/names" "runtime/record"]`,
			`gen/ir/a.go:3: imports gen/diag: of our packages gen/ir may import only []`,
		}},
		{"rwimpl and rwtest", Imports, map[string]string{
			"examples/x/a.go":              imports("runtime/rwimpl"),
			"examples/x/a_test.go":         imports("runtime/rwimpl"),
			"examples/x/a_rw.go":           strings.Replace(generated, "package p\n", imports("runtime/rwimpl"), 1),
			"runtime/rwimpl/a_test.go":     imports("runtime/rwimpl"),
			"gen/emit/a.go":                imports("runtime/rwimpl"),
			"gen/emit/a_test.go":           imports("runtime/rwimpl"),
			"gen/a.go":                     imports("runtime/rwimpl"),
			"runtime/exchange/a.go":        imports("runtime/rwtest"),
			"runtime/exchange/a_test.go":   imports("runtime/rwtest"),
			"runtime/rwtest/testdata/a.go": imports("runtime/rwimpl"),
		}, []string{
			"examples/x/a.go:3: imports runtime/rwimpl: rwimpl is for generated code only",
			"examples/x/a_test.go:3: imports runtime/rwimpl: rwimpl is for generated code only",
			"gen/a.go:3: imports runtime/rwimpl: rwimpl is for generated code only",
			"runtime/exchange/a.go:3: imports runtime/rwtest: rwtest is for tests only",
		}},
		{"package comments", PackageDocs, map[string]string{
			"good/doc.go":         "// Package good is good.\npackage good\n",
			"good/a.go":           "package good\n",
			"cmd/tool/doc.go":     "// Command tool does.\npackage main\n",
			"examples/x/main.go":  "// X shows.\npackage main\n",
			"examples/y/y.go":     "// Shows.\npackage main\n",
			"gen/internal/g/g.go": "// Package g is input.\npackage g\n",
			"tests/a_test.go":     "package tests\n",
			"none/a.go":           "package none\n",
			"directive/a.go":      "//go:build linux\n\npackage directive\n",
			"two/doc.go":          "// Package two is.\npackage two\n",
			"two/a.go":            "// Package two is again.\npackage two\n",
			"place/a.go":          "// Package place is.\npackage place\n",
			"words/doc.go":        "// This package is words.\npackage words\n",
			"examples/lib/lib.go": "// Package lib is.\npackage lib\n",
		}, []string{
			"directive: package directive has 0 package comments, want one",
			"examples/lib/lib.go:1: the package comment of lib belongs in doc.go",
			"examples/y/y.go:1: the package comment of y belongs in doc.go or main.go",
			`examples/y/y.go:1: the package comment begins "Shows.", want "Command y …" or "Y …"`,
			"none: package none has 0 package comments, want one",
			"place/a.go:1: the package comment of place belongs in doc.go",
			"two: package two has 2 package comments, want one",
			`words/doc.go:1: the package comment begins "This package is", want "Package words …"`,
		}},
		{"gofmt", Formatted, map[string]string{"a.go": "package p\n\nvar  a = 1\n", "b.go": "package p\n", "testdata/c.go": "package  p"},
			[]string{"a.go:3: is not formatted by gofmt"}},
		{"init", NoInit, map[string]string{
			"a.go":    "package p\n\nfunc init() {}\n",
			"b.go":    "package p\n\ntype t int\n\nfunc (t) init() {}\n",
			"c.pb.go": "// Code generated by protoc-gen-go. DO NOT EDIT.\n\npackage p\n\nfunc init() {}\n",
			"d.go":    "// Code generated by protoc-gen-go, in part.\n\npackage p\n\nfunc init() {}\n",
		}, []string{"a.go:3: has an init function", "d.go:5: has an init function"}},
		{"unfinished work", Finished, map[string]string{
			"a.go":      "package p\n\n// " + "TO" + "DO: more\nvar a = 1 /* " + "FIX" + "ME */\n\n// autoTODOs and todo lists are fine\n",
			"a_test.go": "package p\n\nfunc f() {\n\tt.Skip(\"x\")\n\tt.Skipf(\"x\")\n\tt.SkipNow()\n}\n",
			"b.go":      "package p\n\nfunc f() { d.Skip(4) }\n",
			"b_test.go": "package p\n\nfunc step(t *rapid.T) { t.Skip(\"another\") }\n",
		}, []string{
			"a.go:3: comment is marked " + "TO" + "DO: finish it or file an issue",
			"a.go:4: comment is marked " + "FIX" + "ME: finish it or file an issue",
			"a_test.go:4: test skips itself",
			"a_test.go:5: test skips itself",
			"a_test.go:6: test skips itself",
		}},
		{"generated files", GeneratedFiles, map[string]string{
			"a_rw.go":             generated,
			"a_rw_linux_amd64.go": generated,
			"a_rw_test.go":        strings.Replace(generated, " schema=", "\n// schema(A)=00000000000000aa\n// schema(B)=", 1),
			"b_rw.go":             "package p\n",
			"c_rw.go":             generatedHeader + "\n\npackage p\n",
			"d.go":                generated,
			"brw.go":              "package p\n",
			"e_rw.go":             strings.Replace(generated, ".go", ".avsc", 1),
			"e_types.go":          generatedHeader + "\n// rwgen v1\n// Source: e.avsc\n\npackage p\n",
			"f_types.go":          generatedHeader + "\n// rwgen v1\n// Source: f.go\n\npackage p\n",
			"g_types.go":          "package p\n",
		}, []string{
			"b_rw.go:1: has the suffix of generated files, but not their header",
			"c_rw.go:1: header does not match " + generatedLines.String(),
			"d.go:1: is generated, but its name does not say so",
			"f_types.go:1: is generated, but its name does not say so",
		}},
		{"portable texts", Portable, map[string]string{
			"a.md": "see /" + "root/x\nfetch https://" + "proxy.example.org\nor `../" + "shared/data`\nat /build/there/file\nbut not /usr/share, /" + "home/user/x, a/home/b or https://example.org/home/x\n",
			"b.sh": "cd /" + "home/me/src",
			"c.md": "binary\x00/" + "root/x",
		}, []string{
			"a.md:1: names a path of one machine: /" + "root/x",
			"a.md:2: names the host of a registry: https://" + "proxy.example",
			"a.md:3: names a path outside of the repository: ../" + "shared",
			"a.md:4: names the path of this checkout: /build/there/file",
			"b.sh:1: names a path of one machine: /" + "home/me/src",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := treeOf(t, tt.files)
			var got []string
			for _, f := range tt.rule(tree) {
				got = append(got, f.String())
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

// treeOf writes the files below a directory and reads them as a tree that stands at /build/there/checkout.
func treeOf(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := ReadTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree.Root = "/build/there/checkout"
	return tree
}

func TestReadTreeRefusesBrokenSource(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTree(dir); err == nil || !strings.Contains(err.Error(), "a.go") {
		t.Errorf("ReadTree = %v, want an error that names a.go", err)
	}
}

// TestVettool shows what the analyses find and let pass, in tests and elsewhere.
func TestVettool(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26.0\n",
		"a.go":   "package m\n\nfunc f(p *int) int {\n\tif p == nil {\n\t\treturn *p\n\t}\n\treturn 0\n}\n",
		"b.go": `package m

import (
	"errors"
	"regexp"
	"sync"
)

var (
	mu      sync.Mutex
	counter int
	table   = []int{1}
	shared  struct{ n int }
	pattern = regexp.MustCompile("a")
	errA    = errors.New("a")
)

func h() error {
	mu.Lock()
	counter++
	table[0] = 2
	p := &shared.n
	*p = 3
	counter := 4
	counter++
	if table[0] == counter && pattern.MatchString("a") {
		return errA
	}
	for i := range table {
		counter += i
	}
	return nil
}
`,
		"c.pb.go":   "// Code generated by protoc-gen-go. DO NOT EDIT.\n\npackage m\n\nfunc l() { counter = 5 }\n",
		"b_test.go": "package m\n\nfunc k() { counter = 2 }\n",
		"a_test.go": "package m\n\ntype s struct{ a int }\n\nfunc g() {\n\tvar v s\n\tv.a = 1\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := goCommand(t, dir, []string{"GOWORK=off"}, "vet", "-vettool="+vettool(t), "./...")
	if err == nil {
		t.Fatal("go vet found nothing")
	}
	got := map[string]bool{} // files of a package are looked at again together with its tests
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			got[line] = true
		}
	}
	want := map[string]bool{
		"a.go:5:10: nil dereference in load":                                        true,
		"a_test.go:7:4: unused write to field a":                                    true,
		"b.go:19:2: package-level variable mu is changed or shared by address":      true,
		"b.go:20:2: package-level variable counter is changed or shared by address": true,
		"b.go:21:2: package-level variable table is changed or shared by address":   true,
		"b.go:22:8: package-level variable shared is changed or shared by address":  true,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}
