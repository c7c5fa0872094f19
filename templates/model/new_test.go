package model_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/templates/model"
)

func typ(k ir.Kind) *ir.Type { return &ir.Type{Kind: k} }

func of(k ir.Kind, elem *ir.Type) *ir.Type { return &ir.Type{Kind: k, Elem: elem} }

func named(pkg, name string, t ir.Type) *ir.Type {
	t.Name = &ir.Name{PkgPath: "example.com/" + pkg, PkgName: pkg, Name: name, Local: pkg == "m"}
	return &t
}

// pkg returns the model of a package with one record that has the fields.
func pkg(fields ...*ir.Field) *model.Package {
	return model.New(&ir.Package{
		Name: "m", Path: "example.com/m", Imports: map[string]string{"example.com/geo": "earth", "time": "time"},
		Files: []*ir.File{{Source: "r.go", Output: "r_rw.go", Package: "m", Records: []*ir.Record{{
			Name: "R", Type: named("m", "R", ir.Type{Kind: ir.Struct, Fields: fields}),
		}}}},
	})
}

// Types have kinds, expressions, and what they are made of.
func TestTypes(t *testing.T) {
	node := named("m", "Node", ir.Type{Kind: ir.Struct, Recursive: true})
	node.Fields = []*ir.Field{{Name: "Next", Type: of(ir.Pointer, node)}}
	point := named("geo", "Point", ir.Type{Kind: ir.Struct, Fields: []*ir.Field{{Name: "X", Type: typ(ir.Float64)}}})
	pair := &ir.Type{Kind: ir.Struct, Name: &ir.Name{PkgPath: "example.com/geo", PkgName: "geo", Name: "Pair", Args: []*ir.Type{typ(ir.String), point}}}
	money := named("geo", "Money", ir.Type{Kind: ir.Codec, Codec: &ir.Encoding{Form: ir.Registered, Registered: &ir.Name{Name: "MoneyCodec", Local: true}}})
	shape := named("m", "Shape", ir.Type{Kind: ir.Union, Members: []*ir.Type{point, of(ir.Pointer, node), money}})
	tests := []struct {
		typ        *ir.Type
		kind, expr string
	}{
		{typ(ir.Int8), "int8", "int8"},
		{typ(ir.Uintptr), "uintptr", "uintptr"},
		{typ(ir.Complex64), "complex64", "complex64"},
		{typ(ir.Time), "time", "time.Time"},
		{typ(ir.Bytes), "bytes", "[]byte"},
		{of(ir.Bytes, named("m", "B", *typ(ir.Uint8))), "bytes", "[]B"},
		{&ir.Type{Kind: ir.Array, Len: 16, Elem: typ(ir.Uint8)}, "array", "[16]byte"},
		{of(ir.Slice, of(ir.Pointer, point)), "slice", "[]*earth.Point"},
		{&ir.Type{Kind: ir.Map, Key: typ(ir.String), Elem: pair}, "map", "map[string]earth.Pair[string,earth.Point]"},
		{named("m", "Celsius", *typ(ir.Float32)), "float32", "Celsius"},
		{node, "struct", "Node"},
		{shape, "union", "Shape"},
		{money, "codec", "earth.Money"},
		{&ir.Type{Kind: ir.Struct}, "struct", "struct{}"},
		{&ir.Type{Kind: ir.Struct, Fields: []*ir.Field{{Name: "A", Type: typ(ir.Bool)}, {Name: "Point", Type: point, Embedded: true}}}, "struct", "struct{ A bool; earth.Point }"},
		{&ir.Type{Kind: ir.Opaque, Expr: []ir.Word{{Text: "func("}, {Text: "Point", PkgPath: "example.com/geo"}, {Text: ")"}}}, "opaque", "func(earth.Point)"},
	}
	var fields []*ir.Field
	for i, test := range tests {
		if test.typ.Kind != ir.Opaque {
			fields = append(fields, &ir.Field{Name: string(rune('A' + i)), Type: test.typ})
		} else {
			fields = append(fields, &ir.Field{Name: "Z", Type: &ir.Type{Kind: ir.Struct, Name: &ir.Name{Name: "G", Local: true, Args: []*ir.Type{test.typ}}}})
		}
	}
	r := pkg(fields...).Records[0]
	for i, test := range tests {
		f := r.Fields[i]
		if test.typ.Kind == ir.Opaque {
			test.kind, test.expr = "struct", "G["+test.expr+"]"
		}
		if f.Kind != test.kind || f.Type.Kind != test.kind || f.GoType != test.expr || !model.Spelled(f.Type) {
			t.Errorf("field %s has kind %s and type %s, want %s and %s", f.Name, f.Kind, f.GoType, test.kind, test.expr)
		}
	}
	var special []string
	for _, u := range r.Unions {
		for _, m := range u.Members {
			special = append(special, u.GoType+" of "+m.GoType)
		}
	}
	for _, c := range r.Codecs {
		special = append(special, c.GoType+" by "+c.Codec+" "+c.CodecType.GoType)
	}
	if d := cmp.Diff([]string{"Shape of earth.Point", "Shape of *Node", "Shape of earth.Money", "earth.Money by MoneyCodec MoneyCodec"}, special); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if n := r.Fields[10].Type; n.Fields[0].Type.Elem != n || !n.Recursive || n.Package != "" || n.Name != "Node" {
		t.Errorf("a recursive type is %+v", n)
	}
	if q := model.Expr(r.Fields[7].Type, strings.ToUpper); q != "[]*EXAMPLE.COM/GEO.Point" {
		t.Errorf("with other names for packages: %s", q)
	}
}

// A struct without a name that has fields of which nothing is known cannot be spelled.
func TestVague(t *testing.T) {
	r := pkg(&ir.Field{Name: "A", Type: of(ir.Slice, &ir.Type{Kind: ir.Struct, Fields: []*ir.Field{{Name: "mu", Skip: true}}})}).Records[0]
	if f := r.Fields[0]; model.Spelled(f.Type) {
		t.Errorf("%s is the type", f.GoType)
	}
}

func TestFields(t *testing.T) {
	r := pkg(
		&ir.Field{Name: "On", Type: typ(ir.Bool)},
		&ir.Field{Name: "ID", Type: typ(ir.Uint64), Wire: "id", Aliases: []string{"key"}, HasDefault: true, Default: "7", Doc: "which"},
		&ir.Field{Name: "mu", Skip: true},
		&ir.Field{Name: "Name", Type: typ(ir.String), Max: 9, UTF8: true, Intern: true, View: true},
		&ir.Field{Name: "Next", Type: of(ir.Pointer, typ(ir.Int16))},
	).Records[0]
	got := make([]model.Field, len(r.Fields))
	for i, f := range r.Fields {
		got[i] = *f
		got[i].Type = nil
	}
	want := []model.Field{
		{Name: "On", GoType: "bool", Kind: "bool", SchemaName: "On", Encoding: "bit 0 of byte 0", Bytes: "1 bit", Position: "in bits", Offset: 1},
		{Name: "ID", GoType: "uint64", Kind: "uint64", SchemaName: "id", Doc: "which", Tag: []string{"name=id", "alias=key", "default=7"}, Aliases: []string{"key"},
			Default: "7", HasDefault: true, Encoding: "u64", Bytes: "8", Position: "1", Offset: 1},
		{Name: "Name", GoType: "string", Kind: "string", SchemaName: "Name", Tag: []string{"max=9", "utf8", "intern", "view"}, UTF8: true, Intern: true, View: true, Max: 9,
			Encoding: "uvarint length; bytes", Bytes: "1 or more", Position: "9", Offset: 9},
		{Name: "Next", GoType: "*int16", Kind: "pointer", SchemaName: "Next", Optional: true, Encoding: "i16, if bit 1 of byte 0 is set", Bytes: "0 or 2", Position: "after Name", Offset: -1},
	}
	want[0].Offset = -1
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if r.MinSize != 10 || r.ConstantSize {
		t.Errorf("%d bytes, constant: %t", r.MinSize, r.ConstantSize)
	}
}

func TestWriters(t *testing.T) {
	at := &ir.Field{Name: "At", Type: typ(ir.Int64)}
	id := &ir.Field{Name: "ID", Type: typ(ir.Int64)}
	p := model.New(&ir.Package{Name: "m", Files: []*ir.File{{Source: "r.go", Output: "r_rw.go", Records: []*ir.Record{{
		Name: "row", Type: named("m", "row", ir.Type{Kind: ir.Struct, Fields: []*ir.Field{at, id}}), With: ir.WithEqual | ir.WithTest,
		Writers: []*ir.Writer{
			{Name: "ByID", Kind: ir.Keyed, Keys: []ir.Path{{id}, {at}}, Choices: 2},
			{Name: "Kafka", Kind: ir.Keyed, Keys: []ir.Path{{id}}, Hash: ir.Kafka},
			{Name: "Own", Kind: ir.Custom, Custom: "pick"},
			{Name: "Late", Kind: ir.Load, EventTime: &ir.EventTime{Field: ir.Path{at}, Unit: ir.Milliseconds, Watermark: ir.Bounded, Bound: 5 * time.Second}},
		},
	}}}}})
	r := p.Records[0]
	want := []*model.Writer{
		{Name: "ByID", Type: "rowByIDWriter", Constructor: "newRowByIDWriter", Selection: "key=ID,At choices=2", Kind: "key", Keys: []string{"ID", "At"}, Hash: "xxh3", Choices: 2},
		{Name: "Kafka", Type: "rowKafkaWriter", Constructor: "newRowKafkaWriter", Selection: "key=ID hash=kafka", Kind: "key", Keys: []string{"ID"}, Hash: "kafka"},
		{Name: "Own", Type: "rowOwnWriter", Constructor: "newRowOwnWriter", Selection: "custom=pick", Kind: "custom", Custom: "pick"},
		{Name: "Late", Type: "rowLateWriter", Constructor: "newRowLateWriter", Selection: "load eventtime=At:ms watermark=bounded:5s", Kind: "load",
			EventTime: &model.EventTime{Field: "At", Unit: "ms", Watermark: "bounded", Bound: "5s"}},
	}
	if d := cmp.Diff(want, r.Writers); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if names := []string{r.Serializer, r.Writer, r.NewWriter, r.Reader, r.NewReader}; r.Exported || strings.Join(names, " ") != "rowSerializer rowWriter newRowWriter rowReader newRowReader" {
		t.Errorf("exported: %t, names %v", r.Exported, names)
	}
	if d := cmp.Diff([]string{"equal", "test"}, r.With); d != "" {
		t.Errorf("With (-want +got):\n%s", d)
	}
}

// The names of tests go with those of outputs, each with its own.
func TestStems(t *testing.T) {
	for output, want := range map[string]string{
		"flight_rw.go":              "flight _test.go",
		"flight_rw_test.go":         "flight_test _test.go",
		"flight_rw_linux.go":        "flight _linux_test.go",
		"flight_rw_linux_amd64.go":  "flight _linux_amd64_test.go",
		"flight_rw_windows_test.go": "flight_test _windows_test.go",
		"a_rw_b_rw.go":              "a_rw_b _test.go",
		"a_rw_b.go":                 "a_rw_b _test.go",
		"all.go":                    "all _test.go",
		"a.b_rw.go":                 "a.b _test.go",
	} {
		f := model.New(&ir.Package{Files: []*ir.File{{Output: output}}}).Files[0]
		if got := f.Stem + " " + f.Tail; got != want {
			t.Errorf("%s: %s, want %s", output, got, want)
		}
	}
}

// Types from schema files say what these say of them; formats other than the native have no places in its bytes.
func TestSchemaFile(t *testing.T) {
	suit := named("m", "Suit", *typ(ir.Int32))
	card := named("m", "Card", ir.Type{Kind: ir.Struct, Fields: []*ir.Field{{Name: "Suit", Schema: "card_suit", Type: suit}}})
	p := model.New(&ir.Package{Name: "m", Files: []*ir.File{{
		Source: "card.avsc", Output: "card_rw.go", DeclOutput: "card_types.go", Decls: []*ir.Decl{
			{Type: suit, Doc: "A suit.", Schema: "org.cards.Suit", Constants: []ir.Constant{{Name: "SuitSpades", Symbol: "SPADES", Value: 0, Doc: "Black."}}},
			{Type: card, Schema: "org.cards.Card"},
		},
		Records: []*ir.Record{{Name: "Card", Type: card, Format: ir.AvroBinary, Avro: &ir.AvroSchema{Canonical: `{"name":"org.cards.Card","type":"record","fields":[]}`}}},
	}}})
	got := *p.Types[0]
	if got.Doc != "A suit." || got.Schema != "org.cards.Suit" || len(got.Constants) != 1 || *got.Constants[0] != (model.Constant{Name: "SuitSpades", Symbol: "SPADES", Doc: "Black."}) {
		t.Errorf("got %+v", got)
	}
	r := p.Records[0]
	if r.Fields[0].Type != p.Types[0] {
		t.Error("the field has another type than the declared one")
	}
	if r.Schema != "org.cards.Card" || r.Fields[0].Schema != "card_suit" || len(r.Types) != 1 || r.Types[0] != p.Types[0] {
		t.Errorf("the record is %q, its field %q, and it has %d other types", r.Schema, r.Fields[0].Schema, len(r.Types))
	}
	if f := r.Fields[0]; r.Format != "avro" || r.MinSize != 0 || r.Layout != nil || f.Encoding != "" || f.Offset != -1 {
		t.Errorf("%+v, %+v", r, f)
	}
}

// TestMessage: records whose bytes methods make have a type without fields that says so.
func TestMessage(t *testing.T) {
	message := named("m", "Quake", ir.Type{Kind: ir.Codec, Codec: &ir.Encoding{Form: ir.Message, Fast: true}})
	p := model.New(&ir.Package{Name: "m", Files: []*ir.File{{
		Source: "quake.go", Output: "quake_rw.go", Records: []*ir.Record{{Name: "Quake", Type: message, Format: ir.Protobuf, Called: "gov.usgs.Quake"}},
	}}})
	r := p.Records[0]
	if r.Format != "protobuf" || r.Type.Codec != "protobuf" || len(r.Fields) != 0 || r.Layout != nil {
		t.Errorf("%+v with type %+v", r, r.Type)
	}
}
