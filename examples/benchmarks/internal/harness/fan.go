package harness

import "sync/atomic"

// A Fan sends each full buffer to all partitions and reuses it when the last consumer is done with it: a broadcast by hand, which
// fills, or encodes, once.
type Fan[B any] struct {
	Lanes []chan *Copy[B] // by lane; a shared consumer gets each buffer once for each partition

	cell  Cell
	free  chan *Copy[B]
	fresh func() B
}

// A Copy is a buffer on its way to several consumers, who only read it.
type Copy[B any] struct {
	Buffer B
	refs   atomic.Int32
}

// NewFan makes the fan of a cell.
func NewFan[B any](c Cell, fresh func() B) *Fan[B] {
	f := &Fan[B]{Lanes: make([]chan *Copy[B], c.Lanes()), cell: c, free: make(chan *Copy[B], queued+2), fresh: fresh}
	for i := range f.Lanes {
		f.Lanes[i] = make(chan *Copy[B], queued*len(c.PartitionsOf(i)))
	}
	return f
}

// Take returns a buffer that came back, or a fresh one.
func (f *Fan[B]) Take() *Copy[B] {
	select {
	case b := <-f.free:
		return b
	default:
		return &Copy[B]{Buffer: f.fresh()}
	}
}

// Send hands a buffer to every partition.
func (f *Fan[B]) Send(b *Copy[B]) {
	b.refs.Store(int32(f.cell.Partitions))
	for p := range f.cell.Partitions {
		f.Lanes[f.cell.Lane(p)] <- b
	}
}

// Done is called once by each partition's consumer.
func (f *Fan[B]) Done(b *Copy[B]) {
	if b.refs.Add(-1) > 0 {
		return
	}
	select {
	case f.free <- b:
	default:
	}
}

// Close ends all lanes.
func (f *Fan[B]) Close() {
	for _, lane := range f.Lanes {
		close(lane)
	}
}
