package record

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestParseSchemaGolden reads all texts of the golden file back.
func TestParseSchemaGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/schema.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := txtar.Parse(data).Files
	if len(files) == 0 {
		t.Fatal("no texts")
	}
	for _, f := range files {
		text, _, _ := strings.Cut(string(f.Data), "\n")
		checkParse(t, text)
	}
}

// checkParse checks that a text is read, and comes back.
func checkParse(t *testing.T, text string) (string, *Type) {
	t.Helper()
	name, typ, err := ParseSchema(text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return "", nil
	}
	if again := NewSchema(name, typ); again.Text != text {
		t.Errorf("%s comes back as %s", text, again.Text)
	}
	return name, typ
}

func TestParseSchema(t *testing.T) {
	name, typ := checkParse(t, "rwgen/1 Pair[string,[]?]{A vi16,B unixnano,C S<X{N i8}|Celsius f64|bin(Pair[i64])|i8>,D *@S,E [3]map[string]bytes,F X~2{Up *@X},G @X~2}")
	if name != "Pair[string,[]?]" || len(typ.Fields) != 7 {
		t.Fatalf("%q, %+v", name, typ)
	}
	a, b, c, d, e := typ.Fields[0], typ.Fields[1], typ.Fields[2], typ.Fields[3], typ.Fields[4]
	switch {
	case !a.Varint || a.Type.Kind != KindInt16,
		!b.UnixNano || b.Type.Kind != KindTime,
		c.Type.Kind != KindUnion || c.Type.Name != "S" || len(c.Type.Members) != 4,
		c.Type.Members[0].Name != "X" || c.Type.Members[1].Name != "Celsius" || c.Type.Members[1].Kind != KindFloat64,
		c.Type.Members[2].Codec != "bin(Pair[i64])" || c.Type.Members[3].Kind != KindInt8,
		d.Type.Elem != c.Type,
		e.Type.Len != 3 || e.Type.Elem.Key.Kind != KindString,
		typ.Fields[5].Type == c.Type.Members[0] || typ.Fields[6].Type != typ.Fields[5].Type:
		t.Errorf("%+v", typ)
	}
	// A type may be named like a word of the text.
	checkParse(t, "rwgen/1 bool{A time{B string<map_{}|bytes{}>,C u8{}},D bin{},E @time,F text(codec),G codec(bin)}")
	checkParse(t, "rwgen/1 {A i8}")
	checkParse(t, "rwgen/1 {}")
}

func TestParseSchemaErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     `at byte 0: "rwgen/1 " expected`,
		"rwgen/2 A{}":                          "at byte 0",
		"rwgen/1 ":                             "at byte 8: a name expected",
		"rwgen/1 A":                            `at byte 9: "{" expected`,
		"rwgen/1 A{":                           "at byte 10: a name expected",
		"rwgen/1 A{}x":                         "at byte 11: something follows",
		"rwgen/1 A{}\n":                        "something follows",
		"rwgen/1 A~2{}":                        `"{" expected`,
		"rwgen/1 1{}":                          "a name expected",
		"rwgen/1 A{B}":                         `at byte 11: " " expected`,
		"rwgen/1 A{B i8,}":                     "at byte 15: a name expected",
		"rwgen/1 A{,B i8}":                     "a name expected",
		"rwgen/1 A{B i8 C i8}":                 `"," expected`,
		"rwgen/1 A{B i8,B i8}":                 "at byte 15: field B",
		"rwgen/1 A{_ i8}":                      "field _",
		"rwgen/1 A{B[i8] i8}":                  "field B[i8]",
		"rwgen/1 A{B  i8}":                     "a name expected",
		"rwgen/1 A{B i9}":                      "at byte 12: unknown type i9",
		"rwgen/1 A{B vi8}":                     "unknown type vi8",
		"rwgen/1 A{B []vi16}":                  "unknown type vi16",
		"rwgen/1 A{B *unixnano}":               "unknown type unixnano",
		"rwgen/1 A{B @C}":                      "at byte 13: @C is nowhere before",
		"rwgen/1 A{B @}":                       "a name expected",
		"rwgen/1 A{B [01]i8}":                  "a number expected",
		"rwgen/1 A{B [-1]i8}":                  "a number expected",
		"rwgen/1 A{B [9223372036854775808]i8}": "a number expected",
		"rwgen/1 A{B [3i8}":                    `"]" expected`,
		"rwgen/1 A{B map[string}":              `"]" expected`,
		"rwgen/1 A{B C~2{}}":                   "the name C~2 where C is next",
		"rwgen/1 A{B C{},D C{}}":               "the name C where C~2 is next",
		"rwgen/1 A{B C{},D C~1{}}":             "a number from 2",
		"rwgen/1 A{B A{}}":                     "the name A where A~2 is next",
		"rwgen/1 A{B C<>}":                     "a name expected",
		"rwgen/1 A{B C<i8|>}":                  "a name expected",
		"rwgen/1 A{B C<i8,i8>}":                `">" expected`,
		"rwgen/1 A{B C<i8<i8>}":                `">" expected`,
		"rwgen/1 A{B C<X Y{}>}":                "member X has two names",
		"rwgen/1 A{B C<@C>}":                   "contains itself",
		"rwgen/1 A{B C<X []@C>}":               "contains itself",
		"rwgen/1 A{B foo(C)}":                  "unknown encoding foo",
		"rwgen/1 A{B bin()}":                   "a name expected",
		"rwgen/1 A{B bin(C}":                   `")" expected`,
		"rwgen/1 A{B Pair[string{}}":           "in type arguments",
		"rwgen/1 A{B Pair[string":              "do not end",
		"rwgen/1 A{B " + strings.Repeat("*", 2000) + "i8}":         "of more than 1000 levels",
		"rwgen/1 A{B " + strings.Repeat("{A ", 2000) + "i8}":       "of more than 1000 levels",
		"rwgen/1 A{B " + strings.Repeat("X<", 2000) + "i8}":        "X",
		"rwgen/1 A{B " + strings.Repeat("i", maxSchemaText) + "8}": "more than 1048576",
	} {
		_, typ, err := ParseSchema(text)
		if err == nil || typ != nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 500 {
			t.Errorf("%.100s: %v, want %s", text, err, want)
		}
	}
}

// FuzzParseSchema reads arbitrary texts. What is accepted is canonical.
func FuzzParseSchema(f *testing.F) {
	data, err := os.ReadFile("testdata/schema.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range txtar.Parse(data).Files {
		text, _, _ := strings.Cut(string(file.Data), "\n")
		f.Add(text)
	}
	f.Add("rwgen/1 A{B C<D{E *@C}|F i8|bin(G[i8])|@D>,H @C,I codec(J),K unixnano,L D~2{}}")
	f.Fuzz(func(t *testing.T, text string) {
		name, typ, err := ParseSchema(text)
		if err != nil {
			if typ != nil || len(err.Error()) > 1000 {
				t.Fatalf("%v, %.1000v", typ, err)
			}
			return
		}
		if s := NewSchema(name, typ); s.Text != text {
			t.Fatalf("%q becomes %q", text, s.Text)
		}
		if found := Compare(typ, typ); len(found) > 0 {
			t.Fatalf("%q does not fit itself: %+v", text, found)
		}
	})
}
