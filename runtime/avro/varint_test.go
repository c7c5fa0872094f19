package avro

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/runtime/wire"
)

// longs are numbers at which the length changes, and others.
func longs() []int64 {
	list := []int64{0, 1, -1, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64}
	for k := range 63 {
		n := int64(1) << k
		list = append(list, n, n-1, -n, -n-1)
	}
	return list
}

func TestLong(t *testing.T) {
	for _, v := range longs() {
		want := binary.AppendVarint(nil, v)
		if n := LongLen(v); n != len(want) {
			t.Errorf("LongLen(%d) = %d, want %d", v, n, len(want))
		}
		for room := range len(want) + 10 {
			dst := make([]byte, room)
			for i := range dst {
				dst[i] = 0xee
			}
			n := PutLong(dst, v)
			if room < len(want) {
				if n != 0 {
					t.Errorf("PutLong of %d into %d bytes = %d", v, room, n)
				}
				continue
			}
			if n != len(want) || string(dst[:n]) != string(want) {
				t.Errorf("PutLong(%d) = % x, want % x", v, dst[:n], want)
			}
			for i, b := range dst[n:] {
				if b != 0xee {
					t.Errorf("PutLong(%d) has changed byte %d behind the number", v, i)
				}
			}
		}
		for more := range 10 {
			src := append(want[:len(want):len(want)], make([]byte, more)...)
			if got, n := Long(src); got != v || n != len(want) {
				t.Errorf("Long(% x) = %d, %d", src, got, n)
			}
			if got, n := QuickLong(src, 0); n != 0 && (got != v || n != len(want)) || n == 0 && len(want) == 1 {
				t.Errorf("QuickLong(% x) = %d, %d", src, got, n)
			}
			got, n := Int(src)
			if fits := int64(int32(v)) == v; fits && (int64(got) != v || n != len(want)) || !fits && n != -2 {
				t.Errorf("Int(% x) = %d, %d", src, got, n)
			}
		}
		for k := range want {
			if _, n := Long(want[:k]); n != 0 {
				t.Errorf("Long of the first %d bytes of % x: %d", k, want, n)
			}
		}
	}
}

// TestLongReads has numbers that this package does not write.
func TestLongReads(t *testing.T) {
	tests := []struct {
		src  string
		v    int64
		n    int
		intN int
	}{
		{src: "\x80\x00", v: 0, n: 2, intN: 2}, // longer than needed
		{src: "\x82\x80\x80\x80\x80\x80\x80\x80\x80\x00", v: 1, n: 10, intN: 10},
		{src: "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", v: math.MinInt64, n: 10, intN: -2},
		{src: "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", n: -1, intN: -1},
		{src: "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", n: -1, intN: -1},
		{src: "\x80\x80\x80\x80\x80\x80\x80\x80\x80", n: 0, intN: 0},
		{src: "", n: 0, intN: 0},
	}
	for _, tt := range tests {
		if v, n := Long([]byte(tt.src)); n != tt.n || n > 0 && v != tt.v {
			t.Errorf("Long(% x) = %d, %d, want %d, %d", tt.src, v, n, tt.v, tt.n)
		}
		v, n := Int([]byte(tt.src))
		if want := tt.intN; n != want && !(n < 0 && want < 0) || n > 0 && int64(v) != tt.v {
			t.Errorf("Int(% x) = %d, %d, want %d, %d", tt.src, v, n, tt.v, want)
		}
	}
	for n, want := range map[int]error{0: wire.ErrTruncated, -1: wire.ErrCorrupt, -2: wire.ErrCorrupt, 1: nil} {
		if err := NumberError(n); !errors.Is(err, want) {
			t.Errorf("NumberError(%d) = %v", n, err)
		}
	}
}

func TestMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Int64(), 1, 20).Draw(t, "longs")
		var src []byte
		at := []int{0}
		for _, v := range want {
			src = binary.AppendVarint(src, v)
			at = append(at, len(src))
		}
		got := make([]int64, len(want))
		for end := range len(src) + 1 {
			read, n := Longs(got, src[:end])
			if n != at[read] || read < len(want) && at[read+1] <= end {
				t.Fatalf("Longs of %d bytes = %d, %d", end, read, n)
			}
			for i, v := range got[:read] {
				if v != want[i] {
					t.Fatalf("number %d is %d, want %d", i, v, want[i])
				}
			}
			if read < len(want) && !errors.Is(LongFault(src[n:end]), wire.ErrTruncated) {
				t.Fatalf("LongFault = %v", LongFault(src[n:end]))
			}
		}
		ints := make([]int32, len(want))
		read, n := Ints(ints, src)
		for i, v := range want {
			if int64(int32(v)) != v {
				if read != i || n != at[i] || !errors.Is(IntFault(src[n:]), wire.ErrCorrupt) {
					t.Fatalf("Ints = %d, %d, with %d too large", read, n, i)
				}
				return
			}
		}
		if read != len(want) {
			t.Fatalf("Ints = %d of %d", read, len(want))
		}
	})
}
