package buffer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Area is the room for records too large for blocks: a byte budget served first come, first served. It may be shared by any number of
// partitions and used from any goroutine. A partition may have a part of it for itself, for which it need not wait whatever others hold.
type Area struct {
	bytes int64

	mu       sync.Mutex
	used     int64
	claimed  int64        // the larger one of what is guaranteed to a partition and what it has, of all
	queue    []*ticket    // those that wait, first come first
	watchers []*LocalPool // told when the queue is empty and something came back: they were refused, and do not wait
}

// ticket is the place of one record in the queue of an area.
type ticket struct {
	bytes  int64
	of     *member
	served chan struct{} // closed when the bytes are charged
}

// member is a partition that uses an area. Its fields are guarded by Area.mu.
type member struct {
	least int64 // what is guaranteed to it
	used  int64
}

// claim returns what counts as taken if it has n bytes more.
func (m *member) claim(n int64) int64 { return max(m.least, m.used+n) }

// join adds a partition to which so many bytes are guaranteed. It reports whether they are not guaranteed to others, or taken.
func (a *Area) join(least int64) (*member, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if least > a.bytes-a.claimed {
		return nil, false
	}
	a.claimed += least
	return &member{least: least}, true
}

// leave ends what is guaranteed to a partition.
func (a *Area) leave(m *member) {
	a.mu.Lock()
	a.claimed -= m.claim(0) - m.used
	m.least = 0
	woken := a.serve()
	a.mu.Unlock()
	wake(woken)
}

// NewArea returns an area of so many bytes. An area of 0 bytes admits nothing.
func NewArea(bytes int64) *Area { return &Area{bytes: bytes} }

// Bytes returns the size of the area, which is also the largest frame it admits.
func (a *Area) Bytes() int64 { return a.bytes }

// Used returns how many bytes are taken.
func (a *Area) Used() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.used
}

// acquire waits for n ≤ Bytes bytes. It returns false with a nil error, and without the bytes, when it is woken.
func (a *Area) acquire(ctx context.Context, m *member, n int64, woken <-chan struct{}) (bool, error) {
	a.mu.Lock()
	if a.fits(m, n) {
		a.take(m, n)
		a.mu.Unlock()
		return true, nil
	}
	t := &ticket{bytes: n, of: m, served: make(chan struct{})}
	a.queue = append(a.queue, t)
	a.mu.Unlock()
	select {
	case <-t.served:
		return true, nil
	case <-woken:
		wake(a.withdraw(t))
		return false, nil
	case <-ctx.Done():
		wake(a.withdraw(t))
		return false, Interrupted(ctx)
	}
}

// tryAcquire takes n bytes if they are free and nobody waits.
func (a *Area) tryAcquire(m *member, n int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.fits(m, n) {
		return false
	}
	a.take(m, n)
	return true
}

// fits reports whether n bytes can be taken: of what is guaranteed, which nobody else waits for, or without overtaking anybody. REQUIRES: mu held.
func (a *Area) fits(m *member, n int64) bool {
	more := m.claim(n) - m.claim(0)
	return more == 0 || len(a.queue) == 0 && more <= a.bytes-a.claimed
}

// take counts n bytes, which may be negative. REQUIRES: mu held.
func (a *Area) take(m *member, n int64) {
	a.claimed += m.claim(n) - m.claim(0)
	a.used += n
	m.used += n
}

// watch reports whether n bytes can be taken; if not, p is woken when that may have changed.
func (a *Area) watch(n int64, p *LocalPool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fits(p.member, n) {
		return true
	}
	if !slices.Contains(a.watchers, p) {
		a.watchers = append(a.watchers, p)
	}
	return false
}

// free reports whether n bytes can be taken.
func (a *Area) free(m *member, n int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fits(m, n)
}

func (a *Area) release(m *member, n int64) { wake(a.giveBack(m, n)) }

// giveBack is release. It returns who has to be woken.
func (a *Area) giveBack(m *member, n int64) []*LocalPool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.take(m, -n)
	return a.serve()
}

// withdraw gives up a place in the queue, or what was got there meanwhile. It returns who has to be woken.
func (a *Area) withdraw(t *ticket) []*LocalPool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.queue, t); i >= 0 {
		a.queue = slices.Delete(a.queue, i, i+1)
	} else {
		a.take(t.of, -t.bytes)
	}
	return a.serve()
}

// serve gives those in the queue what they wait for, in order, but what is guaranteed out of turn, and returns the watchers, if something may be left for them. REQUIRES: mu held.
func (a *Area) serve() []*LocalPool {
	for i := 0; i < len(a.queue); {
		t := a.queue[i]
		if more := t.of.claim(t.bytes) - t.of.claim(0); more > 0 && (i > 0 || more > a.bytes-a.claimed) {
			i++
			continue
		}
		a.take(t.of, t.bytes)
		close(t.served)
		a.queue = slices.Delete(a.queue, i, i+1)
	}
	all := a.watchers
	a.watchers = nil
	if len(a.queue) == 0 {
		return all
	}
	var woken []*LocalPool
	for _, p := range all {
		if p.member.least > 0 { // it looks itself
			woken = append(woken, p)
		} else {
			a.watchers = append(a.watchers, p)
		}
	}
	return woken
}

// wake lets pools look again. REQUIRES: no lock of a pool or an area is held.
func wake(pools []*LocalPool) {
	for _, p := range pools {
		p.changed()
	}
}

// Interrupted returns the error of a context that is done: ctx.Err(), and its cause beside it where that says more. The result is both of
// them to errors.Is.
func Interrupted(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	switch {
	case cause == nil || cause == err:
		return err
	case errors.Is(cause, err):
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}
