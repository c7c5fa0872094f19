// Package times has times and durations.
package times

import "time"

//go:generate go tool rwgen

type Span time.Duration

//rwgen:record
type Record struct {
	At    time.Time
	Took  time.Duration
	Span  Span
	Maybe *time.Time
	All   []time.Time
	Pair  [2]time.Time
	By    map[time.Duration]time.Time
	Day   time.Weekday
	Month time.Month
}

//rwgen:record
type Constant struct {
	From, To time.Time
	Took     time.Duration
}
