// Package reference has an example of each directive and each tag. The page gen/TAGS.md quotes it.
package reference

import "time"

//go:generate go tool rwgen

// Flight is a record.
//
//rwgen:record
//rwgen:writer ByOrigin key=Origin
type Flight struct {
	Origin, Dest string
	Departs      time.Time
	Seats        int32
}

// Pair is a record in two instances: PairStringInt and PairInt64Flight are what the generated names are made of.
//
//rwgen:record [string,int] [int64,Flight]
type Pair[K comparable, V any] struct {
	Key K
	Val V
}

// Entry is an instance under a name of its own.
//
//rwgen:record
type Entry = Pair[string, []Flight]

// Charter is a record of its own with the fields of Flight.
//
//rwgen:record
type Charter Flight
