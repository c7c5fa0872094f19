package task

import (
	"errors"
	"time"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

// times is what an input has said of event time and its end. Its methods are handlers of the reader.
type times struct {
	instance  *Instance
	watermark int64 // eventtime.None: none yet; eventtime.End: all channels have ended
	idle      bool
	stopped   bool // a producer has ended before its data
}

func (t *times) advance(w time.Time) {
	t.watermark = eventtime.Micros(w)
	t.instance.combine()
}

func (t *times) rest(idle bool) {
	t.idle = idle
	t.instance.combine()
}

func (t *times) endOfData(e gate.EndOfData) { t.stopped = t.stopped || !e.Drained }

// OnWatermark sets what is called when the watermark of all inputs together has risen: no record with an event time of w or before follows on any of them. It is the least watermark of the inputs that
// are not idle, and the end of time, eventtime.Time(eventtime.End), when all have ended. f is called from within [Instance.Read], between two records; it may write, and what it writes comes before the
// watermark, which is passed on to the output edges when f has returned; the end of time is not, since what the function writes after Read is still to come. An error of f ends Read with it. f must not call Read. Set it before Read.
//
// A source that was stopped ends as well, with the end of time as its watermark: [Instance.Drained] tells whether windows that are closed then are complete.
func (in *Instance) OnWatermark(f func(w time.Time) error) { in.onWatermark = f }

// Watermark returns the last watermark of all inputs together, false before the first.
func (in *Instance) Watermark() (time.Time, bool) {
	return eventtime.Time(in.watermark), in.watermark != eventtime.None
}

// Drained reports whether all producers that have ended so far have written everything that they will ever write; one that was stopped says so with EndOfData(false) of its writer.
// When the function of the stage returns nil, its writers say the same.
func (in *Instance) Drained() bool {
	for _, s := range in.inputs {
		if s.times().stopped {
			return false
		}
	}
	return true
}

// combine passes on what all inputs together say of event time.
func (in *Instance) combine() {
	if in.failed != nil {
		return
	}
	w, idle := combined(in.inputs)
	if w > in.watermark && !idle {
		in.watermark = w
		if w != eventtime.End { // which is not passed on: what the function writes when its inputs have ended comes after it; the end of the partition says it
			in.due = w
		}
		if in.onWatermark != nil {
			if err := in.call(func() error { return in.onWatermark(eventtime.Time(w)) }); err != nil {
				in.fail(err)
				return
			}
		}
	}
	w, rises := in.due, in.due > in.passed // also since a call that has panicked
	if !rises && idle == in.idle {
		return
	}
	if rises {
		in.passed = w
		in.tell(func(c *writer.Core) error { return c.Watermark(eventtime.Time(w)) })
	}
	if idle != in.idle {
		in.idle = idle
		in.tell(func(c *writer.Core) error { return c.Idle(idle) })
	}
	in.written = true
	if state(in.state.Load()) == reading && in.failed == nil {
		// Select goes on waiting after this.
		if err := in.flush(); err != nil {
			in.fail(err)
		}
	}
}

// call calls a handler of the user, which is user code also if the instance is waiting for input. Read refuses to be called by it, since the reader that has called it is half way to a record.
func (in *Instance) call(handler func() error) error {
	before := in.state.Swap(int32(running))
	in.inside++
	defer func() {
		in.inside--
		in.state.Store(before)
	}()
	return handler()
}

// fail makes Read return err, also if it waits: handlers of readers cannot fail.
func (in *Instance) fail(err error) {
	in.failed = err
	if in.stop != nil {
		in.stop(err)
	}
}

// combined returns the least watermark of the inputs that are not idle, and whether all that have not ended are idle.
func combined(inputs []input) (w int64, idle bool) {
	w = eventtime.End
	live, resting := 0, 0
	for _, s := range inputs {
		t := s.times()
		if t.watermark == eventtime.End {
			continue
		}
		live++
		if t.idle {
			resting++
			continue
		}
		w = min(w, t.watermark)
	}
	return w, live > 0 && resting == live
}

// tell says something to the writers of all edges that take it from here. A writer that the user has closed needs it no more, and neither does one whose readers have stopped: the function may go on for other reasons.
func (in *Instance) tell(say func(*writer.Core) error) {
	for i, m := range in.members {
		if in.outputs[i].link.options.ownTimes {
			continue
		}
		if err := say(m.Core()); err != nil && !errors.Is(err, writer.ErrClosed) && !errors.Is(err, ErrStop) && in.failed == nil {
			in.fail(err)
		}
	}
}
