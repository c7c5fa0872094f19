package emit

import (
	"reflect"
	"strings"
	"testing"
)

func TestCommentLines(t *testing.T) {
	long := strings.Repeat("word ", 30)
	tests := []struct {
		name       string
		paragraphs []string
		want       []string
	}{
		{"one", []string{"One line."}, []string{"// One line."}},
		{"empty ones are left out", []string{"", "One.", "", "Two."}, []string{"// One.", "//", "// Two."}},
		{"line breaks are spaces", []string{"One\nline."}, []string{"// One line."}},
		{"wrapped", []string{long}, []string{
			"// " + strings.TrimSpace(long[:19*5]), "// " + strings.TrimSpace(long[19*5:])}},
		{"code", []string{"See:\n\n\tcode  here\n"}, []string{"// See:", "//", "//\tcode  here"}},
		{"a long word", []string{strings.Repeat("x", 120) + " y"}, []string{"// " + strings.Repeat("x", 120), "// y"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := commentLines(tt.paragraphs...); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestFirstParagraph(t *testing.T) {
	for doc, want := range map[string]string{
		"":                             "",
		"Flight is one.":               "Flight is one.",
		"Flight is\none.\n\nMore.":     "Flight is\none.",
		"# Heading\n\nText.":           "",
		"- a list\n- of two":           "",
		"Flight is:\n\tcode\n\nMore.":  "",
		"\n\nFlight is one.\n\n\tcode": "Flight is one.",
	} {
		if got := firstParagraph(doc); got != want {
			t.Errorf("firstParagraph(%q) = %q, want %q", doc, got, want)
		}
	}
}

// Breaking the text of a schema into lines loses nothing.
func TestBreakSchema(t *testing.T) {
	for _, text := range []string{
		"rwgen/1 R{}",
		"rwgen/1 R{" + strings.Repeat("Field string,", 30) + "Last i32}",
		"rwgen/1 R{" + strings.Repeat("x", 300) + " string}",
		"rwgen/1 R{A " + strings.Repeat("[]", 100) + "string,B " + strings.Repeat("*", 200) + "i8}",
	} {
		lines := breakSchema(text)
		if strings.Join(lines, "") != text {
			t.Errorf("%q became %q", text, lines)
		}
		for _, l := range lines[:len(lines)-1] {
			if !strings.HasSuffix(l, ",") && !strings.HasSuffix(l, "{") {
				t.Errorf("the line %q ends inside a field", l)
			}
		}
	}
}
