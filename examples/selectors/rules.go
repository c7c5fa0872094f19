package main

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/selector"
)

// rule is one row of the table: a way to select.
type rule struct {
	name      string
	make      func() selector.Selector[event]
	keyGroups int  // 0: the default
	keyed     bool // the channel follows from the key alone
	choices   bool // two channels follow from the key, and the load decides
	queued    bool // a row of the table of queues as well
}

var rules = []rule{
	{name: "`key=`", make: func() selector.Selector[event] { return selector.Key(func(v *event) uint64 { return v.xxh3 }) }, keyed: true, queued: true},
	{name: "`key= hash=flink`", make: flink, keyed: true},
	{name: "the same, m = 128", make: flink, keyed: true, keyGroups: 128},
	{name: "`key= hash=kafka`", make: func() selector.Selector[event] { return selector.KafkaKey(func(v *event) uint32 { return v.kafka }) }, keyed: true},
	{name: "`key= choices=2`", make: keyChoices, choices: true, queued: true},
	{name: "`rebalance`", make: selector.RoundRobin[event], queued: true},
	{name: "`rescale`", make: selector.Rescale[event]},
	{name: "`shuffle`", make: selector.Shuffle[event], queued: true},
	{name: "`load`", make: selector.LeastLoaded[event], queued: true},
}

func flink() selector.Selector[event] {
	return selector.FlinkKey(func(v *event) int32 { return v.flink })
}

func keyChoices() selector.Selector[event] {
	return selector.KeyChoices(func(v *event) uint64 { return v.xxh3 })
}

// usesKey says that the channels of a rule depend on the keys of the records.
func (r rule) usesKey() bool { return r.keyed || r.choices }

// fits says that the rule can select among n channels.
func (r rule) fits(n int) bool { return r.keyGroups == 0 || n <= r.keyGroups }

// selectors returns a selector for each producer, set up like those of writers: with a seed, and with a view of the loads.
func (r rule) selectors(n int, seed uint64, q *queues) ([]selector.Selector[event], error) {
	all := make([]selector.Selector[event], producers)
	for i := range all {
		s := r.make()
		if s, ok := s.(selector.Seeder); ok {
			s.Seed(seed)
		}
		err := s.Setup(selector.Topology{Producers: producers, Consumers: n, Producer: i, MaxParallelism: r.keyGroups})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		if s, ok := s.(selector.Loader); ok {
			s.Observe(q.backlog)
		}
		all[i] = s
	}
	return all, nil
}

// loads returns the records that each of n channels gets when the events are sent as often as counts says, in the order of sent, to consumers that
// are together as fast as the producers.
func (r rule) loads(n int, events []event, counts []int, sent []event, seed uint64) ([]int, error) {
	if r.keyed {
		return r.byKey(n, events, counts)
	}
	return r.byRecord(n, sent, seed, newQueues(n, 100))
}

// byKey returns the records that each of n channels gets under a rule whose channels follow from the keys: key i occurs counts[i] times.
func (r rule) byKey(n int, events []event, counts []int) ([]int, error) {
	all, err := r.selectors(n, 0, nil)
	if err != nil {
		return nil, err
	}
	loads := make([]int, n)
	for i, count := range counts {
		if count > 0 {
			loads[all[0].Select(&events[i], n)] += count
		}
	}
	return loads, nil
}

// byRecord returns the records that each of n channels gets when the records are sent one after the other.
func (r rule) byRecord(n int, sent []event, seed uint64, q *queues) ([]int, error) {
	all, err := r.selectors(n, seed, q)
	if err != nil {
		return nil, err
	}
	loads := make([]int, n)
	for i := range sent {
		channel := all[i%producers].Select(&sent[i], n)
		loads[channel]++
		q.send(channel)
	}
	return loads, nil
}

// imbalance returns the greatest load divided by the average one.
func imbalance(loads []int) float64 {
	most, total := 0, 0
	for _, load := range loads {
		most = max(most, load)
		total += load
	}
	return float64(most) * float64(len(loads)) / float64(total)
}
