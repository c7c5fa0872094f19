package partition

import (
	"math"
	"sync"
	"sync/atomic"
)

// mark is what a producer says of its event time in one word: its watermark, counted from the least one, and in the lowest bit whether it is idle. The zero mark says nothing.
type mark uint64

const (
	idleBit = mark(1)

	leastMark = math.MinInt64 >> 1 // stands for NoWatermark
	mostMark  = math.MaxInt64 >> 1 // stands for the end of time
)

// markOf returns the mark of a watermark. What does not fit, more than 146,000 years from the epoch, is lowered.
func markOf(micros int64) mark {
	switch {
	case micros == math.MaxInt64:
		micros = mostMark
	case micros >= mostMark:
		micros = mostMark - 1
	case micros <= leastMark:
		micros = leastMark
	}
	return mark(micros-leastMark) << 1
}

// watermark returns what markOf was given.
func (m mark) watermark() int64 {
	switch w := int64(m>>1) + leastMark; w {
	case leastMark:
		return NoWatermark
	case mostMark:
		return math.MaxInt64
	default:
		return w
	}
}

func (m mark) idle() bool { return m&idleBit != 0 }

// marks is how the mark of a producer gets to the readers of all of its channels, however many they are: it is stored in one place, and each reader looks there when it polls. Those who would
// not poll have to be told. See runtime/DESIGN.md, section on event time.
//
//	quiet    the next mark must be announced to the channel's reader
//	watched  the reader will look when the delay of the policy is over, again and again, until it has found nothing new; then the channel is quiet
type marks struct {
	word    atomic.Uint64 // mark
	_       [56]byte      // readers load word for every chunk
	waiting atomic.Int32  // length of quiet

	mu     sync.Mutex
	quiet  []*Subpartition
	roused []*Subpartition // writer only: what rouse has returned last
}

func (m *marks) load() mark { return mark(m.word.Load()) }

// rest makes channels quiet. Whoever calls it looks at the word afterwards: a mark that he does not see finds the channel quiet, and is announced.
func (m *marks) rest(subs ...*Subpartition) {
	m.mu.Lock()
	for _, s := range subs {
		if !s.quiet {
			s.quiet = true
			m.quiet = append(m.quiet, s)
		}
	}
	m.waiting.Store(int32(len(m.quiet)))
	m.mu.Unlock()
}

// rouse takes all channels that are quiet, in no order; the result is valid until the next call. The caller, which is the writer, has stored a mark before.
func (m *marks) rouse() []*Subpartition {
	if m.waiting.Load() == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.quiet {
		s.quiet = false
	}
	m.quiet, m.roused = m.roused[:0], m.quiet
	m.waiting.Store(0)
	return m.roused
}

// isQuiet reports whether the next mark will be announced to the reader of s.
func (m *marks) isQuiet(s *Subpartition) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return s.quiet
}
