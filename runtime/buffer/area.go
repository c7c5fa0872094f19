package buffer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Area is the room for records too large for blocks: a byte budget served first come, first served. It may be shared by any number of
// partitions and used from any goroutine.
type Area struct {
	bytes int64

	mu       sync.Mutex
	used     int64
	queue    []*ticket    // those that wait, first come first
	watchers []*LocalPool // told when the queue is empty and something came back: they were refused, and do not wait
}

// ticket is the place of one record in the queue of an area.
type ticket struct {
	bytes  int64
	served chan struct{} // closed when the bytes are charged
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
func (a *Area) acquire(ctx context.Context, n int64, woken <-chan struct{}) (bool, error) {
	a.mu.Lock()
	if a.fits(n) {
		a.used += n
		a.mu.Unlock()
		return true, nil
	}
	t := &ticket{bytes: n, served: make(chan struct{})}
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
func (a *Area) tryAcquire(n int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.fits(n) {
		return false
	}
	a.used += n
	return true
}

// fits reports whether n bytes can be taken without overtaking anybody. REQUIRES: mu held.
func (a *Area) fits(n int64) bool { return len(a.queue) == 0 && n <= a.bytes-a.used }

// watch reports whether n bytes can be taken; if not, p is woken when that may have changed.
func (a *Area) watch(n int64, p *LocalPool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fits(n) {
		return true
	}
	if !slices.Contains(a.watchers, p) {
		a.watchers = append(a.watchers, p)
	}
	return false
}

// free reports whether n bytes can be taken.
func (a *Area) free(n int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fits(n)
}

func (a *Area) release(n int64) { wake(a.giveBack(n)) }

// giveBack is release. It returns who has to be woken.
func (a *Area) giveBack(n int64) []*LocalPool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used -= n
	return a.serve()
}

// withdraw gives up a place in the queue, or what was got there meanwhile. It returns who has to be woken.
func (a *Area) withdraw(t *ticket) []*LocalPool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.queue, t); i >= 0 {
		a.queue = slices.Delete(a.queue, i, i+1)
	} else {
		a.used -= t.bytes
	}
	return a.serve()
}

// serve gives those in the queue what they wait for, in order, and returns the watchers if nobody is left before them. REQUIRES: mu held.
func (a *Area) serve() []*LocalPool {
	for len(a.queue) > 0 && a.queue[0].bytes <= a.bytes-a.used {
		a.used += a.queue[0].bytes
		close(a.queue[0].served)
		a.queue = slices.Delete(a.queue, 0, 1)
	}
	if len(a.queue) > 0 {
		return nil
	}
	woken := a.watchers
	a.watchers = nil
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
