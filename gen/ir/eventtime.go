package ir

import (
	"fmt"
	"time"
)

// EventTime says which field of a record is its event time, the time at which what it tells of has happened, and what watermarks a writer makes of it.
type EventTime struct {
	Field     Path // to a time.Time or an integer of at least 32 bits
	Unit      Unit // of the integer, which counts from the Unix epoch; NoUnit for a time.Time
	Watermark Watermark
	Bound     time.Duration // for Bounded: how much later than others a record may come; whole microseconds, not negative
	Func      string        // for Punctuated: name of a package-level func(*T) bool
}

// String returns the event time as written in a directive.
func (e *EventTime) String() string {
	s := "eventtime=" + e.Field.String()
	if e.Unit != NoUnit {
		s += ":" + e.Unit.String()
	}
	switch e.Watermark {
	case Bounded:
		s += fmt.Sprintf(" watermark=%v:%v", e.Watermark, e.Bound)
	case Punctuated:
		s += fmt.Sprintf(" watermark=%v:%s", e.Watermark, e.Func)
	}
	return s
}

// Unit is what an integer event time counts.
type Unit int

// The units, named as in the directive.
const (
	NoUnit Unit = iota
	Seconds
	Milliseconds
	Microseconds
	Nanoseconds
)

var units = [...]string{"", "s", "ms", "us", "ns"}

// String returns the unit as written in a directive.
func (u Unit) String() string { return units[u] }

// Watermark says how watermarks follow from event times.
type Watermark int

// The ways, named as in the directive.
const (
	Monotonic  Watermark = iota // event times never go back
	Bounded                     // they go back by a bound at most
	Punctuated                  // certain records say so
)

var watermarks = [...]string{"monotonic", "bounded", "punctuated"}

// String returns the way as written in a directive.
func (w Watermark) String() string { return watermarks[w] }
