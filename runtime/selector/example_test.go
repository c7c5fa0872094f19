package selector_test

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/selector"
)

// The channel of a key is the same on every machine and in every release.
func Example() {
	for _, origin := range []string{"ORD", "JFK", "LAX"} {
		fmt.Println(origin, selector.Scale(selector.HashString(origin), 4))
	}
	// Output:
	// ORD 2
	// JFK 0
	// LAX 2
}

// A key of several fields is built part by part in a buffer that is used again for the next record.
func ExampleHashBytes_composite() {
	var k []byte
	for _, route := range [][2]string{{"ORD", "JFK"}, {"JFK", "ORD"}} {
		k = selector.AppendString(k[:0], route[0])
		k = selector.AppendString(k, route[1])
		fmt.Println(route, selector.Scale(selector.HashBytes(k), 100))
	}
	// Output:
	// [ORD JFK] 54
	// [JFK ORD] 95
}

func ExampleKey() {
	type flight struct{ Origin string }
	s := selector.Key(func(v *flight) uint64 { return selector.HashString(v.Origin) })
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 4}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(s.Kind(), s.Select(&flight{"ORD"}, 4))
	// Output: key 2
}

func ExampleRescaleRange() {
	for producer := range 3 {
		lo, hi := selector.RescaleRange(selector.Topology{Producers: 3, Consumers: 7, Producer: producer})
		fmt.Printf("producer %d: channels %d to %d\n", producer, lo, hi-1)
	}
	// Output:
	// producer 0: channels 0 to 2
	// producer 1: channels 3 to 4
	// producer 2: channels 5 to 6
}

func ExampleForwardChannel() {
	_, err := selector.ForwardChannel(selector.Topology{Producers: 3, Consumers: 2})
	fmt.Println(err)
	// Output: forward needs as many consumers as producers, not 3 producers and 2 consumers: selector: topology does not fit
}

// The channels are those of Apache Flink with the same max parallelism and parallelism.
func ExampleFlinkKey() {
	type flight struct{ Origin string }
	s := selector.FlinkKey(func(v *flight) int32 { return selector.FlinkString(v.Origin) })
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 4, MaxParallelism: 128}); err != nil {
		fmt.Println(err)
	}
	for _, origin := range []string{"hello", "flink", "a"} {
		fmt.Println(origin, s.Select(&flight{origin}, 4))
	}
	// Output:
	// hello 1
	// flink 3
	// a 2
}

// A key of several fields has the hash of a tuple.
func ExampleFlinkCombine() {
	h := selector.FlinkCombine(0, selector.FlinkString("ORD"))
	h = selector.FlinkCombine(h, selector.FlinkString("JFK"))
	h = selector.FlinkCombine(h, selector.Flink64(7))
	fmt.Println(h, selector.FlinkGroup(h, 128), selector.FlinkChannel(h, 128, 10))
	// Output: 77740505 4 0
}

func ExampleKeyGroupRange() {
	for channel := range 3 {
		first, last := selector.KeyGroupRange(channel, 3, 128)
		fmt.Printf("channel %d: key groups %d to %d\n", channel, first, last)
	}
	// Output:
	// channel 0: key groups 0 to 42
	// channel 1: key groups 43 to 85
	// channel 2: key groups 86 to 127
}

// A record goes to the channel with the number of its Kafka partition.
func ExampleKafkaKey() {
	type flight struct{ Origin string }
	s := selector.KafkaKey(func(v *flight) uint32 { return selector.KafkaString(v.Origin) })
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 12}); err != nil {
		fmt.Println(err)
	}
	for _, origin := range []string{"21", "foobar"} {
		fmt.Println(origin, s.Select(&flight{origin}, 12))
	}
	// Output:
	// 21 0
	// foobar 6
}

// The records of a key that is in great demand go to two channels in turn, or to the one with less backlog.
func ExampleKeyChoices() {
	type flight struct{ Origin string }
	s := selector.KeyChoices(func(v *flight) uint64 { return selector.HashString(v.Origin) })
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 10}); err != nil {
		fmt.Println(err)
	}
	for range 4 {
		fmt.Print(s.Select(&flight{"ORD"}, 10), " ")
	}
	// Output: 6 1 6 1
}

// A writer tells the selector what it knows about the load of channels.
func ExampleLeastLoaded() {
	type flight struct{ Origin string }
	s := selector.LeastLoaded[flight]()
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 2}); err != nil {
		fmt.Println(err)
	}
	backlog := []int64{64 << 10, 0}
	s.(selector.Loader).Observe(func(channel int) int64 { return backlog[channel] })
	fmt.Println(s.Select(&flight{"ORD"}, 2))
	// Output: 1
}

func ExampleTwoChoices() {
	backlog := []int64{0, 9000, 4000, 0}
	choices := selector.NewTwoChoices(len(backlog), 1)
	for _, two := range [][2]int{{0, 1}, {1, 2}, {0, 3}, {0, 3}} {
		a, b := two[0], two[1]
		fmt.Print(choices.Choose(a, b, backlog[a], backlog[b]), " ")
	}
	// Output: 0 2 3 0
}

// With a seed the channels are the same in every run.
func ExampleShuffleSeed() {
	type flight struct{ Origin string }
	s := selector.ShuffleSeed[flight](5)
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 10}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(s.Select(&flight{}, 10), s.Select(&flight{}, 10), s.Select(&flight{}, 10))
	// Output: 8 4 8
}

// The error of the function is the reason why nothing was written.
func ExampleTryFunc() {
	type flight struct{ Origin string }
	airports := map[string]int{"ORD": 0, "JFK": 1}
	s := selector.TryFunc(func(v *flight, channels int) (int, error) {
		airport, ok := airports[v.Origin]
		if !ok {
			return 0, fmt.Errorf("no airport %q", v.Origin)
		}
		return airport % channels, nil
	})
	if err := s.Setup(selector.Topology{Producers: 1, Consumers: 4}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(s.Select(&flight{"JFK"}, 4))
	fmt.Println(s.Select(&flight{"ZZZ"}, 4), s.(selector.Failer).Err())
	// Output:
	// 1
	// -1 no airport "ZZZ"
}

// A selector serves one writer.
func ExampleSelector() {
	type flight struct{ Origin string }
	s := selector.RoundRobin[flight]()
	topology := selector.Topology{Producers: 2, Consumers: 2}
	fmt.Println(s.Setup(topology))
	fmt.Println(s.Setup(topology))
	// Output:
	// <nil>
	// selector: in use by another writer; each needs one of its own
}
