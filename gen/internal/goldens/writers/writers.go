// Package writers has a writer of every kind.
package writers

//go:generate go tool rwgen

// Event is written in every way.
//
//rwgen:record
//rwgen:writer ByUser key=User
//rwgen:writer ByUserAndKind key=User,Kind
//rwgen:writer ToAll broadcast
//rwgen:writer Spread rebalance
//rwgen:writer Near rescale
//rwgen:writer Random shuffle
//rwgen:writer One global
//rwgen:writer Straight forward
//rwgen:writer Routed custom=route
type Event struct {
	ID   uint64
	User string
	Kind uint8
	Text string
}

func route(v *Event, channels int) int { return int(v.ID % uint64(channels)) }

// Sample is a record of constant size.
//
//rwgen:record
//rwgen:writer ByID key=ID
//rwgen:writer Spread rebalance
type Sample struct {
	ID    uint64
	Value int64
}
