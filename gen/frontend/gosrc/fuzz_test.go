package gosrc

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// Every comment is either no directive, a well-formed one, or a diagnostic whose position lies in the comment.
func FuzzDirective(f *testing.F) {
	for _, text := range []string{
		"//rwgen:record", "// prose", "// rwgen:record", "//rwgen:writer ByX key=X,Y.Z", "//rwgen:writer All broadcast", "//rwgen:",
		"//rwgen:writer Own custom=F extra", "//rwgen:writer ByX key=X hash=flink", "//rwgen:writer ByX key=X choices=2 hash=xxh3", "//rwgen:writer L load",
		"//rwgen:writer B key=X eventtime=At.Time:ms watermark=bounded:1m30s", "//rwgen:writer P load watermark=punctuated:mark eventtime=At",
		"//rwgen:writer B key=X eventtime=At watermark=bounded:1ns",
		"//rwgen:writer É key=\u00e9", "//rwgen:writer  A\u00a0 forward\t",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasPrefix(text, "//") || strings.Contains(text, "\n") {
			return
		}
		var diags diag.List
		position := func(token.Pos) token.Position { return token.Position{Filename: "x.go", Line: 7, Column: 3} }
		ds := parseDirectives(&ast.CommentGroup{List: []*ast.Comment{{Slash: 1, Text: text}}}, position, &diags)
		if n := len(diags) + len(ds.writers); n > 1 || n == 1 && ds.record && len(diags) == 0 {
			t.Errorf("%q: %d writers, %v", text, len(ds.writers), diags)
		}
		if strings.HasPrefix(text, prefix) && len(diags) == 0 && !ds.record && len(ds.writers) == 0 {
			t.Errorf("%q is lost", text)
		}
		for _, d := range diags {
			if d.Pos.Line != 7 || d.Pos.Column < 3 || d.Pos.Column >= 3+len(text) || d.Message == "" {
				t.Errorf("%q: %v at %v", text, d, d.Pos)
			}
		}
		for _, w := range ds.writers {
			if !token.IsIdentifier(w.name) || w.kind < ir.Keyed || w.kind > ir.Custom ||
				(w.value != "") != (w.kind == ir.Keyed || w.kind == ir.Custom) {
				t.Errorf("%q: %+v", text, w)
			}
			if (w.hash != ir.XXH3 || w.choices != 0) && w.kind != ir.Keyed || w.hash != ir.XXH3 && w.choices != 0 || w.choices != 0 && w.choices != 2 {
				t.Errorf("%q has options that do not fit: %+v", text, w)
			}
			if e := w.eventTime; (e.field != "") != e.given || !e.given && e != (timeSpec{}) || e.bound < 0 || e.bound%time.Microsecond != 0 ||
				e.bound != 0 && e.way != ir.Bounded || (e.way == ir.Punctuated) != token.IsIdentifier(e.function) {
				t.Errorf("%q has an event time that does not fit: %+v", text, e)
			}
		}
	})
}

// Names of outputs lead back to their sources, and the go command reads the same from both.
func FuzzOutputName(f *testing.F) {
	for _, name := range []string{"a.go", "a_test.go", "a_linux.go", "a_linux_amd64_test.go", "linux.go", "_amd64.go", "a_rw.go", "a__linux.go"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		// The go command does not look at other files.
		if !strings.HasSuffix(name, ".go") || name == ".go" || strings.ContainsAny(name, "/\x00") || name[0] == '_' || name[0] == '.' {
			return
		}
		out := OutputName(name)
		if back, ok := SourceName(out); !ok || back != name {
			t.Errorf("%q gives %q, which leads to %q, %t", name, out, back, ok)
		}
		if strings.HasSuffix(name, "_test.go") != strings.HasSuffix(out, "_test.go") {
			t.Errorf("%q gives %q", name, out)
		}
		for _, goos := range []string{"linux", "windows", "plain"} {
			for _, goarch := range []string{"amd64", "arm64", "plain"} {
				if included(name, goos, goarch) != included(out, goos, goarch) {
					t.Errorf("%q and %q differ for %s/%s", name, out, goos, goarch)
				}
			}
		}
	})
}
