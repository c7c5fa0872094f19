package order

import (
	"math"
	"math/rand/v2"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/runtime/selector"
)

//go:generate go run ../../internal/stamp ../sample/rows.go ../text/framed.go
//go:generate go tool rwgen

// Record is an order.
//
//rwgen:record
//rwgen:writer ByKey key=Customer
//rwgen:writer ToAll broadcast
type Record struct {
	ID         uint64
	Customer   string // 24 bytes
	Created    int64
	Lines      []Line            // 1 to 8
	Attributes map[string]string // 0 to 4
	Address    *Address          // of every second order
}

// Line is an article of an order.
type Line struct {
	SKU   string // 12 bytes
	Qty   int32
	Price float64
	Tags  []string // 0 to 3 of 8 bytes
}

// Address is where an order goes.
type Address struct {
	Street, City, Country string
}

// pool holds the records, which repeat after 1,024.
type pool struct {
	records [1024]Record
	weights []uint64
}

func newPool() *pool {
	p, random := new(pool), harness.NewRand()
	for i := range p.records {
		r := order(random, uint64(i))
		p.records[i] = r
		p.weights = append(p.weights, weigh(&r))
	}
	return p
}

// order returns a random order.
func order(random *rand.Rand, id uint64) Record {
	text := func(n int) string { return string(harness.Letters(random, n)) }
	r := Record{ID: id, Customer: text(24), Created: random.Int64(), Lines: make([]Line, 1+random.IntN(8))}
	for i := range r.Lines {
		l := Line{SKU: text(12), Qty: 1 + random.Int32N(100), Price: 100 * random.Float64()}
		for range random.IntN(4) {
			l.Tags = append(l.Tags, text(8))
		}
		r.Lines[i] = l
	}
	if n := random.IntN(5); n > 0 {
		r.Attributes = make(map[string]string, n)
		for range n {
			r.Attributes[text(8)] = text(12)
		}
	}
	if random.IntN(2) == 0 {
		r.Address = &Address{Street: text(20), City: text(12), Country: text(8)}
	}
	return r
}

// source makes the records of a cell.
type source struct{ pool *pool }

func (p *pool) source(harness.Cell) *source { return &source{pool: p} }

// record is record number i.
func (s *source) record(i uint64) *Record { return &s.pool.records[i%1024] }

// sum is the sum of the weights of the first n records.
func (s *source) sum(n uint64) uint64 { return harness.Cycle(s.pool.weights, n) }

// hash is the hash of the key, that of the generated writer.
func hash(r *Record) uint64 { return selector.HashString(r.Customer) }

// weigh is what a record adds to a tally.
func weigh(r *Record) uint64 {
	sum := r.ID + 3*harness.Weigh(r.Customer) + 5*uint64(r.Created)
	for i := range r.Lines {
		l := &r.Lines[i]
		sum += uint64(i+7) * (harness.Weigh(l.SKU) + 3*uint64(l.Qty) + 5*math.Float64bits(l.Price))
		for j, tag := range l.Tags {
			sum += uint64(j+11) * harness.Weigh(tag)
		}
	}
	for k, v := range r.Attributes {
		sum += 13 * harness.Weigh(k) * harness.Weigh(v)
	}
	if a := r.Address; a != nil {
		sum += 17*harness.Weigh(a.Street) + 19*harness.Weigh(a.City) + 23*harness.Weigh(a.Country)
	}
	return sum
}
