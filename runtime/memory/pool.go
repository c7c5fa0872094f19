package memory

import (
	"errors"
	"fmt"
	"math/bits"
	"sync"
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
	// ErrInUse is returned by Close while segments are outstanding.
	ErrInUse = errors.New("memory: segments in use")
)

// Pool is a bounded set of blocks. It is a buddy allocator over pages of [MaxBlock] bytes: a page is cut into
// halves as smaller blocks are needed and joined again as its blocks come back.
//
// All methods may be called from any goroutine.
type Pool struct {
	mu     sync.Mutex
	limit  int64 // bytes, a multiple of MinBlock
	mapped int64 // bytes obtained from the system so far
	used   int64 // bytes handed out
	peak   int64 // largest value of used
	slabs  [][]byte
	heads  [orders]*page // pages with at least one free block of that order
	closed bool
}

// page is one MaxBlock-sized piece of a slab; the last page of a pool may be shorter.
type page struct {
	mem  []byte
	free [orders]uint32 // bit i of order k: the block of MinBlock<<k bytes at i<<k is free
	link [orders]struct{ prev, next *page }
}

// Segment is one block of memory. The zero Segment is no block.
type Segment struct {
	mem  []byte // its capacity reaches to the end of the page, and so says where in the page it lies
	page *page
}

// Bytes returns the memory of s; its length and capacity are the block's size. It must not be used after Release.
func (s Segment) Bytes() []byte { return s.mem[:len(s.mem):len(s.mem)] }

// NewPool returns a pool of bytes rounded down to a multiple of [MinBlock]. It fails with [ErrInsufficient] if that leaves nothing.
// Nothing is mapped yet.
func NewPool(bytes int64) (*Pool, error) {
	bytes = min(bytes, maxBytes) &^ (MinBlock - 1)
	if bytes < MinBlock {
		return nil, fmt.Errorf("%w: a pool needs at least %d bytes", ErrInsufficient, MinBlock)
	}
	return &Pool{limit: bytes}, nil
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

// Acquire returns a block of size bytes, which must be a block size. It never waits: it returns false if the limit
// is reached, if no block of this size can be put together although smaller ones are free, or if the pool is closed. As long as
// less than the limit is handed out, a block of MinBlock bytes is available.
func (p *Pool) Acquire(size int) (Segment, bool) {
	order := orderOf(size)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.used+int64(size) > p.limit {
		return Segment{}, false
	}
	for k := order; ; k++ {
		if k == orders {
			if !p.grow() {
				return Segment{}, false
			}
			k = order
		}
		if pg := p.heads[k]; pg != nil {
			p.used += int64(size)
			p.peak = max(p.peak, p.used)
			return p.cut(pg, k, order), true
		}
	}
}

// Release gives s back. It must be called exactly once for each acquired segment; it panics if any part of s is free already.
func (p *Pool) Release(s Segment) {
	size := len(s.mem)
	order := orderOf(size)
	i := uint(cap(s.page.mem)-cap(s.mem)) / MinBlock >> order
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.page.overlapsFree(order, i) {
		panic(fmt.Sprintf("memory: segment of %d bytes released twice", size))
	}
	p.used -= int64(size)
	k := order
	for k < orders-1 && s.page.free[k]>>(i^1)&1 != 0 {
		p.clear(s.page, k, i^1)
		i >>= 1
		k++
	}
	p.set(s.page, k, i)
}

// Close unmaps the pool's memory. It fails with [ErrInUse], and changes nothing, while segments are outstanding. Acquire fails afterwards; a
// second Close does nothing.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used != 0 {
		return fmt.Errorf("%w: %d bytes", ErrInUse, p.used)
	}
	p.closed = true
	p.heads = [orders]*page{}
	var err error
	for _, s := range p.slabs {
		err = errors.Join(err, freeSlab(s))
	}
	p.slabs = nil
	p.mapped = 0
	return err
}

// Stats is a snapshot of a pool, in bytes.
type Stats struct {
	Limit  int64 // the budget
	Mapped int64 // obtained from the system
	Used   int64 // handed out now
	Peak   int64 // handed out at most
}

// Stats returns a snapshot.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Stats{Limit: p.limit, Mapped: p.mapped, Used: p.used, Peak: p.peak}
}

// grow maps the next slab. REQUIRES: mu held.
func (p *Pool) grow() bool {
	n := min(slabBytes, p.limit-p.mapped)
	if n <= 0 {
		return false
	}
	slab, err := newSlab(int(n))
	if err != nil {
		return false
	}
	p.slabs = append(p.slabs, slab)
	p.mapped += n
	for off := 0; off < len(slab); off += MaxBlock {
		end := min(off+MaxBlock, len(slab))
		pg := &page{mem: slab[off:end:end]}
		// A whole page is one free block; the short last page of a pool is cut into the largest aligned blocks that fit.
		for at := 0; at < len(pg.mem); {
			k := bits.Len(uint(len(pg.mem)-at)/MinBlock) - 1
			if at != 0 {
				k = min(k, bits.TrailingZeros(uint(at)/MinBlock))
			}
			p.set(pg, k, uint(at)/MinBlock>>k)
			at += MinBlock << k
		}
	}
	return true
}

// cut takes a block of order out of a free one of order k ≥ order. REQUIRES: mu held.
func (p *Pool) cut(pg *page, k, order int) Segment {
	i := uint(bits.TrailingZeros32(pg.free[k]))
	p.clear(pg, k, i)
	for ; k > order; k-- {
		i <<= 1
		p.set(pg, k-1, i+1)
	}
	off := int(i) << order * MinBlock
	return Segment{mem: pg.mem[off : off+MinBlock<<order], page: pg}
}

// overlapsFree reports whether a part of block i of order k is free. REQUIRES: Pool.mu held.
func (pg *page) overlapsFree(k int, i uint) bool {
	for larger := k; larger < orders; larger++ {
		if pg.free[larger]>>(i>>(larger-k))&1 != 0 {
			return true
		}
	}
	for smaller := range k {
		n := uint(1) << (k - smaller) // blocks of this order in block i
		if pg.free[smaller]>>(i*n)&(1<<n-1) != 0 {
			return true
		}
	}
	return false
}

// set marks a block free. REQUIRES: mu held.
func (p *Pool) set(pg *page, k int, i uint) {
	if pg.free[k] == 0 {
		pg.link[k].prev, pg.link[k].next = nil, p.heads[k]
		if p.heads[k] != nil {
			p.heads[k].link[k].prev = pg
		}
		p.heads[k] = pg
	}
	pg.free[k] |= 1 << i
}

// clear marks a block taken. REQUIRES: mu held.
func (p *Pool) clear(pg *page, k int, i uint) {
	pg.free[k] &^= 1 << i
	if pg.free[k] != 0 {
		return
	}
	l := pg.link[k]
	if l.prev != nil {
		l.prev.link[k].next = l.next
	} else {
		p.heads[k] = l.next
	}
	if l.next != nil {
		l.next.link[k].prev = l.prev
	}
}

func orderOf(size int) int {
	order := bits.TrailingZeros(uint(size)) - bits.TrailingZeros(uint(MinBlock))
	if size < MinBlock || size > MaxBlock || size&(size-1) != 0 {
		panic(fmt.Sprintf("memory: %d bytes is no block size", size))
	}
	return order
}
