package main

import (
	"fmt"

	"github.com/rwgen/rwgen/examples/benchmarks/records"
)

// recordsRow sends each record by itself through a channel of the given capacity.
func recordsRow(capacity int) row {
	return row{name: "chan T", handMade: true, prepare: func(c cell, n uint64) (pipe, error) {
		lanes := make([]chan records.Sample, c.lanes())
		for i := range lanes {
			lanes[i] = make(chan records.Sample, capacity)
		}
		produce := func() error {
			for i := range n {
				s := sample(i)
				lanes[c.lane(partitionOf(&s, c.partitions))] <- s
			}
			for _, lane := range lanes {
				close(lane)
			}
			return nil
		}
		consume := make([]func() (tally, error), len(lanes))
		for i, lane := range lanes {
			consume[i] = func() (t tally, _ error) {
				for s := range lane {
					t.add(&s)
				}
				return t, nil
			}
		}
		return pipe{produce: produce, consume: consume}, nil
	}}
}

// batchesRow collects records in a batch for each partition, sends full batches, and reuses those that came back.
func batchesRow(size int) row {
	return row{name: fmt.Sprintf("chan []T of %d", size), handMade: true, prepare: func(c cell, n uint64) (pipe, error) {
		lanes := newRecyclers(c, func() []records.Sample { return make([]records.Sample, 0, size) })
		produce := func() error {
			open := make([][]records.Sample, c.partitions)
			for p := range open {
				open[p] = lanes[c.lane(p)].take()
			}
			for i := range n {
				s := sample(i)
				p := partitionOf(&s, c.partitions)
				batch := append(open[p], s)
				if len(batch) == size {
					lane := lanes[c.lane(p)]
					lane.full <- batch
					batch = lane.take()[:0]
				}
				open[p] = batch
			}
			for p, batch := range open {
				lanes[c.lane(p)].full <- batch
			}
			for _, lane := range lanes {
				close(lane.full)
			}
			return nil
		}
		consume := make([]func() (tally, error), len(lanes))
		for i, lane := range lanes {
			consume[i] = func() (t tally, _ error) {
				for batch := range lane.full {
					for j := range batch {
						t.add(&batch[j])
					}
					lane.give(batch)
				}
				return t, nil
			}
		}
		return pipe{produce: produce, consume: consume}, nil
	}}
}
