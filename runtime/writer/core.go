package writer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

// Output is what a writer writes to: a partition of an exchange, or anything else that takes blocks.
type Output = partition.Output

// Spec describes a writer to its output. It is filled in by generated code.
type Spec struct {
	Record    string        // Go name of the record type
	Schema    record.Schema // of the record type
	Selection selector.Kind
	Key       string        // key fields as in the directive; empty for other kinds
	Hash      selector.Hash // of the key
	Func      string        // Go name of the user's function that selects, for errors; empty if there is none
	// TakesSelector says that the writer selects by the selector among its options, which its constructor has set up. [NewCore] refuses the selector of other writers, and leaves it alone:
	// it may be in use elsewhere.
	TakesSelector bool
}

// Core is what all writers share: the way of a record that does not fit into the open block, and the ends of the stream. Generated writers
// call it; users call the writers.
//
// A record takes one of two ways:
//
//	fast   Builder(lane).Tail() → Put → Commit → (Announce if Commit says so)
//	slow   Room(lane, size) → Put → Place(lane, n), or Undo if Put fails
//
// In a batch, Append takes the place of Commit, Touch that of Announce, and EndBatch publishes. TryRoom is Room without waiting. A record for all channels
// of a writer that selects goes through RoomAll → Put → PlaceAll or UndoAll.
//
// All methods but Stats are for one goroutine at a time.
type Core struct {
	out      Output
	builders []buffer.Builder
	loads    []atomic.Int64 // bytes held, by lane
	touched  []int32        // lanes with records of the batch that are not published
	sizing   sizing
	sizes    partition.Sizes
	topology selector.Topology
	spec     Spec
	name     string
	seed     uint64
	large    *buffer.Buffer // between Room and Place: where a large record goes
	source   int            // between RoomAll and PlaceAll: the lane that has the record
	failure  error          // of the user's function that selects channels; for OutOfRange
	failer   selector.Failer
	others   []*Core // on the other outputs of the same task; set by NewDelegate
	unlist   func()  // takes the writer out of the registry
	marker   int     // the lane of the next latency marker
	passes   bool    // IgnoreEventTimes
	over     bool    // after EndOfData
	closed   bool
	result   error // of Close
}

// NewCore claims an output. It fails with [ErrNoOutput] if out is nil, with [ErrInUse] if the output has a writer, with partition.ErrSchema if others on the same
// exchange have another schema, and with selector.ErrTopology if the selection does not fit. Only a writer that takes one may be given a selector.
func NewCore(out Output, spec Spec, opts ...Option) (_ *Core, err error) {
	if out == nil {
		return nil, fmt.Errorf("writer: %s: %w", spec.Record, ErrNoOutput)
	}
	o := gather(opts)
	if o.selector != nil && !spec.TakesSelector {
		return nil, fmt.Errorf("writer: %s: a writer that selects by %v takes no selector", spec.Record, spec.Selection)
	}
	defer func() {
		if r, ok := o.selector.(selector.Releaser); ok && err != nil {
			r.Release() // the constructor has set it up for nothing
		}
	}()
	c := &Core{out: out, spec: spec, topology: out.Topology(), name: o.name, seed: rand.Uint64(), unlist: func() {}}
	if o.seeded {
		c.seed = selector.ProducerSeed(o.seed, c.topology.Producer)
	}
	if spec.Selection == selector.KindForward {
		if _, err := selector.ForwardChannel(c.topology); err != nil {
			return nil, fmt.Errorf("writer: %s: %w", spec.Record, err)
		}
	}
	if h, ok := o.selector.(selector.Hasher); ok {
		spec.Hash = h.Hash()
	}
	if err := c.topology.ValidateFor(spec.Hash); err != nil {
		return nil, fmt.Errorf("writer: %s: %w", spec.Record, err)
	}
	builders, err := out.Claim(partition.Claim{
		Name: o.name, Record: spec.Record, Schema: spec.Schema, Selection: spec.Selection, Key: spec.Key, Hash: spec.Hash, Flush: o.flush,
		BeforeWait: c.publishOthers,
	})
	if err != nil {
		return nil, fmt.Errorf("writer: %s: %w", spec.Record, err)
	}
	c.builders, c.loads, c.sizes = builders, out.Loads(), out.Sizes()
	c.failer, _ = o.selector.(selector.Failer)
	if l, ok := o.selector.(selector.Loader); ok {
		l.Observe(c.Backlog)
	}
	c.touched = make([]int32, 0, len(builders))
	c.sizing = newSizing(c.sizes, c.topology.Consumers, len(builders))
	if o.registry != nil {
		c.unlist = o.registry.Add(out.Stats)
	}
	return c, nil
}

// Core returns c, so that it is a [Member] of a [Delegate] like the writers made from it.
func (c *Core) Core() *Core { return c }

// Channels returns the number of channels to select from: of lanes, hence 1 for a broadcast writer.
func (c *Core) Channels() int { return len(c.builders) }

// Topology returns where the writer stands.
func (c *Core) Topology() selector.Topology { return c.topology }

// Builder returns the builder of a lane. It panics if lane is out of range.
func (c *Core) Builder(lane int) *buffer.Builder { return &c.builders[lane] }

// ForwardChannel returns the only channel of a forwarding writer.
func (c *Core) ForwardChannel() int { return c.topology.Producer }

// KeyGroups returns the number of key groups of hash=flink, which is the maximal parallelism of the edge.
func (c *Core) KeyGroups() int { return c.topology.KeyGroups() }

// Random returns a generator of random channels.
func (c *Core) Random() selector.Random { return selector.SeedRandom(c.seed) }

// TwoChoices returns the state of a selection by load: of the two channels of a key, which counts what goes where, or of two random ones.
func (c *Core) TwoChoices() selector.TwoChoices {
	if c.spec.Selection == selector.KindChoices {
		return selector.NewTwoChoices(c.topology.Consumers, c.seed)
	}
	return selector.NewTwoChoices(0, c.seed)
}

// RoundRobin returns a cursor over all channels that starts at a random one.
func (c *Core) RoundRobin() selector.Cursor {
	return selector.NewCursor(0, c.topology.Consumers, int(c.seed>>1))
}

// Rescale returns a cursor over this producer's own share of the channels that starts at a random one.
func (c *Core) Rescale() selector.Cursor {
	lo, hi := selector.RescaleRange(c.topology)
	return selector.NewCursor(lo, hi, int(c.seed>>1))
}

// Room returns at least size bytes to put one record of that size into: in the open block of the lane, in a new one, or in a buffer of its own if the record
// is large. The caller puts the record and calls Place, or Undo if it could not.
//
// Room waits for memory and for a full channel. It fails with ctx's error, with [RecordTooLargeError], or with that of a failed output; then
// nothing of the record was written, and the call may be repeated.
func (c *Core) Room(ctx context.Context, lane, size int) ([]byte, error) {
	if err := c.begin(size); err != nil {
		return nil, err
	}
	frame := buffer.FrameHeader + size
	b := &c.builders[lane]
	if frame > b.Free() && frame <= c.sizes.Block/buffer.LargeShare {
		written, late := b.Written(), ctx.Err() != nil
		if err := c.out.Acquire(ctx, lane, c.sizing.next(lane, written, frame)); err != nil {
			return nil, c.waited(ctx, late, lane, err)
		}
		c.sizing.opened(lane, written, b.Free())
	}
	if frame <= b.Free() {
		dst, _ := b.Tail()
		return dst, nil
	}
	// Too large for a quarter of a block, or memory is so short that only a smaller block was to be had.
	late := ctx.Err() != nil
	buf, err := c.out.Large(ctx, lane, frame)
	if err != nil {
		return nil, c.waited(ctx, late, lane, err)
	}
	c.large = buf
	return buf.Bytes()[buffer.FrameHeader:], nil
}

// waited says in the error of a context what was waited for; nothing was, if ctx was done before the output was asked: late.
func (c *Core) waited(ctx context.Context, late bool, lane int, err error) error {
	if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	if late {
		return fmt.Errorf("writer: %s for channel %d was not written: %w", c.spec.Record, lane, err)
	}
	return fmt.Errorf("writer: %s for channel %d: no room: %w", c.spec.Record, lane, err)
}

// TryRoom is Room without waiting. It returns false with a nil error if there is no memory or the channel is full; then it has made everything written readable,
// so that the caller may wait for [Core.Ready].
func (c *Core) TryRoom(lane, size int) (dst []byte, ok bool, err error) {
	if err := c.begin(size); err != nil {
		return nil, false, err
	}
	frame := buffer.FrameHeader + size
	b := &c.builders[lane]
	if frame > b.Free() && frame <= c.sizes.Block/buffer.LargeShare {
		written := b.Written()
		ok, err := c.out.TryAcquire(lane, c.sizing.next(lane, written, frame))
		if !ok {
			return nil, false, err
		}
		c.sizing.opened(lane, written, b.Free())
	}
	if frame <= b.Free() {
		dst, _ := b.Tail()
		return dst, true, nil
	}
	buf, err := c.out.TryLarge(lane, frame)
	if buf == nil {
		return nil, false, err
	}
	c.large = buf
	return buf.Bytes()[buffer.FrameHeader:], true, nil
}

// forget gives back the room of a large record that was not placed: its serializer panicked, and the user recovered.
func (c *Core) forget() {
	if c.large != nil {
		c.large.Release()
		c.large = nil
	}
}

// begin checks that a record of that size can be written at all.
func (c *Core) begin(size int) error {
	if err := c.accepts(); err != nil {
		return err
	}
	c.forget()
	if size < 0 { // a sum of lengths beyond what an int of 32 bits holds
		size = math.MaxInt
	}
	if size > c.sizes.Record {
		return &RecordTooLargeError{Record: c.spec.Record, Size: size, Limit: c.sizes.Record}
	}
	return nil
}

// accepts returns ErrClosed if nothing is accepted any more, and says why.
func (c *Core) accepts() error {
	switch {
	case c.closed:
		return fmt.Errorf("writer: %s: the writer was closed: %w", c.spec.Record, ErrClosed)
	case c.over:
		return fmt.Errorf("writer: %s: nothing can be written after EndOfData: %w", c.spec.Record, ErrClosed)
	}
	return nil
}

// Place completes a record of n bytes that was put where Room said.
func (c *Core) Place(lane, n int) error {
	if buf := c.large; buf != nil {
		c.large = nil
		binary.BigEndian.PutUint32(buf.Bytes(), uint32(n))
		return c.out.Append(lane, buf, buffer.FrameHeader+n)
	}
	if c.builders[lane].Commit(n) {
		return nil
	}
	return c.Announce(lane)
}

// Undo gives up a record that could not be put where Room said, and returns err with the record's type. Nothing of it was written.
func (c *Core) Undo(lane int, err error) error {
	c.forget()
	return fmt.Errorf("writer: %s for channel %d: %w", c.spec.Record, lane, err)
}

// Announce completes a commit: if nobody has promised to look at what the lane has published, it tells the output. It is called when Commit returned
// false, and returns the error of an output that has failed, for example [ErrConsumerGone].
func (c *Core) Announce(lane int) error {
	if c.builders[lane].Confirm() {
		return nil
	}
	return c.out.Announce(lane)
}

// Touch says that Append has begun a batch on a lane.
func (c *Core) Touch(lane int) { c.touched = append(c.touched, int32(lane)) }

// EndBatch publishes what was appended, once for each lane. It returns accepted, and err together with the errors of outputs that have failed.
func (c *Core) EndBatch(accepted int, err error) (int, error) {
	for _, lane := range c.touched {
		if c.builders[lane].Publish() {
			continue
		}
		if e := c.Announce(int(lane)); e != nil {
			err = errors.Join(err, e)
		}
	}
	c.touched = c.touched[:0]
	return accepted, err
}

// Settle publishes what a batch has left behind that did not come to its end, because a serializer panicked. It is deferred around the batches of serializers that call users' code.
func (c *Core) Settle() {
	if len(c.touched) > 0 {
		_, _ = c.EndBatch(0, nil) // errors of outputs come with the next call
	}
}

// Backlog returns how many bytes a channel holds that its reader has not given back: records in the open block, finished blocks and large
// records, those that the reader is working on included. From the writer's goroutine.
func (c *Core) Backlog(channel int) int64 {
	return c.loads[channel].Load() - int64(c.builders[channel].Free())
}

// Available reports whether a block for a channel could be had now, so that a small record would be accepted without waiting; channel −1: for every channel. It is a
// hint: a large record needs more than a block, and another writer may take what there is. It is true when the output has failed: the next call does not wait. It panics if there is
// no such channel.
func (c *Core) Available(channel int) bool { return c.closed || c.out.Available(c.lane(channel)) }

// lane returns the lane of a channel, −1 for −1: all channels of a broadcast writer share one.
func (c *Core) lane(channel int) int {
	if len(c.builders) == 1 {
		return min(channel, 0)
	}
	return channel
}

// Ready returns a channel that is closed when it is worth trying again what the last TryRoom has refused, or, for −1, when every channel has become available.
// It is closed as well when the output has failed or was canceled: the next call tells. It is for one wait; ask again after each attempt. Before the caller
// waits, everything written is made readable, as by Flush.
func (c *Core) Ready(channel int) <-chan struct{} {
	if !c.closed {
		// The caller is about to wait, perhaps for the reader of what it has not flushed. Errors stay with the output and come with the next call.
		_ = c.out.Flush()
		c.publishOthers()
	}
	return c.out.Ready(c.lane(channel))
}

// publishOthers makes everything readable on the other outputs of the same task, before this one waits.
func (c *Core) publishOthers() {
	for _, o := range c.others {
		if !o.closed {
			_ = o.out.Flush() // its errors come with the next call of its own writer
		}
	}
}

// Flush makes everything written readable. It never waits. It returns the errors of channels whose consumers have left.
func (c *Core) Flush() error {
	if c.closed {
		return ErrClosed
	}
	c.forget()
	return c.out.Flush()
}

// Close ends the stream: readers get everything written, then the end of the partition. It never waits. It returns an error if accepted
// records or user events were dropped because a consumer left, or if the exchange was canceled. Further calls return the same.
func (c *Core) Close() error { return c.CloseWithError(nil) }

// CloseWithError ends the stream with a cause: readers get everything written, then a partition.ProducerError with cause. A nil cause is Close. It never
// waits. Only the first call of Close or CloseWithError has an effect; it returns what Close returns, not cause.
func (c *Core) CloseWithError(cause error) error {
	if c.closed {
		return c.result
	}
	c.closed = true
	c.forget()
	if cause == nil {
		c.result = c.out.Finish()
	} else {
		c.result = c.out.Fail(cause)
	}
	c.unlist()
	return c.result
}

// Stats returns the writer's counters. From any goroutine.
func (c *Core) Stats() metrics.Writer { return c.out.Stats() }
