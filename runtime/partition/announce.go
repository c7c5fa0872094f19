package partition

import (
	"context"
	"errors"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
)

// canBeHot reports whether a lane may be published without fences. One with several readers may not: the barrier that one of them makes
// orders nothing for another that finds the lane disarmed before it.
func (p *Partition) canBeHot(lane int) bool {
	return len(p.consumers(lane)) == 1 && buffer.CanBarrier()
}

// isRapid reports whether a lane that is being announced has so much traffic that its readers should rather look at it every few milliseconds than be told of every
// record: it has filled a block since it was armed, while the writer is fast, or was announced not long ago, while it is very fast. The latter is for many lanes: after a pause, each of them would cost
// its reader a wake-up for every record until it has filled a block.
func (p *Partition) isRapid(lane int) bool {
	rapid := p.busy[lane]
	if !rapid && p.pace.swift && p.pace.windows-p.told[lane] <= 1 {
		rapid = !p.pace.slow(time.Now())
	}
	p.busy[lane], p.told[lane] = false, p.pace.windows
	return rapid
}

// Announce implements [Output].
func (p *Partition) Announce(lane int) error {
	b := &p.builders[lane]
	subs := p.consumers(lane)
	// A consumer that has left is told nothing; the others of a shared lane get what was committed, although the writer gets an error.
	if err := p.failed(lane); err != nil && len(subs) == 1 {
		return err
	}
	switch p.policy.kind {
	case everyRecord:
		for _, s := range subs {
			s.flush(metrics.EveryRecord)
		}
		return p.failed(lane)
	case onFull:
		b.Arm(true)
	default:
		// Armed first: a reader that looks from now on disarms, and the next record is announced again.
		rapid := p.isRapid(lane)
		hot := rapid && p.canBeHot(lane)
		b.Arm(hot)
		for _, s := range subs {
			s.announce(p.policy, rapid && !hot)
		}
	}
	// A consumer that left, or Cancel, sets its state before it disarms; if that was before Arm, we see the state now.
	if err := p.failed(lane); err != nil {
		b.Disarm()
		return err
	}
	return nil
}

// Flush implements [Output].
func (p *Partition) Flush() error {
	if p.ctx.Err() != nil {
		return canceled(context.Cause(p.ctx))
	}
	if p.isClosed() {
		return ErrClosed
	}
	p.flush(metrics.Requested)
	var errs []error
	for _, s := range p.subs {
		if e := s.gone.Load(); e != nil {
			errs = append(errs, e)
		}
	}
	return errors.Join(errs...)
}

// flush makes everything published readable.
func (p *Partition) flush(cause metrics.FlushCause) {
	for lane := range p.builders {
		n := p.builders[lane].Written()
		if n == p.flushed[lane] {
			continue
		}
		p.flushed[lane] = n
		p.builders[lane].Confirm() // before the load of the inbox: see Subpartition.View
		for _, s := range p.consumers(lane) {
			s.flush(cause)
		}
	}
	p.showMark(cause)
}
