package gosrc

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// The sizes are those of package types, which knows what the compiler does.
func TestSizes(t *testing.T) {
	const src = `package p

type (
	Empty  struct{}
	Small  struct{ A int8 }
	Padded struct{ A int8; B int64; C int16 }
	Tail   struct{ A int32; B struct{} }
	Late   struct{ A string; B [3]Small; C complex64; D func(); E any }
	Nested struct{ A Small; B Padded; C [5]Late; D *Nested; E map[int]Nested; F []Nested }
	Zero   struct{ A [0]int64; B int8 }
	Array  [7]Tail
)
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	std, own := types.SizesFor("gc", "amd64"), newSizes()
	for _, name := range pkg.Scope().Names() {
		typ := pkg.Scope().Lookup(name).Type()
		want, got := layout{std.Sizeof(typ), std.Alignof(typ)}, own.of(typ)
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// Structs in structs in structs are measured once each, where package types would take for ever.
func TestSizesDeep(t *testing.T) {
	var typ types.Type = types.Typ[types.Int8]
	for range 40 {
		typ = types.NewStruct([]*types.Var{
			types.NewField(token.NoPos, nil, "A", typ, false), types.NewField(token.NoPos, nil, "B", typ, false),
		}, nil)
	}
	if l := newSizes().of(typ); l != (layout{1 << 40, 1}) {
		t.Errorf("%+v", l)
	}
}

// A type beyond all memory has a negative size, for which package types would panic.
func TestSizesTooLarge(t *testing.T) {
	huge := types.NewArray(types.Typ[types.Byte], 1<<61)
	field := func(name string) *types.Var { return types.NewField(token.NoPos, nil, name, huge, false) }
	for _, typ := range []types.Type{
		types.NewArray(huge, 4),
		types.NewStruct([]*types.Var{field("A"), field("B"), field("C")}, nil),
		types.NewArray(types.NewArray(huge, 4), 1),
	} {
		if l := newSizes().of(typ); l.size >= 0 {
			t.Errorf("%v: size %d", typ, l.size)
		}
	}
}
