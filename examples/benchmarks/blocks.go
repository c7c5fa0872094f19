package main

import (
	"encoding/binary"
	"fmt"

	"github.com/rwgen/rwgen/examples/benchmarks/records"
)

// encodedSize is the size of a Sample in a block: two words, no length.
const encodedSize = 16

// blocksRow encodes records into a block for each partition, sends full blocks, and reuses those that came back. The blocks carry no
// lengths, as one would write it by hand for a record of fixed size.
func blocksRow(size int) row {
	return row{name: fmt.Sprintf("blocks of %d KiB", size>>10), handMade: true, prepare: func(c cell, n uint64) (pipe, error) {
		lanes := newRecyclers(c, func() []byte { return make([]byte, 0, size) })
		produce := func() error {
			open := make([][]byte, c.partitions)
			for p := range open {
				open[p] = lanes[c.lane(p)].take()
			}
			for i := range n {
				s := sample(i)
				p := partitionOf(&s, c.partitions)
				block := encode(open[p], &s)
				if len(block) == size {
					lane := lanes[c.lane(p)]
					lane.full <- block
					block = lane.take()[:0]
				}
				open[p] = block
			}
			for p, block := range open {
				lanes[c.lane(p)].full <- block
			}
			for _, lane := range lanes {
				close(lane.full)
			}
			return nil
		}
		consume := make([]func() (tally, error), len(lanes))
		for i, lane := range lanes {
			consume[i] = func() (t tally, _ error) {
				for block := range lane.full {
					for at := 0; at+encodedSize <= len(block); at += encodedSize {
						s := decode(block[at : at+encodedSize])
						t.add(&s)
					}
					lane.give(block)
				}
				return t, nil
			}
		}
		return pipe{produce: produce, consume: consume}, nil
	}}
}

// encode appends a record to a block that has room for it.
func encode(block []byte, s *records.Sample) []byte {
	at := len(block)
	block = block[:at+encodedSize]
	binary.LittleEndian.PutUint64(block[at:], s.ID)
	binary.LittleEndian.PutUint64(block[at+8:], uint64(s.Value))
	return block
}

// decode reads a record from its sixteen bytes.
func decode(src []byte) records.Sample {
	return records.Sample{
		ID:    binary.LittleEndian.Uint64(src),
		Value: int64(binary.LittleEndian.Uint64(src[8:])),
	}
}
