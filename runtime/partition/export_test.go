package partition

import (
	"math"

	"github.com/rwgen/rwgen/runtime/buffer"
)

// Pace makes the writer of p count as fast or as slow from now on, so that tests need neither much data nor a clock for it.
func (p *Partition) Pace(fast bool) {
	p.pace.fast, p.pace.swift = fast, fast
	p.pace.bytes = math.MinInt / 2 // the window never ends
	if fast {
		p.pace.last.Store(1 << 62)
	} else {
		p.pace.last.Store(-1 << 40)
	}
}

// Queued returns how many published bytes are in the queue of s and were not read, and calls each for every buffer in it. It panics if a front entry has
// less than was read of it.
func (s *Subpartition) Queued(each func(*buffer.Buffer)) (bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.queue.len() {
		e := s.queue.at(i)
		if e.buf == nil {
			continue
		}
		each(e.buf)
		end := e.end
		if end == open {
			end, _ = s.lane.Position()
		}
		if i == 0 {
			end -= s.read
		}
		if end < 0 {
			panic("partition: more was read than was written")
		}
		bytes += int64(end)
	}
	return bytes
}

// Dropped returns how many bytes were accepted for s and dropped because its reader left.
func (s *Subpartition) Dropped() uint64 { return s.dropped.Load() }

// Buffer returns what the chunk holds a reference to, or nil.
func (c *Chunk) Buffer() *buffer.Buffer { return c.buf }

// MarkedWatermark returns what becomes of a watermark on its way.
func MarkedWatermark(micros int64) int64 { return markOf(micros).watermark() }
