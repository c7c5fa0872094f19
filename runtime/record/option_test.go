package record

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/rwgen/rwgen/runtime/wire"
)

type (
	nanos struct {
		V time.Time `rw:"unixnano"`
	}
	shortString struct {
		V string `rw:"max=3"`
	}
	shortBytes struct {
		V []byte `rw:"max=3"`
	}
	shortSlice struct {
		V [][1 << 10]byte `rw:"max=3"`
	}
	shortMap struct {
		V map[int8]int8 `rw:"max=3"`
	}
	valid struct {
		V string `rw:"utf8"`
	}
	sortedMap[K comparable] struct {
		V map[K]int8 `rw:"sorted"`
	}
	shared struct {
		S string `rw:"view"`
		B []byte `rw:"view"`
		U string `rw:"view,utf8,max=4"`
	}
	airports struct {
		Origin string `rw:"intern"`
		Dest   string `rw:"intern,max=5"`
		Legs   []struct {
			At string `rw:"intern"`
		}
	}
	sortedShapes struct {
		V map[string]shape `rw:"sorted,max=3"`
	}
)

// optionVectors has vectors for each tag.
var optionVectors = []vector{
	vec("unixnano", nanos{time.Unix(1, 2)}, "02ca9a3b00000000"),
	vec("unixnano zero", nanos{}, "0000000000000080"),
	vec("unixnano between others", struct {
		A uint8
		T time.Time `rw:"unixnano"`
		B bool
	}{1, time.Unix(0, -1), true}, "01 01 ffffffffffffffff"),
	vec("max string", shortString{"abc"}, "03 616263"),
	vec("max bytes", shortBytes{[]byte("abc")}, "04 616263"),
	vec("max nil bytes", shortBytes{}, "00"),
	vec("max empty bytes", shortBytes{[]byte{}}, "01"),
	vec("max map", shortMap{map[int8]int8{1: 2}}, "02 01 02"),
	vec("max nil slice", shortSlice{}, "00"),
	vec("utf8", valid{"é"}, "02 c3a9"),
	vec("sorted int8", sortedMap[int8]{map[int8]int8{3: 1, -2: 2, 0: 3}}, "04 fe02 0003 0301"),
	vec("sorted int64", sortedMap[int64]{map[int64]int8{math.MaxInt64: 1, math.MinInt64: 2}}, "03 0000000000000080 02 ffffffffffffff7f 01"),
	vec("sorted uint16", sortedMap[uint16]{map[uint16]int8{0x8000: 1, 256: 2, 1: 3}}, "04 010003 000102 008001"),
	vec("sorted named", sortedMap[myByte]{map[myByte]int8{200: 1, 100: 2}}, "03 6402 c801"),
	vec("sorted bool", sortedMap[bool]{map[bool]int8{true: 1, false: 2}}, "03 0002 0101"),
	vec("sorted string", sortedMap[myString]{map[myString]int8{"b": 1, "a": 2, "": 3, "ab": 4}}, "05 0003 016102 02616204 016201"),
	vec("sorted nil", sortedMap[string]{}, "00"),
	vec("sorted empty", sortedMap[string]{map[string]int8{}}, "01"),
	vec("sorted unions", sortedShapes{map[string]shape{"b": point3{}, "a": nil}}, "03 016100 016205", shapes()),
	vec("view", shared{"a", []byte("b"), "c"}, "0161 0262 0163"),
	vec("view nil and empty", struct {
		A []byte `rw:"view"`
		B []byte `rw:"view"`
	}{nil, []byte{}}, "00 01"),
	vec("intern", airports{"ORD", "JFK", nil}, "03 4f5244 03 4a464b 00"),
	vec("fixed", struct {
		V int16 `rw:"fixed"`
	}{1}, "0100"),
}

func TestOptionVectors(t *testing.T) { checkVectors(t, optionVectors) }

var optionRefusals = []refusal{
	refuse[nanos]("unixnano cut", "00000000000000", wire.ErrTruncated, "V", 0),
	refuse[shortString]("max string", "04 61626364", wire.ErrLimit, "V", 0),
	refuse[shortString]("max string, huge", "ffffffffffffffffff01", wire.ErrLimit, "V", 0),
	refuse[shortString]("max string, length too long", "8400 61", wire.ErrCorrupt, "V", 0),
	refuse[shortString]("max string cut", "03 6161", wire.ErrTruncated, "V", 0),
	refuse[shortBytes]("max bytes", "05 61626364", wire.ErrLimit, "V", 0),
	refuse[shortSlice]("max slice", "05"+strings.Repeat("00", 5<<10), wire.ErrLimit, "V", 0),
	refuse[shortMap]("max map", "05 0101 0201 0301 0401", wire.ErrLimit, "V", 0),
	refuse[valid]("utf8", "02 c361", wire.ErrUTF8, "V", 0),
	refuse[shared]("utf8 of a view", "00 00 01ff", wire.ErrUTF8, "U", 2),
	refuse[shared]("max of a view", "00 00 05 6161616161", wire.ErrLimit, "U", 2),
	refuse[shared]("view cut", "03 6161", wire.ErrTruncated, "S", 0),
	refuse[shared]("view of bytes cut", "00 03 61", wire.ErrTruncated, "B", 1),
	refuse[airports]("intern cut", "02 61", wire.ErrTruncated, "Origin", 0),
	refuse[airports]("max of intern", "00 06 616161616161", wire.ErrLimit, "Dest", 1),
	refuse[sortedMap[int8]]("sorted, key twice", "03 0101 0101", wire.ErrCorrupt, "V[1]", 3),
}

func TestOptionRefusals(t *testing.T) {
	checkRefusals(t, optionRefusals)
}

// TestMaxBeforeMemory checks that a length above the limit takes no memory.
func TestMaxBeforeMemory(t *testing.T) {
	s, err := Reflect[shortSlice]()
	if err != nil {
		t.Fatal(err)
	}
	src := append(wire.AppendUvarint(nil, 1001), make([]byte, 1000<<10)...)
	var v shortSlice
	if took := memoryTaken(func() { _, err = s.Consume(src, &v) }); took > 100<<10 || !errors.Is(err, wire.ErrLimit) {
		t.Errorf("%d bytes, %v", took, err)
	}
}

// TestSortedReadsAnyOrder checks that readers do not ask for the order.
func TestSortedReadsAnyOrder(t *testing.T) {
	s, err := Reflect[sortedMap[int8]]()
	if err != nil {
		t.Fatal(err)
	}
	var v sortedMap[int8]
	if _, err := s.Consume([]byte{3, 2, 0, 1, 0}, &v); err != nil || len(v.V) != 2 {
		t.Errorf("%v, %v", err, v)
	}
}

func TestOptionWriteErrors(t *testing.T) {
	for name, tc := range map[string]struct{ got, want error }{
		"unixnano":   {appendError(nanos{time.Unix(1<<40, 0)}), wire.ErrRange},
		"max string": {appendError(shortString{"abcd"}), wire.ErrLimit},
		"max bytes":  {appendError(shortBytes{make([]byte, 4)}), wire.ErrLimit},
		"max slice":  {appendError(shortSlice{make([][1 << 10]byte, 4)}), wire.ErrLimit},
		"max map":    {appendError(shortMap{map[int8]int8{1: 1, 2: 2, 3: 3, 4: 4}}), wire.ErrLimit},
		"utf8":       {appendError(valid{"\xff"}), wire.ErrUTF8},
	} {
		var e *wire.Error
		if !errors.Is(tc.got, tc.want) || !errors.As(tc.got, &e) || e.Path != "V" || e.Offset != 0 {
			t.Errorf("%s: %v, want %v", name, tc.got, tc.want)
		}
	}
}

func appendError[T any](v T) error {
	s, err := Reflect[T]()
	if err == nil {
		_, err = s.Append(nil, &v)
	}
	return err
}

func TestView(t *testing.T) {
	s, err := Reflect[shared]()
	if err != nil {
		t.Fatal(err)
	}
	src := []byte("\x02ab\x03cd\x02é")
	var v shared
	if n, err := s.Consume(src, &v); err != nil || n != len(src) || v.S != "ab" || string(v.B) != "cd" || v.U != "é" {
		t.Fatalf("%d, %v, %+v", n, err, v)
	}
	if &v.B[0] != &src[4] || cap(v.B) != 2 {
		t.Errorf("bytes are a copy, or have a capacity of %d", cap(v.B))
	}
	if got, want := unsafe.StringData(v.S) == &src[1], unsafe.StringData(wire.ViewString(src)) == &src[0]; got != want {
		t.Errorf("string shares memory: %v, want %v", got, want)
	}
	if n := testing.AllocsPerRun(100, func() { s.Consume(src, &v) }); n != 0 && unsafe.StringData(wire.ViewString(src)) == &src[0] {
		t.Errorf("%v allocations", n)
	}
	// What was viewed before is not written to.
	other := bytes.Clone(src)
	other[1] = 'x'
	if _, err := s.Consume(other, &v); err != nil || src[1] != 'a' || v.S != "xb" {
		t.Errorf("%v, %q, %+v", err, src, v)
	}
}

func TestIntern(t *testing.T) {
	s, err := Reflect[airports]()
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.Append(nil, &airports{"ORD", "ORD", []struct {
		At string `rw:"intern"`
	}{{"ORD"}, {"JFK"}}})
	if err != nil {
		t.Fatal(err)
	}
	limits := Limits{}.WithInterner(wire.NewInterner(1 << 16))
	if limits.WithDefaults().Interner() != limits.Interner() {
		t.Error("WithDefaults loses the interner")
	}
	var v, w, x airports
	for _, into := range []*airports{&v, &w} {
		if _, err := s.ConsumeLimits(data, into, limits); err != nil {
			t.Fatal(err)
		}
	}
	where := unsafe.StringData(v.Origin)
	for _, s := range []string{v.Dest, v.Legs[0].At, w.Origin, w.Dest, w.Legs[0].At} {
		if s != "ORD" || unsafe.StringData(s) != where {
			t.Errorf("%q is another string", s)
		}
	}
	// Without an interner, the string that is there is kept.
	for range 2 {
		if _, err := s.Consume(data, &x); err != nil {
			t.Fatal(err)
		}
		if w.Origin = x.Origin; unsafe.StringData(x.Origin) == where {
			t.Error("an interner where there is none")
		}
	}
	before := unsafe.StringData(x.Origin)
	if _, err := s.Consume(data, &x); err != nil || unsafe.StringData(x.Origin) != before {
		t.Errorf("%v, or a copy of an equal string", err)
	}
}

func TestNamesAndAliases(t *testing.T) {
	type renamed struct {
		A     int8 `rw:"name=first,alias=x|y"`
		B     int8 `rw:"default=5"`
		first int8 `rw:"name=third"`
	}
	s, err := Reflect[renamed]()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Schema().Text, "rwgen/1 renamed{first i8,B i8,third i8}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if data, err := s.Append(nil, &renamed{1, 2, 3}); err != nil || !bytes.Equal(data, []byte{1, 2, 3}) {
		t.Errorf("%x, %v", data, err)
	}
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"names": {reflectError[struct {
			A int8
			B int8 `rw:"name=A"`
		}](), ".B: int8 name A is taken by field A"},
		"alias and name": {reflectError[struct {
			A int8 `rw:"alias=B"`
			B int8
		}](), ".A: int8 alias B is taken by field B"},
		"default": {reflectError[struct {
			A int8 `rw:"default=128"`
		}](), `.A: int8 default "128" is no value`},
		"element": {reflectError[struct {
			A []string `rw:"utf8"`
		}](), `.A: []string rw:"utf8" is for strings`},
	} {
		if tc.err == nil || !strings.Contains(tc.err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", name, tc.err, tc.want)
		}
	}
}

// TestLeastSizeThroughRecursion checks that a struct that is planned inside its own slice knows what it takes at least.
func TestLeastSizeThroughRecursion(t *testing.T) {
	for name, least := range map[string]int{
		"through a slice": planOf[one[[]sliceNode]](t).codec.(*structCodec).parts[0].codec.(*sliceCodec).elem.min,
		"through a map":   planOf[one[map[int8]mapNode]](t).codec.(*structCodec).parts[0].codec.(*mapCodec).elem.min,
	} {
		if least != 1 {
			t.Errorf("%s: %d bytes", name, least)
		}
	}
}

type (
	sliceNode struct{ Kids []sliceNode }
	mapNode   struct{ Kids map[int8]mapNode }
)
