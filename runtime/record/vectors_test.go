package record

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// vector is a value and its bytes, fixed for all time: a vector is never changed or removed.
type vector struct {
	name string
	hex  string // blanks between the parts
	run  func(t *testing.T, want []byte)
	show func() (schema, value string, err error)
}

// vec makes a vector of the value v and the bytes in hexadecimal.
func vec[T any](name string, v T, hex string, opts ...ReflectOption) vector {
	return vector{name, hex, func(t *testing.T, want []byte) {
		for _, portable := range []bool{false, true} {
			checkVector(t, portable, &v, want, opts...)
		}
	}, func() (string, string, error) {
		s, err := Reflect[T](opts...)
		if err != nil {
			return "", "", err
		}
		return s.Schema().Text, literal(reflect.ValueOf(&v).Elem()), nil
	}}
}

func checkVector[T any](t *testing.T, portable bool, v *T, want []byte, opts ...ReflectOption) {
	t.Helper()
	s, err := reflectSerializer[T](portable, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Size(v); got != len(want) {
		t.Errorf("Size = %d, want %d", got, len(want))
	}
	got, err := s.Append([]byte("x"), v)
	if err != nil || string(got[:1]) != "x" || !bytes.Equal(got[1:], want) {
		t.Errorf("Append = %x, %v, want %x", got[1:], err, want)
	}
	// Bytes behind the destination stay as they are, also if the value does not fit.
	for n := 0; n <= len(want); n++ {
		dst := bytes.Repeat([]byte{0xee}, len(want)+8)
		m, err := s.Put(dst[:n:len(dst)], v)
		switch {
		case n < len(want) && (err != wire.ErrShort || m != 0):
			t.Errorf("Put into %d of %d bytes = %d, %v", n, len(want), m, err)
		case n == len(want) && (err != nil || m != n || !bytes.Equal(dst[:n], want)):
			t.Errorf("Put = %x, %v, want %x", dst[:m], err, want)
		}
		if !bytes.Equal(dst[n:], bytes.Repeat([]byte{0xee}, len(dst)-n)) {
			t.Errorf("Put into %d bytes wrote beyond: % x", n, dst)
		}
	}
	var back T
	n, err := s.Consume(append(bytes.Clone(want), 0xff), &back)
	if err != nil || n != len(want) || !same(v, &back) {
		t.Errorf("Consume = %d, %v, %+v, want %+v", n, err, back, *v)
	}
	for n := range want {
		var part T
		if m, err := s.Consume(want[:n:n], &part); m != 0 || !errors.Is(err, wire.ErrTruncated) {
			t.Errorf("Consume of %d of %d bytes = %d, %v, want 0, %v", n, len(want), m, err, wire.ErrTruncated)
		}
	}
}

type (
	myBool    bool
	myInt     int32
	myByte    uint8
	myString  string
	myBytes   []byte
	myPointer *int16
	myTime    struct{ At time.Time }
	Base      struct{ ID uint16 }
	node      struct {
		V    int8
		Next *node
	}
)

// one is a record of one field.
type one[T any] struct{ V T }

func field[T any](name string, v T, hex string) vector { return vec(name, one[T]{v}, hex) }

func ref[T any](v T) *T { return &v }

// vectors has at least one vector for each row of section 3 of FORMAT.md, and for each rule of section 2.
var vectors = []vector{
	// bool outside a struct field
	field("bool element", [2]bool{true, false}, "01 00"),
	field("bool in slice", []myBool{true}, "02 01"),
	// integers
	field("int8", int8(-2), "fe"),
	field("uint8", uint8(200), "c8"),
	field("int16", int16(-2), "feff"),
	field("uint16", uint16(0x1234), "3412"),
	field("int32", int32(math.MinInt32), "00000080"),
	field("uint32", uint32(0x12345678), "78563412"),
	field("rune", 'é', "e9000000"),
	field("int64", int64(-2), "feffffffffffffff"),
	field("uint64", uint64(0x0123456789abcdef), "efcdab8967452301"),
	field("int", int(-2), "feffffffffffffff"),
	field("uint", uint(0x12345678), "7856341200000000"),
	field("uintptr", uintptr(1), "0100000000000000"),
	// varint
	vec("varint int16", struct {
		V int16 `rw:"varint"`
	}{-300}, "d704"),
	vec("varint int32", struct {
		V int32 `rw:"varint"`
	}{math.MinInt32}, "ffffffff0f"),
	vec("varint int64 least", struct {
		V int64 `rw:"varint"`
	}{math.MinInt64}, "ffffffffffffffffff01"),
	vec("varint int64 greatest", struct {
		V int64 `rw:"varint"`
	}{math.MaxInt64}, "feffffffffffffffff01"),
	vec("varint int", struct {
		V int `rw:"varint"`
	}{-1}, "01"),
	vec("varint uint16", struct {
		V uint16 `rw:"varint"`
	}{300}, "ac02"),
	vec("varint uint32", struct {
		V uint32 `rw:"varint"`
	}{127}, "7f"),
	vec("varint uint64", struct {
		V uint64 `rw:"varint"`
	}{math.MaxUint64}, "ffffffffffffffffff01"),
	vec("varint uint", struct {
		V uint `rw:"varint"`
	}{128}, "8001"),
	vec("varint uintptr", struct {
		V uintptr `rw:"varint"`
	}{0}, "00"),
	// floats, bit by bit
	field("float32", float32(1.5), "0000c03f"),
	field("float32 −0", float32(math.Copysign(0, -1)), "00000080"),
	field("float32 NaN with payload", math.Float32frombits(0xffc12345), "4523c1ff"),
	field("float64", 1.5, "000000000000f83f"),
	field("float64 −0", math.Copysign(0, -1), "0000000000000080"),
	field("float64 signalling NaN", math.Float64frombits(0x7ff0000000000001), "010000000000f07f"),
	field("float64 +Inf", math.Inf(1), "000000000000f07f"),
	field("complex64", complex64(complex(1, -2)), "0000803f 000000c0"),
	field("complex128", complex(1, -2), "000000000000f03f 00000000000000c0"),
	// strings
	field("string empty", "", "00"),
	field("string", "aé", "03 61c3a9"),
	field("string not UTF-8", "\xff\x00", "02 ff00"),
	field("string of 128", strings.Repeat("a", 128), "8001"+strings.Repeat("61", 128)),
	// []byte
	field("bytes nil", []byte(nil), "00"),
	field("bytes empty", []byte{}, "01"),
	field("bytes", []byte{1, 2}, "03 0102"),
	field("bytes of a named type", []myByte{7}, "02 07"),
	field("bytes of 127", bytes.Repeat([]byte{9}, 127), "8001"+strings.Repeat("09", 127)),
	// slices
	field("slice nil", []int32(nil), "00"),
	field("slice empty", []int32{}, "01"),
	field("slice", []int32{1, -1}, "03 01000000 ffffffff"),
	field("slice of int8", []int8{-1}, "02 ff"),
	field("slice of strings", []string{"", "b"}, "03 00 0162"),
	field("slice of slices", [][]uint16{nil, {}, {1}}, "04 00 01 02 0100"),
	field("slice of bytes", [][]byte{nil, {}, {1}}, "04 00 01 02 01"),
	field("slice of structs", []struct {
		A bool
		B uint8
	}{{true, 1}, {false, 2}}, "03 01 01 00 02"),
	field("slice of nothing", make([]struct{}, 200), "c901"),
	// arrays
	field("array", [3]uint16{1, 2, 3}, "0100 0200 0300"),
	field("array of bytes", [4]byte{1, 2, 3, 4}, "01020304"),
	field("array of strings", [2]string{"a", ""}, "0161 00"),
	field("array of arrays", [2][2]int16{{1, 2}, {3, 4}}, "0100 0200 0300 0400"),
	field("array of no strings", [0]string{}, ""),
	// maps
	field("map nil", map[string]int8(nil), "00"),
	field("map empty", map[string]int8{}, "01"),
	field("map", map[string]int8{"a": 1}, "02 0161 01"),
	field("map of slices by array", map[[2]bool][]string{{true, false}: {"x"}}, "02 0100 02 0178"),
	field("map by struct", map[Base]struct{}{{7}: {}}, "02 0700"),
	field("map of times", map[bool]time.Time{true: time.Unix(1, 2).UTC()}, "02 01 0100000000000000 02000000"),
	// pointers outside struct fields
	field("slice of pointers", []*uint8{nil, ref[uint8](5)}, "03 00 01 05"),
	field("array of pointers", [2]*bool{ref(true), nil}, "01 01 00"),
	field("pointer to pointer nil", (**uint8)(nil), "00"),
	field("pointer to nil pointer", ref[*uint8](nil), "01 00"),
	field("pointer to pointer", ref(ref[uint8](5)), "01 01 05"),
	// times
	field("time zero", time.Time{}, "00096e88f1ffffff 00000000"),
	field("time epoch", time.Unix(0, 0).UTC(), "0000000000000000 00000000"),
	field("time", time.Date(2024, 2, 29, 12, 30, 15, 999999999, time.UTC), "d778e06500000000 ffc99a3b"),
	field("time before 1970", time.Unix(-1, 1).UTC(), "ffffffffffffffff 01000000"),
	field("time far off", time.Unix(math.MaxInt64, 0).UTC(), "ffffffffffffff7f 00000000"),
	field("duration", -time.Nanosecond, "ffffffffffffffff"),
	vec("varint duration", struct {
		V time.Duration `rw:"varint"`
	}{time.Nanosecond}, "02"),
	// named types
	field("named int", myInt(3), "03000000"),
	field("named string", myString("a"), "0161"),
	field("named bytes", myBytes{1}, "02 01"),
	field("named bool", myBool(true), "01"),
	field("named pointer", myPointer(ref[int16](1)), "01 0100"),
	field("struct with a time", myTime{time.Unix(1, 0).UTC()}, "0100000000000000 00000000"),
	// nothing
	field("empty struct", struct{}{}, ""),
	field("empty array", [0]int64{}, ""),
	vec("no fields", struct{}{}, ""),

	// section 2: presence bits
	vec("bools", struct{ A, B, C, D, E, F, G, H, I bool }{A: true, H: true, I: true}, "8101"),
	vec("bools and pointers in order", struct {
		A *int8
		B uint8
		C bool
		D *int8
		E bool
	}{ref[int8](1), 2, false, ref[int8](3), true}, "0d 01 02 03"),
	vec("absent pointers", struct {
		A, B *string
		C    *node
	}{}, "00"),
	vec("named bool and pointer fields have bits", struct {
		A myBool
		B myPointer
	}{true, ref[int16](-1)}, "03 ffff"),
	vec("pointer to bool", struct{ A *bool }{ref(true)}, "01 01"),
	vec("nested struct has bits of its own", struct {
		A bool
		B struct{ C, D bool }
		E uint8
	}{true, struct{ C, D bool }{false, true}, 9}, "01 02 09"),
	vec("nine pointers", struct{ A, B, C, D, E, F, G, H, I *struct{} }{I: &struct{}{}}, "0001"),
	vec("embedded", struct {
		Base
		X uint8
	}{Base{1}, 2}, "0100 02"),
	vec("embedded pointer", struct {
		*Base
		X uint8
	}{&Base{1}, 2}, "01 0100 02"),
	vec("tagged out and blank", struct {
		A uint8
		_ uint64
		B chan int `rw:"-"`
		C uint16   `json:"c" rw:"varint" xml:"c"`
	}{A: 1, C: 2}, "01 02"),
	vec("recursive", node{1, &node{2, nil}}, "01 01 00 02"),
	vec("unexported", struct {
		a uint8
		b string
		c *bool
	}{1, "b", ref(false)}, "01 01 0162 00"),
}

func TestVectors(t *testing.T) { checkVectors(t, vectors) }

func checkVectors(t *testing.T, vectors []vector) {
	seen := map[string]bool{}
	for _, v := range vectors {
		if seen[v.name] {
			t.Errorf("two vectors named %q", v.name)
		}
		seen[v.name] = true
		want, err := hex.DecodeString(strings.ReplaceAll(v.hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(v.name, func(t *testing.T) { v.run(t, want) })
	}
}
