package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMakeRule(t *testing.T) {
	here := filepath.FromSlash("/w/here")
	files := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.FromSlash(n))
		}
		return paths
	}
	tests := []struct {
		name, target   string
		outputs, input []string
		want           string
	}{
		{"one", "", files("/w/here/a_rw.go"), files("/w/here/a.avsc"), "a_rw.go: \\\n  a.avsc\n\na.avsc:\n"},
		{"elsewhere", "", files("/w/b/a.go", "/w/here/c.go"), files("/w/x.avsc", "/y"), "../b/a.go c.go: \\\n  ../x.avsc \\\n  ../../y\n\n../x.avsc:\n\n../../y:\n"},
		{"escaped", "", files("/w/here/a b#$.go"), nil, "a\\ b\\#$$.go:\n"},
		{"target", "out/a stamp", files("/w/here/a.go"), files("/w/here/i"), "out/a\\ stamp: \\\n  i\n\ni:\n"},
		{"nothing", "", nil, files("/w/here/i"), ""},
	}
	for _, tt := range tests {
		got, err := makeRule(here, tt.target, tt.outputs, tt.input)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	for _, name := range []string{"a%", "a:b", "a\nb", "a*", "a=b", `a\b`, "a|b"} {
		if got, err := makeRule(here, "", files("/w/here/x"), []string{filepath.Join(here, name)}); err == nil {
			t.Errorf("%q: %q", name, got)
		}
		if got, err := makeRule(here, name, nil, nil); err == nil {
			t.Errorf("target %q: %q", name, got)
		}
	}
}

// Nothing is said in the first second, then not too often, and at the end the line is gone.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	now := time.Unix(100, 0)
	p := &progress{w: &b, now: func() time.Time { return now }, begin: now}
	p.report(1, 9)
	p.end()
	now = now.Add(patience - 1)
	p.report(2, 9)
	if b.Len() > 0 {
		t.Errorf("too early: %q", b.String())
	}
	now = now.Add(1)
	p.report(3, 9)
	now = now.Add(interval - 1)
	p.report(4, 9)
	now = now.Add(1)
	p.report(5, 9)
	p.end()
	p.end()
	if want := "\r\x1b[Krwgen: 3 of 9 files\r\x1b[Krwgen: 5 of 9 files\r\x1b[K"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	if p := newProgress(&strings.Builder{}); p != nil {
		t.Error("progress for what is no file")
	}
}
