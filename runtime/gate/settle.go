package gate

import (
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
	if c.view == nil {
		return nil
	}
	if !c.plain() {
		i := c.view.Index
		c.marked(i, c.chunk.Watermark, c.chunk.Idle)
		// Each is taken once, also if a handler panics and the user goes on.
		if e := c.chunk.Event; e != nil {
			c.chunk.Event = nil
			if err := c.event(i, e); err != nil {
				return err
			}
		}
		if c.chunk.End {
			c.chunk.End = false
			if err := c.end(i, c.chunk.Err); err != nil {
				return err
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

// combine tells what has become of all channels together.
func (c *Core) combine() {
	w, idle := c.times.combined()
	if c.idle && !idle {
		c.idle = false
		if c.handlers.idle != nil {
			c.handlers.idle(false)
		}
	}
	if !idle && w > c.watermark {
		c.watermark = w
		if c.handlers.watermark != nil {
			c.handlers.watermark(eventtime.Time(w))
		}
	}
	if idle && !c.idle {
		c.idle = true
		if c.handlers.idle != nil {
			c.handlers.idle(true)
		}
	}
}

// event gives an event to its handler.
func (c *Core) event(i int, e *partition.Event) error {
	if c.partials[i] != nil {
		return c.corrupt(errWithin)
	}
	o := c.origin(i)
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
			if !c.handlers.ignore {
				c.err = &EventError{Origin: o, Record: e.Record}
			}
			break
		}
		corrupt, err := h.handle(o, e.Data, c.limits)
		switch {
		case corrupt != nil:
			return c.corrupt(corrupt)
		case err != nil:
			c.err = &EventError{Origin: o, Record: e.Record, Cause: err}
		}
	}
	return c.err
}

// end takes the end of a channel.
func (c *Core) end(i int, cause error) error {
	c.left--
	if cause != nil {
		c.err = cause
		c.abandon()
		return cause
	}
	if c.partials[i] != nil {
		return c.corrupt(errInside)
	}
	c.say(i)
	c.times.end(i)
	c.combine()
	return nil
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
	return Origin{Producer: c.view.Producer(), Channel: c.view.Channel(), Seq: c.records[i] + c.frames}
}

// Last returns where the record that was returned last comes from: its producer, its channel, and its number in the channel. Before the first record Producer is −1. After an error it is still the
// last one that was whole. In a handler it is the record before the event, or one of another channel.
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
	n := int64(len(c.rest) + len(c.held.rest))
	if c.held.is {
		n += int64(4 + len(c.held.payload))
	}
	for _, v := range c.views {
		n += v.Backlog()
	}
	return n
}
