package main

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/rwgen/rwgen/runtime/selector"
)

// event is the record that is sent: all selectors need of it is the hashes of its key, which are computed once.
type event struct {
	xxh3  uint64
	flink int32
	kafka uint32
}

// keySet returns n events with the keys of the set with that number, which are strings like "customer-3-123456".
func keySet(set, n int) []event {
	events := make([]event, n)
	prefix := "customer-" + strconv.Itoa(set) + "-"
	for i := range events {
		key := prefix + strconv.Itoa(i)
		events[i] = event{selector.HashString(key), selector.FlinkString(key), selector.KafkaString(key)}
	}
	return events
}

// uniform returns how often each of n keys occurs in n records if all occur equally often.
func uniform(n int) []int {
	counts := make([]int, n)
	for i := range counts {
		counts[i] = 1
	}
	return counts
}

// zipf returns how often each of n keys occurs in n records if the k-th occurs in proportion to k^−skew. The fractions are carried over to the
// next key, so that the counts are those that are expected, and of rare keys some occur once and some not at all.
func zipf(n int) []int {
	total := 0.0
	for k := range n {
		total += math.Pow(float64(k+1), -skew)
	}
	counts := make([]int, n)
	sum, before := 0.0, 0
	for k := range counts {
		sum += math.Pow(float64(k+1), -skew)
		upTo := int(math.Round(sum / total * float64(n)))
		counts[k], before = upTo-before, upTo
	}
	return counts
}

// order returns the keys of all records in a random order that follows from seed.
func order(counts []int, seed uint64) []int32 {
	keys := make([]int32, 0, len(counts))
	for key, n := range counts {
		for range n {
			keys = append(keys, int32(key))
		}
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

// stream returns the events with these keys, side by side: the memory of the machine is not what is measured.
func stream(events []event, keys []int32) []event {
	sent := make([]event, len(keys))
	for i, key := range keys {
		sent[i] = events[key]
	}
	return sent
}
