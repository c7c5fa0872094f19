package flight

import (
	_ "embed" // the data
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/runtime/selector"
)

//go:generate go run ../../internal/stamp ../sample/rows.go ../text/framed.go
//go:generate go tool rwgen

// Record is one departure.
//
//rwgen:record
//rwgen:writer ByKey key=Origin
//rwgen:writer ToAll broadcast
type Record struct {
	Date        time.Time
	Delay       int32 // minutes; negative: early
	Distance    int32 // miles
	Origin      string
	Destination string
}

//go:embed flights-1k.csv
var data string

// pool holds the records, which repeat after 1,024.
type pool struct {
	records [1024]Record
	weights []uint64
}

// newPool panics if the data is damaged.
func newPool() *pool {
	p := new(pool)
	rows, err := csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil {
		panic(err)
	}
	for i, row := range rows[1:] {
		date, err := time.Parse("2006/01/02 15:04", row[0])
		if err != nil {
			panic(err)
		}
		r := Record{Date: date, Delay: number(row[1]), Distance: number(row[2]), Origin: row[3], Destination: row[4]}
		p.records[i] = r
		p.weights = append(p.weights, weigh(&r))
	}
	return p
}

func number(s string) int32 {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		panic(err)
	}
	return int32(n)
}

// source makes the records of a cell.
type source struct{ pool *pool }

func (p *pool) source(harness.Cell) *source { return &source{pool: p} }

// record is record number i.
func (s *source) record(i uint64) *Record { return &s.pool.records[i%1024] }

// sum is the sum of the weights of the first n records.
func (s *source) sum(n uint64) uint64 { return harness.Cycle(s.pool.weights, n) }

// hash is the hash of the key, that of the generated writer.
func hash(r *Record) uint64 { return selector.HashString(r.Origin) }

// weigh is what a record adds to a tally.
func weigh(r *Record) uint64 {
	return uint64(r.Date.Unix()) + 3*uint64(r.Delay) + 5*uint64(r.Distance) + 7*harness.Weigh(r.Origin) + 11*harness.Weigh(r.Destination)
}
