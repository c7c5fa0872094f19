package selector_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/selector"
)

// flinkVectors are the channels of Apache Flink, computed with the JVM. A line may be added but never changed.
var flinkVectors = []struct {
	name string
	got  int32
	hash int32
	flinkPlace
}{
	{"int 0", selector.Flink32(0), 0, placeOf0},
	{"string empty", selector.FlinkString(""), 0, placeOf0},
	{"long 0", selector.Flink64(0), 0, placeOf0},
	{"long −1", selector.Flink64(-1), 0, placeOf0},
	{"double 0", selector.FlinkFloat64(0), 0, placeOf0},
	{"int 1", selector.Flink32(1), 1, placeOf1},
	{"long 1", selector.Flink64(1), 1, placeOf1},
	{"long 2³²", selector.Flink64(1 << 32), 1, placeOf1},
	{"bytes empty", selector.FlinkBytes([]byte{}), 1, placeOf1},
	{"bytes nil", selector.FlinkBytes(nil), 1, placeOf1},
	{"int −1", selector.Flink32(-1), -1, flinkPlace{1982413648, 80, 2, 6, 15184, 463}},
	{"int 42", selector.Flink32(42), 42, flinkPlace{1134849565, 29, 0, 2, 28189, 860}},
	{"int least", selector.Flink32(math.MinInt32), math.MinInt32, placeOfLeast},
	{"long greatest", selector.Flink64(math.MaxInt64), math.MinInt32, placeOfLeast},
	{"double −0", selector.FlinkFloat64(math.Copysign(0, -1)), math.MinInt32, placeOfLeast},
	{"string a", selector.FlinkString("a"), 97, flinkPlace{1455541201, 81, 2, 6, 19409, 592}},
	{"string hello", selector.FlinkString("hello"), 99162322, flinkPlace{1715862179, 35, 1, 2, 31395, 958}},
	{"string flink", selector.FlinkString("flink"), 97520992, flinkPlace{1330823394, 98, 3, 7, 16610, 506}},
	{"string U+952E", selector.FlinkString("\u952e"), 38190, flinkPlace{534851843, 3, 0, 0, 12547, 382}},
	{"string U+1F600", selector.FlinkString("\U0001f600"), 1772899, flinkPlace{1934073014, 54, 1, 4, 7350, 224}},
	{"double 1", selector.FlinkFloat64(1), 1072693248, flinkPlace{1409882055, 71, 2, 5, 6087, 185}},
	{"double 3.14", selector.FlinkFloat64(3.14), 300063655, flinkPlace{913425156, 4, 0, 0, 17156, 523}},
	{"double NaN", selector.FlinkFloat64(math.NaN()), 2146959360, flinkPlace{1585394089, 41, 1, 3, 12713, 387}},
	{"boolean true", selector.FlinkBool(true), 1231, flinkPlace{1090530765, 77, 2, 6, 11725, 357}},
	{"boolean false", selector.FlinkBool(false), 1237, flinkPlace{1530821891, 3, 0, 0, 32003, 976}},
	{"bytes 1, 2, 3", selector.FlinkBytes([]byte{1, 2, 3}), 30817, flinkPlace{1825691233, 97, 3, 7, 22113, 674}},
	{"bytes −1", selector.FlinkBytes([]byte{0xff}), 30, flinkPlace{173947034, 26, 0, 2, 14490, 442}},
}

// flinkPlace says where a hash goes: its murmur, its group of 128, the channels of that for 4 and 10, its group of 32,768, and
// the channel of that for 1,000. The vectors have the groups of 128 with 4 and 10 channels, and those of 32,768 with 1,000.
type flinkPlace struct{ murmur, of128, p4, p10, of32768, p1000 int }

var (
	placeOf0     = flinkPlace{593689054, 94, 2, 7, 31198, 952}
	placeOf1     = flinkPlace{68075478, 86, 2, 6, 16342, 498}
	placeOfLeast = flinkPlace{1718298732, 108, 3, 8, 10348, 315}
)

func TestFlinkVectors(t *testing.T) {
	for _, v := range flinkVectors {
		if v.got != v.hash {
			t.Errorf("%s: hash %d, want %d", v.name, v.got, v.hash)
		}
		got := flinkPlace{
			murmur: selector.FlinkGroup(v.hash, math.MaxInt32), // all murmurs but the greatest
			of128:  selector.FlinkGroup(v.hash, 128), p4: selector.FlinkChannel(v.hash, 128, 4), p10: selector.FlinkChannel(v.hash, 128, 10),
			of32768: selector.FlinkGroup(v.hash, 32768), p1000: selector.FlinkChannel(v.hash, 32768, 1000),
		}
		if got != v.flinkPlace {
			t.Errorf("%s: goes to %+v, want %+v", v.name, got, v.flinkPlace)
		}
	}
}

// TestFlinkHashes compares more hashes with those of the JVM.
func TestFlinkHashes(t *testing.T) {
	for _, tc := range []struct {
		name      string
		got, want int32
	}{
		{"string ORD", selector.FlinkString("ORD"), 78529},
		{"string Aa", selector.FlinkString("Aa"), 2112},
		{"string BB", selector.FlinkString("BB"), 2112},
		{"string of the least hash", selector.FlinkString("polygenelubricants"), math.MinInt32},
		{"string beyond ASCII", selector.FlinkString("grüße, 世界"), 2124895105},
		{"string with pairs", selector.FlinkString("a😀b😀"), -239246015},
		{"string of bad bytes", selector.FlinkString("\xff\xfe"), 2097056},
		{"string with a cut rune", selector.FlinkString("a\xe2\x82b"), selector.FlinkString("a\ufffd\ufffdb")}, // Java's decoder makes one U+FFFD
		{"string with a surrogate", selector.FlinkString("\xed\xa0\x80"), selector.FlinkString("\ufffd\ufffd\ufffd")},
		{"short −2", selector.Flink32(int32(int16(-2))), -2},
		{"byte −56", selector.Flink32(int32(int8(-56))), -56},
		{"long least", selector.Flink64(math.MinInt64), math.MinInt32},
		{"long 1234567890123", selector.Flink64(1234567890123), 1912276436},
		{"float 0", selector.FlinkFloat32(0), 0},
		{"float −0", selector.FlinkFloat32(float32(math.Copysign(0, -1))), math.MinInt32},
		{"float 1.5", selector.FlinkFloat32(1.5), 1069547520},
		{"float −3.25", selector.FlinkFloat32(-3.25), -1068498944},
		{"float NaN", selector.FlinkFloat32(float32(math.NaN())), 2143289344},
		{"float NaN with payload", selector.FlinkFloat32(math.Float32frombits(0xffc00001)), 2143289344},
		{"float +Inf", selector.FlinkFloat32(float32(math.Inf(1))), 2139095040},
		{"double 1.5", selector.FlinkFloat64(1.5), 1073217536},
		{"double −3.25", selector.FlinkFloat64(-3.25), -1073086464},
		{"double NaN with payload", selector.FlinkFloat64(math.Float64frombits(0xfff8000000000042)), 2146959360},
		{"double −Inf", selector.FlinkFloat64(math.Inf(-1)), -1048576},
		{"instant 0", selector.FlinkTime(time.Unix(0, 0)), 0},
		{"instant 1.000000002", selector.FlinkTime(time.Unix(1, 2)), 103},
		{"instant before 1970", selector.FlinkTime(time.Unix(-1, 999999999)), -539607603},
		{"instant of 2001", selector.FlinkTime(time.Date(2001, 2, 3, 4, 5, 6, 7, time.UTC)), 981173463},
		{"instant in another zone", selector.FlinkTime(time.Date(2001, 2, 3, 6, 5, 6, 7, time.FixedZone("", 7200))), 981173463},
		{"instant year 1", selector.FlinkTime(time.Time{}), 2006054641},
		{"instant greatest", selector.FlinkTime(time.Unix(31556889864403199, 999999999)), -625237510},
		{"instant 2³²", selector.FlinkTime(time.Unix(1<<32, 1)), 52},
		{"tuple of one", selector.FlinkCombine(0, selector.FlinkString("ORD")), 78529},
		{"tuple ORD, JFK, 7L", selector.FlinkCombine(selector.FlinkCombine(selector.FlinkCombine(0, selector.FlinkString("ORD")),
			selector.FlinkString("JFK")), selector.Flink64(7)), 77740505},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, tc.got, tc.want)
		}
	}
}

// TestFlinkMurmurLeast checks the murmur that has no positive counterpart, and its neighbours: 0, and not a negative group.
func TestFlinkMurmurLeast(t *testing.T) {
	for _, tc := range []struct {
		murmur uint32
		want   int
	}{{1 << 31, 0}, {1<<31 + 1, math.MaxInt32}, {1<<31 + 2, math.MaxInt32 - 1}, {math.MaxUint32, 1}, {0, 0}, {1, 1}, {math.MaxInt32 - 1, math.MaxInt32 - 1}} {
		if got := selector.FlinkGroup(unmurmur(tc.murmur), math.MaxInt32); got != tc.want%math.MaxInt32 {
			t.Errorf("the hash whose murmur is %#x goes to group %d, want %d", tc.murmur, got, tc.want)
		}
	}
}

// unmurmur returns the hash whose murmur, before its sign is taken away, is h.
func unmurmur(h uint32) int32 {
	inverse := func(m uint32) uint32 { // modulo 2³², by Newton
		x := m
		for range 5 {
			x *= 2 - m*x
		}
		return x
	}
	h ^= h >> 16
	h *= inverse(0xc2b2ae35)
	h ^= h>>13 ^ h>>26
	h *= inverse(0x85ebca6b)
	h ^= h >> 16
	h ^= 4
	h = (h - 0xe6546b64) * inverse(5)
	h = h>>13 | h<<19
	h *= inverse(0x1b873593)
	h = h>>15 | h<<17
	return int32(h * inverse(0xcc9e2d51))
}

// TestKeyGroupRanges checks that the ranges of the channels divide the groups among them, and that every group's channel is the one
// whose range holds it.
func TestKeyGroupRanges(t *testing.T) {
	check := func(channels, keyGroups int) {
		next, least, most := 0, keyGroups, 0
		owner := make([]int, keyGroups)
		for c := range channels {
			first, last := selector.KeyGroupRange(c, channels, keyGroups)
			if first != next || last < first {
				t.Fatalf("channel %d of %d owns the groups %d to %d of %d, want them to begin with %d", c, channels, first, last, keyGroups, next)
			}
			for g := first; g <= last; g++ {
				owner[g] = c
			}
			next, least, most = last+1, min(least, last-first+1), max(most, last-first+1)
		}
		if next != keyGroups || most-least > 1 {
			t.Fatalf("%d channels own %d of %d groups, %d to %d each", channels, next, keyGroups, least, most)
		}
		for hash := range int32(1000) {
			g, c := selector.FlinkGroup(hash*7919, keyGroups), selector.FlinkChannel(hash*7919, keyGroups, channels)
			if owner[g] != c {
				t.Fatalf("group %d of %d belongs to channel %d of %d, but its key goes to %d", g, keyGroups, owner[g], channels, c)
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, edge := range [][2]int{{1, 1}, {1, 32768}, {127, 128}, {128, 128}, {32767, 32768}, {32768, 32768}, {3, 7}} {
		check(edge[0], edge[1])
	}
	for range 200 {
		keyGroups := 1 + r.IntN(selector.MaxKeyGroups>>r.IntN(15))
		check(1+r.IntN(keyGroups), keyGroups)
	}
}

func TestKeyGroupRangeOfFewGroups(t *testing.T) {
	for c, want := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {2, 1}} {
		if first, last := selector.KeyGroupRange(c, 4, 2); first != want[0] || last != want[1] {
			t.Errorf("channel %d of 4 owns %d to %d of 2 groups, want %d to %d", c, first, last, want[0], want[1])
		}
	}
}

func TestFlinkKeyUsesKeyGroupsOfTopology(t *testing.T) {
	for _, tc := range []struct {
		topology  selector.Topology
		keyGroups int
	}{
		{selector.Topology{Producers: 1, Consumers: 10}, 128},
		{selector.Topology{Producers: 1, Consumers: 100}, 256},
		{selector.Topology{Producers: 1, Consumers: 10, MaxParallelism: 10}, 10},
		{selector.Topology{Producers: 1, Consumers: 1000, MaxParallelism: 32768}, 32768},
		{selector.Topology{Producers: 1, Consumers: 32768}, 32768},
	} {
		s := selector.FlinkKey(func(v *rec) int32 { return selector.Flink64(int64(v.Key)) })
		for i, got := range take(t, s, tc.topology, 1000) {
			if want := selector.FlinkChannel(selector.Flink64(int64(i)), tc.keyGroups, tc.topology.Consumers); got != want {
				t.Fatalf("%+v: key %d goes to channel %d, want %d", tc.topology, i, got, want)
			}
		}
	}
	s := selector.FlinkKey(func(*rec) int32 { return 0 })
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 32769}); !errors.Is(err, selector.ErrTopology) {
		t.Errorf("32,769 consumers: %v", err)
	}
}
