package selector_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
)

// TestSeed checks that draws follow from the seed and the producer, and differ between seeds and between producers.
func TestSeed(t *testing.T) {
	topology := selector.Topology{Producers: 3, Consumers: 1000}
	for name, make := range map[string]func() selector.Selector[rec]{
		"shuffle": selector.Shuffle[rec], "load": selector.LeastLoaded[rec], "rebalance": selector.RoundRobin[rec], "rescale": selector.Rescale[rec],
	} {
		draw := func(seed uint64, producer int) []int {
			s := make()
			s.(selector.Seeder).Seed(seed)
			topology := topology
			topology.Producer = producer
			return take(t, s, topology, 20)
		}
		first := draw(1, 0)
		if again := draw(1, 0); !slices.Equal(first, again) {
			t.Errorf("%s: one seed gives %v and %v", name, first, again)
		}
		if other := draw(2, 0); slices.Equal(first, other) {
			t.Errorf("%s: two seeds give %v", name, first)
		}
		if other := draw(1, 1); slices.Equal(first, other) {
			t.Errorf("%s: two producers draw %v", name, first)
		}
	}
}

func TestShuffleSeed(t *testing.T) {
	topology := selector.Topology{Producers: 2, Consumers: 10}
	got := take(t, selector.ShuffleSeed[rec](5), topology, 12)
	if want := []int{8, 4, 8, 0, 9, 8, 7, 3, 7, 7, 6, 7}; !slices.Equal(got, want) { // the same in every release
		t.Errorf("channels %v, want %v", got, want)
	}
	s := selector.ShuffleSeed[rec](5)
	s.(selector.Seeder).Seed(6) // of the writer; its own goes first
	if again := take(t, s, topology, 12); !slices.Equal(got, again) {
		t.Errorf("with a seed of the writer: %v, want %v", again, got)
	}
	r := selector.SeedRandom(selector.ProducerSeed(5, 0))
	for i, want := range got {
		if channel := r.Channel(10); channel != want {
			t.Errorf("generated code draws %d for record %d, want %d", channel, i, want)
		}
	}
}

func TestTryFunc(t *testing.T) {
	errOdd := errors.New("odd")
	s := selector.TryFunc(func(v *rec, channels int) (int, error) {
		switch {
		case v.Key == 4:
			return -3, nil
		case v.Key%2 == 1:
			return 1, errOdd
		}
		return int(v.Key) % channels, nil
	})
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 3}); err != nil {
		t.Fatal(err)
	}
	failer := s.(selector.Failer)
	for _, tc := range []struct {
		key     uint64
		channel int
		err     error
	}{{0, 0, nil}, {1, -1, errOdd}, {2, 2, nil}, {3, -1, errOdd}, {4, -3, nil}, {5, -1, errOdd}} {
		if got := s.Select(&rec{tc.key}, 3); got != tc.channel || failer.Err() != tc.err {
			t.Errorf("key %d: channel %d, error %v, want %d, %v", tc.key, got, failer.Err(), tc.channel, tc.err)
		}
	}
}

func TestNilFunctions(t *testing.T) {
	for name, s := range map[string]selector.Selector[rec]{
		"FlinkKey": selector.FlinkKey[rec](nil), "KafkaKey": selector.KafkaKey[rec](nil), "KeyChoices": selector.KeyChoices[rec](nil),
		"TryFunc": selector.TryFunc[rec](nil),
	} {
		if err := s.Setup(selector.Topology{Producers: 1, Consumers: 1}); err == nil {
			t.Errorf("%s(nil) has no error", name)
		}
	}
}

func TestHashes(t *testing.T) {
	var zero selector.Hash
	if zero != selector.XXH3 {
		t.Errorf("the zero value is %v", zero)
	}
	for hash, want := range map[selector.Hash]string{
		selector.XXH3: "xxh3", selector.Flink: "flink", selector.Kafka: "kafka", 99: "Hash(99)", -1: "Hash(-1)",
	} {
		if got := hash.String(); got != want {
			t.Errorf("hash %d is %q, want %q", int(hash), got, want)
		}
	}
	for name, want := range map[string]selector.Hash{"flink": selector.Flink, "kafka": selector.Kafka, "key": selector.XXH3, "choices": selector.XXH3} {
		got := selector.XXH3
		if h, ok := all()[name].(selector.Hasher); ok {
			got = h.Hash()
		}
		if got != want {
			t.Errorf("%s: hash %v, want %v", name, got, want)
		}
	}
}
