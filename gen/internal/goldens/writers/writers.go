// Package writers has a writer of every kind.
package writers

import "errors"

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
//rwgen:writer Lightest load
//rwgen:writer Either key=User choices=2
//rwgen:writer EitherOfTwo key=User,Kind choices=2
//rwgen:writer Routed custom=route
//rwgen:writer Tried custom=try
type Event struct {
	ID   uint64
	User string
	Kind uint8
	Text string
}

func route(v *Event, channels int) int { return int(v.ID % uint64(channels)) }

// errLost is what try returns for events of kind 100.
var errLost = errors.New("no way to go")

// try fails for some events, panics for others, and chooses channels that do not exist for a third sort.
func try(v *Event, channels int) (int, error) {
	switch v.Kind {
	case 100:
		return 0, errLost
	case 101:
		panic("no idea where to go")
	case 102:
		return channels, nil
	}
	return route(v, channels), nil
}

// Sample is a record of constant size.
//
//rwgen:record
//rwgen:writer ByID key=ID
//rwgen:writer Spread rebalance
type Sample struct {
	ID    uint64
	Value int64
}
