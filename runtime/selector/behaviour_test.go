package selector_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
)

// The tests of this file hold behaviours that Flink's own tests assert, by the number under which runtime/DESIGN.md lists them.

// TestFlink12LoadChoices is the table of choices by load. Flink looks at a window of channels, in buffers; here two are compared, in KiB.
func TestFlink12LoadChoices(t *testing.T) {
	for _, tc := range []struct {
		name               string
		sentA, sentB       int // records before; −1: not counted
		backlogA, backlogB int64
		want               int // 0: a, 1: b
	}{
		{"both empty, drawn", -1, -1, 0, 0, 0},
		{"both empty, counted", 0, 0, 0, 0, 0},
		{"a empty", 5, 0, 0, 4096, 0},
		{"b empty", 0, 5, 4096, 0, 1},
		{"b empty, drawn", -1, -1, 4096, 0, 1},
		{"both loaded, a less", 9, 0, 5 << 10, 6 << 10, 0},
		{"both loaded, b less", 0, 9, 6 << 10, 5 << 10, 1},
		{"less than a unit apart is a tie, drawn", -1, -1, 1023, 0, 0},
		{"less than a unit apart is a tie, counted", 0, 1, 1023, 0, 0},
		{"one unit", 0, 1, 1024, 1023, 1},
		{"large, and a byte below the next unit", 1, 1, 1<<40 + 1023, 1 << 40, 0},
		{"large, and the next unit", 0, 1, 1<<40 + 1024, 1<<40 + 1023, 1},
		{"tie: fewer to a", 3, 4, 2048, 2048, 0},
		{"tie: fewer to b", 4, 3, 2048, 2048, 1},
		{"tie of both", 4, 4, 2048, 2048, 0},
	} {
		a, b, channels := 6, 2, 8
		if tc.sentA < 0 {
			channels = 0
		}
		c := selector.NewTwoChoices(channels, 1)
		for range tc.sentA {
			c.Choose(a, a, 0, 0)
		}
		for range tc.sentB {
			c.Choose(b, b, 0, 0)
		}
		if got, want := c.Choose(a, b, tc.backlogA, tc.backlogB), [2]int{a, b}[tc.want]; got != want {
			t.Errorf("%s: channel %d, want %d", tc.name, got, want)
		}
	}
}

// TestFlink14Rebalance checks that the first channel is in range and each further one is the next, modulo the channels. Where two
// producers start differs, as it does in Flink.
func TestFlink14Rebalance(t *testing.T) {
	for _, n := range []int{1, 2, 3, 1024} {
		got := take(t, selector.RoundRobin[rec](), selector.Topology{Producers: 1, Consumers: n}, 2*n+1)
		for i, channel := range got {
			if channel < 0 || channel >= n || i > 0 && channel != (got[i-1]+1)%n {
				t.Fatalf("%d channels: %v", n, got[:i+1])
			}
		}
	}
}

// TestFlink15Rescale checks that a producer goes through its own channels in turn, around and around. Flink starts with the first of them,
// here a random one is first.
func TestFlink15Rescale(t *testing.T) {
	got := take(t, selector.Rescale[rec](), selector.Topology{Producers: 2, Consumers: 6, Producer: 1}, 7)
	from := slices.Index(got, 3)
	if from < 0 || from > 2 || !slices.Equal(got[from:from+4], []int{3, 4, 5, 3}) {
		t.Errorf("channels %v, want 3, 4, 5, 3 from one of the first on", got)
	}
}

// TestFlink16SameKeySameChannel checks, for every hash, that a key goes to the same channel each time, from each producer, and that two
// choices never make a third.
func TestFlink16SameKeySameChannel(t *testing.T) {
	for name, make := range map[string]func() selector.Selector[rec]{
		"xxh3":  func() selector.Selector[rec] { return selector.Key(byKey) },
		"flink": func() selector.Selector[rec] { return selector.FlinkKey(flinkKey) },
		"kafka": func() selector.Selector[rec] { return selector.KafkaKey(kafkaKey) },
	} {
		for _, n := range []int{1, 2, 1024} {
			first := take(t, make(), selector.Topology{Producers: 2, Consumers: n}, 1000)
			again := take(t, make(), selector.Topology{Producers: 2, Consumers: n, Producer: 1}, 1000)
			if !slices.Equal(first, again) {
				t.Errorf("%s, %d channels: two producers send a key to two channels", name, n)
			}
			if least, most := slices.Min(first), slices.Max(first); least < 0 || most >= n {
				t.Errorf("%s, %d channels: %d to %d", name, n, least, most)
			}
		}
	}
	for _, n := range []int{1, 2, 1024} {
		seen := map[uint64]map[int]bool{}
		r := rand.New(rand.NewPCG(9, uint64(n)))
		for producer := range 4 {
			s := selector.KeyChoices(byKey)
			if err := s.Setup(selector.Topology{Producers: 4, Consumers: n, Producer: producer}); err != nil {
				t.Fatal(err)
			}
			for range 1000 {
				key := r.Uint64N(100)
				if seen[key] == nil {
					seen[key] = map[int]bool{}
				}
				seen[key][s.Select(&rec{key}, n)] = true
			}
		}
		most := 0
		for key, channels := range seen {
			a, b := selector.TwoOf(selector.Hash64(key), n)
			for channel := range channels {
				if channel != a && channel != b {
					t.Errorf("%d channels: key %d goes to %d, want %d or %d", n, key, channel, a, b)
				}
			}
			most = max(most, len(channels))
		}
		if most != min(n, 2) {
			t.Errorf("%d channels: keys go to at most %d", n, most)
		}
	}
}

func flinkKey(v *rec) int32 { return selector.Flink64(int64(v.Key)) }

func kafkaKey(v *rec) uint32 { return selector.Kafka64(v.Key) }

// TestFlink18PowersOfTwo checks the rounding of the default max parallelism at all its edges.
func TestFlink18PowersOfTwo(t *testing.T) {
	for _, tc := range []struct{ consumers, want int }{
		{1, 128}, {10, 128}, {85, 128}, {86, 256}, {127, 256}, {170, 256}, {171, 256}, {172, 512}, {341, 512}, {342, 1024}, {1000, 2048},
		{10922, 16384}, {10923, 16384}, {10924, 32768}, {21845, 32768}, {21846, 32768}, {32768, 32768}, {32769, 32768}, {1<<31 - 1, 32768},
	} {
		if got := (selector.Topology{Producers: 1, Consumers: tc.consumers}).KeyGroups(); got != tc.want {
			t.Errorf("%d consumers: %d key groups, want %d", tc.consumers, got, tc.want)
		}
	}
	for consumers := 1; consumers <= selector.MaxKeyGroups; consumers++ {
		want := 128
		for want < consumers+consumers/2 && want < selector.MaxKeyGroups {
			want *= 2
		}
		if got := (selector.Topology{Producers: 1, Consumers: consumers}).KeyGroups(); got != want {
			t.Fatalf("%d consumers: %d key groups, want %d", consumers, got, want)
		}
	}
}

// all returns one selector of each kind for topologies with as many producers as consumers.
func all() map[string]selector.Selector[rec] {
	return map[string]selector.Selector[rec]{
		"key": selector.Key(byKey), "flink": selector.FlinkKey(flinkKey), "kafka": selector.KafkaKey(kafkaKey),
		"choices": selector.KeyChoices(byKey), "load": selector.LeastLoaded[rec](), "rebalance": selector.RoundRobin[rec](),
		"rescale": selector.Rescale[rec](), "shuffle": selector.Shuffle[rec](), "shuffle, seeded": selector.ShuffleSeed[rec](1),
		"global": selector.Global[rec](), "forward": selector.Forward[rec](), "broadcast": selector.Broadcast[rec](),
		"custom": selector.Func(func(*rec, int) int { return 0 }),
		"try":    selector.TryFunc(func(*rec, int) (int, error) { return 0, nil }),
	}
}

// TestFlink14087SharedSelector checks that no selector serves two outputs: a shared state sent records of one to channels of the other.
func TestFlink14087SharedSelector(t *testing.T) {
	topology := selector.Topology{Producers: 2, Consumers: 2}
	for name, s := range all() {
		// A topology that does not fit leaves the selector free.
		if err := s.Setup(selector.Topology{}); !errors.Is(err, selector.ErrTopology) {
			t.Errorf("%s: Setup without a topology: %v", name, err)
		}
		if err := s.Setup(topology); err != nil {
			t.Errorf("%s: Setup: %v", name, err)
		}
		before := s.Select(&rec{1}, 2)
		if err := s.Setup(selector.Topology{Producers: 7, Consumers: 7, Producer: 6}); !errors.Is(err, selector.ErrShared) {
			t.Errorf("%s: second Setup: %v", name, err)
		}
		if after := s.Select(&rec{1}, 2); before > 1 || after > 1 {
			t.Errorf("%s: channels %d and %d of 2: the refused Setup had an effect", name, before, after)
		}
	}
}

// TestFlink14087Race checks that of many writers that are made at the same time with one selector one gets it.
func TestFlink14087Race(t *testing.T) {
	for name, s := range all() {
		var wg sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			wg.Go(func() { errs[i] = s.Setup(selector.Topology{Producers: 8, Consumers: 8, Producer: i}) })
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else if !errors.Is(err, selector.ErrShared) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if won != 1 {
			t.Errorf("%s: %d writers share it", name, won)
		}
	}
}
