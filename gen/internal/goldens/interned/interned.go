// Package interned has strings of which readers keep one copy.
package interned

//go:generate go tool rwgen

type Airport string

//rwgen:record
//rwgen:writer ByOrigin key=Origin
type Flight struct {
	Origin Airport `rw:"intern"`
	Dest   Airport `rw:"intern,max=30,utf8"`
	Note   string
	Extra  string
	Seats  int32
}

// Plan interns in what it is made of.
//
//rwgen:record
type Plan struct {
	Name     string
	First    Flight
	Flights  []Flight
	Pointer  *Flight
	ByName   map[string]Leg
	Leg      Leg
	Union    Either
	Sub      []*Plan
	Interner string `rw:"intern"`
}

// Leg needs no budget to be read.
type Leg struct {
	From   string `rw:"intern"`
	To     string
	A, B   [20]string
	Varied int64 `rw:"varint"`
}

//rwgen:union Leg,*Flight
type Either any
