package task

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/memory"
)

// LeastMemory returns the smallest Config.MemoryBytes that the graph can be run with, in bytes. Then every channel of every edge has one block of 1 KiB, every producer one more, and records
// are at most 1 KiB large, unless options of the edges ask for more: see LargeBytes of [WithExchange].
func (g *Graph) LeastMemory() int64 { return least(g.links) }

func least(links []*link) (bytes int64) {
	for _, l := range links {
		bytes += l.least()
	}
	return bytes
}

// sharedPart is the part of a shared pool that a graph counts on by default.
const sharedPart = 8

// channelBytes is the guarantee of one producer for one channel above which more is of no use: the largest block.
const channelBytes = memory.MaxBlock

// guarantee is the least that each producer can be guaranteed for blocks.
func (l *link) guarantee() int64 {
	return max(int64(l.to.instances+1)*memory.MinBlock, blocks(l.options.exchange.GuaranteedBytes))
}

// large is the least that can be set aside for large records.
func (l *link) large() int64 {
	return max(memory.MinBlock, blocks(l.options.exchange.LargeBytes))
}

func (l *link) least() int64 {
	return int64(l.from.instances)*l.guarantee() + l.large() + max(0, blocks(l.options.exchange.AssemblyBytes))
}

// blocks rounds up to whole smallest blocks.
func blocks(bytes int64) int64 { return (bytes + memory.MinBlock - 1) &^ (memory.MinBlock - 1) }

// budget divides memory: every edge gets what it needs at least, a quarter of what is left goes to guarantees, a quarter to room for large records, in equal parts, and half is dealt out
// among the producers as long as they are at work. What options of an edge ask for, it gets, and nothing above.
func budget(links []*link, bytes int64) ([]exchange.Config, error) {
	need := least(links)
	if bytes < need {
		return nil, fmt.Errorf("task: %w: %d edges need at least %d bytes, which is what Graph.LeastMemory returns, and Config.MemoryBytes is %d", memory.ErrInsufficient, len(links), need, bytes)
	}
	configs := make([]exchange.Config, len(links))
	for i, l := range links {
		c := l.options.exchange
		if c.Processes != nil {
			return nil, fmt.Errorf("task: edge %s: the exchange of an edge is in one process, and Processes is set; let a stage read or write an exchange of its own", l.name)
		}
		part := (bytes - need) / 4 / int64(len(links))
		if c.LargeBytes == 0 { // less is refused by the exchange
			c.LargeBytes = l.large() + part&^(memory.MinBlock-1)
		}
		if c.GuaranteedBytes == 0 {
			most := int64(l.to.instances*channelBytes + memory.MinBlock)
			c.GuaranteedBytes = min(most, l.guarantee()+part/int64(l.from.instances)&^(memory.MinBlock-1))
		}
		c.Producers, c.Consumers, c.MemoryBytes = l.from.instances, l.to.instances, 0
		configs[i] = c
	}
	return configs, nil
}
