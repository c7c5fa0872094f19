package gate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// Spec describes a reader. It is filled in by generated code.
type Spec struct {
	Record string        // Go name of the record type
	Schema record.Schema // of the record type
	// Intern says that records have fields tagged intern: the limits of the reader get an Interner of record.DefaultInternBytes, unless they have one.
	Intern bool
	// Borrow says that decoded records refer to the bytes of their payloads, so that these end with the next call (for batches see [Core.Same]). Without the build tag invariants it
	// changes nothing. With it the payloads that are returned are private copies, which are overwritten with 0xdb at the next call that reads or ends.
	Borrow bool
}

// Core is what all readers share: it takes chunks from the channels in turn and cuts them into frames. Generated readers call it; users
// call the readers.
//
//	src, ok := c.Frame()           the next frame lies whole in the current chunk
//	src, ok, err := c.Fill(ctx)    otherwise: the next chunk, a frame that arrived in pieces, the end, or an error
//
// TryFill takes the place of Fill for reading without waiting, and More for the records of a batch after the first.
//
// All methods but Stats are for one goroutine at a time.
type Core struct {
	rest   []byte // of the current chunk, if its channel needs no translation
	frames uint64 // cut off since the counters were updated
	most   uint   // limit on the payload of a record

	gate     *Gate
	limits   record.Limits
	chunk    partition.Chunk
	view     *partition.View // of the current chunk
	views    []*partition.View
	partials []*partial // by view, where a frame has arrived in part
	spare    []byte     // for the next partial, without a Room
	taken    int64      // of the Room, by the record that was returned last, or is held
	foreign  []byte     // of the current chunk, if its channel needs one
	held     held       // a record that arrived in pieces and was not returned yet
	records  []uint64   // cut off, by view
	last     Origin     // of the last record, once its chunk was given back
	left     int        // channels that have not ended
	ended    bool       // the end was returned
	err      error      // sticky
	closed   bool

	handlers  handlers
	times     times
	pending   map[int]int64 // watermarks of channels with a record that has arrived in part
	watermark int64         // of all channels together
	idle      bool          // all channels are
	inside    bool          // a handler is being called
	due       uint8         // what handlers are to be told, as soon as possible
	said      []bool        // by channel: it has ended or said that its data has
	unsaid    int           // channels that have not
	union     *union
	after     Numbering // of the gate; nil: as they arrive
	borrow    bool      // Spec.Borrow
	loans     loans     // of payloads

	translations translations

	mu    sync.Mutex
	stats metrics.Reader
}

var (
	errControl = errors.New("unknown control frame")
	errInside  = errors.New("the channel ended inside a record")
	errWithin  = errors.New("an event inside a record")
)

// NewCore makes the caller the reader of g. It fails with [ErrNoGate] if g is nil, with [ErrInUse] if there is one, with the error of Cancel after that, and with partition.ErrSchema and
// a [record.ResolveError] if it cannot read what a writer of the same exchange writes. Writers that come later are refused in the same case.
func NewCore(g *Gate, spec Spec, opts ...Option) (*Core, error) {
	if g == nil {
		return nil, fmt.Errorf("gate: %s: %w", spec.Record, ErrNoGate)
	}
	var o options
	for _, opt := range opts {
		if opt != nil {
			opt.apply(&o)
		}
	}
	if err := o.handlers.check(); err != nil {
		return nil, fmt.Errorf("gate: %s of %s: %w", g.name, spec.Record, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.canceled != nil {
		return nil, fmt.Errorf("gate: %s of %s: %w", g.name, spec.Record, g.canceled)
	}
	if g.claimed {
		return nil, fmt.Errorf("gate: %s of %s: %w", g.name, spec.Record, ErrInUse)
	}
	n := len(g.sources)
	changes := newTranslations(spec, &o, n)
	c := &Core{
		gate: g, limits: g.limits, most: uint(g.limits.MaxRecordBytes), left: n,
		views: make([]*partition.View, n), partials: make([]*partial, n), records: make([]uint64, n),
		handlers: o.handlers, times: newTimes(n), watermark: eventtime.None, said: make([]bool, n), unsaid: n, borrow: spec.Borrow, last: Origin{Producer: -1, Channel: -1},
		translations: changes,
		after:        g.after,
	}
	for i, s := range g.sources {
		if err := s.Reserve(); err != nil {
			for _, s := range g.sources[:i] {
				s.Unreserve()
			}
			return nil, fmt.Errorf("gate: %s: %w", g.name, err)
		}
	}
	if err := g.contract.JoinReader("the reader of "+g.name, spec.Schema, changes.opts...); err != nil {
		for _, s := range g.sources {
			s.Unreserve()
		}
		return nil, fmt.Errorf("gate: %s: %w", spec.Record, err)
	}
	for i, s := range g.sources {
		v, err := s.View(g.inbox)
		s.Unreserve()
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
	if spec.Intern && c.limits.Interner() == nil {
		c.limits = c.limits.WithInterner(wire.NewInterner(record.DefaultInternBytes))
	}
	c.stats = metrics.Reader{Name: o.name, Channels: n}
	return c, nil
}

// Core returns c, so that it is an [Input] of [Select] like the readers made from it.
func (c *Core) Core() *Core { return c }

// Limits returns the limits that records are read under.
func (c *Core) Limits() record.Limits { return c.limits }

// Frame returns the payload of the next record if it lies whole in the current chunk and is within the limits. It is valid until the next call of a method.
func (c *Core) Frame() ([]byte, bool) {
	if checked {
		c.loans.end()
	}
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
	if checked {
		return c.lent(b[:n]), true
	}
	return b[:n], true
}

// Fixed returns the payload of the next record if that has n bytes, lies whole in the current chunk and is within the limits; else nil, and the caller goes on with Fill. It takes the place of
// [Core.Frame] for records of a fixed size: where the next frame begins does not depend on a length that has to be loaded first, so that the processor works on several records at a
// time.
func (c *Core) Fixed(n int) []byte {
	if checked {
		c.loans.end()
	}
	b := c.rest
	if len(b) < buffer.FrameHeader+n || binary.BigEndian.Uint32(b) != uint32(n) || uint(n) > c.most {
		return nil
	}
	c.rest = b[buffer.FrameHeader+n:]
	c.frames++
	if checked {
		return c.lent(b[buffer.FrameHeader : buffer.FrameHeader+n])
	}
	return b[buffer.FrameHeader : buffer.FrameHeader+n : buffer.FrameHeader+n]
}

// Fill returns the payload of the next record when Frame or Fixed could not. It returns false with a nil error when all channels have ended. It waits for data; ctx is consulted
// before waiting. An error of ctx leaves the reader as it was; every other error is sticky. Handlers are called by it.
func (c *Core) Fill(ctx context.Context) ([]byte, bool, error) {
	for {
		if p, ok, err := c.pull(); ok || err != nil {
			return p, ok, err
		}
		if c.left == 0 {
			c.ended = true
			return nil, false, nil
		}
		v, err := c.gate.inbox.Next(ctx)
		if err != nil {
			if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
				_ = c.fail(err)
			}
			return nil, false, err
		}
		c.take(v)
	}
}

// TryFill is Fill without waiting. It returns false, false and a nil error if there is no record now, and ended when all channels have ended.
func (c *Core) TryFill() (src []byte, ok, ended bool, err error) {
	for {
		if src, ok, err = c.pull(); ok || err != nil {
			return src, ok, false, err
		}
		if c.left == 0 {
			c.ended = true
			return nil, false, true, nil
		}
		v, err := c.gate.inbox.Try(true)
		if err != nil {
			return nil, false, false, c.fail(err)
		}
		if v == nil {
			return nil, false, false, nil
		}
		c.take(v)
	}
}

// More returns the payload of a further record of a batch when Frame or Fixed could not. It returns false if there is none that can be read without waiting, or if something else
// comes before it: a handler that is to be called, the end, an error. That is for the next Fill, after the caller has worked on the batch.
func (c *Core) More() ([]byte, bool) {
	c.loans.end()
	if !c.held.is {
		c.finish()
	}
	for c.err == nil && !c.closed && !c.held.is && !c.inside {
		if c.unread() > 0 {
			p, ok, err := c.cut()
			if err == nil && ok {
				p, err = c.translated(p)
			}
			if err != nil {
				_ = c.corrupt(err) // it is sticky
				return nil, false
			}
			if ok {
				return c.lent(p), true
			}
		}
		if !c.plain() {
			return nil, false
		}
		c.release()
		v, err := c.gate.inbox.Try(false)
		if err != nil {
			_ = c.fail(err) // it is sticky
			return nil, false
		}
		if v == nil {
			return nil, false
		}
		c.take(v)
	}
	return nil, false
}

// pull returns the next record of the current chunk. At its end it does what comes after it, and returns false.
func (c *Core) pull() ([]byte, bool, error) {
	if c.inside {
		return nil, false, c.reentered()
	}
	c.loans.end()
	if c.err == nil && !c.closed && c.held.is {
		return c.handOut(c.unhold())
	}
	c.finish()
	if c.err != nil || c.closed {
		return nil, false, c.failure()
	}
	if c.unread() > 0 {
		p, ok, err := c.cut()
		if err != nil {
			return nil, false, c.corrupt(err)
		}
		if ok {
			return c.handOut(p)
		}
	}
	return nil, false, c.settle()
}

// handOut returns a record that was cut, in the reader's schema.
func (c *Core) handOut(p []byte) ([]byte, bool, error) {
	p, err := c.translated(p)
	if err != nil {
		return nil, false, c.corrupt(err)
	}
	return c.lent(p), true, nil
}

// take makes what there is in a channel the current chunk.
func (c *Core) take(v *partition.View) {
	chunk, ok := v.Poll()
	if !ok {
		return
	}
	c.view, c.chunk = v, chunk
	if len(chunk.Data) > 0 && c.times.idle[v.Index] {
		c.resume(chunk.Data)
		return
	}
	c.arrived(v, chunk.Data)
}

// resume says that the producer of the current channel is not idle, because it writes, whatever comes after its data. These are there when handlers have returned, so that one that reads gets an error and no record,
// or have panicked.
func (c *Core) resume(data []byte) {
	v := c.view
	defer func() {
		switch {
		case c.view != v: // a handler has closed the reader
		case c.err != nil:
			v.Unread(len(data))
		default:
			c.arrived(v, data)
		}
	}()
	c.times.resume(v.Index)
	c.combine()
}

// whole reports whether Frame would return the next record.
func (c *Core) whole() bool {
	if len(c.rest) < buffer.FrameHeader || c.view != nil && c.partials[c.view.Index] != nil {
		return false // or the chunk goes on with a frame that has arrived in part
	}
	n := uint(binary.BigEndian.Uint32(c.rest))
	return n <= min(uint(len(c.rest)-buffer.FrameHeader), c.most)
}

// held is a record that arrived in pieces, was put together, and has not been returned yet.
type held struct {
	is      bool
	payload []byte
	rest    []byte // of the chunk, behind it
}

// hold keeps a record that assemble has returned for pull, so that Frame does not pass it.
func (c *Core) hold(p []byte) {
	c.held = held{true, p, c.rest}
	c.rest = nil
	c.frames--
}

func (c *Core) unhold() []byte {
	p := c.held.payload
	c.rest = c.held.rest
	c.held = held{}
	c.frames++
	return p
}

func (c *Core) failure() error {
	if c.err != nil {
		return c.err
	}
	return ErrClosed
}

// release gives the current chunk back and brings the counters up to date.
func (c *Core) release() {
	if c.view == nil {
		return
	}
	if c.frames > 0 {
		c.last = c.Last()
	}
	c.records[c.view.Index] += c.frames
	bytes := len(c.chunk.Data) - c.unread()
	c.mu.Lock()
	c.stats.Records += c.frames
	c.stats.Bytes += uint64(bytes)
	if len(c.chunk.Data) > 0 {
		c.stats.Chunks++
	}
	c.stats.Ended = len(c.views) - c.left
	c.stats.Waiting = c.gate.inbox.Waiting()
	c.mu.Unlock()
	c.frames = 0
	c.chunk.Release()
	c.rest, c.foreign, c.view = nil, nil, nil
}

// Corrupt returns the error for a record that could not be decoded: consumed bytes of it were, or err says why not. It is sticky.
func (c *Core) Corrupt(consumed int, err error) error {
	if err == nil {
		err = leftOver(consumed)
	}
	if c.frames > 0 {
		c.frames--
	}
	return c.corrupt(err)
}

func leftOver(consumed int) error {
	return fmt.Errorf("%w: bytes are left over after the %d of the record", wire.ErrCorrupt, consumed)
}

// corrupt fails the reader at the current place of the current channel. Records that have arrived in part will not be completed.
func (c *Core) corrupt(cause error) error {
	if short, ok := cause.(*AssemblyError); ok {
		c.err = short
	} else {
		c.err = &CorruptError{
			Producer: c.view.Producer(), Channel: c.view.Channel(), Record: c.origin(c.view.Index).Seq, Cause: cause,
		}
	}
	return c.fail(c.err)
}

// fail fails the reader, and gives back the memory of records that will not be completed.
func (c *Core) fail(err error) error {
	c.err = err
	if c.view != nil {
		c.view.Unread(c.unread()) // what follows cannot be trusted
	}
	c.rest, c.foreign = nil, nil
	c.finish()
	c.abandon()
	return err
}

// Close ends reading. Producers of channels that have not ended get partition.ErrConsumerGone. Further calls do nothing. It returns nil.
func (c *Core) Close() error { return c.CloseWithError(nil) }

// CloseWithError is Close; cause, or why the gate was canceled if there is none, is passed on to the producers of channels that have not ended.
func (c *Core) CloseWithError(cause error) error {
	if c.closed {
		return nil
	}
	c.closed = true
	c.loans.end()
	if c.held.is {
		c.view.Unread(buffer.FrameHeader + len(c.held.payload))
		c.rest = c.held.rest
		c.held = held{}
	}
	if c.view != nil {
		c.view.Unread(c.unread())
	}
	if e := c.chunk.Event; e != nil && e.Kind == partition.UserEvent {
		c.view.UnreadEvent()
	}
	c.release()
	c.finish()
	c.abandon()
	if cause == nil {
		cause = c.gate.cause()
	}
	for _, v := range c.views {
		v.Release(cause)
	}
	c.gate.close()
	return nil
}

// Stats returns the reader's counters up to its last change of chunks. From any goroutine.
func (c *Core) Stats() metrics.Reader {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}
