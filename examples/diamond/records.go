package main

//go:generate go tool rwgen

// Flight is one flight. It is written twice, once for each of its airports.
//
//rwgen:record
//rwgen:writer ByOrigin key=Origin
//rwgen:writer ByDestination key=Destination
type Flight struct {
	Day         int32 `rw:"varint"`
	Delay       int32 `rw:"varint"` // minutes
	Distance    int32 `rw:"varint"` // miles
	Origin      string
	Destination string
}

// Departure is a flight as its origin sees it.
//
//rwgen:record
//rwgen:writer ByAirport key=Airport
type Departure struct {
	Airport string
	Day     int32 `rw:"varint"`
	Delay   int32 `rw:"varint"`
	Nth     int32 `rw:"varint"` // of the departures from Airport, in the order in which they came, from 1
}

// Arrival is a flight as its destination sees it.
//
//rwgen:record
//rwgen:writer ByAirport key=Airport
type Arrival struct {
	Airport  string
	Day      int32 `rw:"varint"`
	Distance int32 `rw:"varint"`
	Nth      int32 `rw:"varint"` // of the arrivals at Airport, in the order in which they came, from 1
}
