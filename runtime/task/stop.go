package task

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// demand is who needs what while a graph runs. An instance that has stopped leaves its inputs with partition.ErrEnough: what is written for it from then on is dropped and no error, so that producers which have other
// consumers go on. When all consumers of a stage have ended, and one of them before its inputs, the stage is told to stop too.
//
//	source ─► left ─► join       join stops: left and right are told, then, when both have ended, source.
//	      ╰─► right ──╯          left stops: source goes on for right.
type demand struct {
	mu     sync.Mutex
	stages map[*Stage]*stageDemand
	early  map[*link]bool // guarded by mu: an instance has ended before this input of it had
}

// stageDemand is the demand for one stage. ctx and cancel do not change.
type stageDemand struct {
	ctx    context.Context // of the functions of the stage; canceled with ErrStop when nobody needs what it writes
	cancel context.CancelCauseFunc
	told   atomic.Bool // to stop; before cancel
	live   int         // guarded by demand.mu: instances that have not ended
}

func newDemand(ctx context.Context, stages []*Stage) *demand {
	d := &demand{stages: make(map[*Stage]*stageDemand), early: make(map[*link]bool)}
	for _, s := range stages {
		one := &stageDemand{live: s.instances}
		one.ctx, one.cancel = context.WithCancelCause(ctx)
		d.stages[s] = one
	}
	return d
}

// close frees what contexts hold.
func (d *demand) close() {
	for _, s := range d.stages {
		s.cancel(nil)
	}
}

// over reports whether nobody needs what the stage writes. The cause of ctx does not tell: Run may have been given a context that was canceled with ErrStop, by a graph around this one.
func (s *stageDemand) over() bool { return s.told.Load() }

// ended says that an instance has ended, with which of its inputs before their end.
func (d *demand) ended(in *Instance, unread []*link) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range unread {
		d.early[l] = true
	}
	if d.stages[in.stage].live--; d.stages[in.stage].live > 0 {
		return
	}
	for _, l := range in.stage.inputs {
		d.release(l.from)
	}
}

// release tells a stage to stop if nobody needs what it writes. REQUIRES: mu held.
func (d *demand) release(s *Stage) {
	early := false
	for _, l := range s.outputs {
		if d.stages[l.to].live > 0 {
			return
		}
		early = early || d.early[l]
	}
	if early { // or all has been read, and the functions of s may be busy with something else
		d.stages[s].told.Store(true)
		d.stages[s].cancel(ErrStop)
	}
}

// stops reports whether an instance whose function has returned err has stopped early, and not failed. What was cut off by the context of Run, or by a failure, has not stopped, even if the context's cause is an ErrStop; nor
// has a panic or Goexit, whatever it carries.
func (in *Instance) stops(err error) bool {
	var panicked *PanicError
	if in.run.halted() || errors.As(err, &panicked) || errors.Is(err, ErrGoexit) {
		return false
	}
	return errors.Is(err, ErrStop) || in.demand.over() && (err == nil || errors.Is(err, context.Canceled))
}

// unread returns the inputs that have not ended.
func (in *Instance) unread() (links []*link) {
	for _, s := range in.inputs {
		if !s.finished() {
			links = append(links, s.edge())
		}
	}
	return links
}
