package main

//go:generate go tool rwgen

// Flight is one departure.
//
//rwgen:record
//rwgen:writer ByOrigin key=Origin
type Flight struct {
	Origin string
	Delay  int32
}
