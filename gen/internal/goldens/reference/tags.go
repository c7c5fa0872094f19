package reference

import (
	"sync"
	"time"
)

//rwgen:record
type Skipped struct {
	Mu    sync.Mutex `rw:"-"`
	Total int64
}

//rwgen:record
type Renamed struct {
	Airport string `rw:"name=Origin"`
}

//rwgen:record
type Evolved struct {
	Airport string `rw:"alias=Origin|From"`
	Class   string `rw:"default='economy, flexible'"`
	Seats   int32  `rw:"default=1"`
}

// Ticket was a Booking, and before that a Reservation.
//
//rwgen:record alias=Booking|Reservation
type Ticket struct {
	Flight string
	Seat   string
}

//rwgen:record
type Numbers struct {
	Delay int64 `rw:"varint"`
	Hash  int64 `rw:"fixed"`
}

//rwgen:record
type Bounded struct {
	Name  string           `rw:"max=100,utf8"`
	Photo []byte           `rw:"max=1000000"`
	Stops []string         `rw:"max=10"`
	Fares map[string]int32 `rw:"max=20"`
}

//rwgen:record
type Sorted struct {
	Labels map[string]string `rw:"sorted"`
}

//rwgen:record
type Stamped struct {
	At time.Time `rw:"unixnano"`
}

//rwgen:record
type Interned struct {
	Country string `rw:"intern"`
}

//rwgen:record
type Viewed struct {
	Name    string `rw:"view"`
	Payload []byte `rw:"view"`
}
