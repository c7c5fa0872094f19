package harness

import "sync/atomic"

// queued is how many batches or blocks may wait for a consumer. More brings nothing on two cores; fewer makes the two sides wait for each
// other.
const queued = 8

// A Recycler is a channel of full buffers with another that brings them back.
type Recycler[B any] struct {
	Full  chan B
	free  chan B
	fresh func() B
}

// NewRecyclers makes the recyclers of a cell, one for each lane. The one lane of a shared consumer, or of several producers, has room for
// as many buffers as the lanes that it stands for would have, up to a bound that keeps what is queued in the cache.
func NewRecyclers[B any](c Cell, fresh func() B) []Recycler[B] {
	depth := queued * min(c.Writers(), queued)
	if c.Shared {
		depth = queued * queued
	}
	lanes := make([]Recycler[B], c.Lanes())
	for i := range lanes {
		lanes[i] = Recycler[B]{Full: make(chan B, depth), free: make(chan B, depth), fresh: fresh}
	}
	return lanes
}

// Take returns a buffer that came back, or a fresh one.
func (r Recycler[B]) Take() B {
	select {
	case b := <-r.free:
		return b
	default:
		return r.fresh()
	}
}

// Give hands a buffer back; if there are enough it is left to the collector.
func (r Recycler[B]) Give(b B) {
	select {
	case r.free <- b:
	default:
	}
}

// Last returns a function that calls f when it is called for the nth time: the last of n producers closes what all of them send to.
func Last(n int, f func()) func() {
	var left atomic.Int64
	left.Store(int64(n))
	return func() {
		if left.Add(-1) == 0 {
			f()
		}
	}
}
