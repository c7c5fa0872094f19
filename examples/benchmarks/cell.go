package main

import (
	"fmt"

	"github.com/rwgen/rwgen/examples/benchmarks/records"
	"github.com/rwgen/rwgen/runtime/selector"
)

// A cell is one shape of the exchange that every row is measured in.
type cell struct {
	partitions int
	shared     bool // one consumer goroutine reads all partitions, not one each
}

// cells are the shapes of the comparison, as the package comment describes them.
var cells = [...]cell{
	{partitions: 1},
	{partitions: 4},
	{partitions: 100, shared: true},
	{partitions: 100},
	{partitions: 1000, shared: true},
	{partitions: 1000},
}

func (c cell) String() string {
	if c.shared {
		return fmt.Sprintf("P=%d shared", c.partitions)
	}
	return fmt.Sprintf("P=%d", c.partitions)
}

// lanes is the number of channels that a hand-made row needs: a shared consumer has one for all partitions.
func (c cell) lanes() int {
	if c.shared {
		return 1
	}
	return c.partitions
}

// lane is the lane of a partition.
func (c cell) lane(partition int) int {
	if c.shared {
		return 0
	}
	return partition
}

// partitionsOf is the inverse of lane.
func (c cell) partitionsOf(lane int) []int {
	if !c.shared {
		return []int{lane}
	}
	all := make([]int, c.partitions)
	for p := range all {
		all[p] = p
	}
	return all
}

// idStep is odd, so that the IDs of the first 2⁶⁴ records differ, and spreads them over the whole range.
const idStep = 0x9e3779b97f4a7c15

// sample is record number i of every run.
func sample(i uint64) records.Sample {
	return records.Sample{ID: i * idStep, Value: int64(i)}
}

// partitionOf is where the generated writer sends a record.
func partitionOf(s *records.Sample, partitions int) int {
	return selector.Scale(selector.Hash64(s.ID), partitions)
}

// A tally is what a consumer saw.
type tally struct {
	count uint64
	sum   uint64
}

// add counts a record. The fields enter with different weights, so that exchanged fields change the sum.
func (t *tally) add(s *records.Sample) {
	t.count++
	t.sum += s.ID + 3*uint64(s.Value)
}

// merge adds what another consumer saw.
func (t *tally) merge(o tally) {
	t.count += o.count
	t.sum += o.sum
}

// expected is the tally of the first n records, without going through them: the sum of the numbers below n, times the weight of
// one step.
func expected(n uint64) tally {
	below := n / 2 * (n - 1)
	if n%2 == 1 {
		below = n * ((n - 1) / 2)
	}
	return tally{count: n, sum: below*idStep + 3*below}
}
