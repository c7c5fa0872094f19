package buffer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/memory"
)

// ErrClosed is returned by operations on a closed [LocalPool].
var ErrClosed = errors.New("buffer: pool closed")

// Config configures a [LocalPool].
type Config struct {
	// Bytes is what the pool is guaranteed: it can hold so much at any time, whatever others do. At least (Channels + 1) × memory.MinBlock, or
	// construction fails. It is rounded down to a multiple of memory.MinBlock.
	Bytes int64
	// MaxBytes is the most the pool may hold, if the memory that is guaranteed to nobody allows it. Zero, or less than Bytes, means Bytes.
	MaxBytes int64
	// Channels is the number of channels that share it. At least 1.
	Channels int
	// EqualBytes is what the pool can expect to hold while others like it are at work; zero means MaxBytes. The caps of channels come from it.
	EqualBytes int64
	// ChannelBytes is the cap of one channel's blocks, the open one included. Zero means 8 steady blocks, or an equal part of 2 MiB if that is more; but the channels of a
	// pool with several must leave half of EqualBytes to the others. At least two blocks of the largest size are always granted.
	ChannelBytes int64
	// Area holds large records; it bounds the size of every record. Nil makes one as large as the largest record that fits into a block.
	Area *Area
	// AreaBytes is what of Area is guaranteed to this pool, whatever others that share it hold. They are told apart from what is guaranteed to those; zero: nothing.
	AreaBytes int64
}

// cacheBytes is how much the open blocks of all channels of one partition may take while blocks grow with traffic: beyond it they start to fall
// out of the processor's cache between two records of a channel.
const cacheBytes = 1 << 20

// leastSteady is the size up to which blocks grow at any fan-out, in bytes: smaller ones cost more in hand-overs than they save in the cache.
const leastSteady = 4 << 10

// flightBytes is how much all channels of one partition may hold without being full. With less, the writer to one or a few channels and their readers would wait for each other too often: a
// change of goroutines costs as much as some thousand records.
const flightBytes = 2 << 20

// LargeShare: a frame above this share of the largest block gets a buffer of its own instead of going into a block, so that at most
// that share of a block is wasted when the next record does not fit.
const LargeShare = 4

// blocksPerChannel is how many blocks of the largest size each channel can have while the share is at its maximum.
const blocksPerChannel = 4

// LocalPool is one partition's share of a [memory.Pool]. Blocks are acquired by the partition's writer and released by readers.
//
// TryAcquire, TryLarge, Large, Wait, Ready and Err are for one goroutine at a time; Release of buffers and all other methods may be called from any.
type LocalPool struct {
	config Config
	area   *Area
	member *member // of area
	cap    int64
	steady int
	max    int
	lanes  []atomic.Int64 // bytes of blocks and large records held, by lane; written with mu held
	crowd  atomic.Int64   // lanes without room for a block of the largest size; written with mu held
	large  atomic.Int64   // bytes that the last TryLarge did not get; 0 if something else was tried since; written with mu held
	closed atomic.Bool    // written with mu held
	open   atomic.Int64   // bytes of open blocks; written by the writer
	wake   chan struct{}
	share  *memory.Share // written once, with mu held

	mu       sync.Mutex
	used     int64 // bytes of blocks held
	refused  bool  // the last TryAcquire found room in the share, but got no memory
	heap     int64 // bytes of large records held
	free     []*Buffer
	waiting  bool
	waitLane int
	asked    []asked       // by Ready, and not ready yet
	always   chan struct{} // what Ready returns when it is ready at once; nil until then
}

// NewLocalPool opens a share of m. It fails with [memory.ErrInsufficient] if the guarantee is below one smallest block for each channel and one more: with
// less, a writer could wait for memory that only it could give back; and as memory.Pool.NewShare does if m cannot guarantee so much. The pool must be closed.
func NewLocalPool(m *memory.Pool, c Config) (*LocalPool, error) { return newLocalPool(c, m.NewShare) }

// WaitLocalPool is NewLocalPool, but where that fails with [memory.ErrBusy] it waits; see memory.Pool.WaitShare.
func WaitLocalPool(ctx context.Context, m *memory.Pool, c Config) (*LocalPool, error) {
	return newLocalPool(c, func(min, max int64, wake func()) (*memory.Share, error) { return m.WaitShare(ctx, min, max, wake) })
}

// SplitLocalPool is NewLocalPool with a guarantee that is split off that of s.
func SplitLocalPool(s *memory.Share, c Config) (*LocalPool, error) { return newLocalPool(c, s.Split) }

func newLocalPool(c Config, open func(min, max int64, wake func()) (*memory.Share, error)) (*LocalPool, error) {
	least := int64(c.Channels+1) * memory.MinBlock
	if c.Channels < 1 || c.Bytes < least {
		return nil, fmt.Errorf("%w: %d channels need %d bytes, the share is %d bytes", memory.ErrInsufficient, c.Channels, least, c.Bytes)
	}
	p := &LocalPool{area: c.Area, lanes: make([]atomic.Int64, c.Channels), wake: make(chan struct{}, 1)}
	share, err := open(c.Bytes&^(memory.MinBlock-1), max(c.Bytes, c.MaxBytes)&^(memory.MinBlock-1), p.changed)
	if err != nil {
		return nil, err
	}
	// Blocks of the largest size in all lanes leave one smallest block of the guarantee, so that a share that shrinks to it never waits for a writer.
	channels := int64(c.Channels)
	p.max = sizeWithin(min((share.Min()-memory.MinBlock)/channels, (share.Max()-memory.MinBlock)/channels/blocksPerChannel))
	p.config = c
	if c.EqualBytes <= 0 {
		p.config.EqualBytes = share.Max()
	}
	p.divide(channels)
	if p.area == nil {
		p.area = NewArea(int64(p.max / LargeShare))
	}
	var ok bool
	if p.member, ok = p.area.join(c.AreaBytes); !ok {
		share.Close()
		return nil, fmt.Errorf("%w: %d bytes of an area of %d are to be guaranteed, others have them", memory.ErrInsufficient, c.AreaBytes, p.area.bytes)
	}
	p.mu.Lock()
	p.share = share
	p.mu.Unlock()
	return p, nil
}

// divide sets the bounds of a lane, of so many.
func (p *LocalPool) divide(lanes int64) {
	p.steady = min(p.max, max(leastSteady, sizeWithin(cacheBytes/lanes)))
	p.cap = p.config.ChannelBytes
	if p.cap <= 0 {
		p.cap = max(int64(8*p.steady), min(flightBytes, p.config.EqualBytes/2)/lanes)
		if lanes > 1 {
			p.cap = min(p.cap, p.config.EqualBytes/2)
		}
	}
	p.cap = max(p.cap, int64(2*p.max))
}

// OneLane says that all channels share lane 0: it has the bounds of the only lane of a pool. REQUIRES: nothing was acquired yet.
func (p *LocalPool) OneLane() { p.divide(1) }

// sizeWithin returns the largest block size of at most n bytes, at least the smallest.
func sizeWithin(n int64) int {
	size := memory.MaxBlock
	for size > memory.MinBlock && int64(size) > n {
		size >>= 1
	}
	return size
}

// MaxBlock returns the largest block a channel may open, in bytes: the largest one for which all channels together stay within a quarter of the largest
// share, and leave one smallest block of the guarantee.
func (p *LocalPool) MaxBlock() int { return p.max }

// SteadyBlock returns the size up to which a channel's blocks grow with traffic, in bytes.
func (p *LocalPool) SteadyBlock() int { return p.steady }

// Area returns the room for large records.
func (p *LocalPool) Area() *Area { return p.area }

// TryAcquire returns a block of at most want bytes for a lane, as large as is to be had, with one reference; false if the share or the
// lane's cap is used up, or if others hold what the share could have above its guarantee. want must be a block size of at most MaxBlock.
func (p *LocalPool) TryAcquire(lane, want int) (*Buffer, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.forgetLarge()
	p.refused = false
	held := p.lanes[lane].Load()
	if p.closed.Load() || held > 0 && held+int64(want) > p.cap {
		return nil, false
	}
	for size := want; size >= memory.MinBlock; size >>= 1 {
		if p.used+int64(size) > p.share.Bytes() {
			continue
		}
		seg, ok := p.share.Acquire(size)
		p.refused = !ok
		if !ok {
			continue
		}
		b := p.buffer()
		b.data, b.seg, b.lane = seg.Bytes(), seg, lane
		p.used += int64(size)
		p.charge(lane, int64(size))
		return b, true
	}
	return nil, false
}

// Err returns why the last TryAcquire was refused if waiting does not help: [ErrClosed]; or [memory.ErrInsufficient] with the numbers if the system gives no
// more memory, or the memory.Pool was closed. Nil otherwise.
func (p *LocalPool) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err()
}

// err is Err. REQUIRES: mu held.
func (p *LocalPool) err() error {
	if p.closed.Load() {
		return ErrClosed
	}
	if !p.refused {
		return nil
	}
	if err := p.share.Err(); errors.Is(err, memory.ErrClosed) {
		return fmt.Errorf("buffer: %w", err)
	} else if err != nil {
		return fmt.Errorf("%w: the share holds %d of %d bytes: %w", memory.ErrInsufficient, p.used, p.share.Bytes(), err)
	}
	return nil
}

// Large waits until the area has room for n bytes and returns a buffer of exactly n bytes on the Go heap with one reference, charged to the area and to the
// lane. It fails with ctx's error, and returns nil with a nil error after Wake. The caller has checked that n fits into the area.
func (p *LocalPool) Large(ctx context.Context, lane, n int) (*Buffer, error) {
	ok, err := p.area.acquire(ctx, p.member, int64(n), p.wake)
	if !ok {
		return nil, err
	}
	return p.newLarge(lane, n), nil
}

// TryLarge is Large without waiting.
func (p *LocalPool) TryLarge(lane, n int) (*Buffer, bool) {
	if !p.area.tryAcquire(p.member, int64(n)) {
		p.mu.Lock()
		p.large.Store(int64(n))
		p.mu.Unlock()
		return nil, false
	}
	return p.newLarge(lane, n), true
}

func (p *LocalPool) newLarge(lane, n int) *Buffer {
	data := make([]byte, n)
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.forgetLarge()
	b := p.buffer()
	b.data, b.area, b.lane = data, p.area, lane
	p.heap += int64(n)
	p.charge(lane, int64(n))
	return b
}

// Parts lets several lanes share a large record: it returns a part for each of them, with one reference, which is charged to its lane until it is released, and takes over the caller's reference to b.
// So what one reader has not read, or has in hand, fills no lane but his own.
func (p *LocalPool) Parts(b *Buffer, lanes []int) []*Buffer {
	p.mu.Lock()
	n := int64(len(b.data))
	p.charge(b.lane, -n)
	b.lane = -1
	b.Retain(len(lanes))
	parts := make([]*Buffer, len(lanes))
	for i, lane := range lanes {
		parts[i] = p.buffer()
		parts[i].data, parts[i].of, parts[i].lane = b.data, b, lane
		p.charge(lane, n)
	}
	p.look()
	p.mu.Unlock()
	b.Release()
	return parts
}

// forgetLarge: who tries something else does not wait for room for the large record any more. REQUIRES: mu held.
func (p *LocalPool) forgetLarge() {
	if p.large.Load() != 0 {
		p.large.Store(0)
		p.look()
	}
}

// buffer returns a recycled or new Buffer with one reference. REQUIRES: mu held.
func (p *LocalPool) buffer() *Buffer {
	var b *Buffer
	if n := len(p.free); n > 0 {
		b, p.free = p.free[n-1], p.free[:n-1]
	} else {
		b = &Buffer{from: p}
	}
	b.refs.Store(1)
	return b
}

// recycle keeps b for later, if there are not more such already than the share has room for blocks of the steady size. REQUIRES: mu held.
func (p *LocalPool) recycle(b *Buffer) {
	b.data, b.seg, b.area, b.of = nil, memory.Segment{}, nil, nil
	limit := int(p.share.Bytes() / int64(p.steady)) // 0 when closed
	if len(p.free) < limit {
		p.free = append(p.free, b)
	} else if len(p.free) > limit {
		clear(p.free[limit:])
		p.free = p.free[:limit]
	}
}

// charge adds n bytes, which may be negative, to a lane. REQUIRES: mu held.
func (p *LocalPool) charge(lane int, n int64) {
	full := p.cap - int64(p.max) // no room above
	after := p.lanes[lane].Add(n)
	switch before := after - n; {
	case before <= full && after > full:
		p.crowd.Add(1)
	case before > full && after <= full:
		p.crowd.Add(-1)
	}
}

// Full reports whether a lane is at its cap.
func (p *LocalPool) Full(lane int) bool { return p.lanes[lane].Load() >= p.cap }

// Held returns how many bytes of blocks and large records a lane holds.
func (p *LocalPool) Held(lane int) int64 { return p.lanes[lane].Load() }

// Loads returns what Held returns, for all lanes: to be read only, without a lock. It is the same slice at every call.
func (p *LocalPool) Loads() []atomic.Int64 { return p.lanes }

// release takes back a buffer without references. Memory goes back before it leaves the share, and leaves the lane before it leaves the area, so that
// neither is ever promised more than once.
func (p *LocalPool) release(b *Buffer) {
	size, area, of := int64(len(b.data)), b.area, b.of
	block := area == nil && of == nil
	if block {
		p.share.Release(b.seg)
	}
	p.mu.Lock()
	if b.lane >= 0 {
		p.charge(b.lane, -size)
	}
	switch {
	case block:
		p.used -= size
	case area != nil:
		p.heap -= size
	}
	p.recycle(b)
	p.look()
	p.mu.Unlock()
	switch {
	case area != nil:
		area.release(p.member, size)
	case of != nil:
		of.Release()
	}
}

// Close gives the share back, makes acquisitions fail, and waits with [ErrClosed]. Buffers that are out are still given back by Release. A second call
// does nothing.
func (p *LocalPool) Close() {
	p.mu.Lock()
	p.closed.Store(true)
	p.free = nil
	p.mu.Unlock()
	p.share.Close()
	p.area.leave(p.member)
	p.Wake()
}

// Usage is a snapshot of a [LocalPool], in bytes.
type Usage struct {
	Guarantee int64 // what it can hold at any time; 0 when closed
	Share     int64 // the most it may hold in blocks at present; 0 when closed
	Max       int64 // the largest share it may get
	Used      int64 // held in blocks now; above Share while a share that has shrunk waits for what is out
	Large     int64 // held in large records now
}

// Usage returns a snapshot.
func (p *LocalPool) Usage() Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	u := Usage{Guarantee: p.share.Min(), Share: p.share.Bytes(), Max: p.share.Max(), Used: p.used, Large: p.heap}
	if p.closed.Load() {
		u.Guarantee = 0
	}
	return u
}
