package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// progress shows how many flights have arrived while the program works, if it is watched: on a terminal, a few times a second, on one line.
type progress struct {
	count atomic.Int64
	out   io.Writer
	quit  chan struct{}
	wg    sync.WaitGroup
}

func newProgress(out io.Writer) *progress {
	p := &progress{out: out, quit: make(chan struct{})}
	if isTerminal(out) {
		p.wg.Go(p.show)
	}
	return p
}

// isTerminal reports whether w is a character device other than the null device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || f.Name() == os.DevNull {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

func (p *progress) add(n int64) { p.count.Add(n) }

func (p *progress) show() {
	start := time.Now()
	tick := time.NewTicker(150 * time.Millisecond)
	defer tick.Stop()
	shown := false
	for {
		select {
		case <-tick.C:
			n := p.count.Load()
			fmt.Fprintf(p.out, "\r%d flights, %.1f million/s ", n, float64(n)/time.Since(start).Seconds()/1e6)
			shown = true
		case <-p.quit:
			if shown {
				fmt.Fprint(p.out, "\r\x1b[K")
			}
			return
		}
	}
}

// stop ends the display and clears its line.
func (p *progress) stop() {
	close(p.quit)
	p.wg.Wait()
}
