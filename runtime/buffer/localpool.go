package buffer

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/memory"
)

// ErrClosed is returned by operations on a closed [LocalPool].
var ErrClosed = errors.New("buffer: pool closed")

// Config configures a [LocalPool].
type Config struct {
	// Bytes is the pool's share of memory; it may never hold more. At least (Channels + 1) × memory.MinBlock, or construction fails.
	Bytes int64
	// Channels is the number of channels that share it. At least 1.
	Channels int
	// ChannelBytes is the cap of one channel's blocks, the open one included. Zero means 8 steady blocks, at least two of the largest size.
	ChannelBytes int64
	// Area holds large records; it bounds the size of every record. Nil makes one as large as the largest record that fits into a block.
	Area *Area
}

// cacheBytes is how much the open blocks of all channels of one partition may take while blocks grow with traffic: beyond it they start to fall
// out of the processor's cache between two records of a channel.
const cacheBytes = 1 << 20

// leastSteady is the size up to which blocks grow at any fan-out, in bytes: smaller ones cost more in hand-overs than they save in the cache.
const leastSteady = 4 << 10

// LargeShare: a frame above this share of the largest block gets a buffer of its own instead of going into a block, so that at most
// that share of a block is wasted when the next record does not fit.
const LargeShare = 4

// blocksPerChannel is how many blocks of the largest size each channel can have within the share.
const blocksPerChannel = 4

// LocalPool is one partition's share of a [memory.Pool]. Blocks are acquired by the partition's writer and released by readers.
//
// TryAcquire, Wait and Large are for one goroutine at a time; Release of buffers, Wake, Close and Usage may be called from any.
type LocalPool struct {
	memory *memory.Pool
	area   *Area
	bytes  int64
	cap    int64
	steady int
	max    int

	mu       sync.Mutex
	used     int64   // bytes of blocks held
	lanes    []int64 // bytes of blocks and large records held, by lane
	refused  bool    // the last TryAcquire found room in the share, but no memory
	free     []*Buffer
	waiting  bool
	waitLane int
	waitUsed int64 // wake when used is at most this…
	waitCap  int64 // … and the lane holds at most this
	closed   bool
	wake     chan struct{}
}

// NewLocalPool returns a share of m; all shares of m together must not exceed its limit. It fails with [memory.ErrInsufficient] if the share is below one smallest block for each channel and one more: with
// less, a writer could wait for memory that only it could give back.
func NewLocalPool(m *memory.Pool, c Config) (*LocalPool, error) {
	least := int64(c.Channels+1) * memory.MinBlock
	if c.Channels < 1 || c.Bytes < least {
		return nil, fmt.Errorf("%w: %d channels need %d bytes, the share is %d bytes", memory.ErrInsufficient, c.Channels, least, c.Bytes)
	}
	p := &LocalPool{memory: m, area: c.Area, bytes: c.Bytes, lanes: make([]int64, c.Channels), wake: make(chan struct{}, 1)}
	p.max = sizeWithin((c.Bytes - memory.MinBlock) / int64(c.Channels) / blocksPerChannel)
	p.steady = min(p.max, max(leastSteady, sizeWithin(cacheBytes/int64(c.Channels))))
	p.cap = c.ChannelBytes
	if p.cap <= 0 {
		p.cap = int64(8 * p.steady)
	}
	p.cap = max(p.cap, int64(2*p.max))
	if p.area == nil {
		p.area = NewArea(int64(p.max / LargeShare))
	}
	return p, nil
}

// sizeWithin returns the largest block size of at most n bytes, at least the smallest.
func sizeWithin(n int64) int {
	size := memory.MaxBlock
	for size > memory.MinBlock && int64(size) > n {
		size >>= 1
	}
	return size
}

// MaxBlock returns the largest block a channel may open, in bytes: the largest one for which all channels together stay within a quarter of the share.
func (p *LocalPool) MaxBlock() int { return p.max }

// SteadyBlock returns the size up to which a channel's blocks grow with traffic, in bytes.
func (p *LocalPool) SteadyBlock() int { return p.steady }

// Area returns the room for large records.
func (p *LocalPool) Area() *Area { return p.area }

// TryAcquire returns a block of at most want bytes for a lane, as large as is to be had, with one reference; false if the share or the
// lane's cap is used up. want must be a block size of at most MaxBlock.
func (p *LocalPool) TryAcquire(lane, want int) (*Buffer, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = false
	if p.closed || p.lanes[lane] > 0 && p.lanes[lane]+int64(want) > p.cap {
		return nil, false
	}
	for size := want; size >= memory.MinBlock; size >>= 1 {
		if p.used+int64(size) > p.bytes {
			continue
		}
		seg, ok := p.memory.Acquire(size)
		if !ok {
			p.refused = true
			continue
		}
		p.refused = false
		b := p.buffer()
		b.data, b.seg, b.lane = seg.Bytes(), seg, lane
		p.used += int64(size)
		p.lanes[lane] += int64(size)
		return b, true
	}
	return nil, false
}

// Large waits until the area has room for n bytes and returns a buffer of exactly n bytes on the Go heap with one reference, charged to the area and to the
// lane. It fails with ctx's error. The caller has checked that n fits into the area.
func (p *LocalPool) Large(ctx context.Context, lane, n int) (*Buffer, error) {
	if err := p.area.acquire(ctx, int64(n)); err != nil {
		return nil, err
	}
	return p.large(lane, n), nil
}

// TryLarge is Large without waiting.
func (p *LocalPool) TryLarge(lane, n int) (*Buffer, bool) {
	if !p.area.tryAcquire(int64(n)) {
		return nil, false
	}
	return p.large(lane, n), true
}

func (p *LocalPool) large(lane, n int) *Buffer {
	data := make([]byte, n)
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.buffer()
	b.data, b.area, b.lane = data, p.area, lane
	p.lanes[lane] += int64(n)
	return b
}

// buffer returns a recycled or new Buffer with one reference. REQUIRES: mu held.
func (p *LocalPool) buffer() *Buffer {
	var b *Buffer
	if n := len(p.free); n > 0 {
		b, p.free = p.free[n-1], p.free[:n-1]
	} else {
		b = &Buffer{pool: p}
	}
	b.refs.Store(1)
	return b
}

// Full reports whether a lane is at its cap.
func (p *LocalPool) Full(lane int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lanes[lane] >= p.cap
}

// Held returns how many bytes of blocks and large records a lane holds.
func (p *LocalPool) Held(lane int) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lanes[lane]
}

// Wait waits until it is worth trying again for a lane: until half of what is not open is free and the lane is at most half full. open is the number of
// bytes in blocks that the writer holds open: they will not come back by waiting. It returns early after Wake; it fails with ctx's error or [ErrClosed], and with
// [memory.ErrInsufficient] if the share has room but the last TryAcquire got no memory for it: no release would wake the waiter.
func (p *LocalPool) Wait(ctx context.Context, lane int, open int64) error {
	p.mu.Lock()
	p.waitLane = lane
	p.waitUsed = min(open+(p.bytes-open)/2, p.bytes-memory.MinBlock)
	p.waitCap = p.cap / 2
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	if p.enough() {
		refused, used := p.refused, p.used
		p.refused = false
		p.mu.Unlock()
		if refused {
			return fmt.Errorf("%w: the share holds %d of %d bytes, and there is no block of %d bytes",
				memory.ErrInsufficient, used, p.bytes, memory.MinBlock)
		}
		return nil
	}
	// A token that is left from before only makes the caller look once more. Taking it out here would lose the wake-up
	// of somebody who changed something after the caller's last look.
	p.waiting = true
	p.mu.Unlock()
	var err error
	select {
	case <-p.wake:
	case <-ctx.Done():
		err = Interrupted(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = false
	if p.closed {
		return ErrClosed
	}
	return err
}

// enough reports whether the waiter can go on. REQUIRES: mu held.
func (p *LocalPool) enough() bool {
	return p.used <= p.waitUsed && p.lanes[p.waitLane] <= p.waitCap
}

// Wake makes a waiter return and look again, for reasons the pool does not know.
func (p *LocalPool) Wake() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// release takes back a buffer without references. Memory goes back before it leaves the share, and leaves the lane before it leaves the area, so that
// neither is ever promised more than once.
func (p *LocalPool) release(b *Buffer) {
	size, area := int64(len(b.data)), b.area
	if area == nil {
		p.memory.Release(b.seg)
	}
	p.mu.Lock()
	p.lanes[b.lane] -= size
	if area == nil {
		p.used -= size
	}
	b.data, b.seg, b.area = nil, memory.Segment{}, nil
	p.free = append(p.free, b)
	if p.waiting && p.enough() {
		p.waiting = false
		p.Wake()
	}
	p.mu.Unlock()
	if area != nil {
		area.release(size)
	}
}

// Close makes acquisitions and waits fail with [ErrClosed]. Buffers that are out are still given back by Release.
func (p *LocalPool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Wake()
}

// Usage is a snapshot of a [LocalPool], in bytes.
type Usage struct {
	Share int64 // the most it may hold in blocks
	Used  int64 // held in blocks now
	Large int64 // held in large records now
}

// Usage returns a snapshot.
func (p *LocalPool) Usage() Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	u := Usage{Share: p.bytes, Used: p.used, Large: -p.used}
	for _, n := range p.lanes {
		u.Large += n
	}
	return u
}
