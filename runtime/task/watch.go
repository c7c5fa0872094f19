package task

import (
	"context"
	"fmt"
	"time"
)

// cancelAll cancels the exchanges when the graph has failed or was canceled. It returns then, or when done is closed.
func (r *run) cancelAll(done <-chan struct{}) {
	select {
	case <-done:
	case <-r.ctx.Done():
		for _, l := range r.links {
			l.exchange.Cancel(context.Cause(r.ctx))
		}
	}
}

// watch calls OnStall when nothing moves. It returns when done is closed, or the graph has failed or was canceled. It is a goroutine of its own, as OnStall may take its time.
func (r *run) watch(done <-chan struct{}) {
	if r.config.Quiet <= 0 || r.config.OnStall == nil {
		return
	}
	tick := time.NewTicker(r.config.Quiet)
	defer tick.Stop()
	moved := r.moved()
	told := false
	for {
		select {
		case <-done:
			return
		case <-r.ctx.Done():
			return
		case <-tick.C:
			now := r.moved()
			if now != moved {
				moved, told = now, false
				continue
			}
			if told {
				continue
			}
			told = true
			r.stalled()
		}
	}
}

// stalled calls OnStall. A panic of it, or Goexit, is an error of the graph too.
func (r *run) stalled() {
	fail := func(err error) { r.fail(fmt.Errorf("task: stalled: %w", err)) }
	inTurn(fail, func() {
		if err := r.config.OnStall(r.report()); err != nil {
			fail(err)
		}
	})
}

// moved returns a number that changes when a record is written or read or an instance ends.
func (r *run) moved() (n uint64) {
	for _, l := range r.links {
		s := l.exchange.Stats()
		for i := range s.Writers {
			n += s.Writers[i].Records
		}
		for i := range s.Readers {
			n += s.Readers[i].Records
		}
		for _, in := range l.inputs {
			n += in.handled()
		}
	}
	for _, in := range r.instances {
		if state(in.state.Load()) == ended {
			n++
		}
	}
	return n
}
