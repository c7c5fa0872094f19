package gentest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const record = "package p\n\n//rwgen:record\ntype A struct{ S string }\n"

// faults are cases with something wrong each, and what is said about it.
var faults = map[string]struct{ archive, problem string }{
	"good":           {"-- a.go --\n" + record + "-- want/files --\na_rw.go\n", ""},
	"unwanted":       {"-- a.go --\n" + record + "-- want/files --\nb_rw.go\n", "generated files (-want +got)"},
	"content":        {"-- a.go --\n" + record + "-- want/a_rw.go --\nother\n", "a_rw.go (-want +got)"},
	"not-listed":     {"-- a.go --\n" + record + "-- b.go --\npackage p\n\n//rwgen:record\ntype B struct{ N int }\n-- want/a_rw.go --\n", "b_rw.go is generated, but not wanted"},
	"nothing-wanted": {"-- a.go --\n" + record, "says nothing about what it wants"},
	"no-diagnostics": {"-- a.go --\n" + record + "-- want/diagnostics --\na.go:1:1: nonsense\n", "diagnostics (-want +got)"},
	"diagnostics":    {"-- a.go --\npackage p\n\n//rwgen:record\ntype A struct{ C chan int }\n-- want/files --\na_rw.go\n", "a.go:4:16: A.C: a channel"},
	"does-not-build": {"-- a.go --\n" + record + "\nfunc f() int { return \"\" }\n-- want/files --\na_rw.go\n", "a.go:6:23"},
	"vet":            {"-- a.go --\n" + record + "\nfunc f() { for { }; f() }\n-- want/files --\na_rw.go\n", "unreachable code"},
	"round-trip": {`-- a.go --
package p

//rwgen:record
type A struct{ O Odd }

type Odd struct{ n int }

var calls byte

func (o *Odd) MarshalBinary() ([]byte, error) { calls++; return []byte{calls}, nil }
func (o *Odd) UnmarshalBinary([]byte) error   { return nil }
-- want/files --
a_rw.go
`, "bytes differ"},
	"setting": {"dir: nowhere\n-- a.go --\n" + record + "-- want/files --\na_rw.go\n", "nowhere is no directory"},
}

// Every fault is found, and one does not hide another.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	for name, f := range faults {
		if err := os.WriteFile(filepath.Join(dir, name+".txtar"), []byte(f.archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cases, err := findCases(dir)
	if err != nil {
		t.Fatal(err)
	}
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := runCases(t.Context(), work, config{module: "example.com/faults"}, cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		problems, want := strings.Join(c.problems, "\n"), faults[c.name].problem
		if want == "" && problems != "" || !strings.Contains(problems, want) {
			t.Errorf("%s: want %q, got\n%s", c.name, want, problems)
		}
		if strings.Contains(problems, work) {
			t.Errorf("%s: a path of this machine in\n%s", c.name, problems)
		}
	}
}

// What is wanted is rewritten in the form that it had.
func TestRewrite(t *testing.T) {
	got := map[string][]byte{"a_rw.go": []byte("new a\n"), "sub/b_rw.go": []byte("new b\n")}
	for name, tc := range map[string]struct {
		archive, diags string
		want           map[string]string
	}{
		"nothing":     {"", "", map[string]string{"a_rw.go": "new a\n", "sub/b_rw.go": "new b\n"}},
		"full":        {"-- want/a_rw.go --\nold\n-- want/gone_rw.go --\n", "", map[string]string{"a_rw.go": "new a\n", "sub/b_rw.go": "new b\n"}},
		"list":        {"-- want/files --\n", "", map[string]string{"files": "a_rw.go\nsub/b_rw.go\n"}},
		"list and":    {"-- want/files --\n-- want/a_rw.go --\nold\n", "", map[string]string{"files": "a_rw.go\nsub/b_rw.go\n", "a_rw.go": "new a\n"}},
		"diagnostics": {"-- want/files --\n", "a.go:1: bad\n", map[string]string{"diagnostics": "a.go:1: bad\n"}},
	} {
		c := &testCase{archive: txtar.Parse([]byte("-- a.go --\npackage p\n" + tc.archive)), got: got, diags: tc.diags}
		if !c.rewrite() || !maps.Equal(c.wants(), tc.want) {
			t.Errorf("%s: %v", name, c.wants())
		}
		if c.rewrite() {
			t.Errorf("%s: rewritten a second time", name)
		}
		if string(c.archive.Files[0].Data) != "package p\n" {
			t.Errorf("%s: the source is %q", name, c.archive.Files[0].Data)
		}
	}
}

func TestSettings(t *testing.T) {
	var c testCase
	err := c.parseSettings("# Prose: with a colon.\n\ndir: sub\npatterns: ./a ./b\ntype: Pair[int,bool]\ntype: B\nwriter: A.ByS key=S\ntags: x,y\nheader: one\nheader: two\ncheck: none\n")
	o := c.options
	if err != nil || o.Dir != "sub" || !slices.Equal(o.Patterns, []string{"./a", "./b"}) || !slices.Equal(o.Types, []string{"Pair[int,bool]", "B"}) ||
		!slices.Equal(o.Writers, []string{"A.ByS key=S"}) || o.Tags != "x,y" || o.Header != "one\ntwo\n" || !c.noCheck || !c.some {
		t.Errorf("%+v, %v", c.settings, err)
	}
	for _, bad := range []string{"prose without a mark", "unknown: x", "check: some", "dir:"} {
		if err := new(testCase).parseSettings(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
