package partition

import (
	"context"
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/metrics"
)

// over returns why the stream takes neither watermarks nor events any more.
func (p *Partition) over() error {
	if p.ctx.Err() != nil {
		return canceled(context.Cause(p.ctx))
	}
	if p.drained || p.isClosed() {
		return ErrClosed
	}
	return nil
}

// Watermark implements [Output].
func (p *Partition) Watermark(micros int64) error {
	if err := p.over(); err != nil {
		return err
	}
	if m := markOf(micros); m > p.mark|idleBit {
		p.setMark(m)
	}
	return nil
}

// Idle implements [Output].
func (p *Partition) Idle(idle bool) error {
	if err := p.over(); err != nil {
		return err
	}
	m := p.mark &^ idleBit
	if idle {
		m |= idleBit
	}
	if m != p.mark {
		p.setMark(m)
	}
	return nil
}

// setMark says something new of the writer's event time.
func (p *Partition) setMark(m mark) {
	p.mark = m
	p.marks.word.Store(uint64(m)) // before rouse, or before the load of an inbox: see marks.rest and Subpartition.View
	switch {
	case p.policy.kind == everyRecord:
		p.tellMark()
	case p.policy.marked():
		for _, s := range p.marks.rouse() {
			s.announceMark(p.policy)
		}
	}
}

// showMark makes readers look at a mark that they have not been told of, as flush does with records.
func (p *Partition) showMark(cause metrics.FlushCause) {
	if p.shown == p.mark || p.policy.marked() && cause == metrics.Blocked { // they were, and will look in time
		return
	}
	p.tellMark()
}

// tellMark makes all readers look at the mark at once.
func (p *Partition) tellMark() {
	p.shown = p.mark
	for _, s := range p.subs {
		s.tell()
	}
}

// Event implements [Output].
func (p *Partition) Event(lane int, e Event) error {
	if err := p.over(); err != nil {
		return err
	}
	if err := e.validate(); err != nil {
		return err
	}
	p.lacking = nil
	first, n := lane, 1
	if lane < 0 || e.Kind == EndOfData {
		first, n = 0, len(p.builders)
	}
	if e.Kind != EndOfData { // which comes once, and must not be lost
		if err := p.hasRoom(first, n, e.bytes()); err != nil {
			return err
		}
	}
	var errs []error
	for lane := first; lane < first+n; lane++ {
		p.handOver(lane, metrics.Event)
		for _, s := range p.consumers(lane) {
			s.push(entry{event: &e, mark: p.mark}, metrics.Event)
			if gone := s.gone.Load(); gone != nil {
				errs = append(errs, gone)
			}
		}
	}
	p.drained = e.Kind == EndOfData
	return errors.Join(errs...)
}

// hasRoom fails if the events of a channel of one of n lanes leave no room for one of so many bytes.
func (p *Partition) hasRoom(first, n, bytes int) error {
	for lane := first; lane < first+n; lane++ {
		for _, s := range p.consumers(lane) {
			if waiting := s.waiting(); waiting+bytes > MaxEventBytes {
				p.lacking, p.lack = s, bytes
				return fmt.Errorf("%w: one of %d bytes, channel %d has %d already, the limit is %d", ErrEvents, bytes, s.channel, waiting, MaxEventBytes)
			}
		}
	}
	return nil
}

// EventReady implements [Output].
func (p *Partition) EventReady() <-chan struct{} {
	if p.lacking != nil {
		c := p.lacking.roomFor(p.lack)
		if p.over() == nil {
			return c
		}
		// Cancel wakes those who wait. It may have come before we did.
	}
	c := make(chan struct{})
	close(c)
	return c
}
