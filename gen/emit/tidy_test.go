package emit

import (
	"strings"
	"testing"
)

func TestTidy(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"position", "i := 20 + n\nreturn i, nil", "return 20 + n, nil"},
		{"indented", "{\n\ti := n\n\treturn i, nil\n}", "{\nreturn n, nil\n}"},
		{"two in a row", "a := 1\ni := n\nreturn i, nil", "a := 1\nreturn n, nil"},
		{"another variable", "i := n\nreturn j, nil", "i := n\nreturn j, nil"},
		{"used before", "i := n\ni += m\nreturn i, nil", "i := n\ni += m\nreturn i, nil"},
		{"two results", "i, err := f()\nreturn i, nil", "i, err := f()\nreturn i, nil"},
		{"comment", "// i := n\nreturn i, nil", "// i := n\nreturn i, nil"},
		{"size", "n := 1\nm, ok := sizeT(x, depth)\nn += m\nif !ok {\n\treturn n, false\n}\nreturn n, true", "m, ok := sizeT(x, depth)\nreturn 1 + m, ok"},
		{"size of more", "n := 1\nm, ok := sizeT(x, depth)\nn += m\nif !ok {\n\treturn n, false\n}\nn++\nreturn n, true", ""},
		{"size of less", "n := 1\nm, ok := sizeT(x, depth)", ""},
		{"empty", "", ""},
	} {
		want := tt.want
		if want == "" {
			want = tt.src
		}
		if got := tidy(strings.Clone(tt.src)); got != want {
			t.Errorf("%s: %q, want %q", tt.name, got, want)
		}
	}
}
