package avro_test

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen"
	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/internal/trial"
	"github.com/rwgen/rwgen/gen/ir"
)

// Records of a schema are those that the Go types in the generated file would be: with directives added, the frontend for Go finds the same representation in it, the schemas are the same, and so is
// the generated code. That the file is generated makes no difference.
func TestSameAsGo(t *testing.T) {
	dir := newModule(t)
	schemas := make(map[string]record) // by package path and name
	var dumps, code = make(map[string]string), make(map[string]string)
	for _, g := range goldens(t, dir, ir.Native) {
		directives := make(map[string]string)
		for _, p := range g.pkgs {
			dumps[p.Path] = ir.Dump(p)
			for _, f := range p.Files {
				for _, r := range f.Records {
					schemas[p.Path+"."+r.Name] = record{p, r}
					directives[path.Join(p.Dir, f.DeclOutput)+" "+r.Type.Name.Name] = directive(p, r)
				}
				if len(f.Records) > 0 {
					sub := strings.TrimPrefix(strings.TrimPrefix(p.Path, path.Join(module, g.name)), "/")
					code[filepath.Join(p.Dir, f.DeclOutput)] = g.got[path.Join(sub, f.Output)]
				}
			}
		}
		g.write(t, dir, func(name, text string) string {
			if !strings.HasSuffix(name, "_types.go") {
				return ""
			}
			for key, d := range directives {
				file, typ, _ := strings.Cut(key, " ")
				if file == path.Join(dir, g.name, name) {
					text = strings.Replace(text, "\ntype "+typ+" struct", "\n"+d+"type "+typ+" struct", 1)
				}
			}
			return text
		})
	}
	r, err := gen.Generate(t.Context(), gen.Options{Dir: dir, Patterns: []string{"./..."}, Env: trial.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		t.Error(d.Format(dir))
	}
	for _, p := range r.Packages {
		want, got := withoutFiles(dumps[p.Path]), withoutFiles(ir.Dump(p))
		if want != got {
			t.Errorf("%s (-from the schema +from Go):\n%s", p.Path, gocmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
		for _, f := range p.Files {
			for _, rec := range f.Records {
				other, ok := schemas[p.Path+"."+rec.Name]
				if !ok {
					t.Errorf("%s.%s is no record of the schema", p.Path, rec.Name)
					continue
				}
				delete(schemas, p.Path+"."+rec.Name)
				if a, b := emit.Schema(other.Record), emit.Schema(rec); a != b {
					t.Errorf("%s.%s: %+v and %+v", p.Path, rec.Name, a, b)
				}
				sameSizes(t, rec.Name, other.Type, rec.Type, make(map[*ir.Type]bool))
			}
		}
	}
	for name := range schemas {
		t.Errorf("%s is a record of the schema only", name)
	}
	for _, f := range r.Files {
		source := filepath.Join(filepath.Dir(f.Path), strings.TrimSuffix(filepath.Base(f.Path), "_rw.go")+".go")
		want, got := withoutSource(code[source]), withoutSource(string(f.Content))
		if want != got {
			t.Errorf("%s (-from the schema +from Go):\n%s", f.Path, gocmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
	}
}

// record is a record with its package.
type record struct {
	*ir.Package
	*ir.Record
}

// directive returns the lines that ask for a record in Go.
func directive(p *ir.Package, r *ir.Record) string {
	d := "//\n//rwgen:record"
	if r.With != 0 {
		d += " with=" + r.With.String()
	}
	if len(r.Aliases) > 0 {
		d += " alias=" + strings.Join(r.Aliases, "|")
	}
	d += "\n"
	one := *r
	one.Type = &ir.Type{Kind: ir.Struct}
	for line := range strings.Lines(ir.Dump(&ir.Package{Files: []*ir.File{{Records: []*ir.Record{&one}}}})) {
		if w, ok := strings.CutPrefix(strings.TrimSpace(line), "writer "); ok {
			d += "//rwgen:writer " + w + "\n"
		}
	}
	return d
}

var (
	fileLine   = regexp.MustCompile(`(?m)^\tfile .*$`)
	docText    = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	space      = regexp.MustCompile(`(\\n|\\t| )+`)
	sourceLine = regexp.MustCompile(`(?m)^// Source: .*$`)
)

// withoutFiles returns a dump without the names of files, and with documentation on one line: in Go it is wrapped.
func withoutFiles(dump string) string {
	return docText.ReplaceAllStringFunc(fileLine.ReplaceAllString(dump, "\tfile"), func(doc string) string { return space.ReplaceAllString(doc, " ") })
}

func withoutSource(code string) string { return sourceLine.ReplaceAllString(code, "// Source: …") }

// sameSizes compares what dumps do not show of types.
func sameSizes(t *testing.T, where string, a, b *ir.Type, seen map[*ir.Type]bool) {
	t.Helper()
	if a == nil || b == nil || seen[a] {
		if (a == nil) != (b == nil) {
			t.Errorf("%s: %v and %v", where, a, b)
		}
		return
	}
	seen[a] = true
	type shallow struct {
		kind      ir.Kind
		size, len int64
		recursive bool
		name      string
		codec     string
	}
	of := func(t *ir.Type) shallow {
		s := shallow{kind: t.Kind, size: t.GoSize, len: t.Len, recursive: t.Recursive, codec: fmt.Sprint(t.Codec)}
		if t.Name != nil {
			s.name = fmt.Sprintf("%+v", *t.Name)
		}
		return s
	}
	if x, y := of(a), of(b); x != y || len(a.Fields) != len(b.Fields) || len(a.Members) != len(b.Members) {
		t.Errorf("%s:\n%+v from the schema\n%+v from Go", where, x, y)
		return
	}
	sameSizes(t, where+"[key]", a.Key, b.Key, seen)
	sameSizes(t, where+"[]", a.Elem, b.Elem, seen)
	for i := range a.Fields {
		sameSizes(t, where+"."+a.Fields[i].Name, a.Fields[i].Type, b.Fields[i].Type, seen)
	}
	for i := range a.Members {
		sameSizes(t, fmt.Sprintf("%s(%d)", where, i), a.Members[i], b.Members[i], seen)
	}
}
