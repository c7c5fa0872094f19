package names_test

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"testing"

	"github.com/rwgen/rwgen/gen/names"
)

func ExampleScope() {
	file := names.NewScope()
	file.Reserve("wire", "Flight") // imports and the package's own declarations
	fn := file.Child()
	fmt.Println(fn.Pick("src"))
	fmt.Println(fn.Pick("wire", "wireText"))
	fmt.Println(fn.Pick("src"))
	// Output:
	// src
	// wireText
	// src2
}

func TestPick(t *testing.T) {
	tests := []struct {
		name       string
		reserved   []string
		candidates []string
		want       string
	}{
		{"free", nil, []string{"n"}, "n"},
		{"keyword", nil, []string{"type"}, "type2"},
		{"predeclared", nil, []string{"len"}, "len2"},
		{"blank", nil, []string{"_"}, "_2"},
		{"empty", nil, []string{"", "x"}, "x"},
		{"reserved", []string{"n"}, []string{"n"}, "n2"},
		{"numbered one reserved", []string{"n", "n2", "n3"}, []string{"n"}, "n4"},
		{"second candidate", []string{"n"}, []string{"n", "m"}, "m"},
		{"none of two", []string{"n", "m"}, []string{"n", "m"}, "n2"},
		{"not ASCII", []string{"größe"}, []string{"größe"}, "größe2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := names.NewScope()
			s.Reserve(tt.reserved...)
			for _, scope := range []*names.Scope{s, s.Child()} {
				if got := scope.Child().Pick(tt.candidates...); got != tt.want {
					t.Errorf("Pick(%q) = %q, want %q", tt.candidates, got, tt.want)
				}
			}
		})
	}
}

func TestScopesNest(t *testing.T) {
	outer := names.NewScope()
	first, second := outer.Child(), outer.Child()
	if got := first.Pick("n"); got != "n" {
		t.Errorf("first child: %q", got)
	}
	if got := second.Pick("n"); got != "n" {
		t.Errorf("a name of a sibling is free again: got %q", got)
	}
	if got := first.Child().Pick("n"); got != "n2" {
		t.Errorf("a name of an enclosing scope is taken: got %q", got)
	}
	outer.Reserve("late")
	if !first.Taken("late") {
		t.Error("a name reserved later around the scope is not taken in it")
	}
	if outer.Taken("n") {
		t.Error("a name of a child is taken around it")
	}
	if outer.Claim("late") || !outer.Claim("early") || outer.Claim("early") {
		t.Error("Claim does not tell free from taken names")
	}
}

// Every name of a scope is handed out once, whatever the candidates look like.
func TestPickIsInjective(t *testing.T) {
	s := names.NewScope()
	seen := map[string]bool{}
	for _, c := range []string{"a", "a2", "a", "a", "a2", "a22", "a2", "func", "func2", "func", "a"} {
		got := s.Pick(c)
		if seen[got] {
			t.Errorf("%q handed out twice", got)
		}
		if !token.IsIdentifier(got) {
			t.Errorf("%q is no identifier", got)
		}
		seen[got] = true
	}
}

func TestReserved(t *testing.T) {
	for _, name := range types.Universe.Names() {
		if !names.Predeclared(name) || !names.Reserved(name) {
			t.Errorf("%s is predeclared in Go, but not here", name)
		}
	}
	for tok := token.BREAK; tok <= token.VAR; tok++ {
		if !names.Reserved(tok.String()) {
			t.Errorf("%s is a keyword, but not reserved", tok)
		}
	}
	for _, name := range []string{"", "_"} {
		if !names.Reserved(name) {
			t.Errorf("%q is not reserved", name)
		}
	}
	for _, name := range []string{"wire", "dst", "Len", "Flight"} {
		if names.Reserved(name) || names.Predeclared(name) {
			t.Errorf("%q is reserved", name)
		}
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ name, upper, lower string }{
		{"Origin", "Origin", "origin"},
		{"origin", "Origin", "origin"},
		{"ID", "ID", "id"},
		{"IDs", "IDs", "ids"},
		{"URLPath", "URLPath", "urlPath"},
		{"HomeURL", "HomeURL", "homeURL"},
		{"X", "X", "x"},
		{"AString", "AString", "aString"},
		{"Größe", "Größe", "größe"},
		{"Ärger", "Ärger", "ärger"},
		{"_x", "_x", "_x"},
		{"日本", "日本", "日本"},
	}
	for _, tt := range tests {
		if got := names.Upper(tt.name); got != tt.upper {
			t.Errorf("Upper(%q) = %q, want %q", tt.name, got, tt.upper)
		}
		if got := names.Lower(tt.name); got != tt.lower {
			t.Errorf("Lower(%q) = %q, want %q", tt.name, got, tt.lower)
		}
	}
	for element, want := range map[string]string{"go-model": "gomodel", "v2": "v2", "2fa": "fa", "inf.v0": "infv0", "...": ""} {
		if got := names.Package(element); got != want {
			t.Errorf("Package(%q) = %q, want %q", element, got, want)
		}
	}
}

func TestForRecord(t *testing.T) {
	tests := []struct {
		record string
		want   []string
	}{
		{"Flight", []string{"FlightSerializer", "FlightWriter", "NewFlightWriter", "FlightReader", "NewFlightReader"}},
		{"flight", []string{"flightSerializer", "flightWriter", "newFlightWriter", "flightReader", "newFlightReader"}},
		{"_row", []string{"_rowSerializer", "_rowWriter", "new_rowWriter", "_rowReader", "new_rowReader"}},
	}
	for _, tt := range tests {
		if got := names.ForRecord(tt.record).All(); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("ForRecord(%q) = %q, want %q", tt.record, got, tt.want)
		}
	}
	for _, tt := range []struct {
		record, writer string
		want           names.Writer
	}{
		{"Flight", "ByOrigin", names.Writer{Writer: "FlightByOriginWriter", NewWriter: "NewFlightByOriginWriter"}},
		{"flight", "byOrigin", names.Writer{Writer: "flightByOriginWriter", NewWriter: "newFlightByOriginWriter"}},
		{"Flight", "", names.Writer{Writer: "FlightWriter", NewWriter: "NewFlightWriter"}},
	} {
		if got := names.ForWriter(tt.record, tt.writer); got != tt.want {
			t.Errorf("ForWriter(%q, %q) = %v, want %v", tt.record, tt.writer, got, tt.want)
		}
	}
}
