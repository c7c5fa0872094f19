package gate

import (
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/partition"
)

// plain reports whether nothing comes after the data of the current chunk that anybody is to be told.
func (c *Core) plain() bool {
	return c.view == nil || c.chunk.Watermark == partition.NoWatermark && c.chunk.Idle == c.times.idle[c.view.Index] &&
		c.chunk.Event == nil && !c.chunk.End && len(c.pending) == 0
}

// settle does what comes after the data of the current chunk, whose last record the caller has returned, and gives the chunk back.
func (c *Core) settle() error {
	if c.due != 0 { // a handler has panicked
		if c.deliver(); c.over() {
			return c.failure()
		}
	}
	if c.view == nil {
		return nil
	}
	if !c.plain() {
		i := c.view.Index
		c.marked(i, c.chunk.Watermark, c.chunk.Idle)
		if c.over() {
			return c.failure()
		}
		// Each is taken once, also if a handler panics and the user goes on.
		if e := c.chunk.Event; e != nil {
			c.chunk.Event = nil
			if err := c.event(i, e); err != nil {
				return err
			}
			if c.over() {
				return c.failure()
			}
		}
		if c.chunk.End {
			c.chunk.End = false
			if err := c.end(i, c.chunk.Err); err != nil {
				return err
			}
			if c.over() {
				return c.failure()
			}
		}
	}
	c.release()
	return nil
}

// marked takes the watermark of a channel, and whether its producer is idle.
func (c *Core) marked(i int, w int64, idle bool) {
	if p, ok := c.pending[i]; ok {
		w = max(w, p)
	}
	if c.partials[i] != nil {
		// Of outputs that cut frames: nothing can be true before a record that has arrived in part. What is said of it waits for the rest.
		if w != partition.NoWatermark {
			if c.pending == nil {
				c.pending = make(map[int]int64)
			}
			c.pending[i] = w
		}
		return
	}
	delete(c.pending, i)
	if w > c.times.watermarks[i] {
		c.times.resume(i) // a new watermark is a sign of life, also if the producer has become idle since
		c.times.advance(i, w)
		c.combine()
	}
	if idle != c.times.idle[i] {
		if idle {
			c.times.rest(i)
		} else {
			c.times.resume(i)
		}
		c.combine()
	}
}

// over reports whether the reader has failed or was closed, by a handler.
func (c *Core) over() bool { return c.err != nil || c.closed }

// What handlers are to be told.
const (
	dueIdle uint8 = 1 << iota
	dueWatermark
)

// combine tells what has become of all channels together.
func (c *Core) combine() {
	w, idle := c.times.combined()
	if idle != c.idle {
		c.idle = idle
		c.due ^= dueIdle // one that was not told, because a handler has panicked, is not worth telling now
	}
	if !idle && w > c.watermark {
		c.watermark = w
		c.due |= dueWatermark
	}
	if c.due != 0 {
		c.deliver()
	}
}

// deliver tells handlers what they are to be told: the end of idleness, then the watermark. Each is told once, the one after a handler that has panicked as well.
func (c *Core) deliver() {
	c.inside = true
	defer c.leave()
	if c.due&dueIdle != 0 {
		c.due &^= dueIdle
		if c.handlers.idle != nil {
			c.handlers.idle(c.idle)
		}
	}
	if c.due&dueWatermark != 0 && !c.over() {
		c.due &^= dueWatermark
		if c.handlers.watermark != nil {
			c.handlers.watermark(eventtime.Time(c.watermark))
		}
	}
}

// leave says that a handler has returned, or panicked.
func (c *Core) leave() { c.inside = false }

// reentered fails the reader because a handler reads from it: what the handler would get is torn out of the order, and half of it is under way already. It is sticky, so that it is seen also if the handler drops it.
func (c *Core) reentered() error {
	if c.err == nil {
		return c.fail(fmt.Errorf("gate: %s: %w", c.gate.name, ErrReentry))
	}
	return c.err
}

// event gives an event to its handler.
func (c *Core) event(i int, e *partition.Event) error {
	if c.partials[i] != nil {
		return c.corrupt(errWithin)
	}
	o := c.origin(i)
	c.inside = true
	defer c.leave()
	switch e.Kind {
	case partition.EndOfData:
		c.say(i)
		if c.handlers.endOfData != nil {
			c.handlers.endOfData(EndOfData{Origin: o, Drained: e.Drained, Waiting: c.unsaid})
		}
	case partition.LatencyMarker:
		if c.handlers.latency != nil {
			sent := time.UnixMicro(e.SentMicros)
			c.handlers.latency(Latency{Origin: o, Sent: sent, Delay: max(0, time.Since(sent))})
		}
	case partition.UserEvent:
		h := c.handlers.of(e.Schema)
		if h == nil {
			if c.handlers.ignore {
				return nil
			}
			return c.fail(&EventError{Origin: o, Record: e.Record})
		}
		corrupt, err := h.handle(o, e.Data, c.limits)
		switch {
		case corrupt != nil:
			return c.corrupt(corrupt)
		case err != nil:
			return c.fail(&EventError{Origin: o, Record: e.Record, Cause: err})
		}
	}
	return c.err
}

// end takes the end of a channel.
func (c *Core) end(i int, cause error) error {
	c.left--
	if cause != nil {
		return c.fail(cause)
	}
	if c.partials[i] != nil {
		return c.corrupt(errInside)
	}
	c.say(i)
	c.times.end(i)
	c.combine()
	return c.err
}

// say notes that a channel has no more data.
func (c *Core) say(i int) {
	if !c.said[i] {
		c.said[i] = true
		c.unsaid--
	}
}

// origin returns the place after the last record of a channel, which is the current one.
func (c *Core) origin(i int) Origin {
	o := Origin{Producer: c.view.Producer(), Channel: c.view.Channel(), Seq: c.records[i] + c.frames}
	if c.after != nil {
		o.Seq = c.after(o.Producer, o.Channel, o.Seq)
	}
	return o
}

// Last returns where the record that was returned last comes from: its producer, its channel, and its number in the channel. Before the first record Producer is −1. After an error it is still the
// last one that was whole. In a handler it is the record before the event, or one of another channel; after NextBatch the last record of the batch. Seq counts as [Gate.Number] says.
func (c *Core) Last() Origin {
	if c.frames == 0 {
		return c.last
	}
	o := c.origin(c.view.Index)
	o.Seq--
	return o
}

// Watermark returns the watermark of all channels together: the last one that the handler of [OnWatermark] was told, or would have been. It returns false before the first.
func (c *Core) Watermark() (time.Time, bool) {
	if c.watermark == eventtime.None {
		return time.Time{}, false
	}
	return eventtime.Time(c.watermark), true
}

// Idle reports whether the producers of all channels that have not ended say that they are idle, so that the watermark does not tell how far they are.
func (c *Core) Idle() bool { return c.idle }

// Backlog returns how many bytes of frames can be read now, or, under policies that hold records back, could after a flush. It takes a lock for each channel, and belongs to the reader's goroutine.
func (c *Core) Backlog() int64 {
	n := int64(c.unread() + len(c.held.rest))
	if c.held.is {
		n += int64(4 + len(c.held.payload))
	}
	for _, v := range c.views {
		n += v.Backlog()
	}
	return n
}
