package selector_test

import (
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
)

func TestTopologyValidate(t *testing.T) {
	for _, tc := range []struct {
		topology selector.Topology
		ok       bool
	}{
		{selector.Topology{Producers: 1, Consumers: 1}, true},
		{selector.Topology{Producers: 3, Consumers: 1, Producer: 2}, true},
		{selector.Topology{Producers: 3, Consumers: 1, Producer: 3}, false},
		{selector.Topology{Producers: 3, Consumers: 1, Producer: -1}, false},
		{selector.Topology{Producers: 0, Consumers: 1}, false},
		{selector.Topology{Producers: 1, Consumers: 0}, false},
		{selector.Topology{}, false},
		{selector.Topology{Producers: 1, Consumers: 1<<31 - 1}, true},
		{selector.Topology{Producers: 1, Consumers: 3, MaxParallelism: 3}, true},
		{selector.Topology{Producers: 1, Consumers: 3, MaxParallelism: 2}, false},
		{selector.Topology{Producers: 1, Consumers: 3, MaxParallelism: -1}, false},
		{selector.Topology{Producers: 1, Consumers: 3, MaxParallelism: 32768}, true},
		{selector.Topology{Producers: 1, Consumers: 3, MaxParallelism: 32769}, false},
		{selector.Topology{Producers: 1, Consumers: 32768, MaxParallelism: 32768}, true},
	} {
		if err := tc.topology.Validate(); (err == nil) != tc.ok || !tc.ok && !errors.Is(err, selector.ErrTopology) {
			t.Errorf("%+v: %v", tc.topology, err)
		}
	}
}

func TestTopologyValidateFor(t *testing.T) {
	for _, tc := range []struct {
		topology selector.Topology
		hash     selector.Hash
		want     string // "": fits
	}{
		{selector.Topology{Producers: 1, Consumers: 32769}, selector.XXH3, ""},
		{selector.Topology{Producers: 1, Consumers: 32769}, selector.Kafka, ""},
		{selector.Topology{Producers: 1, Consumers: 32768}, selector.Flink, ""},
		{selector.Topology{Producers: 1, Consumers: 32769}, selector.Flink,
			"32769 consumers, at most 32768 can have a key group each: selector: topology does not fit"},
		{selector.Topology{Producers: 1, Consumers: 129, MaxParallelism: 128}, selector.Flink,
			"max parallelism 128 is less than the 129 consumers: selector: topology does not fit"},
		{selector.Topology{Producers: 1, Consumers: 129, MaxParallelism: 40000}, selector.Flink,
			"max parallelism 40000, it must be from 1 to 32768, or 0 for the default: selector: topology does not fit"},
	} {
		err := tc.topology.ValidateFor(tc.hash)
		if tc.want == "" && err != nil || tc.want != "" && (!errors.Is(err, selector.ErrTopology) || err.Error() != tc.want) {
			t.Errorf("%+v for %v: %v, want %q", tc.topology, tc.hash, err, tc.want)
		}
	}
}

func TestForwardChannel(t *testing.T) {
	for _, tc := range []struct {
		topology selector.Topology
		want     int
		ok       bool
	}{
		{selector.Topology{Producers: 1, Consumers: 1}, 0, true},
		{selector.Topology{Producers: 5, Consumers: 5, Producer: 3}, 3, true},
		{selector.Topology{Producers: 5, Consumers: 4, Producer: 3}, 0, false},
		{selector.Topology{Producers: 4, Consumers: 5, Producer: 3}, 0, false},
		{selector.Topology{Producers: 5, Consumers: 5, Producer: 5}, 0, false},
	} {
		got, err := selector.ForwardChannel(tc.topology)
		if got != tc.want || (err == nil) != tc.ok || !tc.ok && !errors.Is(err, selector.ErrTopology) {
			t.Errorf("ForwardChannel(%+v) = %d, %v", tc.topology, got, err)
		}
	}
}

func TestRescaleRange(t *testing.T) {
	for _, tc := range []struct {
		producers, consumers int
		want                 [][2]int // for each producer
	}{
		{1, 1, [][2]int{{0, 1}}},
		{1, 4, [][2]int{{0, 4}}},
		{2, 4, [][2]int{{0, 2}, {2, 4}}},
		{2, 5, [][2]int{{0, 3}, {3, 5}}},
		{3, 4, [][2]int{{0, 2}, {2, 3}, {3, 4}}},
		{4, 2, [][2]int{{0, 1}, {0, 1}, {1, 2}, {1, 2}}},
		{5, 2, [][2]int{{0, 1}, {0, 1}, {1, 2}, {1, 2}, {1, 2}}},
		{3, 3, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{4, 1, [][2]int{{0, 1}, {0, 1}, {0, 1}, {0, 1}}},
	} {
		for i, want := range tc.want {
			lo, hi := selector.RescaleRange(selector.Topology{Producers: tc.producers, Consumers: tc.consumers, Producer: i})
			if lo != want[0] || hi != want[1] {
				t.Errorf("producer %d of %d, %d consumers: %d to %d, want %d to %d", i, tc.producers, tc.consumers, lo, hi, want[0], want[1])
			}
		}
	}
}

// TestRescaleRangeCovers checks, for all small topologies, that every channel is used and that loads differ by at most one.
func TestRescaleRangeCovers(t *testing.T) {
	for p := 1; p <= 24; p++ {
		for c := 1; c <= 24; c++ {
			users := make([]int, c)     // producers of each channel
			shares := make([]int, 0, p) // channels of each producer
			for i := range p {
				lo, hi := selector.RescaleRange(selector.Topology{Producers: p, Consumers: c, Producer: i})
				if lo < 0 || lo >= hi || hi > c {
					t.Fatalf("producer %d of %d, %d consumers: %d to %d", i, p, c, lo, hi)
				}
				shares = append(shares, hi-lo)
				for k := lo; k < hi; k++ {
					users[k]++
				}
			}
			if least, most := bounds(users); least < 1 || most-least > 1 || c >= p && most != 1 {
				t.Errorf("%d producers, %d consumers: channels have %v producers", p, c, users)
			}
			if least, most := bounds(shares); most-least > 1 || p >= c && most != 1 {
				t.Errorf("%d producers, %d consumers: producers have %v channels", p, c, shares)
			}
		}
	}
	lo, hi := selector.RescaleRange(selector.Topology{Producers: 1 << 30, Consumers: 1<<31 - 1, Producer: 1<<30 - 1})
	if lo >= hi || hi != 1<<31-1 {
		t.Errorf("last of 2³⁰ producers: %d to %d", lo, hi)
	}
}

func bounds(s []int) (least, most int) {
	least, most = s[0], s[0]
	for _, v := range s {
		least, most = min(least, v), max(most, v)
	}
	return least, most
}
