package order

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
)

//go:generate go tool rwgen

// Record is an order.
//
//rwgen:record
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
	Street  string
	City    string
	Country string
}

// Pool returns the records, the same in every run. Slices and maps without elements are not nil.
func Pool() []Record {
	random := harness.NewRand()
	pool := make([]Record, harness.Records)
	for i := range pool {
		pool[i] = record(random, uint64(i))
	}
	return pool
}

func record(random *rand.Rand, id uint64) Record {
	r := Record{ID: id, Customer: harness.Letters(random, 24), Created: random.Int64N(2e18), Lines: make([]Line, 1+random.IntN(8))}
	for i := range r.Lines {
		l := Line{SKU: harness.Letters(random, 12), Qty: 1 + random.Int32N(100), Price: 100 * random.Float64()}
		l.Tags = make([]string, random.IntN(4))
		for j := range l.Tags {
			l.Tags[j] = harness.Letters(random, 8)
		}
		r.Lines[i] = l
	}
	attributes := random.IntN(5)
	r.Attributes = make(map[string]string, attributes)
	for range attributes {
		r.Attributes[harness.Letters(random, 8)] = harness.Letters(random, 12)
	}
	if random.IntN(2) == 0 {
		r.Address = &Address{Street: harness.Letters(random, 20), City: harness.Letters(random, 12), Country: harness.Letters(random, 8)}
	}
	return r
}

// Equal reports whether a and b hold the same. Empty slices and maps are as nil ones, which some formats do not tell apart.
func Equal(a, b *Record) bool {
	return a.ID == b.ID && a.Customer == b.Customer && a.Created == b.Created &&
		slices.EqualFunc(a.Lines, b.Lines, func(a, b Line) bool {
			return a.SKU == b.SKU && a.Qty == b.Qty && a.Price == b.Price && slices.Equal(a.Tags, b.Tags)
		}) &&
		maps.Equal(a.Attributes, b.Attributes) &&
		(a.Address == nil) == (b.Address == nil) && (a.Address == nil || *a.Address == *b.Address)
}
