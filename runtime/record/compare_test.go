package record

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestCompare compares pairs of types both ways.
func TestCompare(t *testing.T) {
	const fits = ""
	for _, tc := range []struct {
		name     string
		old, new string // what stands between the braces of the record
		up, down string // part of what is found when the new reads the old, and when the old reads the new; fits for nothing
	}{
		{"the same", "A i8,B string", "A i8,B string", fits, fits},
		{"added", "A i8", "A i8,B string", fits, fits},
		{"order", "A i8,B string", "B string,A i8", fits, fits},
		{"renamed without an alias", "A i8", "B string", fits, fits}, // one skipped, one zero

		{"i8 to i16", "A i8", "A i16", fits, "R.A: i16 became i8: values of the writer may be beyond the reader's; keep the wider type"},
		{"i16 to i32", "A i16", "A i32", fits, "R.A"},
		{"i32 to i64", "A i32", "A i64", fits, "R.A"},
		{"i8 to i64", "A i8", "A i64", fits, "R.A"},
		{"u8 to u16", "A u8", "A u16", fits, "R.A"},
		{"u16 to u32", "A u16", "A u32", fits, "R.A"},
		{"u32 to u64", "A u32", "A u64", fits, "R.A"},
		{"u8 to i16", "A u8", "A i16", fits, "R.A"},
		{"u16 to i32", "A u16", "A i32", fits, "R.A"},
		{"u32 to i64", "A u32", "A i64", fits, "R.A"},
		{"u32 to int", "A u32", "A int", fits, "R.A"},
		{"u8 to i8", "A u8", "A i8", "R.A: u8 became i8: the one cannot be read as the other", "R.A"},
		{"u64 to i64", "A u64", "A i64", "R.A", "R.A"},
		{"uint to int", "A uint", "A int", "R.A", "R.A"},
		{"i8 to u64", "A i8", "A u64", "R.A", "R.A"},
		{"int and i64", "A int", "A i64", fits, fits},
		{"uint and u64", "A uint", "A u64", fits, fits},
		{"i32 to int", "A i32", "A int", fits, "R.A"},
		{"uintptr", "A uintptr", "A uintptr", fits, fits},
		{"u64 to uintptr", "A u64", "A uintptr", "R.A", "R.A"},
		{"f32 to f64", "A f32", "A f64", fits, "R.A"},
		{"c64 to c128", "A c64", "A c128", "R.A", "R.A"},
		{"i32 to f64", "A i32", "A f64", "R.A", "R.A"},
		{"bool to u8", "A bool", "A u8", "R.A", "R.A"},
		{"varint", "A i32", "A vi32", fits, fits},
		{"varint and wider", "A vi16", "A i64", fits, "R.A"},
		{"string and bytes", "A string", "A bytes", fits, fits},
		{"time and unixnano", "A time", "A unixnano", fits, fits},
		{"time and i64", "A unixnano", "A i64", "R.A", "R.A"},

		{"value to pointer", "A i8", "A *i8", fits, "R.A: *i8 became i8: the writer may have sent nil; keep the pointer"},
		{"value to wider pointer", "A i8", "A *i16", fits, "R.A"},
		{"value to narrower pointer", "A i16", "A *i8", "R.A: i16 became i8", "R.A"},
		{"pointer to pointer to it", "A *i8", "A **i8", fits, "R.A: *i8 became i8"},
		{"pointed", "A *i8", "A *i16", fits, "R.A"},
		{"slice", "A []i8", "A []i16", fits, "R.A[]: i16 became i8"},
		{"slice to its element", "A []i8", "A i8", "R.A: []i8 became i8", "R.A: i8 became []i8"},
		{"slice to array", "A []i8", "A [2]i8", "R.A", "R.A"},
		{"array", "A [2]i8", "A [2]i16", fits, "R.A[]"},
		{"length", "A [2]i8", "A [3]i8", "R.A: [2]i8 became [3]i8: the lengths of arrays are fixed", "R.A: [3]i8 became [2]i8"},
		{"map key", "A map[u8]i8", "A map[u16]i8", fits, "R.A[key]: u16 became u8"},
		{"map value", "A map[u8]i8", "A map[u8]i16", fits, "R.A[]: i16 became i8"},
		{"struct to scalar", "A S{B i8}", "A i8", "R.A: S became i8", "R.A: i8 became S"},
		{"struct to pointer", "A S{B i8}", "A *S{B i8}", fits, "R.A"},
		{"unnamed struct", "A {B i8}", "A i8", "R.A: {…} became i8", "R.A"},
		{"name of a struct", "A S{B i8}", "A T{B i8,C i8}", fits, fits},
		{"in a struct", "A []S{B [3]T{C i8}}", "A []S{B [3]T{C i16}}", fits, "R.A[].B[].C: i16 became i8"},
		{"recursive", "A S{N i8,Next *@S}", "A S{N i16,Next *@S}", fits, "R.A.N"},
		{"recursive, other shape", "A S{N i8,Next *@S}", "A S{N i8,Next *T{N i16,Next *@S}}", fits, "R.A.Next.N"},
		{"the record in itself", "N i8,Next *@R", "N i16,Next *@R", fits, "R.N"},

		{"member added", "A U<X{N i8}>", "A U<X{N i8}|Y{}>", fits, "R.A: member Y was removed: the writer may have sent one; keep the member"},
		{"members in another order", "A U<X{N i8}|C f64|F f64|bin(B)>", "A U<bin(B)|F f64|X{N i8}|C f64>", fits, fits},
		{"in a member", "A U<X{N i8}>", "A U<X{N i16}>", fits, "R.A(X).N: i16 became i8"},
		{"named member", "A U<C f32>", "A U<C f64>", fits, "R.A(C): f64 became f32"},
		{"renamed member", "A U<C f32>", "A U<D f32>", "R.A: member C was removed", "R.A: member D was removed"},
		{"predeclared member", "A U<i8>", "A U<i16>", "R.A: member i8 was removed", "R.A: member i16 was removed"},
		{"time member", "A U<time|i8>", "A U<i8|time>", fits, fits},
		{"name of a union", "A U<i8>", "A V<i8>", fits, fits},
		{"members of one name", "A U<X{N i8}|X~2{M i8}>", "A U<X{N i16}|X~2{M i8}>", fits, "R.A(X).N"},
		{"one of two of a name removed", "A U<X{N i8}|X~2{N i8}>", "A U<X{N i8}>", "member X was removed", fits},
		{"union to scalar", "A U<i8>", "A i8", "R.A: U became i8", "R.A: i8 became U"},
		{"recursive union", "A U<X{Up @U,N i8}>", "A U<X{Up @U,N i16}>", fits, "R.A(X).N"},

		{"own encoding", "A bin(B)", "A bin(B)", fits, fits},
		{"form of an encoding", "A bin(B)", "A text(B)", "R.A: bin(B) became text(B): only the type's own code knows its bytes", "R.A"},
		{"name of an encoding", "A codec(B)", "A codec(C)", "R.A", "R.A"},
		{"encoding to structure", "A bin(B)", "A B{N i8}", "R.A: bin(B) became B: only", "R.A: B became bin(B): only"},
		{"encoding to bytes", "A bin(B)", "A bytes", "R.A", "R.A"},
		{"encoding to pointer", "A bin(B)", "A *bin(B)", fits, "R.A"},
	} {
		older, newer := parsed(t, tc.old), parsed(t, tc.new)
		for _, dir := range []struct {
			name           string
			writer, reader *Type
			want           string
		}{{"new reads old", older, newer, tc.up}, {"old reads new", newer, older, tc.down}} {
			found := Compare(dir.writer, dir.reader)
			if dir.want == fits {
				if len(found) > 0 {
					t.Errorf("%s, %s: %v", tc.name, dir.name, found)
				}
				continue
			}
			if len(found) != 1 || !strings.Contains(found[0].String(), dir.want) || found[0].Why == "" || found[0].Remedy == "" {
				t.Errorf("%s, %s: %v, want %s", tc.name, dir.name, found, dir.want)
			}
		}
	}
}

func parsed(t *testing.T, fields string) *Type {
	t.Helper()
	_, typ, err := ParseSchema("rwgen/1 R{" + fields + "}")
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func TestCompareAliases(t *testing.T) {
	with := func(fields string, set func(f []Field)) *Type {
		typ := parsed(t, fields)
		set(typ.Fields)
		return typ
	}
	for _, tc := range []struct {
		name   string
		writer string
		reader *Type
		want   string
	}{
		{"renamed", "Old i8", with("New i16", func(f []Field) { f[0].Aliases = []string{"Older", "Old"} }), ""},
		{"renamed and narrowed", "Old i16", with("New i8", func(f []Field) { f[0].Aliases = []string{"Old"} }), "R.New: i16 became i8"},
		{"the name goes first", "Old string,New i8", with("New i8", func(f []Field) { f[0].Aliases = []string{"Old"} }), ""},
		{"the first alias goes first", "A i8,B string", with("C i8", func(f []Field) { f[0].Aliases = []string{"A", "B"} }), ""},
		{"a field with a default", "A i8", with("A i8,B i16", func(f []Field) { f[1].Default, f[1].HasDefault = "5", true }), ""},
	} {
		found := Compare(parsed(t, tc.writer), tc.reader)
		if (len(found) == 0) != (tc.want == "") || tc.want != "" && !strings.Contains(found[0].String(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, found, tc.want)
		}
	}
}

func TestCompareSeveral(t *testing.T) {
	found := Compare(parsed(t, "A i16,B [2]i8,C @R,D string"), parsed(t, "B [3]i8,A i8,D U<i8>,C *@R"))
	if len(found) != 3 {
		t.Fatal(found)
	}
	if got, want := fmt.Sprintf("%d %s %s %s", len(found), found[0].Path, found[1].Path, found[2].Path), "3 R.B R.A R.D"; got != want {
		t.Errorf("%s, want %s: %v", got, want, found)
	}
}

// TestCompareReflected compares the text of one type with the model that reflection makes of another.
func TestCompareReflected(t *testing.T) {
	type old struct {
		A int16 `rw:"name=First"`
		B shape
	}
	type renewed struct {
		B     shape
		First int64 `rw:"alias=X,default=3"`
	}
	s, err := Reflect[old](UnionOf[shape](circle{}))
	if err != nil {
		t.Fatal(err)
	}
	_, writer, err := ParseSchema(s.Schema().Text)
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := describe(reflect.TypeFor[renewed](), shapes(), Alias("old"))
	if err != nil {
		t.Fatal(err)
	}
	if found := Compare(writer, d.root); len(found) > 0 {
		t.Errorf("%v", found)
	}
	if f := d.root.Fields[1]; len(f.Aliases) != 1 || f.Default != "3" || !f.HasDefault {
		t.Errorf("%+v", f)
	}
}
