package layout_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/layout"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func typ(k ir.Kind) *ir.Type { return &ir.Type{Kind: k} }

func of(k ir.Kind, elem *ir.Type) *ir.Type { return &ir.Type{Kind: k, Elem: elem} }

func named(name string, t ir.Type) *ir.Type {
	t.Name = &ir.Name{PkgPath: "example.com/m", PkgName: "m", Name: name, Local: true}
	return &t
}

func foreign(pkg, name string, t ir.Type) *ir.Type {
	t.Name = &ir.Name{PkgPath: "example.com/" + pkg, PkgName: pkg, Name: name}
	return &t
}

func structure(fields ...*ir.Field) ir.Type { return ir.Type{Kind: ir.Struct, Fields: fields} }

func field(name string, t *ir.Type) *ir.Field { return &ir.Field{Name: name, Type: t} }

// everything is a record with a field of every kind and with every option.
func everything() *ir.Record {
	node := named("Node", ir.Type{Kind: ir.Struct, Recursive: true})
	node.Fields = []*ir.Field{field("Next", of(ir.Pointer, node)), field("Value", typ(ir.Int8))}
	circle := named("Circle", structure(field("R", typ(ir.Float64))))
	shape := named("Shape", ir.Type{Kind: ir.Union, Members: []*ir.Type{circle, of(ir.Pointer, node), typ(ir.String)}})
	deep := named("D3", structure(field("X", typ(ir.Uint8))))
	for _, name := range []string{"D2", "D1", "D0"} {
		deep = named(name, structure(field("In", deep)))
	}
	list := of(ir.Slice, typ(ir.String))
	m := &ir.Type{Kind: ir.Map, Key: named("Name", *typ(ir.String)), Elem: of(ir.Slice, node)}
	t := named("Everything", ir.Type{Kind: ir.Struct, GoSize: 400, Fields: []*ir.Field{
		field("Bool", typ(ir.Bool)),
		field("I8", typ(ir.Int8)),
		field("U16", typ(ir.Uint16)),
		field("I32", named("Minutes", *typ(ir.Int32))),
		field("U64", typ(ir.Uint64)),
		field("Int", typ(ir.Int)),
		{Name: "V16", Type: typ(ir.Uint16), Varint: true},
		{Name: "V32", Type: typ(ir.Int32), Varint: true},
		{Name: "V64", Type: typ(ir.Int64), Varint: true},
		field("F32", typ(ir.Float32)),
		field("C128", typ(ir.Complex128)),
		field("Time", typ(ir.Time)),
		{Name: "Nano", Type: typ(ir.Time), UnixNano: true},
		{Name: "Text", Type: typ(ir.String), UTF8: true, Max: 10, Intern: true, Wire: "text", Aliases: []string{"a", "b"}, Default: "x", HasDefault: true},
		{Name: "Bytes", Type: typ(ir.Bytes), View: true, Max: 20},
		{Name: "List", Type: list, Max: 3},
		{Name: "Map", Type: m, Sorted: true},
		field("Array", &ir.Type{Kind: ir.Array, Len: 3, Elem: typ(ir.Uint16)}),
		field("None", &ir.Type{Kind: ir.Array, Len: 0, Elem: typ(ir.String)}),
		field("Varying", &ir.Type{Kind: ir.Array, Len: 2, Elem: typ(ir.String)}),
		field("Fixed", of(ir.Pointer, typ(ir.Int32))),
		field("Maybe", of(ir.Pointer, typ(ir.String))),
		field("Empty", of(ir.Pointer, typ(ir.Struct))),
		field("Twice", of(ir.Slice, of(ir.Pointer, typ(ir.Int16)))),
		field("Node", node),
		{Name: "Circle", Type: circle, Embedded: true},
		field("Shape", shape),
		field("Shapes", of(ir.Slice, shape)),
		field("Deep", deep),
		field("Anonymous", &ir.Type{Kind: ir.Struct, Fields: []*ir.Field{field("OK", typ(ir.Bool)), field("N", typ(ir.Int64))}}),
		field("Foreign", foreign("geo", "Point", structure(field("X", typ(ir.Int64))))),
		field("Addr", foreign("netip", "Addr", ir.Type{Kind: ir.Codec, Codec: &ir.Encoding{Form: ir.Binary, Append: true}})),
		field("Big", foreign("big", "Int", ir.Type{Kind: ir.Codec, Codec: &ir.Encoding{Form: ir.Text}})),
		field("Money", foreign("decimal", "Big", ir.Type{Kind: ir.Codec,
			Codec: &ir.Encoding{Form: ir.Registered, Registered: &ir.Name{Name: "moneyCodec", Local: true}}})),
		{Name: "skipped", Skip: true},
	}})
	return &ir.Record{Name: "Everything", Type: t}
}

func TestEverything(t *testing.T) {
	const golden = "testdata/everything.txt"
	got := layout.Of(everything()).String()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Offsets count on until something has no constant size, and from its end after that.
func TestPositions(t *testing.T) {
	r := &ir.Record{Name: "R", Type: named("R", structure(
		field("A", typ(ir.Int64)),
		field("In", named("In", structure(field("B", typ(ir.Bool)), field("C", typ(ir.Int16)), field("S", typ(ir.String)), field("D", typ(ir.Int8))))),
		field("E", typ(ir.Int32)),
		field("F", typ(ir.Int32)),
	))}
	l := layout.Of(r)
	var got []string
	for _, row := range l.Sections[0].Rows {
		got = append(got, row.Field+" "+row.Position())
	}
	want := []string{"A 0", "In 8", "In.bits 8", "In.B in In.bits", "In.C 9", "In.S 11", "In.D after In.S", "E after In.S + 1", "F after In.S + 5"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if l.Least != 8+1+2+1+1+4+4 || l.Constant {
		t.Errorf("%d bytes, constant: %t", l.Least, l.Constant)
	}
}

// Sizes beyond what a number holds are cut off rather than wrong.
func TestHuge(t *testing.T) {
	huge := &ir.Type{Kind: ir.Array, Len: 1 << 62, Elem: &ir.Type{Kind: ir.Array, Len: 1 << 62, Elem: typ(ir.Int64)}}
	l := layout.Of(&ir.Record{Name: "R", Type: named("R", structure(field("A", huge), field("B", huge)))})
	if l.Least != 1<<63-1 || !l.Constant {
		t.Errorf("%d bytes, constant: %t", l.Least, l.Constant)
	}
}
