package partition

import (
	"context"
	"sync"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
)

// Inbox is where one reader learns which of its channels have something to read. The reader calls Next; writers report
// through the views. See runtime/DESIGN.md §5.
//
//	ready   channels to poll, each at most once, in the order in which they became ready
//	dirty   announced channels: something is published that may be looked at when the reader is idle, or at a deadline
//	marked  channels whose producers' marks the reader will look at, with deadlines
//	parked  the reader waits for a token
//	lent    a writer reads in the place of the reader, which waits for a token
type Inbox struct {
	own   chan struct{} // capacity 1: wakes a reader that waits for this inbox alone
	timer *time.Timer   // calls fire

	mu      sync.Mutex
	queue   ring[*View]
	dirty   []*dirtyQueue
	marked  []*dirtyQueue
	parked  bool
	wake    chan struct{} // of the reader that is parked: own, or that of a Union
	drained bool          // nothing more is to be read; see Drain
	timerAt time.Time     // what the timer is set to; zero: it is not. It is left alone when the reader wakes for another reason
	now     time.Time     // the last time the reader looked at the clock
	fresh   bool          // that was in this call of Next
	cooling bool          // collected lanes were disarmed while hot: a barrier is due
	poked   bool          // Next returns without a view once
	dead    bool          // its views were moved: what comes late is for another inbox, which has looked since
	err     error         // set by Close
	views   int           // made in this inbox
	apart   bool          // see Apart

	standIn func() (done bool) // see StandIn
	stoodIn time.Time          // when it was done for the last time
	lent    bool               // it reads
	leaving bool               // the reader has stopped to wait meanwhile, and wants a token

	waiting time.Duration // reader only: total time parked
}

// dirtyQueue holds the announced or marked channels of one policy in the order of their deadlines.
type dirtyQueue struct {
	policy FlushPolicy
	ring   ring[due]
}

type due struct {
	view *View
	at   time.Time
}

// NewInbox returns an empty inbox.
func NewInbox() *Inbox {
	in := &Inbox{own: make(chan struct{}, 1), now: time.Now()}
	in.timer = time.AfterFunc(time.Hour, in.fire)
	in.timer.Stop()
	return in
}

// Next returns the next channel to poll and waits until there is one, or until the reader was poked: then it is nil. It fails with ctx's error when it would have to wait, and with the error of Close.
func (in *Inbox) Next(ctx context.Context) (*View, error) {
	for first := true; ; first = false {
		in.mu.Lock()
		v, barrier, err := in.front(first, true)
		switch {
		case barrier:
			in.mu.Unlock()
			buffer.Barrier()
		case v != nil || err != nil || in.poked:
			in.poked = in.poked && v != nil
			in.mu.Unlock()
			return v, err
		default:
			if err := in.park(ctx); err != nil {
				return nil, err
			}
		}
	}
}

// Try returns the next channel to poll, or nil if there is none now. Without idle it does not count as a reader that has nothing else to do: channels whose records wait for that are passed over
// until their time has come. It fails with the error of Close.
func (in *Inbox) Try(idle bool) (*View, error) {
	for first := true; ; first = false {
		in.mu.Lock()
		v, barrier, err := in.front(first, idle)
		in.mu.Unlock()
		if !barrier {
			return v, err
		}
		buffer.Barrier()
	}
}

// front removes the next channel to poll, nil if there is none. If it returns barrier instead, the caller makes one and asks again. first: this is the first time in a call of the
// reader's; idle: the reader has nothing else to do. REQUIRES: mu held.
func (in *Inbox) front(first, idle bool) (v *View, barrier bool, err error) {
	if in.err != nil {
		return nil, false, in.err
	}
	if first {
		in.fresh = false
	}
	in.collectDue()
	if idle && in.queue.len() == 0 {
		in.collectIdle()
	}
	switch {
	case in.cooling:
		in.cooling = false
		return nil, true, nil
	case in.queue.len() > 0:
		return in.take(), false, nil
	}
	return nil, false, nil
}

// park waits until something is ready or due. REQUIRES: mu held; it is released.
func (in *Inbox) park(ctx context.Context) error {
	if ctx.Err() != nil {
		in.mu.Unlock()
		return buffer.Interrupted(ctx)
	}
	select {
	case <-in.own: // of a waker that came after the reader had woken for another reason
	default:
	}
	if !in.fresh {
		in.now = time.Now()
	}
	start := in.now
	in.parked, in.wake = true, in.own
	in.setTimer(start)
	in.mu.Unlock()
	var err error
	if done := ctx.Done(); done == nil {
		<-in.own
	} else {
		select {
		case <-in.own:
		case <-done:
			err = buffer.Interrupted(ctx)
		}
	}
	in.mu.Lock()
	in.regain()
	in.parked = false
	in.now = time.Now()
	in.fresh = true
	in.waiting += in.now.Sub(start)
	in.mu.Unlock()
	return err
}

// fire is what the timer calls: it wakes a reader that is parked if something is due. A timer that was set for an earlier park may be early, or for nothing.
func (in *Inbox) fire() {
	in.mu.Lock()
	in.timerAt = time.Time{}
	if !in.parked {
		in.mu.Unlock()
		return
	}
	now := time.Now()
	if at := in.earliest(); at.IsZero() || at.After(now) {
		in.setTimer(now)
		in.mu.Unlock()
		return
	}
	in.unpark()
}

// Apart says that what a look at an open block finds costs the reader as much as a whole block, as it does where each travels as a message of its own: hot lanes are then looked at the more seldom, the more of them the inbox has, as if each had a reader of its own.
// Before the first view is made.
func (in *Inbox) Apart() { in.apart = true }

// Waiting returns the total time that Next has waited. From the reader's goroutine.
func (in *Inbox) Waiting() time.Duration { return in.waiting }

// Drain says that nothing more is to be read, because all channels have ended. What is left in the inbox, and what comes yet, does not keep a [Union] from waiting. From the reader's goroutine.
func (in *Inbox) Drain() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.drained = true
}

// Poke makes Next return once without a view, now or when it is called next, unless it finds one: for a reader that has to do other things beside, and is told of them by other goroutines. It keeps
// no [Union] from waiting.
func (in *Inbox) Poke() {
	in.mu.Lock()
	in.poked = true
	in.unpark()
}

// Close makes Next fail with err, now and for ever. From any goroutine; only the first call has an effect.
func (in *Inbox) Close(err error) {
	in.mu.Lock()
	if in.err == nil {
		in.err = err
	}
	in.timer.Stop()
	in.unpark()
}

// join adds a new view, which has something to poll perhaps.
func (in *Inbox) join(v *View) {
	in.mu.Lock()
	in.views++
	in.enqueue(v, true)
	in.unpark()
}

// ready queues a channel that has something to poll; with look, the open block may be looked at.
func (in *Inbox) ready(v *View, look bool) {
	in.mu.Lock()
	if in.dead {
		in.mu.Unlock()
		return
	}
	in.enqueue(v, look)
	in.unpark()
}

// announce queues a channel whose open block has something unflushed. The writer has armed the lane.
func (in *Inbox) announce(v *View, p FlushPolicy, patient bool) {
	in.mu.Lock()
	if in.dead || v.dirty {
		in.mu.Unlock()
		return
	}
	if patient && p.kind == whenIdle {
		p = After(min(v.sub.watch(in.views, in.apart), p.Delay()))
	}
	v.policy = p
	if p.kind == whenIdle && in.parked {
		v.sub.flushes[metrics.Idle].Add(1)
		v.collected = true
		in.enqueue(v, true)
		if !in.lend() {
			in.unpark()
		}
		return
	}
	now := in.now
	if p.kind == after {
		now = time.Now()
	}
	in.soil(v, now)
	if in.parked {
		in.setTimer(time.Now())
	}
	in.mu.Unlock()
}

// watch queues a channel again that the reader goes on watching.
func (in *Inbox) watch(v *View) {
	in.mu.Lock()
	if v.policy.kind == whenIdle {
		v.policy = After(min(v.sub.watch(in.views, in.apart), v.policy.Delay()))
	}
	if !v.dirty {
		in.soil(v, in.now)
	}
	in.mu.Unlock()
}

// announceMark makes the reader look at the mark of a channel's producer, at once where the policy wants that and news is true, and when the delay of the policy is over.
func (in *Inbox) announceMark(v *View, p FlushPolicy, news bool) {
	in.mu.Lock()
	if in.dead || v.marked {
		in.mu.Unlock()
		return
	}
	v.marked = true
	now, delay := in.now, p.Delay()
	if news {
		now = time.Now()
	}
	if p.kind == whenIdle {
		delay = min(delay, maxMarkDelay)
	}
	queueOf(&in.marked, p).ring.push(due{v, now.Add(delay)})
	switch {
	case news && p.kind == whenIdle:
		v.told = true
		in.enqueue(v, true)
		in.unpark()
		return
	case in.parked:
		in.setTimer(now)
	}
	in.mu.Unlock()
}

// maxMarkDelay is the longest time between two looks at a mark that goes on changing under the policy WhenIdle, whose own delay is for readers that are busy.
const maxMarkDelay = defaultAfter

// watchDelay is the time between two looks at a hot lane under the policy WhenIdle. A hot lane fills blocks so fast that the reader
// lives on full ones; the looks are for what is left when a burst is over.
//
// A look of a reader that waits costs a timer and a change of goroutines, about 2 µs. With many readers on an edge, the blocks of each fill more slowly, and looks every 4 ms would
// take most of a core: so the delay is at least watchShare for each of them, which keeps their looks at a tenth of one core.
const (
	watchDelay = 4 * time.Millisecond
	watchShare = 20 * time.Microsecond
)

// soil puts a channel at the end of its dirty queue. REQUIRES: mu held, not dirty.
func (in *Inbox) soil(v *View, now time.Time) {
	v.dirty = true
	queueOf(&in.dirty, v.policy).ring.push(due{v, now.Add(v.policy.Delay())})
}

// unpark wakes a parked reader. REQUIRES: mu held; it is released.
func (in *Inbox) unpark() {
	parked, wake := in.parked, in.wake
	in.parked = false
	in.mu.Unlock()
	if parked {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// enqueue puts a channel at the end of the ready ring unless it is there. REQUIRES: mu held.
func (in *Inbox) enqueue(v *View, look bool) {
	v.wanted = v.wanted || look
	if !v.queued {
		v.queued = true
		in.queue.push(v)
	}
}

// take removes the front of the ready ring. REQUIRES: mu held, ring not empty.
func (in *Inbox) take() *View {
	v := in.queue.pop()
	v.look = v.look || v.wanted
	v.last = v.last || v.collected
	v.newMark = v.newMark || v.told
	v.dueMark = v.dueMark || v.expired
	v.queued, v.wanted, v.collected, v.told, v.expired = false, false, false, false, false
	return v
}

// queueOf returns the queue of a policy, a new one if there is none. REQUIRES: mu held.
func queueOf(queues *[]*dirtyQueue, p FlushPolicy) *dirtyQueue {
	for _, q := range *queues {
		if q.policy == p {
			return q
		}
	}
	q := &dirtyQueue{policy: p}
	*queues = append(*queues, q)
	return q
}

// collectIdle makes everything ready that may be looked at when idle. REQUIRES: mu held.
func (in *Inbox) collectIdle() {
	for _, q := range in.dirty {
		for q.policy.kind == whenIdle && q.ring.len() > 0 {
			in.collect(q, metrics.Idle)
		}
	}
}

// collectDue makes everything ready whose deadline has passed. REQUIRES: mu held.
func (in *Inbox) collectDue() {
	for _, q := range in.dirty {
		for q.ring.len() > 0 {
			if !in.fresh {
				in.now, in.fresh = time.Now(), true
			}
			if q.ring.at(0).at.After(in.now) {
				break
			}
			in.collect(q, metrics.Deadline)
		}
	}
	for _, q := range in.marked {
		for q.ring.len() > 0 {
			if !in.fresh {
				in.now, in.fresh = time.Now(), true
			}
			if q.ring.at(0).at.After(in.now) {
				break
			}
			v := q.ring.pop().view
			v.marked, v.expired = false, true
			in.enqueue(v, true)
		}
	}
}

// collect makes the front of a dirty queue ready. REQUIRES: mu held.
func (in *Inbox) collect(q *dirtyQueue, cause metrics.FlushCause) {
	v := q.ring.pop().view
	v.dirty = false
	if v.quiet {
		// The last look found no more reason to watch the lane: this one is to be the last. The barrier must lie between the two, and
		// Next makes one for all lanes that are collected together.
		v.quiet = false
		v.sub.lane.Disarm()
		in.cooling = true
	}
	v.sub.flushes[cause].Add(1)
	v.collected = true
	in.enqueue(v, true)
}

// setTimer sets the timer to the earliest deadline, unless it is set to an earlier time. REQUIRES: mu held, parked.
func (in *Inbox) setTimer(now time.Time) {
	if at := in.earliest(); !at.IsZero() && (in.timerAt.IsZero() || at.Before(in.timerAt)) {
		in.timerAt = at
		in.timer.Reset(at.Sub(now))
	}
}

// earliest returns the earliest deadline, zero if there is none. REQUIRES: mu held.
func (in *Inbox) earliest() (at time.Time) {
	for _, q := range in.dirty {
		at = q.earlier(at)
	}
	for _, q := range in.marked {
		at = q.earlier(at)
	}
	return at
}

// earlier returns the deadline of the front, or at if there is none or it is later.
func (q *dirtyQueue) earlier(at time.Time) time.Time {
	if q.ring.len() > 0 && (at.IsZero() || q.ring.at(0).at.Before(at)) {
		return q.ring.at(0).at
	}
	return at
}
