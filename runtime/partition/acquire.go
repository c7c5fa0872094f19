package partition

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
)

// Acquire implements [Output].
func (p *Partition) Acquire(ctx context.Context, lane, size int) error {
	if err := p.failed(lane); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return buffer.Interrupted(ctx)
	}
	p.handOver(lane, metrics.Full)
	for {
		if buf, ok := p.pool.TryAcquire(lane, size); ok {
			p.begin(lane, buf)
			return nil
		}
		if err := p.wait(ctx, lane, p.pool.Wait); err != nil {
			return err
		}
	}
}

// TryAcquire implements [Output].
func (p *Partition) TryAcquire(lane, size int) (bool, error) {
	if err := p.failed(lane); err != nil {
		return false, err
	}
	buf, ok := p.pool.TryAcquire(lane, size)
	if !ok {
		if err := p.pool.Err(); err != nil {
			return false, err // no waiting helps
		}
		p.refuse(lane)
		return false, nil
	}
	p.handOver(lane, metrics.Full)
	p.begin(lane, buf)
	return true, nil
}

// A block comes from the reader's core, and the first store into each of its cache lines waits for the line. With few lanes the processor sees that they are written in order, and
// fetches ahead; with many it does not. From warmLanes on a block is therefore cleared when it is opened, which fetches all lines at once, unless the open blocks of all lanes
// are more than warmBytes: then the lines would be out of the cache again before they are used. Measured at 100 lanes: a tenth more records. Records of more than warmRecord bytes fetch
// their lines themselves.
const (
	warmLanes  = 16
	warmBytes  = 1 << 20
	warmRecord = 64
)

// begin makes buf the open block of a lane.
func (p *Partition) begin(lane int, buf *buffer.Buffer) {
	if p.warm && p.small {
		clear(buf.Bytes())
	}
	subs := p.consumers(lane)
	buf.Retain(len(subs) - 1)
	p.mu.Lock()
	p.builders[lane].Open(buf)
	p.mu.Unlock()
	p.pool.Opened(len(buf.Bytes()))
	for _, s := range subs {
		s.open(buf)
	}
}

// refuse counts a refusal, and makes everything readable.
func (p *Partition) refuse(lane int) {
	p.mu.Lock()
	p.lanes[lane].Refused++
	p.mu.Unlock()
	p.reveal()
}

// reveal makes everything readable before the writer, which was refused memory, waits or turns to something else: what it waits for must not depend on records
// that nobody can read.
func (p *Partition) reveal() {
	p.flush(metrics.Blocked)
	if p.waiting != nil {
		p.waiting()
	}
}

// wait makes everything readable and waits, on the clock.
func (p *Partition) wait(ctx context.Context, lane int, wait func(ctx context.Context, lane int) error) error {
	p.reveal()
	start := time.Now()
	err := wait(ctx, lane)
	d := time.Since(start)
	p.mu.Lock()
	p.blocked += d
	p.mu.Unlock()
	if failed := p.failed(lane); failed != nil {
		return failed
	}
	return err
}

// Large implements [Output].
func (p *Partition) Large(ctx context.Context, lane, n int) (*buffer.Buffer, error) {
	if err := p.failed(lane); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, buffer.Interrupted(ctx)
	}
	for p.pool.Full(lane) {
		// Only finished data of the lane can be given back.
		p.handOver(lane, metrics.Blocked)
		if err := p.wait(ctx, lane, p.pool.Wait); err != nil {
			return nil, err
		}
	}
	buf, ok := p.pool.TryLarge(lane, n)
	for !ok {
		err := p.wait(ctx, lane, func(ctx context.Context, lane int) (err error) {
			buf, err = p.pool.Large(ctx, lane, n)
			return err
		})
		if err != nil && buf != nil {
			buf.Release()
		}
		if err != nil {
			return nil, err
		}
		ok = buf != nil // or it was woken, for a lane that is none of ours
	}
	return buf, nil
}

// TryLarge implements [Output].
func (p *Partition) TryLarge(lane, n int) (*buffer.Buffer, error) {
	if err := p.failed(lane); err != nil {
		return nil, err
	}
	if !p.pool.Full(lane) {
		if buf, ok := p.pool.TryLarge(lane, n); ok {
			return buf, nil
		}
	} else if p.builders[lane].Written() > 0 {
		p.handOver(lane, metrics.Blocked) // only finished data of the lane can be given back
	}
	p.refuse(lane)
	return nil, nil
}

// Append implements [Output].
func (p *Partition) Append(lane int, buf *buffer.Buffer, n int) error {
	if err := p.failed(lane); err != nil {
		buf.Release()
		return err
	}
	p.handOver(lane, metrics.Full)
	p.mu.Lock()
	l := &p.lanes[lane]
	l.Bytes += uint64(n)
	l.Records++
	l.Blocks++
	p.mu.Unlock()
	subs := p.consumers(lane)
	buf.Retain(len(subs) - 1)
	for _, s := range subs {
		s.push(entry{buf: buf, end: n, mark: p.mark}, metrics.Full)
	}
	return nil
}

// AppendAll implements [Output].
func (p *Partition) AppendAll(buf *buffer.Buffer, n int) error {
	if len(p.builders) == 1 {
		return p.Append(0, buf, n)
	}
	var errs []error
	lanes := make([]int, 0, len(p.builders))
	for lane := range p.builders {
		if err := p.failed(lane); err != nil {
			errs = append(errs, err)
			continue
		}
		lanes = append(lanes, lane)
	}
	for i, part := range p.pool.Parts(buf, lanes) {
		if err := p.Append(lanes[i], part, n); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Loads implements [Output].
func (p *Partition) Loads() []atomic.Int64 { return p.pool.Loads() }

// Available implements [Output].
func (p *Partition) Available(lane int) bool {
	return p.drained || p.isClosed() || p.ctx.Err() != nil || lane >= 0 && p.failed(lane) != nil || p.pool.Available(lane)
}

// Ready implements [Output].
func (p *Partition) Ready(lane int) <-chan struct{} {
	switch {
	case p.isClosed():
		return p.closed
	case p.ctx.Err() != nil:
		return p.ctx.Done()
	case lane < 0 && !p.drained:
		return p.pool.Ready(lane)
	case p.failed(max(lane, 0)) != nil:
		c := make(chan struct{})
		close(c)
		return c
	}
	return p.pool.Ready(lane)
}
