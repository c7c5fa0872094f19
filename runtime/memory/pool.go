package memory

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// Block sizes, in bytes. Every block is a power of two between them.
const (
	MinBlock = 1 << 10
	MaxBlock = 32 << 10

	orders    = 6        // MinBlock << 0 … MinBlock << 5
	slabBytes = 4 << 20  // mapped at once, at most
	maxBytes  = 64 << 40 // far above any machine; keeps the arithmetic below from overflowing
)

var (
	// ErrInsufficient is returned when a pool is too small for what is asked of it.
	ErrInsufficient = errors.New("memory: insufficient memory")
	// ErrBusy is returned when a pool is large enough for what is asked of it, but the memory has to come back first from those that hold more
	// than they were guaranteed. It is an ErrInsufficient too.
	ErrBusy = fmt.Errorf("%w for now", ErrInsufficient)
	// ErrInUse is returned by Close while segments are outstanding.
	ErrInUse = errors.New("memory: segments in use")
	// ErrClosed is returned by operations on a closed [Pool].
	ErrClosed = errors.New("memory: pool closed")

	errFragmented = errors.New("memory: only smaller blocks are free")
)

// Pool is a bounded set of blocks. It is a buddy allocator over pages of [MaxBlock] bytes: a page is cut into
// halves as smaller blocks are needed and joined again as its blocks come back.
//
// Memory is handed out to shares ([Pool.NewShare]), each of which is guaranteed a part of the pool, or to anybody ([Pool.Acquire]) out of what is
// guaranteed to nobody.
//
// All methods may be called from any goroutine.
type Pool struct {
	limit   int64 // bytes, a multiple of MinBlock
	newSlab func(n int) ([]byte, error)

	// claimed is what nobody else can have: for each share the larger of its guarantee and what it holds, and what is held without a guarantee by closed
	// shares and direct users. It exceeds the limit only while guarantees wait to be given. Written with mu held.
	claimed atomic.Int64

	mu         sync.Mutex
	mapped     int64 // bytes obtained from the system so far
	empty      int64 // of mapped: in slabs of which nothing is handed out
	used       int64 // bytes handed out
	peak       int64 // largest value of used
	slabs      []*slab
	heads      [orders]*page // pages with at least one free block of that order
	closed     bool
	shares     []*Share  // open ones, also those that wait for their guarantee
	guaranteed int64     // sum of their guarantees
	reserved   int64     // from which no blocks are taken: guarantees of reservations, and what they are charged above them or after their end
	charged    int64     // to reservations
	leaving    int64     // held by closed shares
	queue      []*waiter // for guarantees, first come, first served
	pending    int64     // sum of the guarantees that are waited for; part of claimed and guaranteed
	starving   []*Share  // woken when memory comes back that anybody can have
}

// NewPool returns a pool of bytes rounded down to a multiple of [MinBlock]. It fails with [ErrInsufficient] if that leaves nothing, and for more than
// 64 TiB.
// Nothing is mapped yet.
func NewPool(bytes int64) (*Pool, error) {
	if bytes > maxBytes {
		return nil, fmt.Errorf("memory: a pool of %d bytes, at most %d are possible", bytes, int64(maxBytes))
	}
	limit := bytes &^ (MinBlock - 1)
	if limit < MinBlock {
		return nil, fmt.Errorf("%w: a pool needs at least %d bytes, got %d", ErrInsufficient, MinBlock, bytes)
	}
	return &Pool{limit: limit, newSlab: newSlab}, nil
}

// RoundUp returns the smallest block size that holds n bytes, or 0 if n is larger than [MaxBlock].
func RoundUp(n int) int {
	if n <= MinBlock {
		return MinBlock
	}
	if n > MaxBlock {
		return 0
	}
	return 1 << bits.Len(uint(n-1))
}

// Acquire returns a block of size bytes, which must be a block size, out of the memory that is guaranteed to no share. It never waits: it returns false
// if there is not enough of it, if no block of this size can be put together although smaller ones are free, or if the pool is closed. As long as less
// than the limit is handed out and guaranteed, a block of MinBlock bytes is available.
func (p *Pool) Acquire(size int) (Segment, bool) {
	orderOf(size)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.claimed.Load()+int64(size) > p.limit {
		return Segment{}, false
	}
	seg, err := p.take(size)
	if err != nil {
		return Segment{}, false
	}
	p.claimed.Add(int64(size))
	return seg, true
}

// Release gives back a block that came from Acquire. It must be called exactly once for each; it panics if any part of s is free already.
func (p *Pool) Release(s Segment) { wake(p.giveBack(nil, s)) }

// Close unmaps the pool's memory. It fails with [ErrInUse], and changes nothing, while segments are outstanding or something is charged. Shares that are still open get nothing
// afterwards: their Err is [ErrClosed]. A second Close does nothing.
func (p *Pool) Close() error {
	shares, err := p.close()
	wake(shares)
	return err
}

// close is Close. It returns who has to be woken.
func (p *Pool) close() ([]*Share, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if held := p.used + p.charged; held != 0 {
		return nil, fmt.Errorf("%w: %d bytes", ErrInUse, held)
	}
	// Nobody waits for a guarantee: all guarantees together fit into the limit.
	p.closed = true
	p.heads = [orders]*page{}
	var err error
	for _, s := range p.slabs {
		err = errors.Join(err, freeSlab(s.mem))
		s.mem = nil
	}
	p.slabs = nil
	p.mapped, p.empty = 0, 0
	for _, s := range p.shares {
		s.err = ErrClosed
	}
	return slices.Clone(p.shares), err
}

// Stats is a snapshot of a pool, in bytes.
type Stats struct {
	Limit      int64 // the budget
	Mapped     int64 // obtained from the system
	Used       int64 // handed out in blocks now; with Reserved, what of the budget is in use
	Peak       int64 // handed out in blocks at most
	Guaranteed int64 // to the shares that are open, reservations included; at most Limit
	Reserved   int64 // by reservations: their guarantees, and what they are charged above them
	Charged    int64 // to reservations
	Shares     int   // open ones, reservations included
	Starving   int   // shares that were refused memory within their size because others hold it
}

// Stats returns a snapshot.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Stats{
		Limit: p.limit, Mapped: p.mapped, Used: p.used, Peak: p.peak,
		Guaranteed: p.guaranteed, Reserved: p.reserved, Charged: p.charged, Shares: len(p.shares), Starving: len(p.starving),
	}
}
