package buffer

import (
	"fmt"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/memory"
)

// Buffer is a counted reference to memory that holds frames: a block of a [LocalPool] or a [Stock], the rest of one, or a large record charged to an [Area].
// Whoever holds a reference calls Release exactly once; the last one gives the memory back.
type Buffer struct {
	data []byte
	seg  memory.Segment // a block; zero for a large record
	from owner
	area *Area   // a large record; nil for a block
	of   *Buffer // a large record that several lanes share, of which this is one lane's part; nil: it is none
	lane int     // charged lane of from; -1: none
	refs atomic.Int32
}

// owner takes back buffers without references.
type owner interface{ release(*Buffer) }

// Bytes returns the memory. It must not be used after the caller's reference was released.
func (b *Buffer) Bytes() []byte { return b.data }

// Retain adds n references. The caller must hold one.
func (b *Buffer) Retain(n int) {
	if n != 0 {
		b.refs.Add(int32(n))
	}
}

// Shared reports whether there are references beside that of the caller, who is the only one that adds any: if there are none, nobody uses the memory.
func (b *Buffer) Shared() bool { return b.refs.Load() > 1 }

// Release gives up one reference. From any goroutine; the memory must not be touched through this reference afterwards.
func (b *Buffer) Release() {
	switch n := b.refs.Add(-1); {
	case n > 0:
		return
	case n < 0:
		panic(fmt.Sprintf("buffer: released %d times too often", -n))
	}
	poison(b)
	b.from.release(b)
}

// Rest returns another buffer, of the bytes from n on, with one reference of its own; the caller must hold one of b. The memory goes back when both have been released. It is for those who fill a
// block from elsewhere, and have to hand over the first part before it is full. The rest of a rest does not keep that: however often a block is divided, only the parts that are in use take memory.
func (b *Buffer) Rest(n int) *Buffer {
	of := b
	if r, ok := b.from.(rest); ok {
		of = r.of
	}
	of.Retain(1)
	r := &Buffer{data: b.data[n:], from: rest{of}, lane: b.lane}
	r.refs.Store(1)
	return r
}

// rest owns the end of a block.
type rest struct{ of *Buffer }

func (r rest) release(*Buffer) { r.of.Release() }
