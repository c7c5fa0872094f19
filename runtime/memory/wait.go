package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// waiter is a share whose guarantee is waited for.
type waiter struct {
	share   *Share
	granted bool
	done    chan struct{}
}

// WaitShare is NewShare, but where that fails with [ErrBusy] it waits until others have given back what they hold above their guarantees. Meanwhile
// their shares are as small as if the new one were there, so that they take no more; those who wait are served in the order in which they came. It fails
// with ctx's error, which is an ErrBusy too.
func (p *Pool) WaitShare(ctx context.Context, min, max int64, wakeUp func()) (*Share, error) {
	return p.wait(ctx, &Share{pool: p, min: min, max: max, wake: wakeUp})
}

// wait waits until the guarantee of a new share is given.
func (p *Pool) wait(ctx context.Context, s *Share) (*Share, error) {
	w := &waiter{share: s, done: make(chan struct{})}
	grown, err := p.enqueue(w)
	wake(grown)
	if err != nil {
		return nil, err
	}
	select {
	case <-w.done:
		return w.share, nil
	case <-ctx.Done():
		woken, others := p.giveUp(w)
		wake(woken)
		if w.granted {
			return w.share, nil
		}
		err := context.Cause(ctx)
		if !errors.Is(err, ctx.Err()) {
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		return nil, fmt.Errorf("%w: %d bytes are to be guaranteed, %d of %d are taken: %w", ErrBusy, w.share.min, others, p.limit, err)
	}
}

func (p *Pool) enqueue(w *waiter) ([]*Share, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.admit(w.share); err != nil {
		return nil, err
	}
	p.pending += w.share.min
	p.queue = append(p.queue, w)
	grown := p.add(w.share)
	p.grant()
	return grown, nil
}

// giveUp takes w out of the queue, unless its guarantee was given. It returns who has to be woken, and what others have.
func (p *Pool) giveUp(w *waiter) (woken []*Share, others int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.granted {
		return nil, 0
	}
	i := slices.Index(p.queue, w)
	p.queue = slices.Delete(p.queue, i, i+1)
	p.pending -= w.share.min
	p.claimed.Add(-w.share.min)
	others = p.claimed.Load()
	w.share.closed.Store(true)
	p.remove(w.share)
	return append(p.deal(), p.freed()...), others
}

// grant gives guarantees that are waited for, in order, as far as there is memory for them. REQUIRES: mu held.
func (p *Pool) grant() {
	for len(p.queue) > 0 {
		w := p.queue[0]
		if p.claimed.Load()-p.pending+w.share.min > p.limit {
			return
		}
		p.queue = slices.Delete(p.queue, 0, 1)
		p.pending -= w.share.min
		w.granted = true
		p.grantTo(w.share)
		close(w.done)
	}
}
