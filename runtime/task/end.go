package task

import (
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/partition"
)

// ending closes what an instance has when its function has returned. It calls code of the user, for example the file of a tape: if that panics, the rest is closed all the same.
type ending struct {
	in     *Instance
	unread []*link
	failed error   // a *StageError
	cause  error   // for the producers
	errs   []error // of writers that were closed
}

// end closes writers and readers, with the error of the function if there is one. The graph learns of it before the neighbours do, whose errors follow from it.
func (in *Instance) end(err error) {
	if err == nil {
		err = in.failed
	}
	e := &ending{in: in}
	for _, o := range in.outputs {
		o.ends = e
	}
	steps := []func(){func() { e.judge(err) }}
	for _, m := range in.members {
		steps = append(steps, func() {
			if e.failed == nil {
				// One that has said so before, or was closed, says no more. Other errors come again with Close.
				_ = m.Core().EndOfData(in.Drained())
			}
		})
	}
	for i, m := range in.members {
		steps = append(steps, func() {
			if err := m.Core().CloseWithError(e.failed); err != nil && e.failed == nil {
				e.errs = append(e.errs, fmt.Errorf("%s: %w", in.outputs[i].link.name, err))
			}
		})
	}
	steps = append(steps, func() {
		if len(e.errs) > 0 {
			e.fail(errors.Join(e.errs...))
		}
	})
	for _, s := range in.inputs {
		steps = append(steps, func() { s.close(e.cause) })
	}
	// What is closed does not mind. A writer or reader whose Close has panicked may have left its end of the edge open.
	steps = append(steps, func() {
		for _, o := range in.outputs {
			if e.failed != nil {
				_ = o.link.exchange.Partition(in.index).Fail(e.failed)
			}
		}
		for _, s := range in.inputs {
			s.edge().exchange.Gate(in.index).Abort(e.cause)
		}
		in.state.Store(int32(ended))
		in.run.demand.ended(in, e.unread)
	})
	inTurn(e.fail, steps...)
}

// judge finds out whether the function has failed, given what it has returned.
func (e *ending) judge(err error) {
	e.unread = e.in.unread()
	switch {
	case e.in.stops(err):
		e.cause = partition.ErrEnough
	case err != nil:
		e.fail(err)
	case len(e.unread) > 0:
		e.fail(fmt.Errorf("%w: %s; return task.ErrStop if that is meant", ErrUnread, e.unread[0].name))
	}
}

// fail makes err the error of the instance unless there is one.
func (e *ending) fail(err error) {
	if e.failed != nil {
		return
	}
	e.failed = &StageError{Stage: e.in.stage.name, Instance: e.in.index, Cause: err}
	e.cause = e.failed
	e.in.run.fail(e.failed)
}
