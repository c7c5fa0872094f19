package sample

import (
	"encoding/binary"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

//go:generate go tool rwgen

// Record is a measured value with the identifier it is partitioned by.
//
//rwgen:record
//rwgen:writer ByKey key=ID
//rwgen:writer ToAll broadcast
type Record struct {
	ID    uint64
	Value int64
}

// size is that of a record in a block: two words, no length.
const size = 16

// pool is empty: records are made from their numbers.
type pool struct{}

func newPool() *pool { return new(pool) }

// source makes the records of a cell.
type source struct {
	keys harness.Keys
	made Record
}

func (p *pool) source(c harness.Cell) *source { return &source{keys: harness.NewKeys(c)} }

// record is record number i. It is valid until the next one is made.
func (s *source) record(i uint64) *Record {
	s.made = Record{ID: s.keys.ID(i), Value: int64(i)}
	return &s.made
}

// sum is the sum of the weights of the first n records.
func (s *source) sum(n uint64) uint64 { return s.keys.Sum(n) + 3*harness.Numbers(n) }

// hash is the hash of the key, that of the generated writer.
func hash(r *Record) uint64 { return selector.Hash64(r.ID) }

// weigh is what a record adds to a tally.
func weigh(r *Record) uint64 { return r.ID + 3*uint64(r.Value) }

// put writes a record to the start of dst and returns how many bytes it took, 0 if it does not fit.
func put(dst []byte, r *Record) int {
	if len(dst) < size {
		return 0
	}
	binary.LittleEndian.PutUint64(dst, r.ID)
	binary.LittleEndian.PutUint64(dst[8:], uint64(r.Value))
	return size
}

// tallyBlock decodes all records of a block. Other shapes reuse a record from block to block; this one has nothing to reuse.
func tallyBlock(block []byte, _ *Record, t *harness.Tally) error {
	for at := 0; at+size <= len(block); at += size {
		src := block[at : at+size]
		r := Record{ID: binary.LittleEndian.Uint64(src), Value: int64(binary.LittleEndian.Uint64(src[8:]))}
		t.Add(weigh(&r))
	}
	return nil
}

// ExchangeRow moves these records through an exchange under the flush policy of the options.
func ExchangeRow(name string, opts ...writer.Option) harness.Row {
	return exchangeRow(newPool(), name, opts...)
}
