// Package stamps has times as nanoseconds.
package stamps

import "time"

//go:generate go tool rwgen

// Event has a constant size, but not all of its values can be written.
//
//rwgen:record
//rwgen:writer ByID key=ID
//rwgen:writer InOrder rebalance eventtime=At
type Event struct {
	ID   uint64
	At   time.Time `rw:"unixnano"`
	Full time.Time
	On   bool
}

//rwgen:record
type Span struct {
	Name   string
	Start  time.Time `rw:"unixnano"`
	End    time.Time `rw:"name=end,unixnano"`
	Events []Event
	Last   *Event
}
