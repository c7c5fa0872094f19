package trial

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/ir"
)

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Files are added beside generated code and directives, with their constraints, the same ones each time.
func TestChecks(t *testing.T) {
	dir := t.TempDir()
	generated := func(pkg, record string) string {
		return ir.Header + "\n\npackage " + pkg + "\n\nfunc (" + record + "Serializer) ConsumeLimits() {}\n"
	}
	write(t, dir, "a/a_rw_linux.go", strings.Replace(generated("a", "A"), "\npackage", "\n//go:build !cgo\n\npackage", 1))
	write(t, dir, "a/plain.go", "package a\n")
	write(t, dir, "a/a.go", "package a\n\nimport \"x.test/geo\"\n\n//rwgen:union B,*geo.Point,Pair[int,string]\ntype U interface{}\n\n//rwgen:codec geo.Place\ntype codec struct{}\n")
	write(t, dir, "cmd/main_rw.go", generated("main", "m"))
	write(t, dir, "b/internal/c/c_rw.go", generated("c", "C"))
	write(t, dir, "internal/d/d_rw.go", generated("d", "D"))
	write(t, dir, "e/e_rw_test.go", generated("e_test", "E"))
	write(t, dir, "testdata/f_rw.go", generated("f", "F"))
	write(t, dir, "other/go.mod", "module other\n")
	write(t, dir, "other/g_rw.go", generated("g", "G"))
	for range 2 {
		if err := Checks(dir, "example.com/m"); err != nil {
			t.Fatal(err)
		}
		var added []string
		files, err := sources(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if rel, err := filepath.Rel(dir, f); err == nil && strings.HasPrefix(filepath.Base(f), checkPrefix) {
				added = append(added, filepath.ToSlash(rel))
			}
		}
		want := []string{"a/zzcheck_a.go", "a/zzcheck_a_rw_linux.go", "b/internal/c/zzcheck_c_package_test.go", "b/internal/c/zzcheck_c_rw.go",
			"cmd/zzcheck_main_package_test.go", "cmd/zzcheck_main_rw.go", "e/zzcheck_e_rw_test.go", "e/zzcheck_e_test_package_test.go", "internal/d/zzcheck_d_rw.go"}
		if diff := cmp.Diff(want, added); diff != "" {
			t.Errorf("added (-want +got):\n%s", diff)
		}
	}
	for file, parts := range map[string][]string{
		"a/zzcheck_a_rw_linux.go": {"//go:build !cgo\n", `zzroundtrip.Record(&zzsuite.All, "example.com/m/a.A", ASerializer{})`},
		"a/zzcheck_a.go": {"\t\"x.test/geo\"\n", "zzroundtrip.Codec[geo.Place](&zzsuite.All, codec{})",
			"zzroundtrip.Union[U](&zzsuite.All, zzroundtrip.Zero[B](), zzroundtrip.Zero[*geo.Point](), zzroundtrip.Zero[Pair[int,string]]())"},
		"zzsuite/suite_test.go": {`_ "example.com/m/a"`, `_ "example.com/m/internal/d"`},
	} {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(string(content), part) {
				t.Errorf("%s has no %q:\n%s", file, part, content)
			}
		}
		if strings.Contains(string(content), "internal/c") || strings.Contains(string(content), "/cmd") {
			t.Errorf("%s imports what it cannot", file)
		}
	}
}

func TestParse(t *testing.T) {
	got := parse([]byte(`{"ImportPath":"m/a","Action":"build-output","Output":"a.go:1: bad\n"}
{"ImportPath":"m/a","Action":"build-fail"}
{"ImportPath":"m/v [m/v.test]","Action":"build-output","Output":"v.go:1: vet\n"}
{"ImportPath":"m/v [m/v.test]","Action":"build-fail"}
not JSON
{"Action":"output","Package":"m/zzsuite","Test":"TestRwgenRoundTrip/m/b/c.A","Output":"differs\n"}
{"Action":"fail","Package":"m/zzsuite","Test":"TestRwgenRoundTrip/m/b/c.A"}
{"Action":"fail","Package":"m/zzsuite","Test":"TestRwgenRoundTrip"}
{"Action":"fail","Package":"m/zzsuite"}
{"Action":"output","Package":"m/p","Output":"panic\n"}
{"Action":"fail","Package":"m/p"}
{"Action":"fail","Package":"m/q","FailedBuild":"m/a"}
{"Action":"pass","Package":"m/r"}
`))
	want := []Failure{
		{Package: "m/a", Build: true, Output: "a.go:1: bad\n"},
		{Package: "m/b/c", Record: "A", Output: "differs\n"},
		{Package: "m/p", Output: "panic\n"},
		{Package: "m/v", Build: true, Output: "v.go:1: vet\n"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A module elsewhere can import what the enclosing one can, also if it has a go.mod already.
func TestWriteModule(t *testing.T) {
	host, err := Enclosing(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if host.Path != "github.com/rwgen/rwgen" {
		t.Errorf("the module is %s", host.Path)
	}
	for _, mod := range []string{"", "module example.com/own\n\ngo 1.26\n\nrequire github.com/zeebo/xxh3 v1.1.0\n"} {
		dir := t.TempDir()
		if mod != "" {
			write(t, dir, "go.mod", mod)
		}
		write(t, dir, "a.go", "package a\n\nimport _ \"github.com/rwgen/rwgen/runtime/selector\"\n")
		if err := host.WriteModule(t.Context(), dir, "example.com/new"); err != nil {
			t.Fatal(err)
		}
		out, err := goOutput(t.Context(), dir, Environ(), "list", "-deps", ".")
		if err != nil || !slices.Contains(strings.Fields(string(out)), "github.com/zeebo/xxh3") {
			t.Errorf("%v: %s", err, out)
		}
	}
}

func TestPlaceholder(t *testing.T) {
	for path, want := range map[string]string{"a.test/b": "v0.0.0", "a.test/b/v3": "v3.0.0", "gopkg.in/x.v2": "v2.0.0", "a.test/v": "v0.0.0"} {
		if got := placeholder(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
