package gate

import (
	"encoding/binary"
	"fmt"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/wire"
)

// Room is the memory in which readers put records together that arrive in pieces. Its methods may be called from any goroutine, and never wait: a reader is who gives memory back, so it must not
// wait for any.
type Room interface {
	// Take charges so many bytes. It fails if there is no room for them.
	Take(bytes int64) error
	// Give takes back what was charged by Take.
	Give(bytes int64)
}

// partial is a frame that has arrived in part.
type partial struct {
	head    [buffer.FrameHeader]byte
	have    int    // bytes of head
	data    []byte // of the payload so far
	charged int64  // for data
}

const (
	// spareBytes is the size up to which a reader without a Room keeps its buffer for frames that arrive in pieces, and up to which memory for translated records is not charged, in bytes.
	spareBytes = 8 << 10
	// roomUnit is what a Room is charged in multiples of, in bytes.
	roomUnit = 1 << 10
)

// assemble continues the frame that the current chunk begins or continues. It returns true if the frame is complete. What it returned before must have been given back.
func (c *Core) assemble() ([]byte, bool, error) {
	i := c.view.Index
	if c.whole() {
		end := buffer.FrameHeader + int(binary.BigEndian.Uint32(c.rest))
		data := c.rest[buffer.FrameHeader:end]
		c.rest = c.rest[end:]
		c.frames++
		return data, true, nil
	}
	p := c.partials[i]
	if p == nil {
		p = &partial{data: c.spare[:0]}
		c.spare = nil
		c.partials[i] = p
	}
	if p.have < len(p.head) {
		n := copy(p.head[p.have:], c.rest)
		p.have += n
		c.rest = c.rest[n:]
		if p.have < len(p.head) {
			return nil, false, nil
		}
	}
	size := binary.BigEndian.Uint32(p.head[:])
	if size>>31 != 0 {
		return nil, false, fmt.Errorf("%w of %d bytes", errControl, size&^(1<<31))
	}
	if uint64(size) > uint64(c.limits.MaxRecordBytes) {
		return nil, false, fmt.Errorf("record of %d bytes, the limit is %d: %w", size, c.limits.MaxRecordBytes, wire.ErrLimit)
	}
	n := min(int(size)-len(p.data), len(c.rest))
	if err := c.grow(p, len(p.data)+n, int(size)); err != nil {
		return nil, false, &AssemblyError{
			Producer: c.view.Producer(), Channel: c.view.Channel(), Record: c.origin(i).Seq, Size: int(size), Arrived: len(p.data) + n, Cause: err,
		}
	}
	p.data = append(p.data, c.rest[:n]...)
	c.rest = c.rest[n:]
	if len(p.data) < int(size) {
		return nil, false, nil
	}
	data := p.data
	c.taken = p.charged // until the caller has done with it
	p.charged = 0
	c.drop(i)
	c.frames++
	return data, true, nil
}

// grow makes room for need bytes of a payload of size bytes. The buffer grows by what has arrived, not by what the length promises: to at most twice of it. At half of the payload it gets its
// whole size, so that the old buffer and the new one have one and a half times the size of the payload at most.
func (c *Core) grow(p *partial, need, size int) error {
	if need <= cap(p.data) {
		return nil
	}
	to := size
	if need <= size/2 {
		to = min(max(need, 2*cap(p.data)), size/2)
	}
	charge := int64(0)
	if room := c.gate.room; room != nil {
		charge = (int64(to) + roomUnit - 1) &^ (roomUnit - 1)
		if err := room.Take(charge); err != nil {
			return err
		}
	}
	data := make([]byte, len(p.data), to)
	copy(data, p.data)
	c.give(p.charged)
	p.data, p.charged = data, charge
	return nil
}

// drop forgets the partial frame of a channel.
func (c *Core) drop(i int) {
	p := c.partials[i]
	if p == nil {
		return
	}
	c.partials[i] = nil
	c.give(p.charged)
	if c.gate.room == nil && cap(p.data) <= spareBytes {
		c.spare = p.data
	}
}

// finish gives back the memory of a record that arrived in pieces and was returned.
func (c *Core) finish() {
	c.give(c.taken)
	c.taken = 0
	if len(c.translations.scratch) > keptScratch {
		c.dropScratch()
	}
}

// abandon forgets all partial frames, since there will be no more records: their memory is of use to other readers.
func (c *Core) abandon() {
	for i, p := range c.partials {
		if p != nil {
			c.views[i].Unread(p.have + len(p.data))
			c.drop(i)
		}
	}
	c.spare = nil
	c.dropScratch()
}

func (c *Core) give(bytes int64) {
	if bytes > 0 {
		c.gate.room.Give(bytes)
	}
}
