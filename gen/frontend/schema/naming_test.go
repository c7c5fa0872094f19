package schema_test

import (
	"go/token"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/gen/frontend/schema"
)

func TestGoName(t *testing.T) {
	tests := []struct{ name, want string }{
		{"quake_id", "QuakeID"},
		{"quakeId", "QuakeID"},
		{"quakeID", "QuakeID"},
		{"quake-id", "QuakeID"},
		{"quake.id", "QuakeID"},
		{"QUAKE_ID", "QuakeID"},
		{"Quake", "Quake"},
		{"quake", "Quake"},
		{"MD5", "MD5"},
		{"md5_sum", "Md5Sum"},
		{"ids", "IDs"},
		{"userIDs", "UserIDs"},
		{"urls_seen", "URLsSeen"},
		{"https", "HTTPS"},
		{"apis", "APIs"},
		{"HTTPServer", "HTTPServer"},
		{"httpServer", "HTTPServer"},
		{"IPv4", "IPv4"},
		{"utf8_name", "UTF8Name"},
		{"_x", "X"},
		{"x", "X"},
		{"__", "X"},
		{"", "X"},
		{"_3d", "X3d"},
		{"日本", "X日本"},
		{"größe", "Größe"},
		{"type", "Type"},
		{"bus", "Bus"},
		{"us", "Us"},
		{"a_b", "AB"},
		{"aB", "AB"},
	}
	for _, tt := range tests {
		if got := schema.GoName(tt.name); got != tt.want {
			t.Errorf("GoName(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestGoSymbol(t *testing.T) {
	for name, want := range map[string]string{
		"SPADES": "Spades", "NORTH_WEST": "NorthWest", "Spades": "Spades", "ID": "ID", "northWest": "NorthWest", "HTTP_URL": "HTTPURL", "_1": "X1",
	} {
		if got := schema.GoSymbol(name); got != want {
			t.Errorf("GoSymbol(%q) = %q, want %q", name, got, want)
		}
	}
}

// Whatever a schema calls things, its Go names are exported identifiers, and naming is stable: a Go name is its own.
func FuzzGoName(f *testing.F) {
	for _, name := range []string{"quake_id", "HTTPServer", "", "_", "3d", "日本", "ǆ", "A\x80", "a__B-c.D", "ids", "idS"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for _, got := range []string{schema.GoName(name), schema.GoSymbol(name)} {
			if !token.IsIdentifier(got) || !token.IsExported(got) {
				t.Errorf("%q is called %q", name, got)
			}
		}
	})
}

func TestOutputNames(t *testing.T) {
	tests := []struct{ file, want string }{
		{"quake.avsc", "quake"},
		{"dir/Quake.avsc", "quake"},
		{`dir\Quake.avsc`, "quake"},
		{"org.usgs.Quake.avsc", "org_usgs_quake"},
		{"quake_linux.avsc", "quake_linux"},
		{"quake_test.proto", "quake_test"},
		{"_quake.avsc", "x_quake"},
		{".avsc", "schema"},
		{"-", "stdin"},
		{"a b+c.avsc", "a_b_c"},
		{"größe.avsc", "größe"},
	}
	for _, tt := range tests {
		types, code := schema.OutputNames(tt.file)
		if got := []string{types, code}; !slices.Equal(got, []string{tt.want + "_types.go", tt.want + "_rw.go"}) {
			t.Errorf("OutputNames(%q) = %q", tt.file, got)
		}
	}
}

func TestDoc(t *testing.T) {
	for text, want := range map[string]string{
		"  An earthquake.\r\n\r\nMore.  \n": "Quake is an earthquake.\n\nMore.",
		"The quake.":                        "Quake is the quake.",
		"Quake is one.":                     "Quake is one.",
		"Another quake.":                    "Another quake.",
		"":                                  "",
		"a\x00b\u2028c\ufeffd\x80":          "a b c d\ufffd",
		"rwgen:record\nsee //rwgen:union A,B, or rwgen: writer": "rwgen: record\nsee //rwgen: union A,B, or rwgen: writer",
		"list:\n\t- one\t \n": "list:\n\t- one",
	} {
		if got := schema.TypeDoc("Quake", text); got != want {
			t.Errorf("TypeDoc(%q) = %q, want %q", text, got, want)
		}
	}
}
