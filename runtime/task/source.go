package task

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/gate"
)

// input is one instance's end of an edge, whatever the type of its records. All methods but handled are for the goroutine of the instance.
type input interface {
	gate.Input
	// turn reads and handles a few records without waiting, and returns how many it has handled. It leaves the rest when halt is set, so that slow handlers do not keep a canceled graph.
	turn(halt *atomic.Bool) (int, error)
	// left reports whether there are records that were read and not handled, because Read was ended by a handler.
	left() bool
	// ended reports whether a turn has found the end.
	ended() bool
	// finished reports whether the end was found, by whomever.
	finished() bool
	// handled returns how many records turns have handled, and asks for those that are handled from now on to be counted when they are, and not with the rest of the turn. From any goroutine.
	handled() uint64
	edge() *link
	// occupy says that a Read goes on that reads it, or that it is over.
	occupy(bool)
	times() *times
	own(*Instance)
	close(cause error)
}

// source reads records of type T with a handler.
type source[T any] struct {
	link   *link
	reader Reader[T]
	handle func(*T) error
	from   func(gate.Origin, *T) error // takes the place of handle
	now    noWait
	busy   bool        // a Read goes on that reads it
	last   gate.Origin // of the reader when a turn was over
	said   times

	batch     []T // made when it is needed
	next, all int // batch[next:all] was read and not handled
	end       bool
	counted   int // of the batch
	count     atomic.Uint64
	asked     atomic.Bool // somebody looks at count: a slow turn must not look like none
}

// errWouldWait is what a reader returns instead of waiting.
var errWouldWait = errors.New("task: nothing to read")

// noWait is a context that is always done. Readers look at their context only when they would have to wait, so with it they return what there is.
type noWait chan struct{}

// newNoWait returns such a context.
func newNoWait() noWait {
	c := make(noWait)
	close(c)
	return c
}

func (c noWait) Done() <-chan struct{} { return c }

func (noWait) Err() error { return errWouldWait }

func (noWait) Deadline() (time.Time, bool) { return time.Time{}, false }

func (noWait) Value(any) any { return nil }

func (s *source[T]) turn(halt *atomic.Bool) (n int, err error) {
	if s.from != nil {
		return s.turnFrom(halt)
	}
	if !s.left() {
		if err := s.fill(turnRecords); err != nil || s.all == 0 {
			return 0, err
		}
	}
	first := s.next
	s.counted = first
	defer s.add()
	for s.next < s.all && !halt.Load() {
		v := &s.batch[s.next]
		s.next++
		if err := s.handle(v); err != nil {
			return s.next - first, err
		}
		if s.asked.Load() {
			s.asked.Store(false)
			s.add()
		}
	}
	return s.next - first, nil
}

// add counts what was handled.
func (s *source[T]) add() {
	s.count.Add(uint64(s.next - s.counted))
	s.counted = s.next
}

// turnFrom is turn for a handler that is told where records come from. A batch of the reader tells it of its last record only, so each is a batch by itself.
func (s *source[T]) turnFrom(halt *atomic.Bool) (n int, err error) {
	for n < turnRecords && !halt.Load() && s.said.instance.failed == nil {
		if err := s.fill(1); err != nil || s.all == 0 {
			return n, err
		}
		s.next++
		n++
		s.count.Add(1)
		if err := s.from(s.last, &s.batch[0]); err != nil {
			return n, err
		}
	}
	return n, nil
}

// fill reads up to most records. There are none, without an error, if none can be read now, or at the end.
func (s *source[T]) fill(most int) (err error) {
	if err := s.alone(); err != nil {
		return err
	}
	if s.batch == nil {
		s.batch = make([]T, turnRecords)
	}
	s.next, s.all = 0, 0 // also if a handler of the reader panics
	s.all, err = s.reader.NextBatch(s.now, s.batch[:most])
	s.last = s.reader.Core().Last()
	switch {
	case errors.Is(err, errWouldWait):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", s.link.name, err)
	}
	s.end = s.all == 0
	return nil
}

// alone fails if somebody else has read from the reader since the last turn.
func (s *source[T]) alone() error {
	if s.reader.Core().Last() != s.last {
		return fmt.Errorf("%w: %v reads %s", ErrMixed, s.said.instance, s.link.name)
	}
	return nil
}

// bind sets the function of a Read.
func (s *source[T]) bind(handle func(*T) error, from func(gate.Origin, *T) error) (input, error) {
	switch {
	case s.busy:
		return nil, fmt.Errorf("task: %v reads %s within a Read of it", s.said.instance, s.link.name)
	case from != nil && s.left():
		return nil, fmt.Errorf("task: %v reads %s by EachFrom, but %d records were read by an Each that has failed, and where they come from is not known", s.said.instance, s.link.name, s.all-s.next)
	}
	s.handle, s.from = handle, from
	return s, s.alone()
}

func (s *source[T]) occupy(busy bool) { s.busy = busy }

func (s *source[T]) left() bool { return s.next < s.all }

func (s *source[T]) ended() bool { return s.end }

func (s *source[T]) finished() bool {
	m := s.reader.Stats()
	return s.end || !s.left() && m.Channels > 0 && m.Ended == m.Channels
}

func (s *source[T]) handled() uint64 {
	s.asked.Store(true)
	return s.count.Load()
}

func (s *source[T]) edge() *link { return s.link }

func (s *source[T]) Core() *gate.Core { return s.reader.Core() }

func (s *source[T]) times() *times { return &s.said }

func (s *source[T]) own(in *Instance) { s.said.instance = in }

func (s *source[T]) close(cause error) { _ = s.reader.CloseWithError(cause) }

// open makes the reader, which tells the source of event time and of the end of data.
func (s *source[T]) open(newReader func(...gate.Option) (Reader[T], error), opts []gate.Option) (err error) {
	s.said.watermark = eventtime.None
	opts = append(opts, gate.OnWatermark(s.said.advance), gate.OnIdle(s.said.rest), gate.OnEndOfData(s.said.endOfData))
	if s.reader, err = newReader(opts...); err != nil {
		return err
	}
	s.last = s.reader.Core().Last()
	return nil
}

var _ context.Context = noWait(nil)
