package selector_test

import (
	"math"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
)

// TestTwoOfVectors: the two channels of a key are fixed for all time.
func TestTwoOfVectors(t *testing.T) {
	for _, tc := range []struct {
		hash uint64
		n    int
		a, b int
	}{
		{0, 1, 0, 0},
		{math.MaxUint64, 1, 0, 0},
		{0, 2, 0, 1},
		{math.MaxUint64, 2, 1, 0},
		{0xffffffff, 2, 0, 1},
		{0, 10, 0, 1},
		{0xffffffff, 10, 0, 9},
		{0xffffffff00000000, 10, 9, 0},
		{math.MaxUint64, 10, 9, 8},
		{0x8000000000000000, 10, 5, 0},
		{0x8000000080000000, 10, 5, 4},
		{0x80000000a0000000, 10, 5, 6},
		{selector.HashString("ORD"), 4, 2, 0},
		{selector.HashString("JFK"), 4, 0, 1},
		{selector.HashString("ORD"), 1000, 619, 191},
		{selector.HashString("JFK"), 1000, 157, 255},
	} {
		if a, b := selector.TwoOf(tc.hash, tc.n); a != tc.a || b != tc.b {
			t.Errorf("TwoOf(%#x, %d) = %d, %d, want %d, %d", tc.hash, tc.n, a, b, tc.a, tc.b)
		}
	}
}

// TestTwoOf checks that the two channels differ, that the first is the owner of the hash, and that each pair is as likely as the others.
func TestTwoOf(t *testing.T) {
	for _, n := range []int{2, 3, 10, 30} {
		const keys = 100_000
		pairs := make([]int, n*(n-1))
		for key := range uint64(keys) {
			h := selector.Hash64(key)
			a, b := selector.TwoOf(h, n)
			if a != selector.Scale(h, n) || a == b || b < 0 || b >= n {
				t.Fatalf("TwoOf(%#x, %d) = %d, %d", h, n, a, b)
			}
			if b > a {
				b--
			}
			pairs[a*(n-1)+b]++
		}
		if x, m := chiSquare(pairs, keys), float64(len(pairs)); x > m+6*math.Sqrt(2*m) {
			t.Errorf("χ² of the pairs of %d channels is %.1f", n, x)
		}
	}
}

func TestDraw(t *testing.T) {
	const n, draws = 10, 20_000
	c := selector.NewTwoChoices(0, 42)
	first, second := make([]int, n), make([]int, n)
	for range draws {
		a, b := c.Draw(n)
		if a == b {
			t.Fatalf("drew %d twice", a)
		}
		first[a]++
		second[b]++
	}
	for _, loads := range [][]int{first, second} { // seeded: the same in every run
		if x := chiSquare(loads, draws); x > 30 {
			t.Errorf("χ² is %.1f", x)
		}
	}
	if a, b := c.Draw(1); a != 0 || b != 0 {
		t.Errorf("drew %d and %d of one channel", a, b)
	}
}

// TestZeroTwoChoices checks what the documentation says of the zero value.
func TestZeroTwoChoices(t *testing.T) {
	var c, d selector.TwoChoices
	for range 10 {
		a, b := c.Draw(100)
		if x, y := d.Draw(100); x != a || y != b {
			t.Errorf("two zero values draw %d, %d and %d, %d", a, b, x, y)
		}
		if got := c.Choose(a, b, 0, 0); got != a {
			t.Errorf("chose %d of %d and %d", got, a, b)
		}
	}
}

// backlogs is a writer that knows loads.
type backlogs []int64

func (b backlogs) of(channel int) int64 { return b[channel] }

// TestLeastLoaded checks that the channel with much backlog gets nothing, and that the selector looks again for each record.
func TestLeastLoaded(t *testing.T) {
	s := selector.LeastLoaded[rec]()
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 4}); err != nil {
		t.Fatal(err)
	}
	load := backlogs{0, 1 << 20, 0, 0}
	s.(selector.Loader).Observe(load.of)
	count := func() []int {
		sent := make([]int, 4)
		for range 1000 {
			sent[s.Select(&rec{}, 4)]++
		}
		return sent
	}
	if sent := count(); sent[1] != 0 || sent[0] == 0 || sent[2] == 0 || sent[3] == 0 {
		t.Errorf("channel 1 has a backlog, and the channels get %v", sent)
	}
	load[1], load[3] = 0, 1<<20
	if sent := count(); sent[3] != 0 || sent[1] == 0 {
		t.Errorf("channel 3 has a backlog, and the channels get %v", sent)
	}
	one := take(t, selector.LeastLoaded[rec](), selector.Topology{Producers: 1, Consumers: 1}, 10)
	for _, channel := range one {
		if channel != 0 {
			t.Errorf("channel %d of 1", channel)
		}
	}
}

// TestLeastLoadedOfUnknownLoad checks that it spreads like a shuffle if the writer knows no backlogs.
func TestLeastLoadedOfUnknownLoad(t *testing.T) {
	s := selector.LeastLoaded[rec]()
	s.(selector.Seeder).Seed(7)
	loads := make([]int, 10)
	for _, channel := range take(t, s, selector.Topology{Producers: 1, Consumers: 10}, 10_000) {
		loads[channel]++
	}
	if x := chiSquare(loads, 10_000); x > 30 {
		t.Errorf("χ² is %.1f", x)
	}
}

func TestKeyChoicesByLoad(t *testing.T) {
	const n, key = 10, 77
	a, b := selector.TwoOf(selector.Hash64(key), n)
	s := selector.KeyChoices(byKey)
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: n}); err != nil {
		t.Fatal(err)
	}
	load := make(backlogs, n)
	s.(selector.Loader).Observe(load.of)
	for i, want := range []int{a, b, a, b} { // no load: in turn, by what was sent
		if got := s.Select(&rec{key}, n); got != want {
			t.Errorf("record %d goes to %d, want %d", i, got, want)
		}
	}
	for _, loaded := range []struct{ channel, other int }{{a, b}, {b, a}} {
		clear(load)
		load[loaded.channel] = 1 << 20
		for range 5 {
			if got := s.Select(&rec{key}, n); got != loaded.other {
				t.Errorf("channel %d has a backlog, and the record goes to %d, want %d", loaded.channel, got, loaded.other)
			}
		}
	}
}
