package partition

import (
	"sync/atomic"
	"time"
)

// pace measures how fast a writer fills blocks, on all lanes together. A fast writer is worth a barrier now and then and some milliseconds for what is left of
// a burst, in exchange for records without fences and announcements; a slow one is not.
type pace struct {
	base time.Time

	// Writer only.
	bytes   int       // filled in this window
	since   time.Time // start of the window
	windows uint64    // number of this window, from 2, so that no lane was announced in it or the one before
	fast    bool      // the last window was a fast one
	swift   bool      // it was much faster than that

	last atomic.Int64 // end of the last fast window, in nanoseconds since base
}

const (
	window      = 64 << 10             // bytes
	fastWindow  = 8 * time.Millisecond // less than this for a window is fast: 8 MB/s
	swiftWindow = fastWindow / 4       // 32 MB/s
	coolAfter   = 2 * fastWindow       // without a fast window
)

func (p *pace) start() {
	p.base = time.Now()
	p.since = p.base
	p.windows = 2
}

// filled counts a block of n bytes that was filled, and returns whether the writer is fast. Writer only.
func (p *pace) filled(n int) bool {
	if p.bytes += n; p.bytes >= window {
		now := time.Now()
		p.fast = now.Sub(p.since) < fastWindow
		p.swift = now.Sub(p.since) < swiftWindow
		if p.fast {
			p.last.Store(int64(now.Sub(p.base)))
		}
		p.bytes, p.since = 0, now
		p.windows++
	}
	return p.fast
}

// slow reports whether the writer has not been fast for a while. From any goroutine.
func (p *pace) slow(now time.Time) bool {
	return now.Sub(p.base)-time.Duration(p.last.Load()) > coolAfter
}
