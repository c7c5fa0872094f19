package buffer

import (
	"encoding/binary"
	"sync/atomic"
)

// FrameHeader is the number of bytes before each record: its big-endian length (FORMAT.md §1).
const FrameHeader = 4

// Builder is the writing end of one channel: the rest of its open block, and what is published of it.
//
//	open block   ├─ published: records ─┼─ free ─────────────┤
//	                                    ▲ cursor             ▲ len(block)
//
// It is one cache line, and it is shared by exactly two goroutines: the writer calls every method but Disarm and Position; the reader
// calls Disarm, then Position. The pairing is explained in runtime/DESIGN.md §4.
//
// A zero Builder has no open block and is not armed.
type Builder struct {
	free   []byte        // writer only
	cursor atomic.Uint64 // records in this block << 32 | bytes in this block
	armed  atomic.Uint32 // 1: somebody will look at the cursor without being told
	block  *Buffer       // writer only; nil: no open block
	_      [16]byte      // to 64 bytes on 64-bit machines, so that neighbours do not share a line
}

// Tail returns the free bytes of the open block behind room for a frame's length, and whether there is that room. The
// bytes are the writer's until the next Commit. Writer only.
func (b *Builder) Tail() ([]byte, bool) {
	if len(b.free) < FrameHeader {
		return nil, false
	}
	return b.free[FrameHeader:], true
}

// Commit completes a record of n payload bytes that was put at [Builder.Tail], and publishes it. It returns false if nobody has
// promised to look at the channel: then the writer must announce it. Writer only.
func (b *Builder) Commit(n int) bool {
	binary.BigEndian.PutUint32(b.free, uint32(n))
	b.free = b.free[FrameHeader+n:]
	b.cursor.Add(1<<32 + FrameHeader + uint64(n))
	return b.armed.Load() != 0
}

// Open makes buf the open block. REQUIRES: no block is open, and the caller holds the lock under which readers call Position. Writer only.
func (b *Builder) Open(buf *Buffer) {
	b.block = buf
	b.free = buf.data
	b.cursor.Store(0)
}

// Finish closes the open block and returns it with the number of bytes and records in it; nil if none is open. REQUIRES: the caller holds
// the lock under which readers call Position. Writer only.
func (b *Builder) Finish() (buf *Buffer, bytes, records int) {
	buf = b.block
	bytes, records = b.Position()
	b.block, b.free = nil, nil
	b.cursor.Store(0)
	return buf, bytes, records
}

// Block returns the open block, or nil. Writer only.
func (b *Builder) Block() *Buffer { return b.block }

// Free returns how many bytes of the open block are free, 0 if none is open. Writer only.
func (b *Builder) Free() int { return len(b.free) }

// Arm says that somebody will look at the channel. Writer only.
func (b *Builder) Arm() { b.armed.Store(1) }

// Disarm makes the next Commit return false. Called before a look at Position, by a reader that leaves, and to make the writer notice a failure: from
// any goroutine.
func (b *Builder) Disarm() { b.armed.Store(0) }

// Position returns how many bytes and records of the open block are published. From any goroutine, under the lock that Open and Finish
// are called under.
func (b *Builder) Position() (bytes, records int) {
	c := b.cursor.Load()
	return int(uint32(c)), int(c >> 32)
}
