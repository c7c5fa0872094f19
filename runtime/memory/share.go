package memory

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// Share is the right of one user of a [Pool] to a part of its memory. It has a guarantee, which can be had at any time whatever others do, and a size,
// which is what it may hold: the guarantee and its portion of what is guaranteed to nobody. The size follows the shares that come and go, between the
// guarantee and the maximum.
//
// Between them lies memory that others may hold, for example because their shares were larger before. Acquire is then refused although the size would
// allow it: the share is starving, and its wake function is called when somebody gives memory back that anybody can have.
//
// All methods may be called from any goroutine.
type Share struct {
	pool     *Pool
	min, max int64 // bytes, multiples of MinBlock
	heap     bool  // a reservation: nothing can be acquired
	wake     func()

	// Written with pool.mu held.
	size   atomic.Int64 // bytes it may hold; 0 when closed
	used   atomic.Int64 // bytes it holds
	closed atomic.Bool

	// Guarded by pool.mu.
	given    bool // it has its guarantee, and does not wait for it
	starving bool
	dealt    int64 // closed: what it held when memory was last dealt out because of it
	err      error // of the last Acquire
}

// NewShare returns a share with a guarantee of min bytes and a size of at most max bytes, both rounded up to a multiple of [MinBlock]; a max below min
// means min. wake is called when the size has grown, and when the share was starving and there may be memory again. It must not wait. It is called
// without locks by whoever made the memory available, also before NewShare has returned and shortly after Close, and sometimes for nothing. Nil means
// nobody.
//
// It fails with [ErrInsufficient] if the guarantees of all open shares together would exceed the pool, with [ErrBusy] if others must first give back
// what they hold above their guarantees, and with [ErrClosed]. The share must be closed.
func (p *Pool) NewShare(min, max int64, wake func()) (*Share, error) {
	return p.open(&Share{pool: p, min: min, max: max, wake: wake})
}

// Reserve returns a share from which nothing can be acquired: room of so many bytes, rounded up, for memory that comes from elsewhere, such as the Go
// heap, and counts against the same limit. Whoever needs more than that at times, or wants to be told when there is no more, uses [Share.Charge]. Slabs that are mapped and not in use are unmapped as far as the limit demands. It fails like NewShare.
func (p *Pool) Reserve(bytes int64) (*Share, error) {
	return p.open(&Share{pool: p, min: bytes, max: bytes, heap: true})
}

// open grants the guarantee of a new share.
func (p *Pool) open(s *Share) (*Share, error) {
	grown, err := p.tryOpen(s)
	wake(grown)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (p *Pool) tryOpen(s *Share) ([]*Share, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.admit(s); err != nil {
		return nil, err
	}
	if others := p.claimed.Load(); others+s.min > p.limit {
		return nil, fmt.Errorf("%w: %d bytes are to be guaranteed, %d of %d are taken", ErrBusy, s.min, others, p.limit)
	}
	grown := p.add(s)
	p.grantTo(s)
	return grown, nil
}

// admit rounds the bounds of a new share, and refuses a guarantee that no patience will get. REQUIRES: mu held.
func (p *Pool) admit(s *Share) error {
	switch {
	case p.closed:
		return ErrClosed
	case s.min < 0:
		return fmt.Errorf("memory: a guarantee of %d bytes", s.min)
	case s.min > p.limit-p.guaranteed:
		return fmt.Errorf("%w: %d bytes are to be guaranteed, %d of %d are guaranteed already", ErrInsufficient, s.min, p.guaranteed, p.limit)
	}
	// The limit is a multiple of MinBlock, as are all guarantees, so rounding up does not exceed it.
	s.min = (s.min + MinBlock - 1) &^ (MinBlock - 1)
	s.max = (min(max(s.min, s.max), p.limit) + MinBlock - 1) &^ (MinBlock - 1)
	return nil
}

// add makes s one of the shares, and deals out again. It returns who has to be woken. REQUIRES: mu held.
func (p *Pool) add(s *Share) []*Share {
	p.shares = append(p.shares, s)
	p.guaranteed += s.min
	p.claimed.Add(s.min)
	return slices.DeleteFunc(p.deal(), func(grown *Share) bool { return grown == s })
}

// remove takes s out of the shares. REQUIRES: mu held.
func (p *Pool) remove(s *Share) {
	i := slices.Index(p.shares, s)
	p.shares = slices.Delete(p.shares, i, i+1)
	p.guaranteed -= s.min
	if s.given && s.heap {
		p.reserved -= s.min
	}
	s.size.Store(0)
}

// grantTo hands a new share its guarantee. What is reserved counts from now on: while it is waited for, it is not taken from others. REQUIRES: mu held.
func (p *Pool) grantTo(s *Share) {
	s.given = true
	if s.heap {
		p.reserved += s.min
		p.trim()
	}
}

// Split returns a new share like NewShare, whose guarantee is taken out of that of s, and off its maximum. So a user that needs several shares, all of them or none, asks for one guarantee and divides it. What s
// holds must be within what is left to it. It fails with [ErrInsufficient] if s has not so much to give, and with [ErrClosed].
func (s *Share) Split(min, max int64, wake func()) (*Share, error) {
	return s.split(&Share{pool: s.pool, min: min, max: max, wake: wake})
}

// SplitReserve is Split for a reservation.
func (s *Share) SplitReserve(bytes int64) (*Share, error) {
	return s.split(&Share{pool: s.pool, min: bytes, max: bytes, heap: true})
}

func (s *Share) split(n *Share) (*Share, error) {
	grown, err := s.pool.trySplit(s, n)
	wake(grown)
	if err != nil {
		return nil, err
	}
	return n, nil
}

func (p *Pool) trySplit(s, n *Share) ([]*Share, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	used := s.used.Load()
	switch {
	case p.closed || s.closed.Load():
		return nil, ErrClosed
	case n.min < 0:
		return nil, fmt.Errorf("memory: a guarantee of %d bytes", n.min)
	case n.min > s.min-used: // both bounds are multiples of MinBlock, so rounding up does not exceed them, or overflow
		return nil, fmt.Errorf("%w: %d bytes are to be split off, %d of %d are free", ErrInsufficient, n.min, s.min-used, s.min)
	}
	least := roundUp(n.min)
	s.min -= least
	s.max -= least
	p.guaranteed -= least
	p.claimed.Add(-least)
	if s.heap {
		p.reserved -= least
	}
	if err := p.admit(n); err != nil {
		panic("memory: what was split off cannot be guaranteed: " + err.Error()) // it was guaranteed a moment ago
	}
	grown := p.add(n)
	p.grantTo(n)
	return grown, nil
}

// Pool returns the pool that it is a share of.
func (s *Share) Pool() *Pool { return s.pool }

// Min returns the guarantee, in bytes.
func (s *Share) Min() int64 { return s.min }

// Max returns the largest size, in bytes.
func (s *Share) Max() int64 { return s.max }

// Bytes returns the size at present, in bytes; 0 after Close. It may be less than Used, until what is too much comes back. It takes no lock.
func (s *Share) Bytes() int64 { return s.size.Load() }

// Used returns how many bytes are held. It takes no lock.
func (s *Share) Used() int64 { return s.used.Load() }

// Room returns how many bytes could be acquired at present, in blocks of [MinBlock]. It takes no lock.
func (s *Share) Room() int64 {
	if s.closed.Load() || s.heap {
		return 0
	}
	used := s.used.Load()
	room := max(s.min-used, 0) + max(s.pool.limit-s.pool.claimed.Load(), 0)
	return max(min(room, s.size.Load()-used), 0)
}

// Err returns why the last Acquire was refused if it was for another reason than that memory is in use: because the system gave none, or because the
// pool is closed. Nil otherwise: it is worth waiting.
func (s *Share) Err() error {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.err
}

// Acquire returns a block of size bytes, which must be a block size. It never waits: it returns false if the share's size does not allow it, if others
// hold what the share is not guaranteed, if there are only smaller blocks, or if the share or the pool is closed. A block of MinBlock bytes within the
// guarantee is always to be had, unless the system refuses memory; see Err.
func (s *Share) Acquire(size int) (Segment, bool) {
	orderOf(size)
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		s.err = ErrClosed
		return Segment{}, false
	}
	s.err = nil
	used := s.used.Load()
	after := used + int64(size)
	if s.heap || after > s.size.Load() {
		return Segment{}, false
	}
	claim := max(s.min, after) - max(s.min, used)
	if claim > 0 && p.claimed.Load()+claim > p.limit {
		p.starve(s)
		return Segment{}, false
	}
	seg, err := p.take(size)
	if err != nil {
		if err != errFragmented {
			s.err = err
		}
		return Segment{}, false
	}
	if claim > 0 {
		p.claimed.Add(claim)
	}
	s.used.Store(after)
	p.feed(s)
	return seg, true
}

// Await reports whether a block of [MinBlock] bytes can be had. If it cannot although the size allows it, the share is starving as after an Acquire that
// was refused. It is also true on a closed pool, where waiting does not help.
func (s *Share) Await() bool {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed || s.Room() >= MinBlock:
		return true
	case !s.heap && s.used.Load()+MinBlock <= s.size.Load():
		p.starve(s)
	}
	return false
}

// Release gives back a block that came from Acquire of this share, also after Close. It must be called exactly once for each; it panics if any part of
// seg is free already.
func (s *Share) Release(seg Segment) { wake(s.pool.giveBack(s, seg)) }

// giveBack takes a block back from a share, or from nobody's if s is nil. It returns who has to be woken.
func (p *Pool) giveBack(s *Share, seg Segment) []*Share {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := int64(len(seg.mem))
	if s != nil && s.used.Load() < size {
		panic(fmt.Sprintf("memory: segment of %d bytes released to a share that holds %d", size, s.used.Load()))
	}
	p.give(seg)
	if s == nil {
		p.claimed.Add(-size)
		return p.freed()
	}
	return p.shrink(s, size)
}

// shrink lets a share hold size bytes less. It returns who has to be woken. REQUIRES: mu held.
func (p *Pool) shrink(s *Share, size int64) []*Share {
	before := s.used.Load()
	used := before - size
	s.used.Store(used)
	if s.closed.Load() {
		p.claimed.Add(-size)
		p.leaving -= size
		if s.heap {
			p.reserved -= size
		}
		if used > s.dealt/2 {
			return p.freed()
		}
		s.dealt = used
		return append(p.deal(), p.freed()...)
	}
	var woken []*Share
	if d := max(s.min, before) - max(s.min, used); d > 0 {
		p.claimed.Add(-d)
		if s.heap {
			p.reserved -= d
		}
		woken = p.freed()
	}
	if s.starving && used+MinBlock <= s.min { // it is guaranteed again what it was refused
		p.feed(s)
		woken = append(woken, s)
	}
	return woken
}

// Close ends the guarantee at once. What is held comes back by Release, and others' sizes grow as it does. A second Close does nothing.
func (s *Share) Close() { wake(s.pool.leave(s)) }

func (p *Pool) leave(s *Share) []*Share {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.closed.Swap(true) {
		return nil
	}
	p.remove(s)
	p.feed(s)
	used := s.used.Load()
	p.claimed.Add(used - max(s.min, used))
	if s.heap {
		p.reserved += min(s.min, used) // what is charged stays reserved
	}
	p.leaving += used
	s.dealt = used
	return append(p.deal(), p.freed()...)
}

// starve notes that s waits for memory that others hold. REQUIRES: mu held.
func (p *Pool) starve(s *Share) {
	if !s.starving {
		s.starving = true
		p.starving = append(p.starving, s)
	}
}

// feed notes that s does not. REQUIRES: mu held.
func (p *Pool) feed(s *Share) {
	if s.starving {
		s.starving = false
		i := slices.Index(p.starving, s)
		p.starving = slices.Delete(p.starving, i, i+1)
	}
}

// freed gives guarantees that are waited for, after claimed has become less, and returns the starving shares if something is left for them. REQUIRES: mu
// held.
func (p *Pool) freed() []*Share {
	p.grant()
	if len(p.starving) == 0 || p.claimed.Load() >= p.limit {
		return nil
	}
	woken := p.starving
	p.starving = nil
	for _, s := range woken {
		s.starving = false
	}
	return woken
}

// wake calls the wake functions. REQUIRES: no lock is held.
func wake(shares []*Share) {
	for _, s := range shares {
		if s.wake != nil {
			s.wake()
		}
	}
}
