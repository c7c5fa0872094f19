// Package v1 has the earlier version of records.
package v1

import "time"

//go:generate go tool rwgen

// Booking becomes v2.Ticket.
//
//rwgen:record
type Booking struct {
	ID       int32
	Count    uint16
	Small    int16 `rw:"varint"`
	Large    int64
	Word     int
	Rate     float32
	From     string
	Note     string
	Raw      []byte
	Created  time.Time
	Changed  time.Time `rw:"unixnano"`
	Paid     bool
	Discount *int16
	Gone     map[string][]Leg
	Legs     []Leg
	Seats    map[uint8]Seat
	Fixed    [2]float32
	Extra    Extra
	Extras   []Extra
	Parent   *Booking
	Last     string
}

// Leg becomes v2.Segment.
type Leg struct {
	From, To string
	Miles    uint32
}

// Seat has one more field in the next version.
type Seat struct {
	Row    int16
	Letter string
}

// Extra has more members in the next version, in another order.
//
//rwgen:union Meal,*Bag,Code
type Extra any

// Meal is a member with fields.
type Meal struct{ Name string }

// Bag is a member behind a pointer.
type Bag struct{ Weight int16 }

// Code is a member without fields.
type Code int32

// Passenger can be read by either version as the other.
//
//rwgen:record
type Passenger struct {
	Name  string
	Miles int64
	Old   []string
	Born  time.Time
	VIP   bool
	Seat  Seat
	Bags  []Bag
}
