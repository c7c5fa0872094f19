package harness

import "fmt"

// Scenario says which channels records go to.
type Scenario int

// The scenarios.
const (
	Spread    Scenario = iota // each to the channel that owns the hash of its key
	Skew                      // the same, with keys such that each channel gets one record and then channel 0 all of them
	Broadcast                 // each to every channel
)

// A Cell is one form of the exchange that every row is measured in.
type Cell struct {
	Scenario   Scenario
	Producers  int  // goroutines that write; 0 means 1
	Partitions int  // channels to choose from
	Shared     bool // one consumer goroutine reads all partitions, not one each
}

// String names the cell within its scenario.
func (c Cell) String() string {
	s := fmt.Sprintf("P=%d", c.Partitions)
	if c.Producers > 1 {
		s = fmt.Sprintf("W=%d %s", c.Producers, s)
	}
	if c.Shared {
		s += " shared"
	}
	return s
}

// Writers is the number of producers, at least 1.
func (c Cell) Writers() int { return max(c.Producers, 1) }

// Part is the range of record numbers, of n, that producer w makes.
func (c Cell) Part(w int, n uint64) (from, to uint64) {
	each, rest := n/uint64(c.Writers()), n%uint64(c.Writers())
	from = uint64(w)*each + min(uint64(w), rest)
	to = from + each
	if uint64(w) < rest {
		to++
	}
	return from, to
}

// Lanes is the number of channels that a hand-made row needs: a shared consumer has one for all partitions.
func (c Cell) Lanes() int {
	if c.Shared {
		return 1
	}
	return c.Partitions
}

// Lane is the lane of a partition.
func (c Cell) Lane(partition int) int {
	if c.Shared {
		return 0
	}
	return partition
}

// PartitionsOf is the inverse of Lane.
func (c Cell) PartitionsOf(lane int) []int {
	if !c.Shared {
		return []int{lane}
	}
	all := make([]int, c.Partitions)
	for p := range all {
		all[p] = p
	}
	return all
}

// Copies is how often each record arrives.
func (c Cell) Copies() int {
	if c.Scenario == Broadcast {
		return c.Partitions
	}
	return 1
}
