package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

// turnRecords is how many records Read takes from one input, at most, before it looks at the next. So many values of each input are kept, to be read into again.
const turnRecords = 32

// Instance is one of the goroutines of a stage. Its methods are for the function that it was given to, on the goroutine of that function.
type Instance struct {
	stage   *Stage
	index   int
	run     *run
	outputs []*output       // one of each output edge
	members []writer.Member // as outputs
	inputs  []input         // one of each input edge
	demand  *stageDemand    // for what it writes

	// Of the instance's goroutine.
	now         noWait
	watermark   int64 // of all inputs together, as OnWatermark was told
	due         int64 // of that, to be passed on
	passed      int64 // passed on
	idle        bool  // passed on
	inside      int   // handlers of readers that are being called
	onWatermark func(time.Time) error
	written     bool                    // since the last flush, perhaps
	failed      error                   // of onWatermark, or of a writer that was told a watermark
	stop        context.CancelCauseFunc // of the Read that is going on; nil: none is

	state   atomic.Int32             // a state
	waiting atomic.Pointer[inputSet] // in state reading: what it waits for
}

// state is what an instance is doing, as far as the runtime knows.
type state int32

const (
	created state = iota // not started
	running              // in user code, which may be waiting for room to write: that is known from the outputs
	reading              // in Read, waiting for input
	ended
)

// Stage returns the name of the stage.
func (in *Instance) Stage() string { return in.stage.name }

// Index returns which instance of the stage it is, from 0.
func (in *Instance) Index() int { return in.index }

// Instances returns how many instances the stage has.
func (in *Instance) Instances() int { return in.stage.instances }

// String returns the name of the stage and the index, like count[3].
func (in *Instance) String() string { return label(in.stage.name, in.index) }

// Flush makes everything readable that the instance has written. It never waits. It returns the errors of channels whose consumers have left. [Instance.Read] calls it before it waits;
// a function that waits for something else calls it itself. Writers that the function has closed are passed over.
func (in *Instance) Flush() error {
	var errs []error
	for i, m := range in.members {
		if err := m.Core().Flush(); err != nil && !errors.Is(err, writer.ErrClosed) {
			errs = append(errs, fmt.Errorf("%s: %w", in.outputs[i].link.name, err))
		}
	}
	return errors.Join(errs...)
}

// Input is an edge and what to do with its records; see [Edge.Each]. The zero Input is none.
type Input struct {
	link *link
	bind func(instance int) (input, error)
}

// Read reads inputs until all of them have ended, and returns nil then. It takes a few records of each that has some, in turn, and waits only when none has: then for all of them together.
// Before it waits it flushes what the instance has written. So it does not matter in which order records come, or in which order the inputs are named.
//
// It fails with the error of a function given to [Edge.Each] or to OnWatermark, of a producer, of a writer that cannot be flushed, and of ctx. After an error of ctx or of a function given to Each, Read may
// be called again, and goes on with the next record. A function given to Each may call Read for other inputs than those that are being read; for these it fails. One given to OnWatermark or [OnEvent] must not: Read fails then. Reading some inputs to the end before others is allowed, by several calls; whether the rest of the program can bear it is the caller's to know.
func (in *Instance) Read(ctx context.Context, inputs ...Input) error {
	if in.failed != nil {
		return in.failed
	}
	open, err := in.bind(inputs)
	if err != nil {
		return err
	}
	if in.inside > 0 {
		return fmt.Errorf("task: %s reads within a function given to OnWatermark or OnEvent", in)
	}
	for _, s := range open {
		s.occupy(true)
		defer s.occupy(false)
	}
	halt := new(atomic.Bool) // ctx is done
	ctx, stop := context.WithCancelCause(ctx)
	outer := in.stop // of a Read whose handler has called this one
	in.stop = stop
	heed := context.AfterFunc(ctx, func() { halt.Store(true) })
	defer func() {
		heed()
		stop(nil)
		in.stop = outer
	}()
	in.written = true
	for _, s := range open { // what a Read before this one has left
		if ctx.Err() == nil && s.left() {
			if _, err := s.turn(halt); err != nil {
				return err
			}
		}
	}
	set := newInputSet(open)
	for len(set.inputs) > 0 {
		if ctx.Err() != nil {
			return buffer.Interrupted(ctx)
		}
		i, err := gate.Select(in.now, set.gates...)
		if errors.Is(err, errWouldWait) && in.failed == nil {
			if err := in.flush(); err != nil {
				return err
			}
			i, err = in.wait(ctx, set)
		}
		if in.failed != nil {
			return in.failed
		}
		if err != nil {
			return err
		}
		if i < 0 {
			return nil
		}
		n, err := set.inputs[i].turn(halt)
		if err != nil {
			return err
		}
		in.written = in.written || n > 0
		if set.inputs[i].ended() {
			set = set.without(i)
		}
	}
	return in.failed
}

// inputSet is what Read reads: those inputs that have not ended. It does not change, so that reports may look at it.
type inputSet struct {
	inputs []input
	gates  []gate.Input // the same
}

func newInputSet(inputs []input) *inputSet {
	set := &inputSet{}
	for _, s := range inputs {
		if !s.ended() {
			set.inputs, set.gates = append(set.inputs, s), append(set.gates, s)
		}
	}
	return set
}

func (s *inputSet) without(i int) *inputSet {
	return &inputSet{
		inputs: slices.Concat(s.inputs[:i], s.inputs[i+1:]), gates: slices.Concat(s.gates[:i], s.gates[i+1:]),
	}
}

// flush is Flush, if there may be something to be flushed.
func (in *Instance) flush() error {
	if !in.written {
		return nil
	}
	in.written = false
	return in.Flush()
}

// wait waits until one of the inputs is ready, and returns which.
func (in *Instance) wait(ctx context.Context, set *inputSet) (int, error) {
	in.waiting.Store(set)
	in.state.Store(int32(reading))
	defer in.state.Store(int32(running))
	return gate.Select(ctx, set.gates...)
}

// bind returns what is to be read of inputs.
func (in *Instance) bind(inputs []Input) ([]input, error) {
	open := make([]input, 0, len(inputs))
	for i, one := range inputs {
		if one.link == nil {
			continue
		}
		if one.link.to != in.stage {
			return nil, fmt.Errorf("task: %s does not read %s, which goes to %s", in, one.link.name, one.link.to.name)
		}
		for _, other := range inputs[:i] {
			if other.link == one.link {
				return nil, fmt.Errorf("task: %s reads %s twice at the same time", in, one.link.name)
			}
		}
		s, err := one.bind(in.index)
		if err != nil {
			return nil, err
		}
		open = append(open, s)
	}
	return open, nil
}

// main is the goroutine of the instance: it calls the function of the stage, and closes what the instance has, also when that panics.
func (in *Instance) main(ctx context.Context) {
	var err error
	inTurn(func(e error) { err = e },
		func() {
			in.state.Store(int32(running))
			err = in.stage.do(ctx, in)
		},
		func() { in.end(err) })
}
