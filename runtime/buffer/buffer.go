package buffer

import (
	"fmt"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/memory"
)

// Buffer is a counted reference to memory that holds frames: a block of a [LocalPool], or a large record charged to an [Area].
// Whoever holds a reference calls Release exactly once; the last one gives the memory back.
type Buffer struct {
	data []byte
	seg  memory.Segment // a block; zero for a large record
	pool *LocalPool
	area *Area // a large record; nil for a block
	lane int   // charged lane of pool
	refs atomic.Int32
}

// Bytes returns the memory. It must not be used after the caller's reference was released.
func (b *Buffer) Bytes() []byte { return b.data }

// Retain adds n references. The caller must hold one.
func (b *Buffer) Retain(n int) {
	if n != 0 {
		b.refs.Add(int32(n))
	}
}

// Release gives up one reference. From any goroutine; the memory must not be touched through this reference afterwards.
func (b *Buffer) Release() {
	switch n := b.refs.Add(-1); {
	case n > 0:
		return
	case n < 0:
		panic(fmt.Sprintf("buffer: released %d times too often", -n))
	}
	poison(b.data)
	b.pool.release(b)
}
