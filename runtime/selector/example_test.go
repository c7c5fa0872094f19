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
