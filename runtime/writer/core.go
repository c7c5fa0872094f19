package writer

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
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
	Key       string // key fields as in the directive; empty for other kinds
}

// Core is what all writers share: the way of a record that does not fit into the open block, and the ends of the stream. Generated writers
// call it; users call the writers.
//
// A record takes one of two ways:
//
//	fast   Builder(lane).Tail() → Put → Commit → (Announce if Commit says so)
//	slow   Room(lane, size) → Put → Place(lane, n), or Undo if Put fails
//
// All methods but Stats are for one goroutine at a time.
type Core struct {
	out      Output
	builders []buffer.Builder
	next     []int32 // size of the next block, by lane; 0: none was opened yet
	sizes    partition.Sizes
	topology selector.Topology
	spec     Spec
	large    *buffer.Buffer // between Room and Place: where a large record goes
	closed   bool
	result   error // of Close
}

// NewCore claims an output. It fails with [ErrInUse] if the output has a writer, with partition.ErrSchema if others on the same
// exchange have another schema, and with selector.ErrTopology if the selection does not fit.
func NewCore(out Output, spec Spec, opts ...Option) (*Core, error) {
	o := gather(opts)
	c := &Core{out: out, spec: spec, topology: out.Topology(), sizes: out.Sizes()}
	if spec.Selection == selector.KindForward {
		if _, err := selector.ForwardChannel(c.topology); err != nil {
			return nil, fmt.Errorf("writer: %s: %w", spec.Record, err)
		}
	}
	builders, err := out.Claim(partition.Claim{
		Name: o.name, Record: spec.Record, Schema: spec.Schema, Selection: spec.Selection, Key: spec.Key, Flush: o.flush,
	})
	if err != nil {
		return nil, fmt.Errorf("writer: %s: %w", spec.Record, err)
	}
	c.builders = builders
	c.next = make([]int32, len(builders))
	return c, nil
}

// Channels returns the number of channels to select from: of lanes, hence 1 for a broadcast writer.
func (c *Core) Channels() int { return len(c.builders) }

// Topology returns where the writer stands.
func (c *Core) Topology() selector.Topology { return c.topology }

// Builder returns the builder of a lane. It panics if lane is out of range.
func (c *Core) Builder(lane int) *buffer.Builder { return &c.builders[lane] }

// ForwardChannel returns the only channel of a forwarding writer.
func (c *Core) ForwardChannel() int { return c.topology.Producer }

// RoundRobin returns a cursor over all channels that starts at a random one.
func (c *Core) RoundRobin() selector.Cursor {
	return selector.NewCursor(0, c.topology.Consumers, rand.Int())
}

// Rescale returns a cursor over this producer's own share of the channels that starts at a random one.
func (c *Core) Rescale() selector.Cursor {
	lo, hi := selector.RescaleRange(c.topology)
	return selector.NewCursor(lo, hi, rand.Int())
}

// OutOfRange returns the error for a channel that a custom selector chose wrongly. Nothing was written.
func (c *Core) OutOfRange(channel int) error {
	return fmt.Errorf("%w: the selector of %s chose channel %d of %d", ErrChannel, c.spec.Record, channel, len(c.builders))
}

// Room returns at least size bytes to put one record of that size into: in the open block of the lane, in a new one, or in a buffer of its own if the record
// is large. The caller puts the record and calls Place, or Undo if it could not.
//
// Room waits for memory and for a full channel. It fails with ctx's error, with [RecordTooLargeError], or with that of a failed output; then
// nothing of the record was written, and the call may be repeated.
func (c *Core) Room(ctx context.Context, lane, size int) ([]byte, error) {
	if c.closed {
		return nil, ErrClosed
	}
	if c.large != nil { // a serializer panicked after the last Room, and the user recovered
		c.large.Release()
		c.large = nil
	}
	if size > c.sizes.Record {
		return nil, &RecordTooLargeError{Record: c.spec.Record, Size: size, Limit: c.sizes.Record}
	}
	frame := buffer.FrameHeader + size
	b := &c.builders[lane]
	if frame > b.Free() && frame <= c.sizes.Block/buffer.LargeShare {
		if err := c.out.Acquire(ctx, lane, c.grow(lane, frame)); err != nil {
			return nil, err
		}
	}
	if frame <= b.Free() {
		dst, _ := b.Tail()
		return dst, nil
	}
	// Too large for a quarter of a block, or memory is so short that only a smaller block was to be had.
	buf, err := c.out.Large(ctx, lane, frame)
	if err != nil {
		return nil, err
	}
	c.large = buf
	return buf.Bytes()[buffer.FrameHeader:], nil
}

// grow returns the size of the next block of a lane: the double of the last one, because that filled up, up to the steady size; or four times the
// frame if that is more.
func (c *Core) grow(lane, frame int) int {
	size := int(c.next[lane])
	if size == 0 {
		size = memory.MinBlock
	}
	c.next[lane] = int32(min(2*size, c.sizes.Steady))
	return min(max(size, memory.RoundUp(buffer.LargeShare*frame)), c.sizes.Block)
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
	if c.large != nil {
		c.large.Release()
		c.large = nil
	}
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

// Flush makes everything written readable. It never waits. It returns the errors of channels whose consumers have left.
func (c *Core) Flush() error {
	if c.closed {
		return ErrClosed
	}
	return c.out.Flush()
}

// Close ends the stream: readers get everything written, then the end of the partition. It never waits. It returns an error if accepted
// records were dropped because a consumer left, or if the exchange was canceled. Further calls return the same.
func (c *Core) Close() error { return c.CloseWithError(nil) }

// CloseWithError ends the stream with a cause: readers get everything written, then a partition.ProducerError with cause. A nil cause is Close. It never
// waits. Only the first call of Close or CloseWithError has an effect; it returns what Close returns, not cause.
func (c *Core) CloseWithError(cause error) error {
	if c.closed {
		return c.result
	}
	c.closed = true
	if cause == nil {
		c.result = c.out.Finish()
	} else {
		c.result = c.out.Fail(cause)
	}
	return c.result
}

// Stats returns the writer's counters. From any goroutine.
func (c *Core) Stats() metrics.Writer { return c.out.Stats() }
