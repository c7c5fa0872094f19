package harness

import (
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
)

func TestPartsCoverAllRecordsOnce(t *testing.T) {
	for _, c := range []Cell{{}, {Producers: 1}, {Producers: 4}, {Producers: 7}} {
		for _, n := range []uint64{0, 1, 3, 4, 1003} {
			next := uint64(0)
			for w := range c.Writers() {
				from, to := c.Part(w, n)
				if from != next || to < from || to-from > n/uint64(c.Writers())+1 {
					t.Errorf("%d records, writer %d of %d: %d to %d after %d", n, w, c.Writers(), from, to, next)
				}
				next = to
			}
			if next != n {
				t.Errorf("%d writers make %d of %d records", c.Writers(), next, n)
			}
		}
	}
}

func TestSumsAreThoseOfAllElements(t *testing.T) {
	weights := []uint64{5, 1 << 63, 7}
	skewed, spread := NewKeys(Cell{Scenario: Skew, Partitions: 10}), NewKeys(Cell{Partitions: 10})
	var numbers, cycle, skew, plain uint64
	for n := range uint64(5000) {
		if Numbers(n) != numbers || Cycle(weights, n) != cycle || skewed.Sum(n) != skew || spread.Sum(n) != plain {
			t.Fatalf("sums of %d elements: %d, %d, %d, %d; want %d, %d, %d, %d", n,
				Numbers(n), Cycle(weights, n), skewed.Sum(n), spread.Sum(n), numbers, cycle, skew, plain)
		}
		numbers, cycle, skew, plain = numbers+n, cycle+weights[n%3], skew+skewed.ID(n), plain+spread.ID(n)
	}
}

func TestSkewedKeysTouchEachChannelAndStayWithTheFirst(t *testing.T) {
	k := NewKeys(Cell{Scenario: Skew, Partitions: 10})
	different := map[uint64]bool{}
	for i := range uint64(10 + 1024) {
		want := 0
		if i < 10 {
			want = int(i)
		}
		if got := selector.Scale(selector.Hash64(k.ID(i)), 10); got != want {
			t.Errorf("record %d goes to channel %d, want %d", i, got, want)
		}
		different[k.ID(i)] = true
	}
	if len(different) != 10+1024 {
		t.Errorf("%d different keys, want %d", len(different), 10+1024)
	}
}

func TestWeighTellsTextsApart(t *testing.T) {
	texts := []string{"", "a", "aa", "abcdef", "bbcdef", "abcxef", "abcdex"}
	var weights []uint64
	for _, s := range texts {
		if Weigh(s) != Weigh([]byte(s)) {
			t.Errorf("%q: %d as a string, %d as bytes", s, Weigh(s), Weigh([]byte(s)))
		}
		if slices.Contains(weights, Weigh(s)) {
			t.Errorf("%q weighs what another text does", s)
		}
		weights = append(weights, Weigh(s))
	}
}

// TestFanReusesBuffersThatAllAreDoneWith shows that a buffer comes back after the last consumer and not before.
func TestFanReusesBuffersThatAllAreDoneWith(t *testing.T) {
	f := NewFan(Cell{Scenario: Broadcast, Partitions: 2}, func() []byte { return make([]byte, 0, 8) })
	b := f.Take()
	f.Send(b)
	for _, lane := range f.Lanes {
		if got := <-lane; got != b {
			t.Fatal("a lane got another buffer")
		}
	}
	f.Done(b)
	if f.Take() == b {
		t.Error("reused before the second consumer was done")
	}
	f.Done(b)
	if f.Take() != b {
		t.Error("not reused after the last consumer was done")
	}
	f.Close()
	for _, lane := range f.Lanes {
		if _, open := <-lane; open {
			t.Error("a lane is open after Close")
		}
	}
}
