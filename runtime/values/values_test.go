package values_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/values"
	"github.com/rwgen/rwgen/runtime/wire"
)

// The vectors of FORMAT.md, section 7, for one value each. They will not change.
func TestHash(t *testing.T) {
	const seed = values.Seed
	type octet uint8
	text := []byte("hello, world")
	word := func(w uint64) uint64 { return values.HashWord(seed, w) }
	tests := []struct {
		name      string
		got, want uint64
	}{
		{"two words", values.HashWord(word(0), 0), 0xd5c2f83af591da5a},
		{"a float", values.HashFloat64(word(1), 0.5), 0x92c41c870f59560a},
		{"−0", values.HashFloat64(word(1), math.Copysign(0, -1)), 0x12e1d748a5595f95},
		{"the empty string", values.HashString(seed, ""), word(0x2d06800538d394c2)}, // the XXH3 of nothing
		{"no bytes", values.HashBytes(seed, []byte{}), values.HashString(word(1), "")},
		{"nil", values.HashBytes(seed, nil), word(0)},
		{"bytes", values.HashBytes(seed, text), values.HashString(word(13), "hello, world")},
		{"an array", values.HashRaw(seed, text), values.HashString(seed, "hello, world")},
		{"true", values.HashBool(seed, true), word(1)},
		{"false", values.HashBool(seed, false), word(0)},
		{"a float32", values.HashFloat32(seed, -1), word(0xbf800000)},
		{"a length", values.HashCount(seed, 0, false), word(1)},
		{"no length", values.HashCount(seed, 0, true), word(0)},
		{"a time", values.HashTime(seed, time.Unix(-1, 5)), values.HashWord(word(math.MaxUint64), 5)},
		{"nil of another type", values.HashBytesOf(seed, []octet(nil)), word(0)},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %016x, want %016x", tt.name, tt.got, tt.want)
		}
	}
	for n := range 200 {
		p, q := make([]byte, n), make([]octet, n)
		for i := range p {
			p[i], q[i] = byte(i*7), octet(i*7)
		}
		if values.HashBytesOf(seed, q) != values.HashBytes(seed, p) || values.HashRawOf(seed, q) != values.HashRaw(seed, p) {
			t.Errorf("%d bytes of another type have another hash", n)
		}
	}
}

// Small numbers, which most fields hold, spread over all bits of the hash.
func TestHashSpreads(t *testing.T) {
	const n = 1 << 12
	seen := map[uint64]bool{}
	var ones [64]int
	for i := range uint64(n) {
		h := values.HashWord(values.HashWord(values.Seed, i%64), i/64)
		seen[h] = true
		for b := range ones {
			ones[b] += int(h >> b & 1)
		}
	}
	if len(seen) != n {
		t.Errorf("%d hashes of %d pairs", len(seen), n)
	}
	for b, k := range ones {
		if k < n*2/5 || k > n*3/5 {
			t.Errorf("bit %d is set in %d of %d hashes", b, k, n)
		}
	}
}

func TestEqual(t *testing.T) {
	nan, zero := math.NaN(), math.Copysign(0, -1)
	now := time.Now()
	tests := []struct {
		name      string
		got, want bool
	}{
		{"NaN", values.EqualFloat64(nan, nan), true},
		{"−0", values.EqualFloat64(zero, 0), false},
		{"NaN of 32 bits", values.EqualFloat32(float32(nan), float32(nan)), true},
		{"−0 of 32 bits", values.EqualFloat32(float32(zero), 0), false},
		{"a monotonic reading", values.EqualTime(now, now.Round(0)), true},
		{"a nanosecond", values.EqualTime(now, now.Add(1)), false},
		{"nil and empty bytes", values.EqualBytes(nil, []byte{}), false},
		{"bytes", values.EqualBytes([]byte("ab"), []byte("ac")), false},
		{"the same bytes", values.EqualBytes([]byte("ab"), []byte("ab")), true},
		{"nil and empty", values.EqualSlice(nil, []int{}), false},
		{"an element", values.EqualSlice([]int{1, 2}, []int{1, 3}), false},
		{"the same elements", values.EqualSlice([]int{1, 2}, []int{1, 2}), true},
		{"lengths", values.EqualLen([]int{1}, []int{2}), true},
		{"nil and empty maps", values.EqualSize(nil, map[int]int{}), false},
		{"sizes", values.EqualSize(map[int]int{1: 1}, map[int]int{2: 2}), true},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %v", tt.name, tt.got)
		}
	}
}

func TestIndex(t *testing.T) {
	x := values.NewIndex(map[string]int{"a": 1, "b": 2, "c": 3})
	x.Add(7, "a", 1)
	x.Add(8, "b", 2)
	x.Add(7, "c", 3)
	keys := func(hash uint64) (list []string) {
		for i := x.First(hash); i >= 0; i = x.Next(i) {
			k, _ := x.At(i)
			list = append(list, *k)
		}
		slices.Sort(list)
		return list
	}
	if got := keys(7); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("with the hash: %q", got)
	}
	i := x.First(8)
	if _, val := x.At(i); *val != 2 {
		t.Errorf("value %d", *val)
	}
	x.Take(i)
	x.Take(x.First(7))
	if got := keys(7); len(got) != 1 || len(keys(8)) != 0 || len(keys(9)) != 0 {
		t.Errorf("after two were taken: %q", got)
	}
	none := values.NewIndex(map[string]int{})
	if none.First(7) >= 0 {
		t.Error("an empty index has entries")
	}
}

func TestMemory(t *testing.T) {
	s := []int{1, 2, 3}
	c := values.CloneSlice(s)
	c[0] = 9
	if s[0] != 1 || len(c) != 3 || values.CloneSlice([]int(nil)) != nil || values.CloneSlice(s[:0]) == nil {
		t.Errorf("%v, clone %v", s, c)
	}
	if m := values.MakeSlice(s); len(m) != 3 || m[0] != 0 || values.MakeSlice([]int(nil)) != nil {
		t.Errorf("made %v", m)
	}
	m := map[int]int{1: 2}
	n := values.CloneMap(m)
	n[1] = 3
	if m[1] != 2 || values.CloneMap(map[int]int(nil)) != nil {
		t.Errorf("%v, clone %v", m, n)
	}
	if k := values.MakeMap(m); k == nil || len(k) != 0 || values.MakeMap(map[int]int(nil)) != nil {
		t.Errorf("made %v", k)
	}
	r := values.ResetSlice(s[:1])
	if len(r) != 0 || cap(r) != 3 || s[2] != 0 || values.ResetSlice([]int(nil)) != nil {
		t.Errorf("reset %v, %v", r, s)
	}
}

func TestLeftOver(t *testing.T) {
	if err := values.LeftOver(3, make([]byte, 3)); err != nil {
		t.Error(err)
	}
	err := values.LeftOver(1, make([]byte, 3))
	if !errors.Is(err, wire.ErrCorrupt) {
		t.Error(err)
	}
}
