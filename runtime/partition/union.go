package partition

import (
	"context"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
)

// Union lets one goroutine wait for several inboxes that it reads: whoever reports something to one of them wakes it. It is for the goroutine of the inboxes, and their own Next goes on to
// work. An inbox may be in several unions, of which one waits at a time.
type Union struct {
	inboxes []*Inbox
	wake    chan struct{} // capacity 1
}

// NewUnion joins inboxes, of which none is waiting.
func NewUnion(inboxes ...*Inbox) *Union {
	return &Union{inboxes: inboxes, wake: make(chan struct{}, 1)}
}

// Wait returns when one of the inboxes has something, which [Inbox.Try] of an idle reader returns, or was closed; perhaps also when there is nothing. It fails with ctx's error when it would
// have to wait.
func (u *Union) Wait(ctx context.Context) error {
	select {
	case <-u.wake: // of a waker that came after the reader had woken for another reason
	default:
	}
	start := time.Now()
	parked := 0
	for parked < len(u.inboxes) && u.inboxes[parked].tryPark(start, u.wake) {
		parked++
	}
	var err error
	switch {
	case parked < len(u.inboxes):
	case ctx.Err() != nil:
		err = buffer.Interrupted(ctx)
	default:
		select {
		case <-u.wake:
		case <-ctx.Done():
			err = buffer.Interrupted(ctx)
		}
	}
	now := time.Now()
	for _, in := range u.inboxes[:parked] {
		in.mu.Lock()
		in.parked = false
		in.now = now
		in.waiting += now.Sub(start)
		in.mu.Unlock()
	}
	return err
}

// tryPark parks the reader, if there is nothing to poll for one that is idle, and returns whether it did. The caller waits, and takes it back.
func (in *Inbox) tryPark(now time.Time, wake chan struct{}) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.drained {
		return true // nobody has to wake us for it
	}
	in.now, in.fresh = now, true
	in.collectDue()
	in.collectIdle()
	if in.err != nil || in.queue.len() > 0 || in.cooling {
		return false
	}
	in.parked, in.wake = true, wake
	in.setTimer(now)
	return true
}
