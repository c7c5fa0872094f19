// Package embedded has embedded fields: structs, pointers, and other named types.
package embedded

import "time"

//go:generate go tool rwgen

type Base struct {
	ID      uint64
	Name    string
	Deleted bool
}

type inner struct{ Depth int16 }

type Extra struct {
	Base
	*inner
	Note string
}

type Level int32

//rwgen:record
type Record struct {
	Base
	Extra
	Level
	time.Duration
	Size  int32 // like the method of the serializer
	Name  string
	Other Base
}

//rwgen:record
type Pointer struct {
	*Base
	*Extra
	*Level
	Tail string
}

//rwgen:record
type Time struct {
	time.Time
	Zone string
}

type Pair[T any] struct{ A, B T }

type (
	Alias     = Base
	Number    = int32
	Names     = []string
	Unit      = struct{ Name string }
	Pairs     = Pair[string]
	Of[T any] = Pair[T]
)

// Aliases has fields named after aliases of their types.
//
//rwgen:record
//rwgen:writer ByID key=Alias.ID
type Aliases struct {
	Alias
	*Number
	Names
	Unit
	*Pairs
	Of[int16]
	byte
	rune
	List []struct{ *Alias }
}
