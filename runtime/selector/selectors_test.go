package selector_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
)

type rec struct{ Key uint64 }

func byKey(v *rec) uint64 { return selector.Hash64(v.Key) }

func TestKinds(t *testing.T) {
	for _, tc := range []struct {
		selector selector.Selector[rec]
		kind     selector.Kind
		text     string
	}{
		{selector.Key(byKey), selector.KindKeyed, "key"},
		{selector.Broadcast[rec](), selector.KindBroadcast, "broadcast"},
		{selector.RoundRobin[rec](), selector.KindRebalance, "rebalance"},
		{selector.Rescale[rec](), selector.KindRescale, "rescale"},
		{selector.Shuffle[rec](), selector.KindShuffle, "shuffle"},
		{selector.Global[rec](), selector.KindGlobal, "global"},
		{selector.Forward[rec](), selector.KindForward, "forward"},
		{selector.Func(func(*rec, int) int { return 0 }), selector.KindCustom, "custom"},
		{selector.TryFunc(func(*rec, int) (int, error) { return 0, nil }), selector.KindCustom, "custom"},
		{selector.FlinkKey(flinkKey), selector.KindKeyed, "key"},
		{selector.KafkaKey(kafkaKey), selector.KindKeyed, "key"},
		{selector.KeyChoices(byKey), selector.KindChoices, "choices=2"},
		{selector.LeastLoaded[rec](), selector.KindLoad, "load"},
	} {
		if got := tc.selector.Kind(); got != tc.kind || got.String() != tc.text {
			t.Errorf("kind is %v, want %v, %q", got, tc.kind, tc.text)
		}
		if err := tc.selector.Setup(selector.Topology{Producers: 2, Consumers: 2, Producer: 1}); err != nil {
			t.Errorf("%v: Setup: %v", tc.kind, err)
		}
		if err := tc.selector.Setup(selector.Topology{}); !errors.Is(err, selector.ErrTopology) {
			t.Errorf("%v: Setup without a topology: %v", tc.kind, err)
		}
	}
	if got := selector.Kind(99).String(); got != "Kind(99)" {
		t.Errorf("unknown kind is %q", got)
	}
}

// take sets s up and returns the channels of n records with the keys 0 to n−1.
func take(t *testing.T, s selector.Selector[rec], topology selector.Topology, n int) []int {
	t.Helper()
	if err := s.Setup(topology); err != nil {
		t.Fatal(err)
	}
	var got []int
	for i := range n {
		got = append(got, s.Select(&rec{uint64(i)}, topology.Consumers))
	}
	return got
}

func TestKey(t *testing.T) {
	got := take(t, selector.Key(byKey), selector.Topology{Producers: 1, Consumers: 7}, 100)
	for i, channel := range got {
		if want := selector.Scale(selector.Hash64(uint64(i)), 7); channel != want {
			t.Errorf("key %d goes to %d, want %d", i, channel, want)
		}
	}
}

func TestFunc(t *testing.T) {
	f := func(v *rec, channels int) int { return int(v.Key)%channels - 1 }
	got := take(t, selector.Func(f), selector.Topology{Producers: 1, Consumers: 3}, 4)
	if want := []int{-1, 0, 1, -1}; !slices.Equal(got, want) { // what is out of range is for the writer to refuse
		t.Errorf("channels %v, want %v", got, want)
	}
}

func TestNilFunc(t *testing.T) {
	topology := selector.Topology{Producers: 1, Consumers: 1}
	if err := selector.Key[rec](nil).Setup(topology); err == nil {
		t.Error("Key(nil) has no error")
	}
	if err := selector.Func[rec](nil).Setup(topology); err == nil {
		t.Error("Func(nil) has no error")
	}
}

func TestConstantChannels(t *testing.T) {
	topology := selector.Topology{Producers: 5, Consumers: 5, Producer: 3}
	for name, tc := range map[string]struct {
		selector selector.Selector[rec]
		want     int
	}{
		"global":    {selector.Global[rec](), 0},
		"broadcast": {selector.Broadcast[rec](), 0},
		"forward":   {selector.Forward[rec](), 3},
	} {
		if got := take(t, tc.selector, topology, 3); !slices.Equal(got, []int{tc.want, tc.want, tc.want}) {
			t.Errorf("%s: channels %v, want %d", name, got, tc.want)
		}
	}
	if err := selector.Forward[rec]().Setup(selector.Topology{Producers: 5, Consumers: 6}); !errors.Is(err, selector.ErrTopology) {
		t.Errorf("forward to 6 from 5: %v", err)
	}
}

func TestTurns(t *testing.T) {
	for name, tc := range map[string]struct {
		make   func() selector.Selector[rec]
		lo, hi int
	}{
		"rebalance": {selector.RoundRobin[rec], 0, 7},
		"rescale":   {selector.Rescale[rec], 3, 5},
	} {
		starts := map[int]bool{}
		for range 200 {
			got := take(t, tc.make(), selector.Topology{Producers: 3, Consumers: 7, Producer: 1}, 20)
			starts[got[0]] = true
			for i, channel := range got {
				if channel < tc.lo || channel >= tc.hi {
					t.Fatalf("%s: channel %d outside %d to %d", name, channel, tc.lo, tc.hi)
				}
				if i > 0 && channel != got[i-1]+1 && (channel != tc.lo || got[i-1] != tc.hi-1) {
					t.Fatalf("%s: channel %d after %d", name, channel, got[i-1])
				}
			}
		}
		// With 200 draws, missing one of 7 starts is as likely as 1 in 10¹².
		if len(starts) != tc.hi-tc.lo {
			t.Errorf("%s: 200 selectors start at %v only", name, starts)
		}
	}
}

func TestShuffle(t *testing.T) {
	const channels, records = 10, 20_000
	got := take(t, selector.Shuffle[rec](), selector.Topology{Producers: 1, Consumers: channels}, records)
	loads := make([]int, channels)
	pairs := make([]int, channels*channels) // each channel with the one before it
	for i, channel := range got {
		loads[channel]++
		if i > 0 {
			pairs[channel*channels+got[i-1]]++
		}
	}
	// The bounds are exceeded by chance once in many millions of runs.
	if x := chiSquare(loads, records); x > 60 {
		t.Errorf("χ² of the channels is %.1f", x)
	}
	if x := chiSquare(pairs, records-1); x > 200 {
		t.Errorf("χ² of pairs is %.1f", x)
	}
	again := take(t, selector.Shuffle[rec](), selector.Topology{Producers: 1, Consumers: channels}, 100)
	if slices.Equal(again, got[:100]) {
		t.Error("two selectors draw the same channels")
	}
}

func TestRandomOneChannel(t *testing.T) {
	r := selector.NewRandom()
	for range 100 {
		if got := r.Channel(1); got != 0 {
			t.Fatalf("channel %d of 1", got)
		}
	}
}

func TestSelectAllocatesNothing(t *testing.T) {
	topology := selector.Topology{Producers: 4, Consumers: 4, Producer: 1}
	v := &rec{1}
	for name, s := range all() {
		if err := s.Setup(topology); err != nil {
			t.Fatal(err)
		}
		sum := 0
		if n := testing.AllocsPerRun(100, func() { sum += s.Select(v, 4) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
