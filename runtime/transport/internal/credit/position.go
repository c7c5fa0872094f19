package credit

import (
	"fmt"
	"math"

	"github.com/rwgen/rwgen/runtime/partition"
)

const (
	// EventWeight is by how much an event moves a position, in addition to the bytes that it carries; the end weighs as much. It is a number of the protocol.
	EventWeight = 192

	// Window is the weight of events that may be under way in a channel or wait for its reader. It is also the weight of the largest event.
	Window = partition.MaxEventBytes

	// exempt is the weight of what needs no room: one end-of-data and the end.
	exempt = 2 * EventWeight
)

// Position is a place in the stream of a channel: the bytes of records and the weight of events before it. Both only grow along a stream, so of two places in one stream one is before the other in no field and behind it
// in at least one. The zero value is the beginning.
type Position struct {
	Data   uint64 // bytes of records
	Events uint64 // weight of events
}

// AtMost reports whether no field of p is above that of q.
func (p Position) AtMost(q Position) bool { return p.Data <= q.Data && p.Events <= q.Events }

// Before reports whether p is at most q, and not equal.
func (p Position) Before(q Position) bool { return p.AtMost(q) && p != q }

// String returns what messages to users say: 4096 bytes and 384 of events.
func (p Position) String() string { return fmt.Sprintf("%d bytes and %d of events", p.Data, p.Events) }

// max returns the position with the larger one of each field.
func (p Position) max(q Position) Position {
	return Position{max(p.Data, q.Data), max(p.Events, q.Events)}
}

// less returns n−m, at least 0.
func less(n, m uint64) uint64 {
	if n < m {
		return 0
	}
	return n - m
}

// plus returns n+m, at most the largest number.
func plus(n, m uint64) uint64 {
	if n > math.MaxUint64-m {
		return math.MaxUint64
	}
	return n + m
}
