package unified

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDiff(t *testing.T) {
	numbers := func(skip ...int) string {
		var b strings.Builder
		for i := 1; i <= 20; i++ {
			if len(skip) == 0 || i != skip[0] && i != skip[len(skip)-1] {
				fmt.Fprintln(&b, i)
			}
		}
		return b.String()
	}
	for _, tt := range []struct{ name, a, b, want string }{
		{"equal", "a\n", "a\n", ""},
		{"both empty", "", "", ""},
		{"new", "", "a\nb\n", "--- x\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"gone", "a\n", "", "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n"},
		{"no newline", "a", "a\n", "--- x\n+++ y\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"middle", numbers(), numbers(10), "--- x\n+++ y\n@@ -7,7 +7,6 @@\n 7\n 8\n 9\n-10\n 11\n 12\n 13\n"},
		{"touching", numbers(), numbers(5, 12),
			"--- x\n+++ y\n@@ -2,14 +2,12 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n 9\n 10\n 11\n-12\n 13\n 14\n 15\n"},
		{"apart", numbers(), numbers(5, 13),
			"--- x\n+++ y\n@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n@@ -10,7 +9,6 @@\n 10\n 11\n 12\n-13\n 14\n 15\n 16\n"},
		{"nothing unique", "a\na\nb\nb\n", "b\nb\na\na\n", "--- x\n+++ y\n@@ -1,4 +1,4 @@\n-a\n-a\n b\n b\n+a\n+a\n"},
		{"moved", "x\na\nb\nc\n", "a\nb\nc\nx\n", "--- x\n+++ y\n@@ -1,4 +1,4 @@\n-x\n a\n b\n c\n+x\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Diff("x", "y", []byte(tt.a), []byte(tt.b))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestApply applies diffs of random texts, by their line numbers.
func TestApply(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\n", "\n", "e\n"}), 0, 60).Draw(t, "lines"), "")
		return s + rapid.SampledFrom([]string{"", "end"}).Draw(t, "end")
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		d := Diff("x", "y", []byte(a), []byte(b))
		if (d == "") != (a == b) {
			t.Fatalf("%q for equal texts: %t", d, a == b)
		}
		if got, err := apply(a, d); err != nil || got != b {
			t.Fatalf("%v\n%s\nmakes %q", err, d, got)
		}
	})
}

// apply applies a diff to a text, as patch does, but without tolerance.
func apply(text, diff string) (string, error) {
	a := split([]byte(text))
	var out strings.Builder
	next := 0
	var lines []string
	for _, l := range split([]byte(diff)) {
		if strings.HasPrefix(l, "\\") {
			lines[len(lines)-1] = strings.TrimSuffix(lines[len(lines)-1], "\n")
			continue
		}
		lines = append(lines, l)
	}
	for i, l := range lines {
		switch {
		case i < 2:
		case l[0] == '@':
			from, _, _ := strings.Cut(strings.TrimPrefix(l, "@@ -"), " ")
			start, count, counted := strings.Cut(from, ",")
			n, err := strconv.Atoi(start)
			if err != nil {
				return "", err
			}
			if counted && count == "0" {
				n++
			}
			for ; next < n-1; next++ {
				out.WriteString(a[next])
			}
		case l[0] == '+':
			out.WriteString(l[1:])
		case next >= len(a) || a[next] != l[1:]:
			return "", fmt.Errorf("line %d of the text is not %q", next+1, l[1:])
		case l[0] == ' ':
			out.WriteString(l[1:])
			next++
		default:
			next++
		}
	}
	return out.String() + strings.Join(a[next:], ""), nil
}

// Long texts without anything in common take no table.
func TestLong(t *testing.T) {
	a := strings.Repeat("a\nb\n", 2000)
	b := strings.Repeat("c\nd\n", 2000)
	d := Diff("x", "y", []byte(a), []byte(b))
	if got := strings.Count(d, "\n"); got != 3+8000 {
		t.Errorf("%d lines", got)
	}
}
