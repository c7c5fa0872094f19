package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
)

// screen is the task: one goroutine that writes to all edges.
func (n *network) screen(ctx context.Context, hours iter.Seq2[Entry, []Entry], spill io.Writer) (s sent, err error) {
	writers, task, err := n.writers()
	if err != nil {
		return s, err
	}
	// Consumers get the end, or the error if there is one; and the registry what the writers have counted.
	defer func() { err = errors.Join(err, task.CloseWithError(err)) }()
	toAuditors := sampler{writer: writers[audit], spill: spill}
	for limit, payments := range hours {
		// Every worker knows the limit before the first payment that it holds for.
		if err := writers[balances].Broadcast(ctx, &limit); err != nil {
			return s, err
		}
		s.limits++
		accepted, err := writers[balances].EmitBatch(ctx, payments)
		s.payments += accepted
		if err != nil {
			return s, fmt.Errorf("payment %d of %d: %w", accepted, len(payments), err)
		}
		for i := range payments {
			p := &payments[i]
			s.cents += p.Cents
			if p.Cents > limit.Cents {
				if err := writers[alerts].Emit(ctx, p); err != nil {
					return s, err
				}
				s.alerts = append(s.alerts, p.ID)
			}
			if err := toAuditors.offer(ctx, p); err != nil {
				return s, err
			}
		}
	}
	s.audited, s.diverted, s.resumed = toAuditors.accepted, toAuditors.diverted, toAuditors.resumed
	return s, nil
}

// sent is what the task has sent.
type sent struct {
	payments int     // on balances, each once
	limits   int     // on balances, to every worker
	cents    int64   // of all payments
	alerts   []int64 // IDs of the payments above their limits, in order
	audited  int     // payments that an auditor got
	diverted int     // payments in the spill instead
	resumed  int     // times that auditors had room again
}

// sampler gives auditors as many payments as they have room for, and diverts the others to the spill: it never waits for them.
type sampler struct {
	writer   *EntryWriter
	spill    io.Writer
	scratch  []byte
	ready    <-chan struct{} // closed when it is worth trying again; nil: there was room for the last payment
	accepted int
	diverted int
	resumed  int
}

// offer sends p to an auditor or to the spill.
func (s *sampler) offer(ctx context.Context, p *Entry) error {
	if s.ready != nil {
		select {
		case <-s.ready:
			s.ready = nil
			s.resumed++
		case <-ctx.Done():
			return context.Cause(ctx)
		default: // without this case it would wait, for either of the others
			return s.divert(p)
		}
	}
	full, err := s.writer.TryEmit(p)
	if err != nil {
		return err
	}
	if full >= 0 { // the channel that has no room
		s.ready = s.writer.Ready(full)
		return s.divert(p)
	}
	s.accepted++
	return nil
}

// divert appends p to the spill. Nothing is lost: whoever has time for it reads the spill with the serializer that the readers use.
func (s *sampler) divert(p *Entry) error {
	var err error
	if s.scratch, err = (EntrySerializer{}).Append(s.scratch[:0], p); err != nil {
		return err
	}
	if _, err := s.spill.Write(s.scratch); err != nil {
		return fmt.Errorf("spill: %w", err)
	}
	s.diverted++
	return nil
}

// readSpill returns the IDs of the payments in a spill.
func readSpill(r io.Reader) ([]int64, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("spill: %w", err)
	}
	var ids []int64
	var p Entry
	for len(data) > 0 {
		n, err := EntrySerializer{}.Consume(data, &p)
		if err != nil {
			return nil, fmt.Errorf("spill: payment %d: %w", len(ids), err)
		}
		ids = append(ids, p.ID)
		data = data[n:]
	}
	return ids, nil
}
