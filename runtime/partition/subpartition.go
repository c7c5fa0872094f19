package partition

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/record"
)

// Subpartition is the queue of one channel: finished blocks, large records and events, then at most one open block, or the end.
type Subpartition struct {
	producer int
	channel  int
	channels int32 // of all producers of the edge together

	left     bool  // guarded by mu: the reader has left, or there will be none
	reserved bool  // for a reader that is being made
	quiet    bool  // guarded by marks.mu
	events   int32 // guarded by mu: bytes of the events in the queue
	lack     int32 // guarded by mu: bytes of the event for which room is for

	pool  *buffer.LocalPool // nil if inlet is not
	inlet *Inlet            // what fills the queue if no partition of this process does
	marks *marks            // of the partition, or the inlet

	mu     sync.Mutex
	queue  ring[entry]
	read   int             // bytes of the front entry that were read
	bytes  int64           // of the buffers in the queue that are finished
	room   chan struct{}   // the writer waits for it: closed when there is room for an event of lack bytes; nil: it does not
	fail   error           // of the end, which is in the queue: nil for the end of the partition
	lane   *buffer.Builder // set by Claim; the open block's cursor
	policy FlushPolicy     // set by Claim
	pace   *pace           // set by Claim
	view   *View           // the one reader; set by View

	schema *atomic.Pointer[record.Schema] // of the partition's writer

	inbox   atomic.Pointer[Inbox]         // of view
	gone    atomic.Pointer[ConsumerError] // set when the reader leaves before the end
	dropped atomic.Uint64                 // bytes accepted and dropped because the reader left
	lost    atomic.Uint32                 // user events, likewise
	flushes [metrics.FlushCauses]atomic.Uint64
}

// entry is one item of the queue: a buffer, an event, or the end if there is neither.
type entry struct {
	buf   *buffer.Buffer
	event *Event
	begin int  // where in buf it begins, which others have a part of too: 0, unless it was lent
	end   int  // where in buf it ends; −1: it is open, ask the lane
	mark  mark // of the producer when buf was finished or the event sent: what is true after the one and before the other
}

const open = -1

// bytes returns how many bytes of buf it has. REQUIRES: it is not open.
func (e *entry) bytes() int64 { return int64(e.end - e.begin) }

// open appends a block that is being written.
func (s *Subpartition) open(buf *buffer.Buffer) {
	s.mu.Lock()
	s.queue.push(entry{buf: buf, end: open})
	s.mu.Unlock()
}

// finish closes the open block at n bytes, with the producer's mark, and tells the reader.
func (s *Subpartition) finish(n int, m mark, cause metrics.FlushCause) {
	s.mu.Lock()
	e := s.queue.at(s.queue.len() - 1)
	e.end, e.mark = n, m
	s.bytes += int64(n)
	if s.left {
		// The reader has emptied the queue up to the open block, which only the writer may give back.
		s.drop(s.queue.pop())
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	s.notify(cause)
}

// push appends a finished buffer, an event or the end and tells the reader.
func (s *Subpartition) push(e entry, cause metrics.FlushCause) {
	if s.add(e) {
		s.notify(cause)
	}
}

// add is push, but the reader is not told. It returns false if there is none any more.
func (s *Subpartition) add(e entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.buf != nil {
		s.bytes += e.bytes()
	}
	if e.event != nil && !s.left {
		s.events += int32(e.event.bytes())
	}
	if s.left {
		if e.buf != nil {
			s.drop(e)
		}
		return false
	}
	s.queue.push(e)
	return true
}

// end appends the end and tells the reader. A nil cause is the end of the partition.
func (s *Subpartition) end(cause error, m mark) {
	s.mu.Lock()
	s.fail = cause
	s.mu.Unlock()
	s.push(entry{mark: m}, metrics.Finished)
}

// drop releases an entry that nobody will read. REQUIRES: mu held, e.buf != nil.
func (s *Subpartition) drop(e entry) {
	s.dropped.Add(uint64(e.bytes()) - uint64(s.read))
	s.bytes -= e.bytes()
	s.read = 0
	e.buf.Release()
}

// waiting returns the bytes of the events in the queue. Only the writer adds to them.
func (s *Subpartition) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(s.events)
}

// notify tells the reader that the channel is ready.
func (s *Subpartition) notify(cause metrics.FlushCause) {
	s.flushes[cause].Add(1)
	if in := s.inbox.Load(); in != nil {
		in.ready(s.view, false)
	}
}

// flush tells the reader to look at the open block.
func (s *Subpartition) flush(cause metrics.FlushCause) {
	s.flushes[cause].Add(1)
	if in := s.inbox.Load(); in != nil {
		in.ready(s.view, true)
	}
}

// announce tells the reader that the open block has something that is not flushed. patient: there is more to come soon, so the reader should not look at once when it is
// idle, but after the time between looks at hot lanes.
func (s *Subpartition) announce(p FlushPolicy, patient bool) {
	if in := s.inbox.Load(); in != nil {
		in.announce(s.view, p, patient)
	}
}

// tell makes the reader look at the producer's mark, and at the open block.
func (s *Subpartition) tell() {
	if in := s.inbox.Load(); in != nil {
		in.ready(s.view, true)
	}
}

// announceMark tells the reader that the producer has a new mark, of which it has to find out by itself from now on. The writer has roused the channel.
func (s *Subpartition) announceMark(p FlushPolicy) {
	if in := s.inbox.Load(); in != nil {
		in.announceMark(s.view, p, true)
	}
}

// Reserve keeps s for a reader that needs several channels, all of them or none; its View is next. It fails like View.
func (s *Subpartition) Reserve() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reserved {
		return fmt.Errorf("%w: channel %d of producer %d is about to get a reader", ErrInUse, s.channel, s.producer)
	}
	if err := s.free(); err != nil {
		return err
	}
	s.reserved = true
	return nil
}

// Unreserve undoes Reserve.
func (s *Subpartition) Unreserve() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reserved = false
}

// free returns why s cannot get a reader. REQUIRES: mu held.
func (s *Subpartition) free() error {
	if s.view != nil {
		return fmt.Errorf("%w: channel %d of producer %d has a reader", ErrInUse, s.channel, s.producer)
	}
	if s.left {
		return fmt.Errorf("%w: channel %d of producer %d was discarded", ErrClosed, s.channel, s.producer)
	}
	return nil
}

// View makes in the inbox of the one reader of s and returns its reading end. A second call fails with [ErrInUse], and
// one after Discard with [ErrClosed].
func (s *Subpartition) View(in *Inbox) (*View, error) {
	s.mu.Lock()
	if err := s.free(); err != nil {
		s.mu.Unlock()
		return nil, err
	}
	v := &View{sub: s, inbox: in}
	s.view = v
	// Under the lock: a writer that claims after it, whose lane we do not see, must find the inbox when it announces.
	s.inbox.Store(in)
	s.attend(v)
	return v, nil
}

// attend makes a reader of s, whose inbox was just stored, look at what is there. REQUIRES: mu held; it is released.
func (s *Subpartition) attend(v *View) {
	in := v.inbox
	lane, policy := s.lane, s.policy
	s.mu.Unlock()
	// The writer may have announced to nobody before the store, and be armed for ever: let it announce again, and look once. Should it
	// commit without a fence just now, the barrier orders that before the look. A writer that is never announced flushes with a fence.
	if lane != nil && policy.kind != onFull {
		lane.Disarm()
		if buffer.CanBarrier() {
			buffer.Barrier()
		}
	}
	in.join(v)
	// In the same way the writer may have announced its mark to nobody. If it takes the channel from the quiet ones after this, it finds the inbox.
	if policy.marked() && !s.marks.isQuiet(s) {
		in.announceMark(v, policy, true)
	}
}

// watch returns the time between two looks at a hot lane of a reader of so many channels; apart: see Inbox.Apart.
func (s *Subpartition) watch(views int, apart bool) time.Duration {
	readers := int(s.channels) / max(views, 1)
	if apart {
		readers = max(readers, views)
	}
	return max(watchDelay, time.Duration(readers)*watchShare)
}

// discard releases everything in the queue of a channel that never got a reader, and returns how many bytes it dropped. REQUIRES: the writer is closed.
func (s *Subpartition) discard() (bytes uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.view != nil {
		return 0
	}
	s.left = true
	for s.queue.len() > 0 {
		if e := s.queue.pop(); e.buf != nil {
			s.drop(e)
		}
	}
	return s.dropped.Load()
}
