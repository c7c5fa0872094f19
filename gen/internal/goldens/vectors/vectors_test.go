package vectors

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// file returns the bytes of all values in the file of vectors, by name.
func file(t *testing.T) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "runtime", "wire", "testdata", "vectors.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]byte{}
	for line := range strings.Lines(string(text)) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if columns[0] != "value" {
			continue
		}
		if list[columns[1]], err = hex.DecodeString(columns[3]); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// vector is a value of one field of Values.
type vector struct {
	name string
	set  func(v *Values)
}

func ref[T any](v T) *T { return &v }

// fields has the vectors of each field of Values, in their order. Where there are several, each record has another one.
var fields = [][]vector{
	{{"bool element", func(v *Values) { v.Flags = [2]bool{true, false} }}},
	{{"int8", func(v *Values) { v.Int8 = -2 }}},
	{{"uint8", func(v *Values) { v.Uint8 = 200 }}},
	{{"int16", func(v *Values) { v.Int16 = -2 }}},
	{{"uint16", func(v *Values) { v.Uint16 = 0x1234 }}},
	{{"int32", func(v *Values) { v.Int32 = math.MinInt32 }}, {"rune", func(v *Values) { v.Int32 = 'é' }}, {"named int", func(v *Values) { v.Int32 = 3 }}},
	{{"uint32", func(v *Values) { v.Uint32 = 0x12345678 }}},
	{{"int64", func(v *Values) { v.Int64 = -2 }}},
	{{"uint64", func(v *Values) { v.Uint64 = 0x0123456789abcdef }}},
	{{"int", func(v *Values) { v.Int = -2 }}},
	{{"uint", func(v *Values) { v.Uint = 0x12345678 }}},
	{{"uintptr", func(v *Values) { v.Uintptr = 1 }}},
	{{"varint int16", func(v *Values) { v.VInt16 = -300 }}},
	{{"varint int32", func(v *Values) { v.VInt32 = math.MinInt32 }}},
	{{"varint int64 least", func(v *Values) { v.VInt64 = math.MinInt64 }}, {"varint int64 greatest", func(v *Values) { v.VInt64 = math.MaxInt64 }}},
	{{"varint int", func(v *Values) { v.VInt = -1 }}},
	{{"varint uint16", func(v *Values) { v.VUint16 = 300 }}},
	{{"varint uint32", func(v *Values) { v.VUint32 = 127 }}},
	{{"varint uint64", func(v *Values) { v.VUint64 = math.MaxUint64 }}},
	{{"varint uint", func(v *Values) { v.VUint = 128 }}},
	{{"varint uintptr", func(v *Values) { v.VUintptr = 0 }}},
	{{"varint duration", func(v *Values) { v.VDuration = 1 }}},
	{
		{"float32", func(v *Values) { v.Float32 = 1.5 }},
		{"float32 −0", func(v *Values) { v.Float32 = float32(math.Copysign(0, -1)) }},
		{"float32 NaN with payload", func(v *Values) { v.Float32 = math.Float32frombits(0xffc12345) }},
	},
	{
		{"float64", func(v *Values) { v.Float64 = 1.5 }},
		{"float64 −0", func(v *Values) { v.Float64 = math.Copysign(0, -1) }},
		{"float64 +Inf", func(v *Values) { v.Float64 = math.Inf(1) }},
	},
	{{"complex64", func(v *Values) { v.Complex64 = complex(1, -2) }}},
	{{"complex128", func(v *Values) { v.Complex128 = complex(1, -2) }}},
	{
		{"string empty", func(v *Values) { v.String = "" }},
		{"string", func(v *Values) { v.String = "aé" }},
		{"string not UTF-8", func(v *Values) { v.String = "\xff\x00" }},
		{"string of 128", func(v *Values) { v.String = strings.Repeat("a", 128) }},
	},
	{
		{"bytes nil", func(v *Values) { v.Bytes = nil }},
		{"bytes empty", func(v *Values) { v.Bytes = []byte{} }},
		{"bytes", func(v *Values) { v.Bytes = []byte{1, 2} }},
		{"bytes of 127", func(v *Values) { v.Bytes = bytes.Repeat([]byte{9}, 127) }},
	},
	{
		{"slice nil", func(v *Values) { v.Ints = nil }},
		{"slice empty", func(v *Values) { v.Ints = []int32{} }},
		{"slice", func(v *Values) { v.Ints = []int32{1, -1} }},
	},
	{{"slice of int8", func(v *Values) { v.Int8s = []int8{-1} }}},
	{{"slice of strings", func(v *Values) { v.Strings = []string{"", "b"} }}},
	{{"slice of slices", func(v *Values) { v.Slices = [][]uint16{nil, {}, {1}} }}},
	{{"slice of bytes", func(v *Values) { v.BytesList = [][]byte{nil, {}, {1}} }}},
	{{"slice of structs", func(v *Values) {
		v.Structs = append(v.Structs, struct {
			A bool
			B uint8
		}{true, 1}, struct {
			A bool
			B uint8
		}{false, 2})
	}}},
	{{"slice of nothing", func(v *Values) { v.Nothings = make([]struct{}, 200) }}},
	{{"array", func(v *Values) { v.Array = [3]uint16{1, 2, 3} }}},
	{{"array of bytes", func(v *Values) { v.Octets = [4]byte{1, 2, 3, 4} }}},
	{{"array of strings", func(v *Values) { v.Texts = [2]string{"a", ""} }}},
	{{"array of arrays", func(v *Values) { v.Arrays = [2][2]int16{{1, 2}, {3, 4}} }}},
	{
		{"map nil", func(v *Values) { v.Map = nil }},
		{"map empty", func(v *Values) { v.Map = map[string]int8{} }},
		{"map", func(v *Values) { v.Map = map[string]int8{"a": 1} }},
	},
	{{"map of slices by array", func(v *Values) { v.ByArray = map[[2]bool][]string{{true, false}: {"x"}} }}},
	{{"map by struct", func(v *Values) { v.ByStruct = map[Base]struct{}{{7}: {}} }}},
	{{"map of times", func(v *Values) { v.Times = map[bool]time.Time{true: time.Unix(1, 2).UTC()} }}},
	{{"slice of pointers", func(v *Values) { v.Pointers = []*uint8{nil, ref[uint8](5)} }}},
	{{"array of pointers", func(v *Values) { v.Bools = [2]*bool{ref(true), nil} }}},
	{
		{"time zero", func(v *Values) { v.Time = time.Time{} }},
		{"time epoch", func(v *Values) { v.Time = time.Unix(0, 0).UTC() }},
		{"time", func(v *Values) { v.Time = time.Date(2024, 2, 29, 12, 30, 15, 999999999, time.UTC) }},
		{"time before 1970", func(v *Values) { v.Time = time.Unix(-1, 1).UTC() }},
	},
	{{"duration", func(v *Values) { v.Duration = -time.Nanosecond }}},
	{{"empty struct", func(*Values) {}}},
	{{"map by struct key", func(v *Values) { v.Base = Base{7} }}},
	{
		{"tag: unixnano zero", func(v *Values) { v.Nano = time.Time{} }},
		{"tag: unixnano", func(v *Values) { v.Nano = time.Unix(1, 2).UTC() }},
	},
	{{"tag: max string", func(v *Values) { v.Max = "abc" }}},
	{
		{"tag: max nil bytes", func(v *Values) { v.MaxBytes = nil }},
		{"tag: max empty bytes", func(v *Values) { v.MaxBytes = []byte{} }},
		{"tag: max bytes", func(v *Values) { v.MaxBytes = []byte("abc") }},
	},
	{{"tag: max map", func(v *Values) { v.MaxMap = map[int8]int8{1: 2} }}},
	{{"tag: utf8", func(v *Values) { v.UTF8 = "é" }}},
	{{"tag: sorted int8", func(v *Values) { v.ByInt8 = map[int8]int8{3: 1, -2: 2, 0: 3} }}},
	{{"tag: sorted int64", func(v *Values) { v.ByInt64 = map[int64]int8{math.MaxInt64: 1, math.MinInt64: 2} }}},
	{{"tag: sorted uint16", func(v *Values) { v.ByUint16 = map[uint16]int8{0x8000: 1, 256: 2, 1: 3} }}},
	{{"tag: sorted bool", func(v *Values) { v.ByBool = map[bool]int8{true: 1, false: 2} }}},
	{
		{"tag: sorted nil", func(v *Values) { v.ByString = nil }},
		{"tag: sorted empty", func(v *Values) { v.ByString = map[string]int8{} }},
		{"tag: sorted string", func(v *Values) { v.ByString = map[string]int8{"b": 1, "a": 2, "": 3, "ab": 4} }},
	},
	{{"string", func(v *Values) { v.Viewed = "aé" }}},
	{{"string", func(v *Values) { v.Interned = "aé" }}},
	{{"tag: fixed", func(v *Values) { v.Fixed = 1 }}},
	{
		{"union: nil", func(v *Values) { v.Union = nil }},
		{"union: struct", func(v *Values) { v.Union = Circle{1} }},
		{"union: pointer", func(v *Values) { v.Union = &Square{-2} }},
		{"union: number", func(v *Values) { v.Union = Kelvin(1) }},
		{"union: nested", func(v *Values) { v.Union = &Group{[]Shape{Circle{1}, nil, &Group{}}} }},
		{"union: of no bytes", func(v *Values) { v.Union = Point{} }},
	},
	{{"union: slice", func(v *Values) { v.Unions = []Shape{nil, Point{}} }}},
	{{"union: map", func(v *Values) { v.ByKey = map[int8]Shape{1: Point{}} }}},
	{{"union: array of them", func(v *Values) { v.Both = [2]Shape{Point{}, nil} }}},
	{
		{"own: netip.Addr zero", func(v *Values) { v.Addr = netip.Addr{} }},
		{"own: netip.Addr", func(v *Values) { v.Addr = netip.MustParseAddr("1.2.3.4") }},
	},
	{{"own: netip.Prefix", func(v *Values) { v.Prefix = netip.MustParsePrefix("1.2.3.0/24") }}},
}

// The bytes of Values are those of its fields, which are in the file.
func TestFields(t *testing.T) {
	known := file(t)
	known["map by struct key"] = known["map by struct"][1:]
	rounds := 0
	for _, list := range fields {
		rounds = max(rounds, len(list))
	}
	for i := range rounds {
		var v Values
		var want []byte
		for _, list := range fields {
			vector := list[min(i, len(list)-1)]
			b, ok := known[vector.name]
			if !ok {
				t.Fatalf("the file has no value %q", vector.name)
			}
			vector.set(&v)
			want = append(want, b...)
		}
		same(t, ValuesSerializer{}, &v, want)
	}
}

// The records with presence bits have vectors of their own.
func TestRecords(t *testing.T) {
	known := file(t)
	is(t, known, "bools", BitsSerializer{}, &Bits{A: true, H: true, I: true})
	is(t, known, "bools and pointers in order", MixedSerializer{}, &Mixed{ref[int8](1), 2, false, ref[int8](3), true})
	is(t, known, "nested struct has bits of its own", NestedSerializer{}, &Nested{true, struct{ C, D bool }{false, true}, 9})
	is(t, known, "named bool and pointer fields have bits", NamedSerializer{}, &Named{true, ref[int16](-1)})
	is(t, known, "pointer to bool", BoolSerializer{}, &Bool{ref(true)})
	is(t, known, "pointer to pointer nil", TwiceSerializer{}, &Twice{})
	is(t, known, "pointer to nil pointer", TwiceSerializer{}, &Twice{ref[*uint8](nil)})
	is(t, known, "pointer to pointer", TwiceSerializer{}, &Twice{ref(ref[uint8](5))})
	is(t, known, "own: big.Int", IntSerializer{}, &Int{big.NewInt(-42)})
	is(t, known, "embedded pointer", EmbeddedSerializer{}, &Embedded{&Base{1}, 2})
	is(t, known, "union: between others", BetweenSerializer{}, &Between{true, Circle{1}, 9})
	is(t, known, "union: pointer to one", SomeSerializer{}, &Some{ref[Shape](Point{})})
	is(t, known, "union: pointer to nil", SomeSerializer{}, &Some{ref[Shape](nil)})
	is(t, known, "tag: unixnano between others", StampedSerializer{}, &Stamped{1, time.Unix(0, -1), true})
	is(t, known, "unexported", HiddenSerializer{}, &Hidden{1, "b", ref(false)})
	is(t, known, "recursive", NodeSerializer{}, &Node{1, &Node{2, nil}})
	is(t, known, "tagged out and blank", SkipsSerializer{}, &Skips{A: 1, C: 2})
	is(t, known, "nine pointers", NineSerializer{}, &Nine{I: &struct{}{}})
}

func is[T any](t *testing.T, known map[string][]byte, name string, ser record.Serializer[T], v *T) {
	t.Helper()
	want, ok := known[name]
	if !ok {
		t.Fatalf("the file has no value %q", name)
	}
	same(t, ser, v, want)
}

// same tests that a value has these bytes, and the bytes, cut nowhere, are it.
func same[T any](t *testing.T, ser record.Serializer[T], v *T, want []byte) {
	t.Helper()
	b, err := ser.Append(nil, v)
	if err != nil || !bytes.Equal(b, want) || ser.Size(v) != len(want) {
		t.Fatalf("%+v: %v\nwrote %x\nwant  %x", *v, err, b, want)
	}
	var back T
	n, err := ser.Consume(want, &back)
	if err != nil || n != len(want) {
		t.Fatalf("reading %x: %d, %v", want, n, err)
	}
	if again, err := ser.Append(nil, &back); err != nil || !bytes.Equal(again, want) {
		t.Errorf("%+v comes back as %+v, %v", *v, back, err)
	}
	for n := range want {
		if _, err := ser.Consume(want[:n], new(T)); !errors.Is(err, wire.ErrTruncated) {
			t.Errorf("%d of %d bytes: %v", n, len(want), err)
		}
	}
}
