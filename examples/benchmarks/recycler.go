package main

// queued is how many batches or blocks may wait for a consumer. More brings nothing on two cores; fewer makes the two sides wait for each
// other.
const queued = 8

// A recycler is a channel of full buffers with another that brings them back.
type recycler[B any] struct {
	full  chan B
	free  chan B
	fresh func() B
}

// newRecyclers makes the recyclers of a cell. The one lane of a shared consumer has room for as many buffers as the lanes of
// all partitions together would have, up to a bound that keeps what is queued in the cache.
func newRecyclers[B any](c cell, fresh func() B) []recycler[B] {
	depth := queued
	if c.shared {
		depth = queued * 8
	}
	lanes := make([]recycler[B], c.lanes())
	for i := range lanes {
		lanes[i] = recycler[B]{full: make(chan B, depth), free: make(chan B, depth), fresh: fresh}
	}
	return lanes
}

// take returns a buffer that came back, or a fresh one.
func (r recycler[B]) take() B {
	select {
	case b := <-r.free:
		return b
	default:
		return r.fresh()
	}
}

// give hands a buffer back; if there are enough it is left to the collector.
func (r recycler[B]) give(b B) {
	select {
	case r.free <- b:
	default:
	}
}
