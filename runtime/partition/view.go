package partition

import (
	"errors"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/record"
)

// View is the reading end of one channel. It belongs to the goroutine that reads its inbox.
type View struct {
	sub   *Subpartition
	inbox *Inbox

	// Index is free for the reader's use: its own number of the channel.
	Index int

	// Reader only.
	unread   uint64 // bytes that were polled and will not be read
	said     mark   // of the producer, as the chunks have said
	seenMark mark   // at the last look at the producer's mark
	newMark  bool   // one was announced
	dueMark  bool   // the time between two looks at the mark is over
	look     bool   // look at the open block
	last     bool   // with look: an announcement is being answered, so disarm, or go on watching
	quiet    bool   // the last look at a watched lane found nothing, or a slow writer
	ended    bool   // the end was polled
	lost     uint32 // user events that were polled and will not be handled

	// Guarded by Inbox.mu.
	queued    bool // in the ready ring
	dirty     bool // in a dirty queue
	wanted    bool // look when polled
	collected bool // last when polled
	marked    bool // in the queue of marks
	told      bool // newMark when polled
	expired   bool // dueMark when polled
	policy    FlushPolicy
}

// Chunk is a piece of a channel: bytes, what is true after them, and an event or the end. It must be released before the view is polled again or released: a piece of the
// open block has no reference of its own. The zero Chunk may be released too.
type Chunk struct {
	Data []byte // bytes of frames; the next bytes of the channel
	// Watermark, after Data: no record with an event time of so many microseconds since the Unix epoch, or before, follows. NoWatermark: nothing new.
	Watermark int64
	Idle      bool   // after Data: the producer says that it is idle
	Event     *Event // after all of the above; Data is empty. Not to be changed
	End       bool   // the channel has ended; Data is empty
	Err       error  // with End: the cause with which the producer was closed, a *ProducerError; nil at the end of the partition
	buf       *buffer.Buffer
	open      *buffer.Buffer // Data is a piece of it, without a reference
}

// Retain makes the chunk's memory stay until Release, also when its view is polled again: a piece of the open block gets a reference of its own. REQUIRES: the view was not polled since.
func (c *Chunk) Retain() {
	if c.buf == nil && c.open != nil {
		c.open.Retain(1)
		c.buf = c.open
	}
}

// Join adds the bytes of next to those of c if they lie directly behind them, in one buffer that both retain, and reports whether they do: then next is empty, and its reference is given up.
func (c *Chunk) Join(next *Chunk) bool {
	if c.buf == nil || c.buf != next.buf || len(c.Data) == 0 || len(next.Data) == 0 {
		return false
	}
	n := len(c.Data)
	if cap(c.Data) < n+len(next.Data) {
		return false
	}
	both := c.Data[:n+len(next.Data)]
	if &both[n] != &next.Data[0] {
		return false
	}
	c.Data = both
	next.Data = nil
	next.buf.Release()
	next.buf, next.open = nil, nil
	return true
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

// Schema returns the schema of the channel's writer, false if there is none yet: before there is something to poll.
func (v *View) Schema() (record.Schema, bool) {
	s := v.sub.schema.Load()
	if s == nil {
		return record.Schema{}, false
	}
	return *s, true
}

// Poll returns the next chunk: a finished block, what is published of the open one if it may be looked at, an event, the end, or no more than what the producer says of its event time. It returns
// false if there is nothing now. A view with more to poll puts itself at the end of its inbox's queue. After the end, and after Release, there is nothing.
func (v *View) Poll() (c Chunk, ok bool) {
	s := v.sub
	more, watch := false, false
	v.lookAtMark()
	s.mu.Lock()
	if s.left || v.ended {
		s.mu.Unlock()
		return Chunk{Watermark: NoWatermark}, false
	}
	// Before anything of the queue is looked at: all that the producer wrote before it said so is in the queue then, or under the cursor.
	newest := s.marks.load()
	said, all := v.said, false // all: everything that came before newest was polled
	for !ok && s.queue.len() > 0 && s.queue.at(0).end != open {
		said = s.queue.at(0).mark
		c, ok = v.pop()
	}
	switch {
	case v.ended:
	case s.queue.len() == 0:
		_, watch = v.lookAt(nil)
		all = true
	case s.queue.at(0).end != open:
		more = true
	case ok:
		more = v.look
		all = v.openBytes() == 0
	default:
		c.open = s.queue.at(0).buf
		c.Data, watch = v.lookAt(c.open)
		ok = len(c.Data) > 0
		all = ok || v.openBytes() == 0
	}
	if all && c.Event == nil {
		said = newest
	} else if all {
		more = more || said != newest // that is true after the event
	}
	c.Watermark, c.Idle = NoWatermark, said.idle()
	if said != v.said {
		if said.watermark() > v.said.watermark() {
			c.Watermark = said.watermark()
		}
		v.said, ok = said, true
	}
	s.mu.Unlock()
	if c.Event != nil && s.inlet != nil {
		s.inlet.eventRead(c.Event.bytes())
	}
	if more {
		v.inbox.ready(v, false)
	}
	if watch {
		v.inbox.watch(v)
	}
	return c, ok
}

// pop takes the front of the queue, which is not open. It returns false for an empty block. REQUIRES: Subpartition.mu held.
func (v *View) pop() (c Chunk, ok bool) {
	s := v.sub
	e := s.queue.pop()
	switch {
	case e.buf != nil:
		c.Data, c.buf = e.buf.Bytes()[e.begin+s.read:e.end], e.buf
		s.bytes -= e.bytes()
		s.read = 0
		if len(c.Data) == 0 {
			c.Release()
			return c, false
		}
	case e.event != nil:
		c.Event = e.event
		s.events -= int32(e.event.bytes())
		s.tellRoom()
	default:
		c.End = true
		if s.fail != nil {
			c.Err = &ProducerError{Producer: s.producer, Cause: s.fail}
		}
		v.ended = true
	}
	return c, true
}

// openBytes returns how many bytes of the open block are published and were not polled. REQUIRES: Subpartition.mu held, the front is the open block.
func (v *View) openBytes() int {
	end, _ := v.sub.lane.Position()
	return end - v.sub.read
}

// lookAt takes what is published of the open block, if the view may look at it; buf is nil if there is none. It returns true if the
// view goes on watching the lane. REQUIRES: Subpartition.mu held.
func (v *View) lookAt(buf *buffer.Buffer) (data []byte, watch bool) {
	s := v.sub
	if !v.look || s.lane == nil {
		return nil, false
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
		data = buf.Bytes()[s.read:end]
		s.read = end
	}
	v.quiet = watch && (len(data) == 0 || s.pace.slow(v.inbox.now))
	return data, watch
}

// lookAtMark keeps the reader's promise to look at the producer's mark: after the time between two looks it goes on, or, if there was nothing new, makes the channel quiet. Poll loads the mark
// after that: what it does not see will be announced.
func (v *View) lookAtMark() {
	if !v.newMark && !v.dueMark {
		return
	}
	m := v.sub.marks.load()
	if v.dueMark {
		if m != v.seenMark {
			v.inbox.announceMark(v, v.sub.policy, false)
		} else {
			v.sub.marks.rest(v.sub)
		}
	}
	v.newMark, v.dueMark, v.seenMark = false, false, m
}

// Backlog returns how many bytes of the channel are published and were not polled. From any goroutine.
func (v *View) Backlog() int64 {
	bytes, _ := v.sub.backlog()
	return bytes
}

// backlog returns how many bytes are published and were not polled, and how many entries the queue has.
func (s *Subpartition) backlog() (bytes int64, entries int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left {
		return 0, 0
	}
	bytes, entries = s.bytes-int64(s.read), s.queue.len()
	if entries > 0 && s.queue.at(entries-1).end == open {
		end, _ := s.lane.Position()
		bytes += int64(end)
	}
	return bytes, entries
}

// Unread says that n bytes of chunks that were polled will not be read, because the reader is about to leave: they count as dropped.
func (v *View) Unread(n int) { v.unread += uint64(n) }

// UnreadEvent says that a user event that was polled will not be handled, because the reader is about to leave.
func (v *View) UnreadEvent() { v.lost++ }

// Release ends reading: everything in the queue is given back, and unless the end was polled the writer gets a [ConsumerError] with
// cause; or, if that is [ErrEnough], no error: the channel takes what is written to it, and drops it. A second call does nothing.
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
		if errors.Is(cause, ErrEnough) {
			s.inbox.Store(nil) // nobody is to be told of what comes yet
		} else {
			s.gone.Store(&ConsumerError{Channel: s.channel, Cause: cause})
		}
		s.dropped.Add(v.unread)
		s.lost.Add(v.lost)
	}
	for s.queue.len() > 0 && s.queue.at(0).end != open {
		e := s.queue.pop()
		switch {
		case e.buf != nil:
			s.drop(e)
		case e.event != nil && e.event.Kind == UserEvent:
			s.lost.Add(1)
		}
	}
	s.events = 0
	s.tellRoom()
	lane := s.lane
	s.mu.Unlock()
	if v.ended {
		return
	}
	if s.inlet != nil {
		s.inlet.left(cause)
		return
	}
	if lane != nil {
		lane.Disarm()
	}
	s.pool.Wake()
}

// Rouse puts the view into its inbox, as if there were something to poll: for a reader that has left it alone although there was. From any goroutine.
func (v *View) Rouse() { v.inbox.ready(v, false) }

// Move gives the view to another inbox, with everything that is in its queue. The inbox that it was in must not be read any more, by anybody, and tells nothing of the views that are still in it; the caller is the reader of the other one, or keeps it from reading. It does nothing to a view that was released.
func (v *View) Move(in *Inbox) {
	s := v.sub
	old := v.inbox
	old.mu.Lock()
	old.dead = true
	v.queued, v.dirty, v.wanted, v.collected, v.marked, v.told, v.expired = false, false, false, false, false, false, false
	old.mu.Unlock()
	s.mu.Lock()
	if s.left {
		s.mu.Unlock()
		return
	}
	v.inbox = in
	s.inbox.Store(in)
	s.attend(v) // unlocks
}
