package gosrc_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/gosrc"
	"github.com/rwgen/rwgen/gen/ir"
)

// module writes a module of the given files and returns its directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const goMod = "module example.com/m\n\ngo 1.26\n"

func load(t *testing.T, dir string, env ...string) (*gosrc.Input, diag.List) {
	t.Helper()
	cfg := settings(t, "")
	cfg.Dir, cfg.Env = dir, append(cfg.Env, env...)
	in, diags, err := gosrc.Load(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return in, diags
}

// Sources with the line ends of Windows are the same package, with diagnostics at the same places (generator-cases 61).
func TestLineEnds(t *testing.T) {
	const src = `package m

// A is a record.
// Its documentation has two lines.
//
//rwgen:record
//rwgen:writer ByX key=X
type A struct {
	// X is the key.
	X int ` + "`rw:\"varint\"`" + `
	S Shape
}

//rwgen:union B,*C
type Shape interface{ M() }

type B int

func (B) M() {}

type C struct{ V int }

func (*C) M() {}

//rwgen:record [string] [D]
type Box[T any] struct{ V T }
`
	load := func(text string) string {
		in, diags := load(t, module(t, map[string]string{"go.mod": goMod, "a.go": text}))
		if len(in.Packages) == 1 {
			return diags.Error() + ir.Dump(in.Packages[0]) + extras(in.Packages[0])
		}
		var all strings.Builder
		for _, d := range diags {
			d.Pos.Filename = filepath.Base(d.Pos.Filename)
			all.WriteString(d.Format("") + "\n")
		}
		return all.String()
	}
	for _, text := range []string{src, strings.ReplaceAll(src, "[D]", "[int]")} {
		unix, windows := load(text), load(strings.ReplaceAll(text, "\n", "\r\n"))
		if diff := cmp.Diff(unix, windows); diff != "" || unix == "" {
			t.Errorf("(-unix +windows):\n%s", diff)
		}
	}
}

// Records stand beside code in C if cgo is enabled; if not, the message says so.
func TestCgo(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": goMod, "a.go": `package m

// #include <stdint.h>
// typedef struct { int a; } pair;
import "C"

//rwgen:record
type A struct {
	X int
	L Level
}

type Level C.int32_t

func f() C.int { return 1 }
`, "bad/a.go": `package bad

// typedef struct { int a; } pair;
import "C"

//rwgen:record
type A struct {
	P C.pair
}
`})
	out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(out)) == "1" {
		in, diags := load(t, dir)
		if err := diags.Err(); err != nil || len(in.Packages) != 1 {
			t.Fatalf("%d packages, %v", len(in.Packages), err)
		}
		f := in.Packages[0].Files[0]
		if a := f.Records[0]; f.Source != "a.go" || a.Name != "A" || len(a.Type.Fields) != 2 || a.Type.Fields[1].Type.Kind != ir.Int32 || a.Pos.Line != 8 {
			t.Errorf("%s: %s", f.Source, ir.Dump(in.Packages[0]))
		}
		_, diags = load(t, filepath.Join(dir, "bad"))
		if len(diags) != 1 || !strings.Contains(diags[0].Message, "the C type") || filepath.Base(diags[0].Pos.Filename) != "a.go" || diags[0].Pos.Line != 8 {
			t.Errorf("a C type: %v", diags)
		}
	}
	_, diags := load(t, dir, "CGO_ENABLED=0")
	if len(diags) != 1 || diags[0].Category != diag.Load || !strings.Contains(diags[0].Hint, "CGO_ENABLED") {
		t.Errorf("without cgo: %v", diags)
	}
}

// A directory that is reached through a link is the package that it is (generator-cases 56).
func TestLinkedDirectory(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": goMod, "sub/a.go": "package sub\n\n//rwgen:record\ntype A struct{ X int }\n"})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	in, diags := load(t, filepath.Join(link, "sub"))
	if err := diags.Err(); err != nil || len(in.Packages) != 1 || in.Packages[0].Path != "example.com/m/sub" {
		t.Errorf("%v, %v", in.Packages, err)
	}
}

// A struct may be as wide as Go allows.
func TestWideStruct(t *testing.T) {
	const n = 5000
	var b strings.Builder
	b.WriteString("package m\n\n//rwgen:record\n//rwgen:writer ByLast key=F4999\ntype A struct {\n")
	for i := range n {
		fmt.Fprintf(&b, "\tF%d %s\n", i, []string{"int", "string", "[]T", "map[string]T", "*T"}[(i+1)%5])
	}
	b.WriteString("}\n\ntype T struct{ X int }\n")
	in, diags := load(t, module(t, map[string]string{"go.mod": goMod, "a.go": b.String()}))
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	r := in.Packages[0].Files[0].Records[0]
	if len(r.Type.Fields) != n || r.Writers[0].Keys[0].Leaf() != r.Type.Fields[n-1] {
		t.Errorf("%d fields, key %v", len(r.Type.Fields), r.Writers[0].Keys)
	}
}

// A union may have as many members as its tag can tell apart.
func TestManyMembers(t *testing.T) {
	source := func(n int) string {
		var b, types strings.Builder
		b.WriteString("package m\n\n//rwgen:record\ntype A struct{ U U }\n\n//rwgen:union ")
		for i := range n {
			fmt.Fprintf(&b, "%sT%d", []string{",", ""}[b2i(i == 0)], i)
			fmt.Fprintf(&types, "type T%d int8\n", i)
		}
		b.WriteString("\ntype U any\n\n" + types.String())
		return b.String()
	}
	in, diags := load(t, module(t, map[string]string{"go.mod": goMod, "a.go": source(300)}))
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if u := in.Packages[0].Files[0].Records[0].Type.Fields[0].Type; len(u.Members) != 300 || u.Members[299].Name.Name != "T299" {
		t.Errorf("%d members", len(u.Members))
	}
	_, diags = load(t, module(t, map[string]string{"go.mod": goMod, "a.go": source(65_536)}))
	if len(diags) != 1 || !strings.Contains(diags[0].Message, "65536 members, more than 65535") {
		t.Errorf("%d diagnostics, first %v", len(diags), diags[:min(1, len(diags))])
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Names of types on the command line that cannot be any are errors of the configuration.
func TestTypeNames(t *testing.T) {
	for _, name := range []string{"", "a.B", "a b", "Pair[", "Pair[int", "Pair]", "*A", "[]A", "Pair[int]x", "f()", "Pair[]"} {
		_, _, err := gosrc.Load(t.Context(), gosrc.Config{Dir: t.TempDir(), Types: []string{name}})
		if !errors.Is(err, gosrc.ErrConfig) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A load is the same from wherever it starts, and for many at the same time.
func TestLoadConcurrent(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": goMod, "a.go": "package m\n\n//rwgen:record\n//rwgen:record [int]\ntype A[T any] struct{ X T }\n",
		"b/b.go": "package b\n\n//rwgen:record\ntype B struct{ X U }\n\n//rwgen:union T\ntype U any\n\ntype T int\n"})
	cfg := settings(t, "")
	cfg.Dir, cfg.Patterns = dir, []string{"./..."}
	results := make(chan string)
	for range 4 {
		go func() {
			in, diags, err := gosrc.Load(t.Context(), cfg)
			if err != nil {
				results <- err.Error()
				return
			}
			text := diags.Error()
			for _, p := range slices.Concat(in.Packages, in.Unsound) {
				text += ir.Dump(p) + extras(p)
			}
			results <- text
		}()
	}
	first := <-results
	for range 3 {
		if diff := cmp.Diff(first, <-results); diff != "" {
			t.Error(diff)
		}
	}
	if !strings.Contains(first, "AInt") || !strings.Contains(first, "union b.U") {
		t.Error(first)
	}
}
