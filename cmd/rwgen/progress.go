package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// progress says on a terminal how far a run is that takes a while.
type progress struct {
	w     io.Writer
	now   func() time.Time
	begin time.Time

	mu   sync.Mutex
	last time.Time // when the line was written, zero if it is not there
}

const (
	patience = time.Second            // before anything is said
	interval = 100 * time.Millisecond // between two lines
)

// newProgress returns nil if w is no terminal.
func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 || f.Name() == os.DevNull {
		return nil
	}
	return &progress{w: w, now: time.Now, begin: time.Now()}
}

// report is called when done of total files have been generated.
func (p *progress) report(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Sub(p.begin) < patience || now.Sub(p.last) < interval {
		return
	}
	p.last = now
	fmt.Fprintf(p.w, "\r\x1b[Krwgen: %d of %d files", done, total)
}

// end removes the line.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.last.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.last = time.Time{}
}
