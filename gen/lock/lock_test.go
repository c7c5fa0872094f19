package lock_test

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/lock"
	"github.com/rwgen/rwgen/runtime/record"
)

const first = "# rwgen.lock, version 1: package, record, fingerprint and schema of each record; rwgen lock writes it, commit it.\n"

// entry returns a record with one field of the type.
func entry(pkg, name, typ string) lock.Entry {
	text := "rwgen/1 " + name + "{X " + typ + "}"
	return lock.Entry{Package: pkg, Record: name, Schema: record.Schema{Text: text, Fingerprint: lock.Fingerprint(text)}}
}

// The fingerprint is that of package record.
func TestFingerprint(t *testing.T) {
	s := record.NewSchema("R", &record.Type{Kind: record.KindStruct, Fields: []record.Field{{Name: "X", Type: &record.Type{Kind: record.KindInt8}}}})
	if got := lock.Fingerprint(s.Text); got != s.Fingerprint {
		t.Errorf("%016x, want %s", got, s.Hex())
	}
}

func TestRoundTrip(t *testing.T) {
	f := &lock.File{Path: "rwgen.lock"}
	f.Update(func(lock.Entry) bool { return false }, []lock.Entry{
		entry("shop", "Order", "i64"), entry(".", "B", "string"), entry(".", "A", "bool"), entry("shop/in", "A", "[]bytes"),
	})
	text := string(f.Bytes())
	want := first
	for _, e := range []lock.Entry{entry(".", "A", "bool"), entry(".", "B", "string"), entry("shop", "Order", "i64"), entry("shop/in", "A", "[]bytes")} {
		want += e.String() + "\n"
	}
	if d := cmp.Diff(want, text); d != "" {
		t.Fatalf("(-want +got):\n%s", d)
	}
	for _, src := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), strings.TrimSuffix(text, "\n")} {
		back, diags := lock.Parse("rwgen.lock", []byte(src))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		if d := cmp.Diff(text, string(back.Bytes())); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		if got := back.Entries[2].Pos; got != (token.Position{Filename: "rwgen.lock", Line: 4, Column: 1}) {
			t.Errorf("the third entry is at %v", got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	a, b := entry(".", "A", "i8"), entry(".", "B", "i8")
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"empty", "", []string{"l:1:1: the file is empty: not even its first line is there"}},
		{"another file", "module x\n" + a.String(), []string{`l:1:1: this is no lock file: the first line does not begin with "# rwgen.lock, version 1"`}},
		{"newer", "# rwgen.lock, version 2: x\n", []string{`l:1:23: the version "2" of the lock file is not known to this rwgen, only 1`}},
		{"changed first line", "# rwgen.lock, version 1: x\n", []string{"l:1:1: the first line differs from " + fmt.Sprintf("%q", strings.TrimSpace(first))}},
		{"order", first + b.String() + "\n" + a.String() + "\n", []string{"l:3:1: A in . stands in the wrong place: lines are sorted by package and record"}},
		{"twice", first + a.String() + "\n" + a.String() + "\n", []string{"l:3:1: A in . is there twice"}},
		{"blank line", first + "\n", []string{"l:2:1: a line has a package, a record, a fingerprint and a schema, separated by single spaces"}},
		{"two spaces", first + strings.Replace(a.String(), " ", "  ", 1), []string{`l:2:3: "" is no name of a record`}},
		{"package", first + strings.Replace(a.String(), ".", "./a", 1), []string{`l:2:1: "./a" is no path of a package below the module`}},
		{"absolute", first + strings.Replace(a.String(), ".", "/a", 1), []string{`l:2:1: "/a" is no path of a package below the module`}},
		{"record", first + strings.Replace(a.String(), "A", "1", 1), []string{`l:2:3: "1" is no name of a record`}},
		{"fingerprint", first + strings.Replace(a.String(), a.Schema.Hex(), "123", 1), []string{`l:2:5: "123" is no fingerprint: it has 16 lower-case hex digits`}},
		{"wrong fingerprint", first + strings.Replace(a.String(), a.Schema.Hex(), "0123456789abcdef", 1),
			[]string{"l:2:5: the fingerprint of the schema is " + a.Schema.Hex()}},
		{"conflict", first + "<<<<<<< HEAD\n" + a.String() + "\n=======\n" + b.String() + "\n>>>>>>> x\n", []string{"l:2:1: conflict markers of a merge"}},
		{"conflict in the first line", "<<<<<<< HEAD\n" + first + "=======\n# rwgen.lock, version 2: x\n>>>>>>> x\n", []string{"l:1:1: conflict markers of a merge"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, diags := lock.Parse("l", []byte(tt.src))
			var got []string
			for _, d := range diags {
				got = append(got, d.Error())
			}
			if d := cmp.Diff(tt.want, got); d != "" || f != nil {
				t.Errorf("a file: %t (-want +got):\n%s", f != nil, d)
			}
		})
	}
	// What package record says of a schema is passed on, with the place.
	bad := a
	bad.Schema.Text = "rwgen/1 A{X nosuch}"
	if _, diags := lock.Parse("l", []byte(first+bad.String())); len(diags) != 1 || !strings.HasPrefix(diags[0].Error(), "l:2:22: the schema: ") {
		t.Errorf("got %v", diags)
	}
}

func TestMerge(t *testing.T) {
	a8, a16, b, c := entry(".", "A", "i8"), entry(".", "A", "i16"), entry(".", "B", "i8"), entry("c", "C", "i8")
	src := first + "<<<<<<< HEAD\n" + a8.String() + "\n||||||| base\n=======\n" + b.String() + "\n" + a16.String() + "\n>>>>>>> x\n" + c.String() + "\n" + c.String() + "\n"
	f, diags := lock.Merge("l", []byte(src))
	if len(diags) > 0 || len(f.Entries) != 4 {
		t.Fatal(f, diags)
	}
	ambiguous := f.Ambiguous()
	if len(ambiguous) != 1 || ambiguous[0].Error() != "l:7:1: two schemas of A in ." || ambiguous[0].Related[0].Pos.Line != 3 {
		t.Errorf("got %v", ambiguous)
	}
	f.Update(func(e lock.Entry) bool { return e.Package == "." }, []lock.Entry{a16})
	if got := f.Ambiguous(); len(got) > 0 {
		t.Errorf("after an update: %v", got)
	}
	if d := cmp.Diff(first+a16.String()+"\n"+c.String()+"\n", string(f.Bytes())); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if _, diags := lock.Merge("l", []byte(first+"x\n")); len(diags) != 1 {
		t.Errorf("got %v", diags)
	}
}

func TestChanges(t *testing.T) {
	old := []lock.Entry{entry(".", "A", "i8"), entry(".", "B", "i8"), entry("c", "C", "i8")}
	now := []lock.Entry{entry(".", "A", "i8"), entry(".", "B", "i16"), entry("d", "D", "i8")}
	var got []string
	for _, c := range lock.Changes(old, now) {
		got = append(got, c.String())
	}
	if d := cmp.Diff([]string{"B has another schema", "c.C is gone from the code", "d.D is not in it"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// What Parse accepts, Bytes writes again.
func TestParseIsStrict(t *testing.T) {
	line := rapid.SampledFrom([]string{
		entry(".", "A", "i8").String(), entry(".", "B", "i8").String(), entry("a/b", "A", "map[string]bytes").String(),
		"", " ", ". A", "=======", "# x", strings.TrimSpace(first), entry("..", "A", "i8").String(), entry(".", "A", "string").String() + " ",
	})
	rapid.Check(t, func(t *rapid.T) {
		src := first + strings.Join(rapid.SliceOfN(line, 0, 4).Draw(t, "lines"), "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
		f, diags := lock.Parse("l", []byte(src))
		if (f == nil) != (len(diags) > 0) {
			t.Fatalf("file: %t, %v", f != nil, diags)
		}
		if f != nil && strings.TrimSuffix(string(f.Bytes()), "\n") != strings.TrimSuffix(src, "\n") {
			t.Fatalf("%q is written as %q", src, f.Bytes())
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(first + entry(".", "A", "i8").String() + "\n"))
	f.Add([]byte("<<<<<<< x\n" + first))
	f.Add([]byte("\x00\n\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, diags := lock.Parse("l", src)
		if (file == nil) != (len(diags) > 0) {
			t.Fatalf("file: %t, %v", file != nil, diags)
		}
		lock.Merge("l", src)
	})
}

const generated = `// Code generated by rwgen; DO NOT EDIT.

package m

func (FlightSerializer) Schema() record.Schema {
	return record.Schema{
		Text: "rwgen/1 Flight{" +
			"X i8}",
		Fingerprint: 0x1,
	}
}

func (s flightSerializer) Schema() record.Schema {
	return record.Schema{Text: ` + "`rwgen/1 flight{X i16}`" + `}
}

func (Flight) Schema() record.Schema                 { return record.Schema{Text: "rwgen/1 X{X i8}"} }
func (BrokenSerializer) Schema() record.Schema       { return record.Schema{Text: "rwgen/9"} }
func (CallSerializer) Schema() record.Schema         { return record.Schema{Text: f()} }
func (NumberSerializer) Schema() record.Schema       { return record.Schema{Text: 3} }
func (*PointerSerializer) Schema() record.Schema     { return record.Schema{Text: "rwgen/1 Pointer{X i8}"} }
func (NoneSerializer) Schema() record.Schema
func Schema() {}
`

func TestExtract(t *testing.T) {
	want := []lock.Entry{entry("shop", "Flight", "i8"), entry("shop", "flight", "i16")}
	if d := cmp.Diff(want, lock.Extract("shop", []byte(generated))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := lock.Extract("shop", []byte("package m\n<<<<<<< x\n")); len(got) > 0 {
		t.Errorf("got %v from a file that does not parse", got)
	}
}

func TestModes(t *testing.T) {
	for _, m := range []lock.Mode{lock.Backward, lock.Forward, lock.Both} {
		if got, ok := lock.ParseMode(m.String()); got != m || !ok {
			t.Errorf("ParseMode(%q) = %v, %t", m, got, ok)
		}
	}
	if _, ok := lock.ParseMode("sideways"); ok {
		t.Error("sideways is a mode")
	}
}

func messages(diags diag.List) []string {
	var list []string
	for _, d := range diags {
		list = append(list, d.Error())
	}
	slices.Sort(list)
	return list
}
