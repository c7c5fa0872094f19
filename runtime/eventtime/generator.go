package eventtime

import (
	"fmt"
	"time"
)

// Every is the number of records that a generator lets pass from one watermark to the next while it is not hurried. A watermark costs about as much as one or two records.
const Every = 64

// Monotonic makes watermarks for records whose times never go back. The watermark is one microsecond before the newest record, since others may have the same time. Records that are
// older all the same are late. The zero Monotonic has seen no record. It belongs to one goroutine.
type Monotonic struct {
	newest uint64 // of the records; ordered
	left   int32  // records that have nothing to say before one that has
}

// Observe sees the event time of a record that was written, in microseconds. It returns how far the stream has come, and true if that should be told now.
func (g *Monotonic) Observe(micros int64) (watermark int64, emit bool) {
	g.newest = max(g.newest, order(micros))
	if g.left--; g.left < 0 {
		g.left, emit = Every-1, true
	}
	return before(g.newest, 1), emit
}

// Hurry makes the next Observe return true.
func (g *Monotonic) Hurry() { g.left = 0 }

// Watermark returns how far the stream has come, which Observe may not have said yet; None before the first record.
func (g *Monotonic) Watermark() int64 { return before(g.newest, 1) }

// Bounded makes watermarks for records that come out of order, but at most a delay behind the newest one: the watermark is that much and one microsecond before it. Records that are older
// all the same are late. The zero Bounded is like [Monotonic]. It belongs to one goroutine.
type Bounded struct {
	newest uint64 // of the records; ordered
	delay  uint64 // microseconds
	left   int32  // records that have nothing to say before one that has
}

// NewBounded returns a generator for records that are at most delay behind the newest. A part of a microsecond counts as a whole one. It panics if delay is negative.
func NewBounded(delay time.Duration) Bounded {
	if delay < 0 {
		panic(fmt.Sprintf("eventtime: records that are at most %v out of order", delay))
	}
	micros := delay / time.Microsecond
	if delay%time.Microsecond > 0 {
		micros++
	}
	return Bounded{delay: uint64(micros)}
}

// Observe sees the event time of a record that was written, in microseconds. It returns how far the stream has come, and true if that should be told now.
func (g *Bounded) Observe(micros int64) (watermark int64, emit bool) {
	g.newest = max(g.newest, order(micros))
	if g.left--; g.left < 0 {
		g.left, emit = Every-1, true
	}
	return before(g.newest, g.delay+1), emit
}

// Hurry makes the next Observe return true.
func (g *Bounded) Hurry() { g.left = 0 }

// Watermark returns how far the stream has come, which Observe may not have said yet; None before the first record.
func (g *Bounded) Watermark() int64 { return before(g.newest, g.delay+1) }

// Punctuated makes watermarks of what a function says about single records: for example that a record is the last one of its minute. The zero Punctuated makes none. It belongs to one
// goroutine.
type Punctuated struct {
	say  func(micros int64) (watermark int64, ok bool)
	last uint64 // ordered
}

// NewPunctuated returns a generator that asks say about the event time of each record, after it was written. If ok is true, no record of the watermark's time or before follows.
// Watermarks that are not higher than the last are dropped.
func NewPunctuated(say func(micros int64) (watermark int64, ok bool)) Punctuated {
	return Punctuated{say: say}
}

// Observe sees the event time of a record that was written, in microseconds. It returns true with a watermark that should be written now.
func (g *Punctuated) Observe(micros int64) (watermark int64, emit bool) {
	if g.say == nil {
		return None, false
	}
	w, ok := g.say(micros)
	if !ok || order(w) <= g.last {
		return None, false
	}
	g.last = order(w)
	return w, true
}

// Hurry does nothing: every watermark is written at once.
func (g *Punctuated) Hurry() {}
