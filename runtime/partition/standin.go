package partition

import "time"

// standInGap is the least time between two calls of a stand-in: what it takes of a writer's time is a part that is bounded, however many records are announced.
const standInGap = 50 * time.Microsecond

// StandIn makes f read the inbox in the place of a reader that waits in Next, when a record is announced to it under the policy WhenIdle: on the goroutine of the writer, which calls Emit, and without waking the reader. To
// wake a goroutine on another processor takes longer than to do what there is to be done for one record.
//
// While f runs nobody else reads the inbox: it may call Try, and poll what it gets. It must not wait for anything but locks that are held for a moment, and is called without locks. It returns false if the reader has to go on; then,
// or if there is something in the inbox afterwards, the reader is woken. Nil ends all this. From the reader's goroutine.
func (in *Inbox) StandIn(f func() (done bool)) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.standIn = f
}

// lend lets the stand-in read what is in the inbox. It returns false, and does nothing, if there is none, or it was called just now. REQUIRES: mu held, parked; it is released if lend returns true.
func (in *Inbox) lend() bool {
	if in.standIn == nil || in.wake != in.own { // a reader that waits for several inboxes cannot be stood in for
		return false
	}
	now := time.Now()
	if now.Sub(in.stoodIn) < standInGap {
		return false
	}
	f := in.standIn
	in.parked, in.lent = false, true // whoever has something for the reader leaves it in the inbox
	in.now = now
	in.mu.Unlock()
	done := f()
	in.mu.Lock()
	in.lent = false
	in.stoodIn = time.Now()
	in.parked = true
	in.poked = in.poked || !done
	if in.err != nil || in.poked || in.leaving || in.cooling || in.queue.len() > 0 || in.hasIdle() {
		in.unpark()
		return true
	}
	in.setTimer(in.stoodIn)
	in.mu.Unlock()
	return true
}

// hasIdle reports whether something may be looked at by a reader that has nothing else to do. REQUIRES: mu held.
func (in *Inbox) hasIdle() bool {
	for _, q := range in.dirty {
		if q.policy.kind == whenIdle && q.ring.len() > 0 {
			return true
		}
	}
	return false
}

// regain waits until nobody stands in for the reader, which has stopped to wait by itself. REQUIRES: mu held.
func (in *Inbox) regain() {
	for in.lent {
		in.leaving = true
		in.mu.Unlock()
		<-in.own
		in.mu.Lock()
	}
	in.leaving = false
}
