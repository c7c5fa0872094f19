package partition

import (
	"github.com/rwgen/rwgen/runtime/buffer"
)

// View is the reading end of one channel. It belongs to the goroutine that reads its inbox.
type View struct {
	sub   *Subpartition
	inbox *Inbox

	// Index is free for the reader's use: its own number of the channel.
	Index int

	look  bool // reader only: look at the open block
	ended bool // reader only: the event was polled

	// Guarded by Inbox.mu.
	queued bool // in the ready ring
	dirty  bool // in a dirty queue
	wanted bool // look when polled
}

// Chunk is a piece of a channel: bytes, or its end. It must be released, also the zero Chunk may be.
type Chunk struct {
	Data []byte // bytes of frames; the next bytes of the channel
	End  bool   // the channel has ended; Data is empty
	Err  error  // with End: the cause with which the producer was closed, a *ProducerError; nil at the end of the partition
	buf  *buffer.Buffer
}

// Release gives the chunk's memory back. Data must not be used afterwards.
func (c *Chunk) Release() {
	if c.buf != nil {
		c.buf.Release()
	}
	*c = Chunk{}
}

// Producer returns the index of the producer that writes the channel.
func (v *View) Producer() int { return v.sub.producer }

// Channel returns the writer's number of the channel.
func (v *View) Channel() int { return v.sub.channel }

// Poll returns the next chunk: a finished block, what is published of the open one if it may be looked at, or the event at the end. It returns
// false if there is nothing now. A view with more to poll puts itself at the end of its inbox's queue. After the event there is nothing.
func (v *View) Poll() (Chunk, bool) {
	s := v.sub
	s.mu.Lock()
	for s.queue.len() > 0 {
		e := s.queue.at(0)
		switch {
		case e.buf == nil:
			fail := e.fail
			s.queue.pop()
			v.ended = true
			s.mu.Unlock()
			c := Chunk{End: true}
			if fail != nil {
				c.Err = &ProducerError{Producer: s.producer, Cause: fail}
			}
			return c, true
		case e.end == open:
			c := v.lookAt(e.buf)
			s.mu.Unlock()
			return c, len(c.Data) > 0
		}
		c := Chunk{Data: e.buf.Bytes()[s.read:e.end], buf: e.buf}
		s.queue.pop()
		s.read = 0
		if len(c.Data) == 0 {
			c.Release()
			continue
		}
		more := s.queue.len() > 0 && (s.queue.at(0).end != open || v.look)
		if s.queue.len() == 0 {
			v.lookAt(nil)
		}
		s.mu.Unlock()
		if more {
			v.inbox.ready(v, false)
		}
		return c, true
	}
	v.lookAt(nil)
	s.mu.Unlock()
	return Chunk{}, false
}

// lookAt takes what is published of the open block, if the view may look at it; buf is nil if there is none. REQUIRES: Subpartition.mu held.
func (v *View) lookAt(buf *buffer.Buffer) (c Chunk) {
	s := v.sub
	if !v.look {
		return c
	}
	v.look = false
	if s.lane == nil {
		return c
	}
	// First disarm, then read the cursor: a record that we do not see finds the lane disarmed and is announced. Also without an
	// open block, or the first records of the next one would never be announced.
	s.lane.Disarm()
	if buf == nil {
		return c
	}
	end, _ := s.lane.Position()
	c.Data = buf.Bytes()[s.read:end]
	s.read = end
	return c
}

// Release ends reading: everything in the queue is given back, and unless the end was polled the writer gets a [ConsumerError] with
// cause. Chunks that are held are not touched. A second call does nothing.
func (v *View) Release(cause error) {
	s := v.sub
	s.mu.Lock()
	if s.left {
		s.mu.Unlock()
		return
	}
	s.left = true
	for s.queue.len() > 0 && s.queue.at(0).end != open {
		if e := s.queue.pop(); e.buf != nil {
			s.drop(e)
		}
	}
	lane := s.lane
	s.mu.Unlock()
	if v.ended {
		return
	}
	s.gone.Store(&ConsumerError{Channel: s.channel, Cause: cause})
	if lane != nil {
		lane.Disarm()
	}
	s.pool.Wake()
}
