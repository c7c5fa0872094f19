package diag_test

import (
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/diag"
)

func at(file string, line, column int) token.Position {
	return token.Position{Filename: file, Line: line, Column: column}
}

func TestFormat(t *testing.T) {
	dir := filepath.FromSlash("/home/user/project")
	file := filepath.Join(dir, "sub", "a.go")
	tests := []struct {
		name string
		d    diag.Diagnostic
		want string
	}{
		{"full", diag.Diagnostic{
			Pos: at(file, 3, 7), Category: diag.Writer, Message: "the name W is taken", Hint: "another name",
			Related: []diag.Related{{Pos: at(file, 2, 1), Message: "the first one"}},
		}, "sub/a.go:3:7: the name W is taken [writer]\n\tsub/a.go:2:1: the first one\n\ttry: another name"},
		{"no column", diag.Diagnostic{Pos: at(file, 3, 0), Message: "m"}, "sub/a.go:3: m"},
		{"no line", diag.Diagnostic{Pos: at(file, 0, 5), Message: "m"}, "sub/a.go: m"},
		{"no file", diag.Diagnostic{Pos: at("", 3, 5), Category: diag.Load, Message: "m"}, "m [load]"},
		{"outside", diag.Diagnostic{Pos: at(filepath.FromSlash("/x.go"), 1, 1), Message: "m"}, "/x.go:1:1: m"},
		{"sibling", diag.Diagnostic{Pos: at(filepath.FromSlash("/home/user/b/x.go"), 1, 1), Message: "m"}, "../b/x.go:1:1: m"},
		{"relative", diag.Diagnostic{Pos: at("x.go", 1, 1), Message: "m"}, "x.go:1:1: m"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, filepath.ToSlash(test.d.Format(dir))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSort(t *testing.T) {
	var l diag.List
	l.Addf(token.Position{}, diag.Load, "without a position")
	l.Addf(at("b.go", 1, 1), diag.Field, "b")
	l.Addf(at("a.go", 10, 1), diag.Field, "later")
	l.Addf(at("a.go", 9, 2), diag.Field, "column")
	l.Addf(at("a.go", 9, 1), diag.Key, "key")
	l.Addf(at("a.go", 9, 1), diag.Field, "second")
	l.Addf(at("a.go", 9, 1), diag.Field, "first")
	l.Addf(at("a.go", 9, 1), diag.Field, "first")
	l.Sort()
	want := strings.Join([]string{
		"a.go:9:1: first", "a.go:9:1: second", "a.go:9:1: key", "a.go:9:2: column", "a.go:10:1: later", "b.go:1:1: b", "without a position",
	}, "\n")
	if diff := cmp.Diff(want, l.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestErr(t *testing.T) {
	var l diag.List
	if err := l.Err(); err != nil {
		t.Errorf("an empty list is the error %v", err)
	}
	l.Addf(at("a.go", 1, 1), diag.Field, "m")
	err := fmt.Errorf("wrapped: %w", l.Err())
	var back diag.List
	if !errors.As(err, &back) || len(back) != 1 || back[0].Error() != "a.go:1:1: m" {
		t.Errorf("errors.As found %v", back)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteError(t *testing.T) {
	var l diag.List
	l.Addf(at("a.go", 1, 1), diag.Field, "m")
	if err := l.Write(fullDisk{}, ""); err == nil {
		t.Error("no error")
	}
}

func TestNearest(t *testing.T) {
	tests := []struct {
		word       string
		candidates []string
		want       string
	}{
		{"recrod", []string{"record", "writer"}, "record"},
		{"Record", []string{"record"}, "record"},
		{"rebalence", []string{"rebalance", "rescale"}, "rebalance"},
		{"kye", []string{"key"}, "key"},
		{"x", []string{"y", "X"}, "X"},
		{"x", []string{"y"}, ""},
		{"frobnicate", []string{"record", "writer"}, ""},
		{"ab", []string{"ac", "ad"}, "ac"},
		{"abc", nil, ""},
		{"", []string{"a"}, ""},
	}
	for _, test := range tests {
		if got := diag.Nearest(test.word, test.candidates); got != test.want {
			t.Errorf("Nearest(%q, %q) = %q, want %q", test.word, test.candidates, got, test.want)
		}
	}
}
