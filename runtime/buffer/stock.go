package buffer

import (
	"sync"

	"github.com/rwgen/rwgen/runtime/memory"
)

// Stock is memory for blocks that are filled from elsewhere, for example from a network connection: blocks of one share for any number of lanes, which its user numbers and divides the memory
// among. It has neither caps nor waiting. All methods may be called from any goroutine.
type Stock struct {
	share    *memory.Share
	returned func(lane, bytes int)

	mu   sync.Mutex
	free []*Buffer
}

// keptBuffers is how many buffers without memory a stock keeps for later.
const keptBuffers = 1024

// NewStock returns a stock of a share's memory, which stays the caller's to close. returned is called after a block has gone back to the share, by whoever has released the last reference, without locks. Nil means nobody
// is told.
func NewStock(share *memory.Share, returned func(lane, bytes int)) *Stock {
	return &Stock{share: share, returned: returned}
}

// TryAcquire returns a block of exactly size bytes, which must be a block size, with one reference; false if the share does not have it now.
func (s *Stock) TryAcquire(lane, size int) (*Buffer, bool) {
	seg, ok := s.share.Acquire(size)
	if !ok {
		return nil, false
	}
	b := s.buffer()
	b.data, b.seg, b.lane = seg.Bytes(), seg, lane
	return b, true
}

// buffer returns a recycled or new Buffer with one reference.
func (s *Stock) buffer() *Buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b *Buffer
	if n := len(s.free); n > 0 {
		b, s.free = s.free[n-1], s.free[:n-1]
	} else {
		b = &Buffer{from: s}
	}
	b.refs.Store(1)
	return b
}

func (s *Stock) release(b *Buffer) {
	lane, bytes := b.lane, len(b.data)
	s.share.Release(b.seg)
	b.data, b.seg = nil, memory.Segment{}
	s.mu.Lock()
	if len(s.free) < keptBuffers {
		s.free = append(s.free, b)
	}
	s.mu.Unlock()
	if s.returned != nil {
		s.returned(lane, bytes)
	}
}
