package main

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/transport"
)

// place is one process, and what of the exchange is in it.
type place struct {
	role                 string // producer, consumer, or process, which may be both
	index                int
	self                 string // as the lists of the layout call it: its address, if it listens
	listens              bool
	producers, consumers []int
}

// name is how the process is known to others.
func (p place) name() string { return fmt.Sprintf("%s %d", p.role, p.index) }

// layout says who is where. It is all that differs between one process and many.
type layout struct {
	places               []place
	producers, consumers []string // for exchange.Processes
}

// layout divides producers and consumers among processes. addresses are those of the processes that listen: the producers, or with -processes all; none if there is one.
func (c *config) layout(addresses []string) layout {
	var l layout
	if c.processes == 0 {
		l.producers = addresses
		for j := range c.consumers {
			p := place{role: "consumer", index: j, consumers: []int{j}}
			p.self = p.name()
			l.places = append(l.places, p)
			l.consumers = append(l.consumers, p.self)
		}
		for i, a := range addresses {
			l.places = append(l.places, place{role: "producer", index: i, self: a, listens: true, producers: []int{i}})
		}
		return l
	}
	for p := range c.processes {
		at := place{role: "process", index: p, self: "here"}
		if len(addresses) > 0 {
			at.self, at.listens = addresses[p], true
		}
		l.places = append(l.places, at)
	}
	for i := range c.producers {
		at := &l.places[i%c.processes]
		at.producers = append(at.producers, i)
		l.producers = append(l.producers, at.self)
	}
	for j := range c.consumers {
		at := &l.places[j%c.processes]
		at.consumers = append(at.consumers, j)
		l.consumers = append(l.consumers, at.self)
	}
	return l
}

// listeners returns how many processes listen.
func (c *config) listeners() int {
	if c.processes == 0 {
		return c.producers
	}
	return c.processes
}

// exchange makes the part of the exchange that is at a place. Without a node everything is there.
func (l layout) exchange(c config, at place, node *transport.Node) (*exchange.Exchange, error) {
	return exchange.New(exchange.Config{MemoryBytes: memoryBytes, Processes: &exchange.Processes{
		Name: "flights", Producers: l.producers, Consumers: l.consumers, Self: at.self, Node: node,
	}})
}

// memoryBytes bounds the records that are under way in one process.
const memoryBytes = 16 << 20
