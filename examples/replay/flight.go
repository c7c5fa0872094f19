package main

import (
	"math/rand/v2"
	"time"
)

//go:generate go tool rwgen

// Flight is one departure.
//
//rwgen:record
//rwgen:writer ByOrigin key=Origin
type Flight struct {
	Departure   time.Time
	Delay       int32 // minutes; negative: early
	Distance    int32 // miles
	Origin      string
	Destination string
}

// flights yields n departures of one source: the same seed and source, the same flights.
func flights(seed uint64, source, n int) func(yield func(*Flight) bool) {
	airports := []string{"ATL", "BOS", "DEN", "DFW", "JFK", "LAX", "MCO", "ORD", "PHX", "SEA", "SFO", "SLC"}
	return func(yield func(*Flight) bool) {
		rnd := rand.New(rand.NewPCG(seed, uint64(source)))
		at := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
		for range n {
			from := rnd.IntN(len(airports))
			to := (from + 1 + rnd.IntN(len(airports)-1)) % len(airports)
			at = at.Add(time.Duration(rnd.IntN(120)) * time.Second)
			f := Flight{Departure: at, Delay: int32(rnd.IntN(90) - 15), Distance: int32(200 + rnd.IntN(2400)), Origin: airports[from], Destination: airports[to]}
			if !yield(&f) {
				return
			}
		}
	}
}
