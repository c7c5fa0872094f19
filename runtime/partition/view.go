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

	// Reader only.
	look   bool   // look at the open block
	last   bool   // with look: an announcement is being answered, so disarm, or go on watching
	quiet  bool   // the last look at a watched lane found nothing, or a slow writer
	ended  bool   // the event was polled
	unread uint64 // bytes that were polled and will not be read

	// Guarded by Inbox.mu.
	queued    bool // in the ready ring
	dirty     bool // in a dirty queue
	wanted    bool // look when polled
	collected bool // last when polled
	policy    FlushPolicy
}

// Chunk is a piece of a channel: bytes, or its end. It must be released before the view is polled again or released: a piece of the
// open block has no reference of its own. The zero Chunk may be released too.
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
// false if there is nothing now. A view with more to poll puts itself at the end of its inbox's queue. After the event, and after Release, there is nothing.
func (v *View) Poll() (c Chunk, ok bool) {
	s := v.sub
	more, watch := false, false
	s.mu.Lock()
	if s.left {
		s.mu.Unlock()
		return c, false
	}
	for !ok && s.queue.len() > 0 {
		e := s.queue.at(0)
		if e.buf == nil {
			c = Chunk{End: true}
			if e.fail != nil {
				c.Err = &ProducerError{Producer: s.producer, Cause: e.fail}
			}
			s.queue.pop()
			v.ended = true
			s.mu.Unlock()
			return c, true
		}
		if e.end == open {
			c, watch = v.lookAt(e.buf)
			s.mu.Unlock()
			if watch {
				v.inbox.watch(v)
			}
			return c, len(c.Data) > 0
		}
		c = Chunk{Data: e.buf.Bytes()[s.read:e.end], buf: e.buf}
		s.queue.pop()
		s.read = 0
		if ok = len(c.Data) > 0; !ok {
			c.Release()
		}
	}
	if s.queue.len() == 0 {
		_, watch = v.lookAt(nil)
	} else {
		more = s.queue.at(0).end != open || v.look
	}
	s.mu.Unlock()
	if more {
		v.inbox.ready(v, false)
	}
	if watch {
		v.inbox.watch(v)
	}
	return c, ok
}

// lookAt takes what is published of the open block, if the view may look at it; buf is nil if there is none. It returns true if the
// view goes on watching the lane. REQUIRES: Subpartition.mu held.
func (v *View) lookAt(buf *buffer.Buffer) (c Chunk, watch bool) {
	s := v.sub
	if !v.look || s.lane == nil {
		return c, false
	}
	last := v.last
	v.look, v.last = false, false
	if last {
		// A hot lane stays watched until a look finds nothing; the inbox then disarms it, with the barrier that this takes. A cold one is disarmed
		// before the cursor is read: a record that we do not see finds the lane disarmed and is announced. That goes also for a lane without an
		// open block, or the first records of the next one would never be announced.
		watch = !s.lane.DisarmCold()
	}
	if buf != nil {
		end, _ := s.lane.Position()
		c.Data = buf.Bytes()[s.read:end]
		s.read = end
	}
	v.quiet = watch && (len(c.Data) == 0 || s.pace.slow(v.inbox.now))
	return c, watch
}

// Unread says that n bytes of chunks that were polled will not be read, because the reader is about to leave: they count as dropped.
func (v *View) Unread(n int) { v.unread += uint64(n) }

// Release ends reading: everything in the queue is given back, and unless the end was polled the writer gets a [ConsumerError] with
// cause. A second call does nothing.
func (v *View) Release(cause error) {
	s := v.sub
	s.mu.Lock()
	if s.left {
		s.mu.Unlock()
		return
	}
	s.left = true
	if !v.ended {
		// Before anything is dropped: a writer that finds dropped bytes must find out why.
		s.gone.Store(&ConsumerError{Channel: s.channel, Cause: cause})
		s.dropped.Add(v.unread)
	}
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
	if lane != nil {
		lane.Disarm()
	}
	s.pool.Wake()
}
