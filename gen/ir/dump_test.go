package ir_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/gen/ir"
)

func named(name string, t ir.Type) *ir.Type {
	t.Name = &ir.Name{PkgPath: "example.com/m", PkgName: "m", Name: name, Local: true}
	return &t
}

func TestDump(t *testing.T) {
	str := &ir.Type{Kind: ir.String}
	node := named("Node", ir.Type{Kind: ir.Struct, GoSize: 24, Recursive: true})
	next := &ir.Field{Name: "Next", Type: &ir.Type{Kind: ir.Pointer, Elem: node}}
	node.Fields = []*ir.Field{next, {Name: "Tag", Type: str, Doc: "what it is"}}
	pair := &ir.Type{Kind: ir.Struct, GoSize: 16, Name: &ir.Name{PkgPath: "example.com/p", PkgName: "p", Name: "Pair", Args: []*ir.Type{str, node}}}
	root := named("R", ir.Type{Kind: ir.Struct})
	id := &ir.Field{Name: "ID", Type: named("ID", ir.Type{Kind: ir.Uint64}), Varint: true}
	root.Fields = []*ir.Field{
		id,
		{Name: "Node", Type: node, Embedded: true},
		{Name: "Sub", Type: &ir.Type{Kind: ir.Map, Key: str, Elem: &ir.Type{Kind: ir.Slice, Elem: &ir.Type{Kind: ir.Array, Len: 3, Elem: node}}}},
		{Name: "Pair", Type: pair},
		{Name: "mu", Skip: true},
		{Name: "Shape", Type: named("Shape", ir.Type{Kind: ir.Union, Members: []*ir.Type{
			named("Circle", ir.Type{Kind: ir.Struct, GoSize: 8, Fields: []*ir.Field{{Name: "R", Type: str}}}),
			{Kind: ir.Pointer, Elem: node},
		}})},
		{Name: "Addr", Type: named("Addr", ir.Type{Kind: ir.Codec, Codec: &ir.Encoding{Form: ir.Binary}}), Wire: "ip", Aliases: []string{"a", "b"}},
		{Name: "Money", Type: named("Money", ir.Type{Kind: ir.Codec, Codec: &ir.Encoding{Form: ir.Registered, Registered: &ir.Name{Name: "MoneyCodec"}}})},
		{Name: "Name", Type: str, HasDefault: true, Max: 8, UTF8: true, Intern: true},
		{Name: "All", Type: str, UnixNano: true, Sorted: true, View: true},
	}
	p := &ir.Package{
		Path: "example.com/m", Name: "m", Scope: []string{"ID", "Node", "R"},
		Files: []*ir.File{{
			Source: "r_test.go", Output: "r_rw_test.go", Constraint: "linux", Test: true, Package: "m",
			Records: []*ir.Record{{Name: "R", Doc: "R is one.", Type: root, Writers: []*ir.Writer{
				{Name: "ByID", Kind: ir.Keyed, Keys: []ir.Path{{id}, {root.Fields[1], next}}},
				{Name: "Group", Kind: ir.Keyed, Keys: []ir.Path{{id}}, Hash: ir.Flink},
				{Name: "Either", Kind: ir.Keyed, Keys: []ir.Path{{id}}, Choices: 2},
				{Name: "Own", Kind: ir.Custom, Custom: "pick"},
				{Name: "Try", Kind: ir.Custom, Custom: "try", Fails: true},
				{Name: "All", Kind: ir.Broadcast},
				{Name: "Timed", Kind: ir.Load, EventTime: &ir.EventTime{Field: ir.Path{id}, Unit: ir.Milliseconds}},
				{Name: "Late", Kind: ir.Load, EventTime: &ir.EventTime{Field: ir.Path{id}, Watermark: ir.Bounded, Bound: 90 * time.Second}},
				{Name: "Marked", Kind: ir.Load, EventTime: &ir.EventTime{Field: ir.Path{id}, Unit: ir.Seconds, Watermark: ir.Punctuated, Func: "ends"}},
			}}},
		}},
	}
	const want = `package m "example.com/m"
	scope ID Node R
	file r_rw_test.go from r_test.go if linux test
		record R "R is one."
			ID varint ID=u64
			Node embedded Node recursive=struct(24)
				Next *Node recursive
				Tag string "what it is"
			Sub map[string][][3]Node recursive
			Pair p.Pair[string,Node recursive=struct(24)]=struct(16)
			mu -
			Shape Shape=union(2)
				1: Circle=struct(8)
					R string
				2: *Node recursive
			Addr name=ip alias=a|b Addr=bin
			Money Money=codec(MoneyCodec)
			Name default= max=8 utf8 intern string
			All unixnano sorted view string
			writer ByID key=ID,Node.Next
			writer Group key=ID hash=flink
			writer Either key=ID choices=2
			writer Own custom=pick
			writer Try custom=try with error
			writer All broadcast
			writer Timed load eventtime=ID:ms
			writer Late load eventtime=ID watermark=bounded:1m30s
			writer Marked load eventtime=ID:s watermark=punctuated:ends
`
	if diff := cmp.Diff(want, ir.Dump(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEncoded(t *testing.T) {
	fields := []*ir.Field{{Name: "A"}, {Name: "_", Skip: true}, {Name: "B"}, {Name: "C", Skip: true}}
	var names []string
	for f := range (&ir.Type{Kind: ir.Struct, Fields: fields}).Encoded() {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"A", "B"}) {
		t.Errorf("got %v", names)
	}
	for f := range (&ir.Type{Fields: fields}).Encoded() {
		if f.Name != "A" {
			t.Errorf("went on after a break with %s", f.Name)
		}
		break
	}
}

// The names of kinds are part of directives and of the schema text.
func TestNames(t *testing.T) {
	var writers, hashes, kinds, units, watermarks []string
	for k := ir.Keyed; k <= ir.Custom; k++ {
		writers = append(writers, k.String())
	}
	for h := ir.XXH3; h <= ir.Kafka; h++ {
		hashes = append(hashes, h.String())
	}
	for k := ir.Bool; k <= ir.Codec; k++ {
		kinds = append(kinds, k.String())
	}
	for u := ir.NoUnit; u <= ir.Nanoseconds; u++ {
		units = append(units, u.String())
	}
	for w := ir.Monotonic; w <= ir.Punctuated; w++ {
		watermarks = append(watermarks, w.String())
	}
	if diff := cmp.Diff([]string{"", "s", "ms", "us", "ns"}, units); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"monotonic", "bounded", "punctuated"}, watermarks); diff != "" {
		t.Errorf("watermarks (-want +got):\n%s", diff)
	}
	wantWriters := []string{"key", "broadcast", "rebalance", "rescale", "shuffle", "global", "forward", "load", "custom"}
	wantHashes := []string{"xxh3", "flink", "kafka"}
	wantKinds := []string{"bool", "i8", "i16", "i32", "i64", "int", "u8", "u16", "u32", "u64", "uint", "uintptr",
		"f32", "f64", "c64", "c128", "string", "bytes", "time", "*", "[]", "[N]", "map", "struct", "union", "codec"}
	if diff := cmp.Diff(wantWriters, writers); diff != "" {
		t.Errorf("writers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantHashes, hashes); diff != "" {
		t.Errorf("hashes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantKinds, kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
}
