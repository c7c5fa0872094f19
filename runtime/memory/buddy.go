package memory

import (
	"fmt"
	"math/bits"
	"slices"
)

// slab is one piece of memory from the system.
type slab struct {
	mem   []byte // nil after it was given back
	pages []page
	used  int // bytes handed out
}

// page is one MaxBlock-sized piece of a slab; the last page of a slab may be shorter.
type page struct {
	slab *slab
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

// take returns a block of size bytes. It fails with errFragmented if there are only smaller ones, and with the system's error if nothing more can be
// mapped. As long as less than limit − reserved is handed out there is a block of MinBlock bytes, unless the system refuses. REQUIRES: mu held, and the
// limit allows it.
func (p *Pool) take(size int) (Segment, error) {
	order := orderOf(size)
	for k := order; ; k++ {
		if k == orders {
			if err := p.grow(size); err != nil {
				return Segment{}, err
			}
			k = order
		}
		if pg := p.heads[k]; pg != nil {
			p.used += int64(size)
			p.peak = max(p.peak, p.used)
			if pg.slab.used == 0 {
				p.empty -= int64(len(pg.slab.mem))
			}
			pg.slab.used += size
			return p.cut(pg, k, order), nil
		}
	}
}

// give takes a block back. It panics, and changes nothing, if any part of it is free already. REQUIRES: mu held.
func (p *Pool) give(s Segment) {
	size := len(s.mem)
	order := orderOf(size)
	i := uint(cap(s.page.mem)-cap(s.mem)) / MinBlock >> order
	if s.page.slab.mem == nil || s.page.overlapsFree(order, i) {
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
	if s.page.slab.used -= size; s.page.slab.used > 0 {
		return
	}
	p.empty += int64(len(s.page.slab.mem))
	if p.mapped > p.limit-p.reserved {
		p.trim()
	}
}

// grow maps the next slab, in which there is a block of size bytes. What is mapped is whole pages if there is room for one. A slab that was mapped while there was less, because much was reserved, is shorter; if there is
// no room for another, those of which nothing is handed out make place for one. REQUIRES: mu held, and there is no free block of size bytes.
func (p *Pool) grow(size int) error {
	n := p.limit - p.reserved - p.mapped
	if n < int64(size) {
		// All empty slabs have smaller blocks only, or there would be no need for another.
		if n+p.empty < int64(size) {
			return errFragmented
		}
		p.unmap(func(*slab) bool { return true })
		if n = p.limit - p.reserved - p.mapped; n < int64(size) {
			return errFragmented // the system did not take them back
		}
	}
	if n = min(n, slabBytes); n > MaxBlock {
		n &^= MaxBlock - 1
	}
	mem, err := p.newSlab(int(n))
	if err != nil {
		return err
	}
	if p.mapped > 0 { // so a pool that needs little does not take a huge page for a few blocks
		wantHuge(mem)
	}
	s := &slab{mem: mem, pages: make([]page, (len(mem)+MaxBlock-1)/MaxBlock)}
	p.slabs = append(p.slabs, s)
	p.mapped += n
	p.empty += n
	for i := range s.pages {
		pg := &s.pages[i]
		off, end := i*MaxBlock, min((i+1)*MaxBlock, len(mem))
		pg.slab, pg.mem = s, mem[off:end:end]
		// A whole page is one free block; a short last page is cut into the largest aligned blocks that fit.
		for at := 0; at < len(pg.mem); {
			k := bits.Len(uint(len(pg.mem)-at)/MinBlock) - 1
			if at != 0 {
				k = min(k, bits.TrailingZeros(uint(at)/MinBlock))
			}
			p.set(pg, k, uint(at)/MinBlock>>k)
			at += MinBlock << k
		}
	}
	return nil
}

// trim unmaps slabs of which nothing is handed out until what is mapped and what is reserved fit into the limit together, the newest first: they may be
// short, and are then mapped whole next time. A slab in use stays, and is unmapped by the Release that empties it. REQUIRES: mu held.
func (p *Pool) trim() {
	p.unmap(func(*slab) bool { return p.mapped > p.limit-p.reserved })
}

// unmap unmaps those slabs of which nothing is handed out that are to go, the newest first. REQUIRES: mu held.
func (p *Pool) unmap(goes func(*slab) bool) {
	for i := len(p.slabs) - 1; i >= 0; i-- {
		s := p.slabs[i]
		if s.used != 0 || !goes(s) {
			continue
		}
		n := len(s.mem)
		if freeSlab(s.mem) != nil {
			continue // still mapped, still good
		}
		for j := range s.pages {
			pg := &s.pages[j]
			for k := range pg.free {
				for pg.free[k] != 0 {
					p.clear(pg, k, uint(bits.TrailingZeros32(pg.free[k])))
				}
			}
		}
		s.mem = nil
		p.slabs = slices.Delete(p.slabs, i, i+1)
		p.mapped -= int64(n)
		p.empty -= int64(n)
	}
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
