package writer

import (
	"math/bits"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
)

// sizing chooses the sizes of blocks so that they follow the traffic of each lane and the fan-out. The next block of a lane has room for what the lane writes in
// fillTime, within these bounds:
//
//   - the least block from below, which is also the first one: a quiet channel costs 1 KiB;
//   - twice the last block;
//   - the lane's share of what open blocks may take together without falling out of the cache, by its share of the traffic: with even traffic the steady
//     size, and up to the largest block for the few busy lanes of a skewed edge; or room for 16 records, if that is more.
//
// A record that needs more gets a block of at least four times its frame.
type sizing struct {
	sizes partition.Sizes
	cache int64 // bytes that open blocks may take together without falling out of the cache
	lanes []laneSize
	total uint64 // bytes of all blocks that filled up
	base  time.Time
	now   time.Duration // since base; looked at for each block of a slow writer, and for every clockBytes of a fast one
	fast  bool          // the last clockBytes took less than fastClock
	from  time.Duration // start of the window of clockBytes
	seen  uint64        // total at that time
}

type laneSize struct {
	size  int32         // of the open block; 0: none was opened yet
	since time.Duration // when it was opened
	mark  uint64        // total at that time
}

const (
	fillTime   = 32 * time.Millisecond
	clockBytes = 64 << 10
	fewest     = 16                   // records of a block, where it is large enough for them; with fewer, handing it over costs more than falling out of the cache
	fastClock  = 8 * time.Millisecond // less than this for clockBytes: looking at the clock for each block would cost more than it tells
)

// newSizing returns the sizing of a writer with so many lanes, which is one for all channels if they share it.
func newSizing(sizes partition.Sizes, channels, lanes int) sizing {
	return sizing{sizes: sizes, cache: int64(sizes.Steady) * int64(channels), lanes: make([]laneSize, lanes), base: time.Now()}
}

// next returns the size of the next block of a lane that has written so many bytes of its open one and is to hold a frame.
func (s *sizing) next(lane, written, frame int) int {
	l := &s.lanes[lane]
	if !s.fast || s.total-s.seen >= clockBytes {
		s.look()
	}
	size := memory.MinBlock
	if l.size > 0 {
		size = s.follow(l, written, frame)
	}
	return min(max(size, memory.RoundUp(buffer.LargeShare*frame)), s.sizes.Block)
}

// follow returns the size that the lane's traffic asks for.
func (s *sizing) follow(l *laneSize, written, frame int) int {
	if written == 0 { // its last block was handed over for another reason than that it was full
		return int(l.size)
	}
	want := 2 * int64(l.size)
	if d := s.now - l.since; d > 0 {
		want = min(want, int64(written)*int64(fillTime)/int64(d))
	}
	traffic := int64(s.total-l.mark) + int64(written)
	fair := max(s.cache*int64(written)/traffic, int64(s.sizes.Steady), fewest*int64(frame))
	return floorBlock(min(want, fair))
}

// opened says that a lane has got a block of so many bytes after it has filled so many of the last one.
func (s *sizing) opened(lane, written, size int) {
	s.total += uint64(written)
	s.lanes[lane] = laneSize{size: int32(size), since: s.now, mark: s.total}
}

func (s *sizing) look() {
	s.now = time.Since(s.base)
	if s.total-s.seen >= clockBytes {
		s.fast = s.now-s.from < fastClock
		s.from, s.seen = s.now, s.total
	}
}

// floorBlock returns the largest block size of at most n bytes, at least the least one.
func floorBlock(n int64) int {
	if n < memory.MinBlock {
		return memory.MinBlock
	}
	return 1 << (bits.Len64(uint64(min(n, memory.MaxBlock))) - 1)
}
