package gate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// Spec describes a reader. It is filled in by generated code.
type Spec struct {
	Record string        // Go name of the record type
	Schema record.Schema // of the record type
}

// Core is what all readers share: it takes chunks from the channels in turn and cuts them into frames. Generated readers call it; users
// call the readers.
//
//	src, ok := c.Frame()           the next frame lies whole in the current chunk
//	src, ok, err := c.Fill(ctx)    otherwise: the next chunk, a frame that arrived in pieces, the end, or an error
//
// All methods but Stats are for one goroutine at a time.
type Core struct {
	rest   []byte // of the current chunk
	frames uint64 // cut off since the counters were updated
	most   uint   // limit on the payload of a record

	gate     *Gate
	limits   record.Limits
	chunk    partition.Chunk
	view     *partition.View // of the current chunk
	views    []*partition.View
	partials []*partial // by view, where a frame has arrived in part
	spare    []byte     // for the next partial
	records  []uint64   // cut off, by view
	left     int        // channels that have not ended
	err      error      // sticky
	closed   bool

	mu    sync.Mutex
	stats metrics.Reader
}

// partial is a frame that has arrived in part.
type partial struct {
	head [buffer.FrameHeader]byte
	have int    // bytes of head
	data []byte // of the payload so far
}

// spareBytes is the size up to which a reader keeps its buffer for frames that arrive in pieces.
const spareBytes = 8 << 10

var (
	errControl = errors.New("unknown control frame")
	errInside  = errors.New("the channel ended inside a record")
)

// NewCore makes the caller the reader of g. It fails with [ErrInUse] if there is one, with the error of Cancel after that, and with partition.ErrSchema if others on the
// same exchange have another schema.
func NewCore(g *Gate, spec Spec, opts ...Option) (*Core, error) {
	var o options
	for _, opt := range opts {
		if opt != nil {
			opt.apply(&o)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.canceled != nil {
		return nil, fmt.Errorf("gate: %s of %s: %w", g.name, spec.Record, g.canceled)
	}
	if g.claimed {
		return nil, fmt.Errorf("gate: %s of %s: %w", g.name, spec.Record, ErrInUse)
	}
	if err := g.contract.Join("the reader of "+g.name, spec.Schema); err != nil {
		return nil, fmt.Errorf("gate: %s: %w", spec.Record, err)
	}
	n := len(g.sources)
	c := &Core{
		gate: g, limits: g.limits, most: uint(g.limits.MaxRecordBytes), left: n,
		views: make([]*partition.View, n), partials: make([]*partial, n), records: make([]uint64, n),
	}
	for i, s := range g.sources {
		v, err := s.View(g.inbox)
		if err != nil {
			for _, v := range c.views[:i] {
				v.Release(err)
			}
			return nil, fmt.Errorf("gate: %s: %w", g.name, err)
		}
		v.Index = i
		c.views[i] = v
	}
	g.claimed = true
	g.core = c
	c.stats = metrics.Reader{Name: o.name, Channels: n}
	return c, nil
}

// Limits returns the limits that records are read under.
func (c *Core) Limits() record.Limits { return c.limits }

// Frame returns the payload of the next record if it lies whole in the current chunk and is within the limits. It is valid until the next call of a method.
func (c *Core) Frame() ([]byte, bool) {
	b := c.rest
	if len(b) < buffer.FrameHeader {
		return nil, false
	}
	// The top bit marks control frames: as a length it is larger than any chunk.
	n := uint(binary.BigEndian.Uint32(b))
	if b = b[buffer.FrameHeader:]; n > min(uint(len(b)), c.most) {
		return nil, false
	}
	c.rest = b[n:]
	c.frames++
	return b[:n], true
}

// Fixed returns the payload of the next record if that has n bytes, lies whole in the current chunk and is within the limits; else nil, and the caller goes on with Fill. It takes the place of
// [Core.Frame] for records of a fixed size: where the next frame begins does not depend on a length that has to be loaded first, so that the processor works on several records at a
// time.
func (c *Core) Fixed(n int) []byte {
	b := c.rest
	if len(b) < buffer.FrameHeader+n || binary.BigEndian.Uint32(b) != uint32(n) || uint(n) > c.most {
		return nil
	}
	c.rest = b[buffer.FrameHeader+n:]
	c.frames++
	return b[buffer.FrameHeader : buffer.FrameHeader+n : buffer.FrameHeader+n]
}

// Fill returns the payload of the next record when Frame or Fixed could not. It returns false with a nil error when all channels have ended. It waits for data; ctx is consulted
// before waiting. An error of ctx leaves the reader as it was; every other error is sticky.
func (c *Core) Fill(ctx context.Context) ([]byte, bool, error) {
	for {
		if c.err != nil || c.closed {
			return nil, false, c.failure()
		}
		if len(c.rest) > 0 {
			p, ok, err := c.assemble()
			if err != nil {
				return nil, false, c.corrupt(err)
			}
			if ok {
				return p, true, nil
			}
		}
		c.release()
		if c.left == 0 {
			return nil, false, nil
		}
		v, err := c.gate.inbox.Next(ctx)
		if err != nil {
			if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
				c.err = err
			}
			return nil, false, err
		}
		chunk, ok := v.Poll()
		if !ok {
			continue
		}
		c.view, c.chunk = v, chunk
		if chunk.End {
			c.left--
			switch {
			case chunk.Err != nil:
				c.err = chunk.Err
				c.drop(v.Index)
			case c.partials[v.Index] != nil:
				return nil, false, c.corrupt(errInside)
			}
			continue
		}
		c.rest = chunk.Data
		if c.partials[v.Index] == nil {
			if p, ok := c.Frame(); ok {
				return p, true, nil
			}
		}
	}
}

func (c *Core) failure() error {
	if c.err != nil {
		return c.err
	}
	return ErrClosed
}

// assemble continues the frame that the current chunk begins or continues. It returns true if the frame is complete.
func (c *Core) assemble() ([]byte, bool, error) {
	i := c.view.Index
	p := c.partials[i]
	if p == nil {
		if data, ok := c.Frame(); ok {
			return data, true, nil
		}
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
	// Grown by what has arrived, not by what the length promises.
	n := min(int(size)-len(p.data), len(c.rest))
	p.data = append(p.data, c.rest[:n]...)
	c.rest = c.rest[n:]
	if len(p.data) < int(size) {
		return nil, false, nil
	}
	data := p.data
	c.drop(i)
	c.frames++
	return data, true, nil
}

// drop forgets the partial frame of a channel and keeps its buffer unless it is large.
func (c *Core) drop(i int) {
	if p := c.partials[i]; p != nil {
		if cap(p.data) <= spareBytes {
			c.spare = p.data
		}
		c.partials[i] = nil
	}
}

// release gives the current chunk back and brings the counters up to date.
func (c *Core) release() {
	if c.view == nil {
		return
	}
	c.records[c.view.Index] += c.frames
	bytes := len(c.chunk.Data) - len(c.rest)
	c.mu.Lock()
	c.stats.Records += c.frames
	c.stats.Bytes += uint64(bytes)
	if !c.chunk.End {
		c.stats.Chunks++
	}
	c.stats.Ended = len(c.views) - c.left
	c.stats.Waiting = c.gate.inbox.Waiting()
	c.mu.Unlock()
	c.frames = 0
	c.chunk.Release()
	c.rest, c.view = nil, nil
}

// Corrupt returns the error for a record that could not be decoded: consumed bytes of it were, or err says why not. It is sticky.
func (c *Core) Corrupt(consumed int, err error) error {
	if err == nil {
		err = fmt.Errorf("%w: bytes are left over after the %d of the record", wire.ErrCorrupt, consumed)
	}
	if c.frames > 0 {
		c.frames--
	}
	return c.corrupt(err)
}

func (c *Core) corrupt(cause error) error {
	c.err = &CorruptError{
		Producer: c.view.Producer(), Channel: c.view.Channel(), Record: c.records[c.view.Index] + c.frames, Cause: cause,
	}
	c.view.Unread(len(c.rest)) // what follows cannot be trusted
	c.rest = nil
	return c.err
}

// Close ends reading. Producers of channels that have not ended get partition.ErrConsumerGone. Further calls do nothing. It returns nil.
func (c *Core) Close() error { return c.CloseWithError(nil) }

// CloseWithError is Close; cause is passed on to the producers of channels that have not ended.
func (c *Core) CloseWithError(cause error) error {
	if c.closed {
		return nil
	}
	c.closed = true
	if c.view != nil {
		c.view.Unread(len(c.rest))
	}
	c.release()
	for i, v := range c.views {
		if p := c.partials[i]; p != nil {
			v.Unread(p.have + len(p.data))
		}
		c.drop(i)
		v.Release(cause)
	}
	c.spare = nil
	c.gate.close()
	return nil
}

// Stats returns the reader's counters up to its last change of chunks. From any goroutine.
func (c *Core) Stats() metrics.Reader {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}
