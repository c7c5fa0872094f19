package main

//go:generate go tool rwgen

// Flight is one departure of the data set.
//
//rwgen:record
//rwgen:writer ByOrigin key=Origin
type Flight struct {
	Date        string
	Delay       int32 // minutes; negative: early
	Distance    int32 // miles
	Origin      string
	Destination string
}
