package tape

import (
	"context"
	"encoding/binary"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/partition"
)

// Cursor reads the encoded records of a tape, of all lanes in the order in which they were handed over. It is for one goroutine at a time, and needs no closing.
type Cursor struct {
	scan  *scan
	event func(lane int, e *partition.Event) error
	rest  []byte // of the current segment: frames that were not read
	lane  int    // of the current segment or, if it is for all, whose turn it is
	next  uint64 // number of the first record in rest
	err   error  // of event; sticky

	lastLane   int // see Last
	lastRecord uint64

	applied bool  // the current segment's watermark is
	marks   marks // of the lanes that are read
	lowest  int64 // of them
	idle    bool  // what the producer has said last
}

// Cursor returns a cursor at the start of the tape, or where the options say. Options that are wrong, like a lane that there is not, are errors of its first Next.
func (t *Tape) Cursor(opts ...ReadOption) *Cursor { return t.cursor(gatherRead(opts)) }

func (t *Tape) cursor(o readOptions) *Cursor {
	c := &Cursor{scan: newScan(t, o), event: o.event, lastLane: all, applied: true, lowest: noWatermark}
	c.marks = newMarks(c.scan.skip)
	return c
}

// Next returns the encoded form of the next record, without its frame; it is valid until the next call. At the end it returns false with a nil error, or with a partition.ProducerError if the writer was closed with
// a cause. Other errors are [CorruptError], unless [Resync] was asked for, [ErrPosition], those of the file, and those of ctx, which is looked at for each segment. All but the last kind are sticky.
func (c *Cursor) Next(ctx context.Context) ([]byte, bool, error) {
	for {
		for len(c.rest) > 0 {
			n := binary.BigEndian.Uint32(c.rest)
			payload := c.rest[buffer.FrameHeader:][:n]
			c.rest = c.rest[buffer.FrameHeader+len(payload):]
			if c.next++; c.next > c.scan.start[c.lane] {
				c.lastLane, c.lastRecord = c.lane, c.next-1
				return payload, true, nil
			}
		}
		if c.nextLane() {
			continue
		}
		c.apply()
		if c.err != nil {
			return nil, false, c.err
		}
		ok, err := c.scan.step(ctx)
		if err != nil {
			return nil, false, err
		}
		if !ok {
			return nil, false, c.ending()
		}
		c.begin()
	}
}

// begin enters a segment.
func (c *Cursor) begin() {
	s := c.scan
	c.applied = false
	switch {
	case s.seg.kind == kindEvent:
		c.deliver()
	case s.seg.kind != kindRecords:
	case s.seg.lane == all:
		c.lane = all
		c.nextLane()
	default:
		c.lane, c.next, c.rest = s.seg.lane, s.seg.first, s.frames
	}
}

// nextLane turns to the next lane of a segment for all of them.
func (c *Cursor) nextLane() bool {
	s := c.scan
	if c.applied || s.seg.kind != kindRecords || s.seg.lane != all {
		return false
	}
	for c.lane++; c.lane < len(s.skip); c.lane++ {
		if first := s.first(c.lane); s.wants(c.lane, first) {
			c.next, c.rest = first, s.frames
			return true
		}
	}
	return false
}

// deliver calls the handler of events.
func (c *Cursor) deliver() {
	s := c.scan
	if c.event == nil {
		return
	}
	if s.seg.lane != all {
		c.err = c.event(s.seg.lane, s.event)
		return
	}
	lanes := make([]int, 0, len(s.skip))
	for lane := range s.skip {
		if s.wants(lane, s.first(lane)) {
			lanes = append(lanes, lane)
		}
	}
	if len(lanes) == len(s.skip) || s.event.Kind == partition.EndOfData {
		lanes = []int{all}
	}
	for _, lane := range lanes {
		if c.err == nil {
			c.err = c.event(lane, s.event)
		}
	}
}

// apply lets the watermark of the segment that was read take effect.
func (c *Cursor) apply() {
	s := c.scan
	if c.applied {
		return
	}
	c.applied = true
	c.idle = s.idle
	if s.seg.watermark == noWatermark {
		return
	}
	if s.seg.lane != all {
		c.marks.raise(s.seg.lane, s.seg.watermark)
	} else {
		c.marks.raiseAll(s.seg.watermark)
	}
	c.lowest = c.marks.lowest()
}

// ending returns the error at the end.
func (c *Cursor) ending() error {
	if e := c.scan.ending; e != nil && e.failed {
		return &partition.ProducerError{Producer: c.scan.tape.header.Topology.Producer, Cause: &FailedError{e.message}}
	}
	return nil
}

// Last returns the place of the record that Next has returned last; lane −1 before the first. With [From], reading begins behind it at record + 1.
func (c *Cursor) Last() (lane int, record uint64) { return c.lastLane, c.lastRecord }

// Watermark returns the least of the newest watermarks of the lanes that are read, in microseconds since the Unix epoch, and whether all of them have one: no record with that event time or an earlier one follows.
func (c *Cursor) Watermark() (micros int64, ok bool) { return c.lowest, c.lowest != noWatermark }
