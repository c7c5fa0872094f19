package task

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// watch cancels the exchanges when the graph has failed or was canceled, and calls OnStall when nothing moves. It returns when done is closed.
func (r *run) watch(done <-chan struct{}) {
	var tick <-chan time.Time
	if r.config.Quiet > 0 && r.config.OnStall != nil {
		t := time.NewTicker(r.config.Quiet)
		defer t.Stop()
		tick = t.C
	}
	moved := r.moved()
	told := false
	canceled := r.ctx.Done()
	for {
		select {
		case <-done:
			return
		case <-canceled:
			canceled, tick = nil, nil
			for _, l := range r.links {
				l.exchange.Cancel(context.Cause(r.ctx))
			}
		case <-tick:
			now := r.moved()
			if now != moved {
				moved, told = now, false
				continue
			}
			if told {
				continue
			}
			told = true
			if err := r.stalled(); err != nil {
				r.fail(fmt.Errorf("task: stalled: %w", err))
			}
		}
	}
}

// stalled calls OnStall. A panic of it becomes an error: it must not leave instances behind that nobody cancels.
func (r *run) stalled() (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return r.config.OnStall(r.report())
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
