package gosrc

import (
	"cmp"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/spec"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// Every comment is either no directive, a well-formed one, or a diagnostic whose position lies in the comment.
func FuzzDirective(f *testing.F) {
	for _, text := range []string{
		"//rwgen:record", "// prose", "// rwgen:record", "//rwgen:writer ByX key=X,Y.Z", "//rwgen:writer All broadcast", "//rwgen:",
		"//rwgen:writer Own custom=F extra", "//rwgen:writer ByX key=X hash=flink", "//rwgen:writer ByX key=X choices=2 hash=xxh3", "//rwgen:writer L load",
		"//rwgen:writer B key=X eventtime=At.Time:ms watermark=bounded:1m30s", "//rwgen:writer P load watermark=punctuated:mark eventtime=At",
		"//rwgen:writer B key=X eventtime=At watermark=bounded:1ns",
		"//rwgen:union A,*B,geo.C", "//rwgen:union A, *B", "//rwgen:union ,", "//rwgen:codec decimal.Big", "//rwgen:codec Pair[string, int] x",
		"//rwgen:record [string,int] [[]byte, map[string]int]", "//rwgen:record [", "//rwgen:record ] [int]", "//rwgen:union Pair[a,b],c)", "//rwgen:record[int]",
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
		asked := len(ds.writers)
		for _, list := range []*typeList{ds.union, ds.codec} {
			if list != nil {
				asked++
			}
			if list != nil && len(list.types) == 0 && len(diags) == 0 {
				t.Errorf("%q: no types in %+v", text, list)
			}
		}
		if ds.record || len(ds.instances) > 0 {
			asked++
		}
		if asked > 1 || strings.HasPrefix(text, prefix) && len(diags) == 0 && asked == 0 {
			t.Errorf("%q: %+v, %v", text, ds, diags)
		}
		words := slices.Clone(ds.instances)
		if ds.union != nil {
			words = append(words, ds.union.types...)
		}
		if ds.codec != nil {
			words = append(words, ds.codec.types...)
		}
		for _, w := range words {
			if at := w.pos.Column - 3; at < 0 || !strings.HasPrefix(text[at:], w.text) || w.text == "" || int(w.at) != 1+at {
				t.Errorf("%q: %q at %v, %d", text, w.text, w.pos, w.at)
			}
		}
		for _, d := range diags {
			if d.Pos.Line != 7 || d.Pos.Column < 3 || d.Pos.Column >= 3+len(text) || d.Message == "" {
				t.Errorf("%q: %v at %v", text, d, d.Pos)
			}
		}
		for _, w := range ds.writers {
			if !token.IsIdentifier(w.Name) || w.Kind < ir.Keyed || w.Kind > ir.Custom ||
				(w.Value != "") != (w.Kind == ir.Keyed || w.Kind == ir.Custom) {
				t.Errorf("%q: %+v", text, w)
			}
			if (w.Hash != ir.XXH3 || w.Choices != 0) && w.Kind != ir.Keyed || w.Hash != ir.XXH3 && w.Choices != 0 || w.Choices != 0 && w.Choices != 2 {
				t.Errorf("%q has options that do not fit: %+v", text, w)
			}
			if e := w.EventTime; (e.Field != "") != e.Given || !e.Given && e != (spec.EventTime{}) || e.Bound < 0 || e.Bound%time.Microsecond != 0 ||
				e.Bound != 0 && e.Way != ir.Bounded || (e.Way == ir.Punctuated) != token.IsIdentifier(e.Function) {
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

// Every tag is read as the runtime reads it, or has faults; and every option is refused or put into the field.
func FuzzTag(f *testing.F) {
	for _, tag := range []string{
		`rw:"-"`, `rw:"varint"`, `json:"a" rw:"name=x,alias=a|b"`, `rw:"default='a, b',max=3"`, `rw:"varing,,max=x,view"`, `rw:"'"`, `rw:`, `rw:"a" rw:"b"`,
		`rw:"max=3,max=3"`, `rw:"fixed,varint,intern,view"`, `rw:"\x00=\xff"`, `rw:" utf8 , sorted "`, `rw:"unixnano,unknown,unknown"`, `rw:",,,,"`,
	} {
		f.Add(tag)
	}
	types := []*ir.Type{
		{Kind: ir.String}, {Kind: ir.Int8}, {Kind: ir.Int64}, {Kind: ir.Float32}, {Kind: ir.Bytes}, {Kind: ir.Time}, {Kind: ir.Bool}, {Kind: ir.Struct}, {Kind: ir.Union},
		{Kind: ir.Codec}, {Kind: ir.Map, Key: &ir.Type{Kind: ir.String}, Elem: &ir.Type{Kind: ir.Int}}, {Kind: ir.Pointer, Elem: &ir.Type{Kind: ir.String}},
		{Kind: ir.Slice, Elem: &ir.Type{Kind: ir.Time}},
	}
	f.Fuzz(func(t *testing.T, raw string) {
		tag, faults := parseTag(raw)
		want, err := record.ParseTag(raw)
		if (err == nil) != (len(faults) == 0) || err == nil && !reflect.DeepEqual(tag, want) {
			t.Fatalf("%q: %+v, %v, want %+v, %v", raw, tag, faults, want, err)
		}
		for i, fault := range faults {
			if fault.message == "" || slices.Contains(faults[:i], fault) {
				t.Errorf("%q: %q", raw, faults)
			}
		}
		for _, typ := range types {
			field := ir.Field{Name: "F", Type: typ}
			refused := applyTag(&field, tag, "T")
			if err := tag.Check(shallow(typ, true)); (err == nil) != (len(refused) == 0) {
				t.Errorf("%q for %v: %v, but %v", raw, typ.Kind, refused, err)
			}
			if field.Varint != tag.Varint || field.Max != tag.Max || field.SchemaName() != cmp.Or(tag.Name, "F") {
				t.Errorf("%q: %+v, from %+v", raw, field, tag)
			}
		}
	})
}

// Whatever is written as a type argument gives a record, or a diagnostic within the directive or at a field.
func FuzzInstance(f *testing.F) {
	for _, args := range []string{
		"[int]", "[Box[Box[string]]]", "[*A]", "[chan int]", "[U]", "[map[U]int]", "[]", "[x", "[func(){}]", "[[1<<60]A]", "[[-1]int]", "[Endless[int]]", "[1]", "[int,int]",
		"[struct{ X int; Y *A }]", "[interface{ ~int }]", "[any]", "[error]", "[Box]", "[len(\"x\")]", "[[len(\"x\")]int]", "[*****A]", "[a.b]", "[A.X]", "[int] + Box[int]", "[~int]", "[C]",
	} {
		f.Add(args)
	}
	const src = `package p

//rwgen:record
type Box[T any] struct{ V T }

type A struct{ X int; U U; B *A }

//rwgen:union A,*Box[int],int
type U any

type Endless[T any] struct{ Next *Endless[[]T] }

type C struct{ x func() }

func (C) MarshalBinary() ([]byte, error)  { return nil, nil }
func (*C) UnmarshalBinary([]byte) error   { return nil }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "/p/p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		f.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default(), Error: func(error) {}} // Endless has one
	checked, _ := conf.Check("p", fset, []*ast.File{file}, nil)
	pkg := &packages.Package{PkgPath: "p", Name: "p", Dir: "/p", Fset: fset, Syntax: []*ast.File{file}, Types: checked}
	f.Fuzz(func(t *testing.T, args string) {
		if len(args) > 200 || strings.Count(args, "[") > 20 { // deeper ones take long, and say no more
			return
		}
		var diags diag.List
		l := &loader{diags: &diags, dirs: map[string]*directory{"/p": {}}, editable: map[string]bool{"p": true},
			byPath: map[string]*packages.Package{"p": pkg}, byTypes: map[*types.Package]*packages.Package{checked: pkg}}
		u := l.newUnit(pkg, false)
		b := newBuilder(u)
		decl := u.decls["Box"]
		roots := b.instance(nil, decl, word{text: args, pos: token.Position{Filename: "/p/p.go", Line: 3, Column: 16}}, "")
		if len(roots) == 0 {
			if len(diags) != 1 || diags[0].Pos.Line != 3 || diags[0].Pos.Column < 16 || diags[0].Pos.Column > 16+len(args) {
				t.Errorf("%q: %v", args, diags)
			}
			return
		}
		if typ := b.root(roots[0], decl); len(diags) == 0 && (typ == nil || typ.Kind != ir.Struct || typ.Fields[0].Type == nil || typ.GoSize < 0) {
			t.Errorf("%q: %+v", args, typ)
		}
		if !token.IsIdentifier(roots[0].name) {
			t.Errorf("%q is called %q", args, roots[0].name)
		}
		ir.MarkRecursive(maps.Values(b.named))
	})
}
