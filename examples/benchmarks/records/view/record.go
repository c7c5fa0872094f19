package view

import (
	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/runtime/selector"
)

//go:generate go run ../../internal/stamp ../sample/rows.go ../sample/tcp.go ../text/framed.go ../text/message.go ../text/prefix.go
//go:generate go tool rwgen

// Record is a message: 100 bytes when encoded, and none copied when decoded.
//
//rwgen:record
//rwgen:writer ByKey key=ID
//rwgen:writer ToAll broadcast
type Record struct {
	ID   uint64
	Name string `rw:"view"` // 32 bytes
	Note string `rw:"view"` // 58 bytes
}

// pool holds the contents of the records, which repeat after 1,024.
type pool struct {
	records [1024]Record
	weights []uint64
}

func newPool() *pool {
	p, random := new(pool), harness.NewRand()
	for i := range p.records {
		r := Record{Name: string(harness.Letters(random, 32)), Note: string(harness.Letters(random, 58))}
		p.records[i] = r
		p.weights = append(p.weights, weigh(&r))
	}
	return p
}

// source makes the records of a cell.
type source struct {
	keys harness.Keys
	pool pool // a copy, to write IDs to
}

func (p *pool) source(c harness.Cell) *source { return &source{keys: harness.NewKeys(c), pool: *p} }

// record is record number i. It is valid until the next one is made.
func (s *source) record(i uint64) *Record {
	r := &s.pool.records[i%1024]
	r.ID = s.keys.ID(i)
	return r
}

// sum is the sum of the weights of the first n records.
func (s *source) sum(n uint64) uint64 { return s.keys.Sum(n) + harness.Cycle(s.pool.weights, n) }

// hash is the hash of the key, that of the generated writer.
func hash(r *Record) uint64 { return selector.Hash64(r.ID) }

// weigh is what a record adds to a tally.
func weigh(r *Record) uint64 { return r.ID + 3*harness.Weigh(r.Name) + 5*harness.Weigh(r.Note) }
