package buffer

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
)

// FrameHeader is the number of bytes before each record: its big-endian length (FORMAT.md §1).
const FrameHeader = 4

// Builder is the writing end of one lane: its open block, and what is published of it.
//
//	data   ├─ records ─────────────────┼─ free ─────────────┤
//	                                   ▲ pos, cursor        ▲ len(data)
//
// It is one cache line, and it is shared by exactly two goroutines: the writer calls every method; the reader calls Disarm, DisarmCold and Position. The
// protocol between them is explained in runtime/DESIGN.md §4.
//
// A zero Builder has no open block and is not armed.
type Builder struct {
	data   []byte        // writer only: the open block; nil: none is open
	cursor atomic.Uint64 // records in the block << 32 | bytes in the block, as published
	pos    uint64        // writer only: the same as written; used where cursor cannot serve for both, see publish_plain.go
	armed  atomic.Uint32
	batch  bool    // writer only: a batch has begun on this lane
	block  *Buffer // writer only: owner of data
	_      [8]byte // to 64 bytes on 64-bit machines, so that neighbours do not share a line
}

// Values of Builder.armed.
const (
	unarmed = iota // the next record must be announced
	cold           // somebody will look, after a fence on both sides
	hot            // somebody will look until he has disarmed, and makes a barrier then: the writer needs no fence
)

// Tail returns the free bytes of the open block behind room for a frame's length, and whether there is that room. The
// bytes are the writer's until the next Commit or Append. Writer only.
func (b *Builder) Tail() ([]byte, bool) {
	p := int(uint32(b.written())) + FrameHeader
	if p > len(b.data) {
		return nil, false
	}
	return b.data[p:], true
}

// Commit completes a record of n payload bytes that was put at [Builder.Tail], and publishes it. It returns false if the writer
// must go on with Confirm, and with announcing the lane if that returns false as well. Writer only.
func (b *Builder) Commit(n int) bool {
	p := b.written()
	putHeader(b.data[uint32(p):], n)
	b.publish(p + 1<<32 + FrameHeader + uint64(n))
	return b.armed.Load() >= committed
}

// Append completes a record like Commit, but nobody is told of it: Publish does that for all records of a batch on this lane. It returns true if Publish has to be called and the caller
// was not told so before. Writer only.
func (b *Builder) Append(n int) (first bool) {
	p := b.written()
	putHeader(b.data[uint32(p):], n)
	b.write(p + 1<<32 + FrameHeader + uint64(n))
	if b.batch || b.shown() {
		return false
	}
	b.batch = true
	return true
}

// Room returns the free bytes of the open block, for who fills it with frames that come encoded from elsewhere. They are the writer's until the next Advance. Writer only.
func (b *Builder) Room() []byte { return b.data[uint32(b.written()):] }

// Advance publishes n more bytes, which were put at [Builder.Room]. They count as no record. Nobody is told of them: Confirm is next, then a flush. Writer only.
func (b *Builder) Advance(n int) { b.publish(b.written() + uint64(n)) }

// Fixed returns the next frame for a record of exactly n payload bytes: [FrameHeader] bytes, in which its length is written, and room for the payload; nil if it does not
// fit. It takes the place of [Builder.Tail] for records of a fixed size: the compiler knows the length of the room. Writer only.
func (b *Builder) Fixed(n int) []byte {
	p := int(uint32(b.written()))
	end := p + FrameHeader + n
	if end > len(b.data) {
		return nil
	}
	frame := b.data[p:end:end]
	putHeader(frame, n)
	return frame
}

// CommitFixed is Commit for a record that was put at [Builder.Fixed]. Writer only.
func (b *Builder) CommitFixed(n int) bool {
	b.publish(b.written() + 1<<32 + FrameHeader + uint64(n))
	return b.armed.Load() >= committed
}

// AppendFixed is Append for a record that was put at [Builder.Fixed]. Writer only.
func (b *Builder) AppendFixed(n int) (first bool) {
	b.write(b.written() + 1<<32 + FrameHeader + uint64(n))
	if b.batch || b.shown() {
		return false
	}
	b.batch = true
	return true
}

// Publish ends a batch. It returns what Commit would have returned for the last record. Writer only.
func (b *Builder) Publish() bool {
	b.batch = false
	b.publish(b.written())
	return b.armed.Load() >= committed
}

// putHeader writes the length of a frame. As one little-endian store of swapped bytes it stays one store when n is a constant.
func putHeader(dst []byte, n int) { binary.LittleEndian.PutUint32(dst, bits.ReverseBytes32(uint32(n))) }

// Confirm publishes everything written, orders that before a second look at the armed word, and returns whether somebody has promised to look at the cursor. Writer
// only.
func (b *Builder) Confirm() bool {
	b.cursor.Store(b.written())
	return b.armed.Load() != unarmed
}

// Open makes buf the open block. REQUIRES: no block is open, and no reader calls Position until it has synchronized with the
// caller. Writer only.
func (b *Builder) Open(buf *Buffer) {
	b.block, b.data = buf, buf.data
	b.publish(0)
}

// Finish closes the open block and returns it with the number of bytes and records in it; nil if none is open. REQUIRES: no reader calls
// Position until the next Open. Writer only.
func (b *Builder) Finish() (buf *Buffer, bytes, records int) {
	p := b.written()
	buf, bytes, records = b.block, int(uint32(p)), int(p>>32)
	b.block, b.data = nil, nil
	b.publish(0)
	return buf, bytes, records
}

// Block returns the open block, or nil. Writer only.
func (b *Builder) Block() *Buffer { return b.block }

// Free returns how many bytes of the open block are free, 0 if none is open. Writer only.
func (b *Builder) Free() int { return len(b.data) - int(uint32(b.written())) }

// Written returns how many bytes of the open block are written. Writer only.
func (b *Builder) Written() int { return int(uint32(b.written())) }

// Arm says that somebody will look at the cursor until he has called Disarm; with hot, that he will call [Barrier] between Disarm and his last
// look. Hot is for lanes with much traffic, because a barrier costs more than many fences. Writer only.
func (b *Builder) Arm(isHot bool) {
	if isHot {
		b.armed.Store(hot)
	} else {
		b.armed.Store(cold)
	}
}

// DisarmCold is Disarm unless the lane is hot, which may then not be disarmed without a barrier; it returns whether the lane is not hot. To
// look at the word first and to disarm then would disarm a lane that the writer has just armed hot. From any goroutine.
func (b *Builder) DisarmCold() bool {
	b.armed.CompareAndSwap(cold, unarmed)
	return b.armed.Load() != hot
}

// Heat makes a cold lane hot: its traffic has grown since it was armed. A lane that is not armed stays so. Writer only.
func (b *Builder) Heat() { b.armed.CompareAndSwap(cold, hot) }

// Disarm makes the next Confirm return false. For a lane that was hot, a [Barrier] belongs between this and the last look at Position. It is called before that
// look, by a reader that leaves, and to make the writer notice a failure: from any goroutine.
func (b *Builder) Disarm() { b.armed.Store(unarmed) }

// Position returns how many bytes and records of the open block are published. From any goroutine. Only a goroutine that keeps the writer from finishing the block,
// which is the reader under the lock of its queue, can relate it to a block.
func (b *Builder) Position() (bytes, records int) {
	c := b.cursor.Load()
	return int(uint32(c)), int(c >> 32)
}
