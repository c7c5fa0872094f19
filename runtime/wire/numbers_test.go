package wire_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

type (
	tiny    int8
	small   uint16
	celsius float32
	count   uint
)

// numbers checks that put and get are the inverse of each other, and both as encoding/binary has it, at every length and at every alignment.
func numbers[E comparable](t *testing.T, values []E, wireValue func(E) any, put func([]byte, []E), get func([]E, []byte)) {
	t.Helper()
	for n := range len(values) + 1 {
		s := values[:n:n]
		var want []byte
		for _, x := range s {
			var err error
			if want, err = binary.Append(want, binary.LittleEndian, wireValue(x)); err != nil {
				t.Fatal(err)
			}
		}
		for shift := range 8 {
			dst := bytes.Repeat([]byte{0xee}, shift+len(want)+9)
			put(dst[shift:], s)
			rest := append(bytes.Clone(dst[:shift]), dst[shift+len(want):]...)
			if !bytes.Equal(dst[shift:shift+len(want)], want) || !bytes.Equal(rest, bytes.Repeat([]byte{0xee}, len(rest))) {
				t.Fatalf("%T: %v is %x, want %x", s, s, dst, want)
			}
			put(dst[shift:shift+len(want):shift+len(want)], s) // no more than that
			got := make([]E, n+1)
			end := got[n]
			get(got[:n:n], dst[shift:shift+len(want):shift+len(want)])
			if fmt.Sprint(got[:n]) != fmt.Sprint(s) || got[n] != end {
				t.Fatalf("%T: %x is %v, want %v", s, dst, got, s)
			}
		}
		if n > 0 {
			panics(t, func() { put(make([]byte, len(want)-1), s) })
			panics(t, func() { get(make([]E, n), want[:len(want)-1:len(want)-1]) })
		}
	}
}

func panics(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic without room")
		}
	}()
	f()
}

func TestNumbers(t *testing.T) {
	numbers(t, []int8{0, 1, -1, 127, -128}, func(x int8) any { return x }, wire.PutInts, wire.Ints)
	numbers(t, []tiny{0, 1, -1, 127, -128}, func(x tiny) any { return int8(x) }, wire.PutInts, wire.Ints)
	numbers(t, []uint8{0, 1, 255}, func(x uint8) any { return x }, wire.PutInts, wire.Ints)
	numbers(t, []int16{0, 1, -1, 0x1234, math.MinInt16}, func(x int16) any { return x }, wire.PutInts, wire.Ints)
	numbers(t, []small{0, 1, 0x1234, 0xfedc}, func(x small) any { return uint16(x) }, wire.PutInts, wire.Ints)
	numbers(t, []int32{0, 1, -1, 0x12345678, math.MinInt32}, func(x int32) any { return x }, wire.PutInts, wire.Ints)
	numbers(t, []uint32{0, 1, 0x12345678, math.MaxUint32}, func(x uint32) any { return x }, wire.PutInts, wire.Ints)
	numbers(t, []int64{0, 1, -1, 0x123456789abcdef0, math.MinInt64}, func(x int64) any { return x }, wire.PutInts, wire.Ints)
	numbers(t, []uint64{0, 1, 0x123456789abcdef0, math.MaxUint64}, func(x uint64) any { return x }, wire.PutInts, wire.Ints)
	numbers(t, []float32{0, 1.5, -2, math.MaxFloat32, 1e-45}, func(x float32) any { return x }, wire.PutFloats, wire.Floats)
	numbers(t, []celsius{0, 1.5, -273.15, 1 << 24, 1<<24 + 2}, func(x celsius) any { return float32(x) }, wire.PutFloats, wire.Floats)
	numbers(t, []float64{0, 1.5, -2, math.MaxFloat64, 5e-324, 1<<24 + 1}, func(x float64) any { return x }, wire.PutFloats, wire.Floats)
	numbers(t, []int{0, 1, -1, math.MaxInt, math.MinInt}, func(x int) any { return int64(x) }, wire.PutWords, words[int](t))
	numbers(t, []uint{0, 1, math.MaxUint}, func(x uint) any { return uint64(x) }, wire.PutWords, words[uint](t))
	numbers(t, []count{0, 1, math.MaxUint}, func(x count) any { return uint64(x) }, wire.PutWords, words[count](t))
	numbers(t, []uintptr{0, 1, math.MaxUint}, func(x uintptr) any { return uint64(x) }, wire.PutWords, words[uintptr](t))
}

// words is wire.Words for numbers that all fit.
func words[E ~int | ~uint | ~uintptr](t *testing.T) func([]E, []byte) {
	return func(s []E, src []byte) {
		if n := wire.Words(s, src); n != len(s) {
			t.Errorf("read %d words of %d", n, len(s))
		}
	}
}

// The bits of NaNs stay what they are.
func TestNumbersKeepNaN(t *testing.T) {
	src := []byte{1, 0, 0xc0, 0x7f, 0x34, 0x12, 0xc0, 0xff}
	var singles [2]float32
	wire.Floats(singles[:], src)
	dst := make([]byte, 8)
	if wire.PutFloats(dst, singles[:]); !bytes.Equal(dst, src) {
		t.Errorf("%x, want %x", dst, src)
	}
	src = []byte{1, 0, 0, 0, 0x34, 0x12, 0xf8, 0xff}
	var double [1]float64
	wire.Floats(double[:], src)
	if wire.PutFloats(dst, double[:]); !bytes.Equal(dst, src) {
		t.Errorf("%x, want %x", dst, src)
	}
}

// Words of 64 bits that a word of the machine cannot hold are found.
func TestWordsTooLarge(t *testing.T) {
	for _, tc := range []struct {
		name        string
		x           uint64
		int32, uint bool // fits into 32 bits
	}{
		{"largest int", math.MaxInt32, true, true},
		{"above", math.MaxInt32 + 1, false, true},
		{"largest uint", math.MaxUint32, false, true},
		{"above", math.MaxUint32 + 1, false, false},
		{"smallest int", 1<<64 - 1<<31, true, false},
		{"below", 1<<64 - 1<<31 - 1, false, false},
	} {
		src := binary.LittleEndian.AppendUint64(make([]byte, 8), tc.x)
		want := func(fits bool) int {
			if fits || bits.UintSize == 64 {
				return 2
			}
			return 1
		}
		if n := wire.Words(make([]int, 2), src); n != want(tc.int32) {
			t.Errorf("%s: %d ints", tc.name, n)
		}
		if n := wire.Words(make([]uint, 2), src); n != want(tc.uint) {
			t.Errorf("%s: %d uints", tc.name, n)
		}
	}
}
