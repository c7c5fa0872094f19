// Package v2 has the later version of the records of package v1: every change that a reader can bear.
package v2

import "time"

//go:generate go tool rwgen

// Ticket was v1.Booking.
//
//rwgen:record alias=Booking
type Ticket struct {
	// Moved to the front, and renamed.
	Until string `rw:"alias=Finally|Last"`
	// Wider, or another encoding of the same number.
	ID    int64
	Count int32 `rw:"varint"`
	Small int64
	Large int `rw:"varint"`
	Word  int64
	Rate  float64
	Fixed [2]float64
	// The same bytes under another type.
	Note []byte
	Raw  string
	// The same instant.
	Created time.Time `rw:"unixnano"`
	Changed time.Time
	// Optional now.
	From *string
	Paid *bool
	// Optional before, and wider.
	Discount *int64
	// New.
	Class   string  `rw:"default=economy"`
	Number  int16   `rw:"default=-7"`
	Ratio   float32 `rw:"default=0.5"`
	Open    bool    `rw:"default=true"`
	Zero    uint64
	Nothing []string
	Stamp   time.Time
	// Parts that have changed.
	Legs   []Segment
	Seats  map[uint16]*Seat
	Extra  Extra
	Extras []Extra
	Parent *Ticket
}

// Segment was v1.Leg: names of structs within records are free.
type Segment struct {
	To, From string
	Miles    uint64 `rw:"varint"`
	Days     int8   `rw:"default=1"`
}

// Seat has a field more.
type Seat struct {
	Letter string
	Row    int16
	Aisle  bool
}

// Extra has a member more, and others in another order.
//
//rwgen:union *Bag,Pet,Code,Meal
type Extra any

// Meal is a member with fields.
type Meal struct {
	Name string
	Hot  bool `rw:"default=true"`
}

// Bag is a member behind a pointer.
type Bag struct{ Weight int32 }

// Pet is a new member.
type Pet struct{ Kind string }

// Code is a member without fields.
type Code int64

// Passenger can be read by either version as the other.
//
//rwgen:record
type Passenger struct {
	Seat  Seat
	Name  string
	VIP   bool
	Miles int64 `rw:"varint"`
	Born  time.Time
	Email *string
	Bags  []Luggage
}

// Luggage was v1.Bag, where it is in passengers.
type Luggage struct {
	Weight int16
	Label  string
}
