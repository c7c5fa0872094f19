package selector_test

import (
	"encoding/hex"
	"math"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/selector"
)

func TestAppend(t *testing.T) {
	long := make([]byte, 200)
	for _, tc := range []struct {
		name string
		got  []byte
		hex  string
	}{
		{"string", selector.AppendString(nil, "ab"), "026162"},
		{"empty string", selector.AppendString(nil, ""), "00"},
		{"bytes", selector.AppendBytes(nil, []byte("ab")), "026162"},
		{"nil bytes", selector.AppendBytes(nil, nil), "00"},
		{"long bytes", selector.AppendBytes(nil, long)[:3], "c80100"},
		{"true", selector.AppendBool(nil, true), "01"},
		{"false", selector.AppendBool(nil, false), "00"},
		{"8", selector.Append8(nil, 0xfe), "fe"},
		{"16", selector.Append16(nil, 0x1234), "3412"},
		{"32", selector.Append32(nil, 0x12345678), "78563412"},
		{"64", selector.Append64(nil, math.MaxUint64-1), "feffffffffffffff"},
		{"float32", selector.AppendFloat32(nil, 1.5), "0000c03f"},
		{"float32 −0", selector.AppendFloat32(nil, float32(math.Copysign(0, -1))), "00000000"},
		{"float32 NaN", selector.AppendFloat32(nil, math.Float32frombits(0xffffffff)), "0000c07f"},
		{"float64", selector.AppendFloat64(nil, 1.5), "000000000000f83f"},
		{"float64 −0", selector.AppendFloat64(nil, math.Copysign(0, -1)), "0000000000000000"},
		{"float64 NaN", selector.AppendFloat64(nil, math.Float64frombits(math.MaxUint64)), "000000000000f87f"},
		{"time", selector.AppendTime(nil, time.Unix(-1, 5)), "ffffffffffffffff05000000"},
		{"parts", selector.AppendBool(selector.AppendString(selector.Append16(nil, 1), "a"), true), "0100016101"},
	} {
		if got := hex.EncodeToString(tc.got); got != tc.hex {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.hex)
		}
	}
}

func TestCompositePartsDoNotRunTogether(t *testing.T) {
	key := func(a, b string) uint64 {
		return selector.HashBytes(selector.AppendString(selector.AppendString(nil, a), b))
	}
	seen := map[uint64][2]string{}
	for _, k := range [][2]string{{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"", "abc"}, {"\x01a", ""}, {"", "\x01a"}} {
		h := key(k[0], k[1])
		if other, ok := seen[h]; ok {
			t.Errorf("%q and %q have the same hash", k, other)
		}
		seen[h] = k
	}
}
