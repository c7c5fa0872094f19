package main

//go:generate go tool rwgen

// Flight is one departure.
//
//rwgen:record
//rwgen:writer ByOrigin key=Origin
type Flight struct {
	Day         int32 `rw:"varint"` // since the first of January 2001
	Delay       int32 `rw:"varint"` // minutes; negative: early
	Origin      string
	Destination string
}

// Summary is what happened at one airport on one day.
//
//rwgen:record
//rwgen:writer ByDay key=Day
type Summary struct {
	Day     int32 `rw:"varint"`
	Airport string
	Flights int64 `rw:"varint"`
	Delay   int64 `rw:"varint"` // minutes, of all flights together
}
