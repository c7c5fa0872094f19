// Package views has fields that share the memory of the payload.
package views

//go:generate go tool rwgen

type Name string

//rwgen:record
//rwgen:writer ByOrigin key=Origin
type Flight struct {
	Origin string `rw:"view"`
	Dest   Name   `rw:"view,max=20"`
	Raw    []byte `rw:"view"`
	Seats  int32
}

// Deep has views wherever a value can stand.
//
//rwgen:record
type Deep struct {
	Own      string
	Flight   Flight
	Flights  []Flight
	Fixed    [2]Flight
	Pointer  *Flight
	Pointers []*Flight
	ByName   map[string]Flight
	ByKey    map[Key]int32
	ByPtr    map[int8]*Key
	Floats   map[float64]Key
	Union    Either
	Unions   []Either
	Anon     struct {
		Text string `rw:"view"`
		Sub  *Deep
	}
	AnonMap map[string]struct {
		Text string `rw:"view,utf8"`
	}
	Last int64
}

type Key struct {
	Text string `rw:"view"`
}

//rwgen:union Flight,*Key,int32
type Either any

// Strings has a field called like the package that copies strings.
//
//rwgen:record
type Strings struct {
	Strings, Slices string `rw:"view"`
}
