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
	// handled returns how many records turns have handled. From any goroutine.
	handled() uint64
	edge() *link
	times() *times
	own(*Instance)
	close(cause error)
}

// source reads records of type T with a handler.
type source[T any] struct {
	link   *link
	reader Reader[T]
	handle func(*T) error
	now    noWait
	said   times

	batch     []T // made when it is needed
	next, all int // batch[next:all] was read and not handled
	end       bool
	count     atomic.Uint64
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
	if !s.left() {
		if s.batch == nil {
			s.batch = make([]T, turnRecords)
		}
		s.next = 0
		s.all, err = s.reader.NextBatch(s.now, s.batch)
		switch {
		case errors.Is(err, errWouldWait):
			return 0, nil
		case err != nil:
			return 0, fmt.Errorf("%s: %w", s.link.name, err)
		case s.all == 0:
			s.end = true
		}
	}
	first := s.next
	defer func() { s.count.Add(uint64(s.next - first)) }()
	for s.next < s.all && !halt.Load() {
		v := &s.batch[s.next]
		s.next++
		if err := s.handle(v); err != nil {
			return s.next - first, err
		}
	}
	return s.next - first, nil
}

func (s *source[T]) left() bool { return s.next < s.all }

func (s *source[T]) ended() bool { return s.end }

func (s *source[T]) finished() bool {
	m := s.reader.Stats()
	return s.end || !s.left() && m.Channels > 0 && m.Ended == m.Channels
}

func (s *source[T]) handled() uint64 { return s.count.Load() }

func (s *source[T]) edge() *link { return s.link }

func (s *source[T]) Core() *gate.Core { return s.reader.Core() }

func (s *source[T]) times() *times { return &s.said }

func (s *source[T]) own(in *Instance) { s.said.instance = in }

func (s *source[T]) close(cause error) { _ = s.reader.CloseWithError(cause) }

// open makes the reader, which tells the source of event time and of the end of data.
func (s *source[T]) open(newReader func(...gate.Option) (Reader[T], error), opts []gate.Option) (err error) {
	s.said.watermark = eventtime.None
	opts = append(opts, gate.OnWatermark(s.said.advance), gate.OnIdle(s.said.rest), gate.OnEndOfData(s.said.endOfData))
	s.reader, err = newReader(opts...)
	return err
}

var _ context.Context = noWait(nil)
