package transport

import (
	"encoding/binary"
	"fmt"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// takeOver gives a channel that another session has had to this one, if that was an older incarnation of the same client, and both sides have chosen so. Otherwise it says who has the subpartition.
//
// The stream goes on at the first record behind what was acknowledged. What is retained begins and ends between records.
func (c *serverConn) takeOver(m message.Open, p *Publication, o *outlet) (from Position, _ *outlet, chunks []partition.Chunk, err error) {
	s, old := c.session, o.session
	old.mu.Lock()
	switch {
	case o.closed && o.failure == nil && !m.Resume:
		err = fmt.Errorf("%w: subpartition %d of %q was read by %q", partition.ErrInUse, o.subpart, p.id, old.name)
	case old.name != s.name:
		err = fmt.Errorf("%w: %q reads subpartition %d of %q", partition.ErrInUse, old.name, o.subpart, p.id)
	case o.closed && old.incarnation == s.incarnation: // the resume window is over
		err = o.failure
		if err == nil {
			err = fmt.Errorf("%w: subpartition %d of %q", ErrPeerLost, o.subpart, p.id)
		}
	case o.closed || old.lost == nil || old.conn != nil || !m.Reattach || !c.server.config.Reattach:
		err = fmt.Errorf("%w: subpartition %d of %q was read by an earlier process %q; one that is started again goes on only if both sides have chosen Reattach, and two that run at a time need different names", ErrPeerRestarted, o.subpart, p.id, old.name)
	}
	if err != nil {
		old.mu.Unlock()
		return from, nil, nil, err
	}
	chunks = o.acknowledged(nil)
	from = o.flow.Acked()
	if len(o.items) > 0 && from != o.items[0].at { // of these bytes some are in a memory that is gone
		it := &o.items[0]
		if k := nextRecord(it.chunk.Data, int(from.Data-it.at.Data)); k < len(it.chunk.Data) {
			it.at.Data += uint64(k)
			it.chunk.Data = it.chunk.Data[k:]
			from = it.at
		} else {
			from = it.after()
			chunks = append(chunks, it.chunk)
			o.items = append(o.items[:0], o.items[1:]...)
		}
	}
	old.disown(o)
	o.closed = true // for the old session
	old.mu.Unlock()

	n := &outlet{session: s, publication: p, subpart: o.subpart, view: o.view, from: from, items: o.items, watermark: o.watermark, idle: o.idle, more: true}
	n.marked = n.watermark != partition.NoWatermark || n.idle
	n.flow.Start(from, m.Limit)
	p.mu.Lock()
	p.outlets[o.subpart] = n
	withdrawn := p.withdrawn
	p.mu.Unlock()
	s.mu.Lock()
	s.adopt(n)
	lost := s.lost
	s.mu.Unlock()
	n.view.Move(s.inbox)
	if lost != nil { // end has not seen it
		s.abandon(n, lost, false)
		return from, nil, chunks, lost
	}
	if withdrawn { // Withdraw has not seen it
		s.withdraw(n, nil)
		return from, nil, chunks, fmt.Errorf("%w: %q was withdrawn", ErrClosed, p.id)
	}
	loss := Loss{Peer: s.name, Partition: p.id, Subpartition: o.subpart, Before: from}
	c.server.config.Logger.Warn("transport: a channel goes on with another process", "peer", loss.Peer, "partition", loss.Partition, "subpartition", loss.Subpartition, "from", loss.Before.String())
	if f := c.server.config.OnLoss; f != nil {
		f(loss)
	}
	return from, n, chunks, nil
}

// nextRecord returns where the first record behind n bytes begins in data, which begins with a record; the end of data if there is none.
func nextRecord(data []byte, n int) int {
	k := 0
	for k < n {
		if len(data)-k < buffer.FrameHeader {
			return len(data)
		}
		size := buffer.FrameHeader + uint64(binary.BigEndian.Uint32(data[k:])&^(1<<31))
		if size > uint64(len(data)-k) {
			return len(data)
		}
		k += int(size)
	}
	return k
}
