package wire_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

// uvarintVectors are fixed for all time.
var uvarintVectors = []struct {
	v   uint64
	hex string
}{
	{0, "00"},
	{1, "01"},
	{127, "7f"},
	{128, "8001"},
	{300, "ac02"},
	{16383, "ff7f"},
	{16384, "808001"},
	{1<<21 - 1, "ffff7f"},
	{1 << 21, "80808001"},
	{1<<28 - 1, "ffffff7f"},
	{1 << 28, "8080808001"},
	{math.MaxUint32, "ffffffff0f"},
	{1<<35 - 1, "ffffffff7f"},
	{1 << 35, "808080808001"},
	{1<<42 - 1, "ffffffffff7f"},
	{1 << 42, "80808080808001"},
	{1<<49 - 1, "ffffffffffff7f"},
	{1 << 49, "8080808080808001"},
	{1<<56 - 1, "ffffffffffffff7f"},
	{1 << 56, "808080808080808001"},
	{1<<63 - 1, "ffffffffffffffff7f"},
	{1 << 63, "80808080808080808001"},
	{math.MaxUint64, "ffffffffffffffffff01"},
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestUvarint(t *testing.T) {
	for _, tc := range uvarintVectors {
		want := unhex(t, tc.hex)
		if got := wire.UvarintLen(tc.v); got != len(want) {
			t.Errorf("UvarintLen(%d) = %d, want %d", tc.v, got, len(want))
		}
		if got := wire.AppendUvarint([]byte("x"), tc.v); string(got) != "x"+string(want) {
			t.Errorf("AppendUvarint(x, %d) = %x, want 78%x", tc.v, got, want)
		}
		for n := 0; n <= len(want)+1; n++ {
			dst := bytes.Repeat([]byte{0xee}, len(want)+2)
			m := wire.PutUvarint(dst[:n], tc.v)
			if n < len(want) {
				want := bytes.Repeat([]byte{0xee}, len(dst))
				if m != 0 || !bytes.Equal(dst, want) {
					t.Errorf("PutUvarint(%d) into %d bytes = %d, %x", tc.v, n, m, dst)
				}
			} else if m != len(want) || !bytes.Equal(dst[:m], want) || dst[m] != 0xee {
				t.Errorf("PutUvarint(%d) into %d bytes = %d, %x, want %x", tc.v, n, m, dst, want)
			}
		}
		if v, n := wire.Uvarint(append(want, 0x80)); v != tc.v || n != len(want) {
			t.Errorf("Uvarint(%x) = %d, %d, want %d, %d", want, v, n, tc.v, len(want))
		}
		for n := range want {
			if v, m := wire.Uvarint(want[:n:n]); v != 0 || m != 0 {
				t.Errorf("Uvarint(%x) = %d, %d, want 0, 0", want[:n], v, m)
			}
		}
	}
}

func TestUvarintRefuses(t *testing.T) {
	for _, s := range []string{
		"8000",                     // two bytes for 0
		"ff00",                     // two bytes for 127
		"ffff00",                   // three bytes for 16383
		"80808080808080808000",     // ten bytes for 0
		"80808080808080808002",     // 2⁶⁴
		"ffffffffffffffffff7f",     // 70 bits
		"ffffffffffffffffff80",     // an eleventh byte announced
		"ffffffffffffffffffff01",   // eleven bytes
		"8080808080808080808080ff", // and more
	} {
		if v, n := wire.Uvarint(unhex(t, s)); v != 0 || n >= 0 {
			t.Errorf("Uvarint(%s) = %d, %d, want 0 and a negative number", s, v, n)
		}
	}
}

func TestUvarintError(t *testing.T) {
	if err := wire.UvarintError(1); err != nil {
		t.Errorf("UvarintError(1) = %v", err)
	}
	if err := wire.UvarintError(0); !errors.Is(err, wire.ErrTruncated) || errors.Is(err, wire.ErrCorrupt) {
		t.Errorf("UvarintError(0) = %v", err)
	}
	if err := wire.UvarintError(-3); !errors.Is(err, wire.ErrCorrupt) || errors.Is(err, wire.ErrTruncated) {
		t.Errorf("UvarintError(-3) = %v", err)
	}
}

func TestUvarintLenMatchesPut(t *testing.T) {
	var buf [wire.MaxUvarintLen]byte
	for shift := range 64 {
		for _, v := range []uint64{1<<shift - 1, 1 << shift, 1<<shift + 1} {
			if got, want := wire.UvarintLen(v), wire.PutUvarint(buf[:], v); got != want {
				t.Errorf("UvarintLen(%d) = %d, but it takes %d bytes", v, got, want)
			}
		}
	}
}

func TestZigzag(t *testing.T) {
	for v, want := range map[int64]uint64{
		0: 0, -1: 1, 1: 2, -2: 3, 2: 4, 63: 126, -64: 127,
		math.MaxInt64: math.MaxUint64 - 1, math.MinInt64: math.MaxUint64,
	} {
		if got := wire.Zigzag(v); got != want {
			t.Errorf("Zigzag(%d) = %d, want %d", v, got, want)
		}
		if got := wire.Unzigzag(want); got != v {
			t.Errorf("Unzigzag(%d) = %d, want %d", want, got, v)
		}
	}
}

// FuzzUvarint compares with the standard library, which accepts longer forms too.
func FuzzUvarint(f *testing.F) {
	for _, tc := range uvarintVectors {
		f.Add(unhex(f, tc.hex))
	}
	f.Add([]byte{0x80, 0x00})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, src []byte) {
		v, n := wire.Uvarint(src)
		want, m := binary.Uvarint(src)
		switch {
		case n > 0:
			if v != want || n != m || !bytes.Equal(binary.AppendUvarint(nil, v), src[:n]) {
				t.Errorf("Uvarint(%x) = %d, %d; binary has %d, %d", src, v, n, want, m)
			}
		case n == 0:
			if m != 0 {
				t.Errorf("Uvarint(%x) = truncated; binary has %d, %d", src, want, m)
			}
		case m > 0 && bytes.Equal(binary.AppendUvarint(nil, want), src[:m]):
			t.Errorf("Uvarint(%x) refuses the shortest form of %d", src, want)
		}
	})
}

func BenchmarkUvarint(b *testing.B) {
	for _, bc := range []struct {
		name string
		v    uint64
	}{{"1 byte", 100}, {"2 bytes", 1000}, {"5 bytes", 1 << 30}, {"10 bytes", 1 << 63}} {
		b.Run(bc.name, func(b *testing.B) {
			src := wire.AppendUvarint(nil, bc.v)
			for b.Loop() {
				if _, n := wire.Uvarint(src); n != len(src) {
					b.Fatal(n)
				}
			}
		})
	}
}
