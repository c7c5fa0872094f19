// Package nested has structs within structs, and records that are part of other records.
package nested

import "time"

//go:generate go tool rwgen

type Money struct {
	Cents    int64
	Currency [3]byte
}

// Address is kept by value, by pointer and in slices.
type Address struct {
	Street, City string
	Geo          Position
	Verified     bool
}

type Position struct {
	Lat, Lon float64
	Exact    bool
}

// Meta has no strings, and is too large to be written in place.
type Meta struct {
	Created, Updated, Seen, Deleted time.Time
	A, B, C, D, E                   int16
}

// Stats is of variable size without strings.
type Stats struct {
	Counts []uint32
	Max    *uint32
}

// Line is a record of its own and part of an order.
//
//rwgen:record
type Line struct {
	Sku   string
	Qty   int32
	Price Money
	Tags  []string
}

// Order is a record with records in it.
//
//rwgen:record
type Order struct {
	ID       uint64
	Customer string
	Home     Address
	Work     *Address
	Lines    []Line
	First    Line
	Meta     Meta
	Stats    Stats
	History  []Meta
	Paid     bool
	Total    Money
	Places   map[string]Address
	Others   [2]Address
}

// Box holds only another record.
//
//rwgen:record
type Box struct{ Order Order }

// Deeply is structs in structs in structs.
//
//rwgen:record
type Deeply struct {
	A struct {
		B struct {
			C Position
			D struct{ E, F bool }
			G string
		}
		H Money
	}
	I string
}
