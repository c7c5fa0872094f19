package main

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// sources are the goroutines that read, parse and emit: one cuts the input into chunks, the others take them in turn.
type sources struct {
	config  config
	in      input
	chunks  chan chunk
	free    chan []byte // buffers of chunks, to be filled again
	stop    chan struct{}
	once    sync.Once
	skipped atomic.Int64

	mu  sync.Mutex
	bad *rowError // the one with the smallest line
}

func newSources(c config, in input) *sources {
	s := &sources{config: c, in: in, chunks: make(chan chunk), stop: make(chan struct{})}
	// One buffer for each source, one being filled, one ready.
	s.free = make(chan []byte, c.producers+2)
	for range cap(s.free) {
		s.free <- make([]byte, 0, chunkBytes)
	}
	return s
}

// read feeds the input as often as asked for.
func (s *sources) read(ctx context.Context) error {
	defer close(s.chunks)
	next := func() []byte { return <-s.free }
	send := func(c chunk) bool {
		select {
		case s.chunks <- c:
			return true
		case <-s.stop:
		case <-ctx.Done():
		}
		return false
	}
	for range s.config.repeat {
		if err := s.in.split(next, send); err != nil {
			var bad *rowError
			if errors.As(err, &bad) {
				s.report(bad)
			}
			return err
		}
		if s.malformed() || ctx.Err() != nil {
			break
		}
	}
	return nil
}

// emit parses chunks and sends their flights on, as producer i.
func (s *sources) emit(ctx context.Context, x *exchange.Exchange, i int) (err error) {
	w, err := NewFlightByOriginWriter(x.Partition(i))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.CloseWithError(err)) }()
	p := newParser()
	var f Flight
	for c := range s.chunks {
		// A chunk that was begun is parsed to its end, also when another source found a malformed row and the workers left because of it: an earlier
		// malformed row may be in this chunk. That source reports its row before its writer tells the workers.
		var lost error
		err := eachLine(c.lines, func(n int, line []byte) error {
			if err := p.flight(line, &f); err != nil {
				if s.config.skipBad {
					s.skipped.Add(1)
					return nil
				}
				bad := &rowError{s.in.name, c.first + n, err.Error()}
				s.report(bad)
				return bad
			}
			if lost == nil {
				lost = w.Emit(ctx, &f)
			}
			if lost != nil && !s.malformed() {
				return lost
			}
			return nil
		})
		err = cmp.Or(err, lost)
		s.free <- c.lines
		if err != nil {
			return err
		}
	}
	return nil
}

// report stops reading because of a malformed row.
func (s *sources) report(bad *rowError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bad == nil || bad.line < s.bad.line {
		s.bad = bad
	}
	s.once.Do(func() { close(s.stop) })
}

func (s *sources) firstBad() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bad == nil {
		return nil
	}
	return s.bad
}

func (s *sources) malformed() bool { return s.firstBad() != nil }
