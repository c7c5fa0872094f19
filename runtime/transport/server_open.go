package transport

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// open takes an OPEN.
func (c *serverConn) open(number uint32, m message.Open) error {
	if m.EventRoom < minEventRoom {
		return fmt.Errorf("%w: room for %d of events in channel %d, at least %d are needed", ErrProtocol, m.EventRoom, number, minEventRoom)
	}
	s := c.session
	s.mu.Lock()
	if c.channels[number] != nil || c.waiting[number] != nil {
		s.mu.Unlock()
		return fmt.Errorf("%w: OPEN for channel %d, which is open", ErrProtocol, number)
	}
	if len(c.channels)+len(c.waiting) >= c.server.config.MaxChannels {
		s.say(message.Denied{Fault: message.Fault{Code: message.CodeTooMany, Text: fmt.Sprintf("%d channels are open, which is the limit", c.server.config.MaxChannels)}}, number)
		s.mu.Unlock()
		return nil
	}
	w := &request{conn: c, number: number, open: m}
	c.waiting[number] = w
	s.mu.Unlock()
	p, elsewhere, waits := c.server.registry.await(w)
	switch {
	case waits:
		c.await(w, min(time.Duration(m.PatienceMillis)*time.Millisecond, maxPatience))
	case p != nil && c.server.config.Authorize != nil: // which may wait
		c.watch()
		w.notice()
	default:
		c.tell(number, p, c.answerTo(m, p, elsewhere))
	}
	return nil
}

// minEventRoom is the least room for events that a client must have in a channel, by weight.
const minEventRoom = 1 << 10

// maxPatience is how long a server keeps one OPEN waiting for a partition.
const maxPatience = 10 * time.Second

// answer is what an OPEN gets: a channel, and where that goes on, or an error.
type answer struct {
	outlet    *outlet
	from      Position
	eventRoom uint64
	err       error
}

// answerTo finds the answer to an OPEN for a partition that was found, or was not.
func (c *serverConn) answerTo(m message.Open, p *Publication, elsewhere string) answer {
	from, o, chunks, err := c.take(m, p, elsewhere)
	if err != nil {
		f := refusal{name: c.session.name, reader: m.Reader, address: c.address, at: time.Now(), err: err}
		switch {
		case p != nil:
			p.refuse(int(min(m.Subpartition, math.MaxInt32)), f)
		case !m.Resume: // one that resumes has asked for it before
			c.server.registry.misses(f)
		}
	}
	release(chunks)
	return answer{outlet: o, from: from, eventRoom: uint64(m.EventRoom), err: err}
}

// tell gives an OPEN its answer.
func (c *serverConn) tell(number uint32, p *Publication, a answer) {
	s := c.session
	s.mu.Lock()
	w := c.waiting[number]
	delete(c.waiting, number)
	o, err := a.outlet, a.err
	if err == nil && o.conn != nil { // two that have waited for one partition were answered at a time
		err = fmt.Errorf("%w: %q reads subpartition %d of %q already", partition.ErrInUse, s.name, o.subpart, p.id)
	}
	switch {
	case s.conn != c:
	case err != nil:
		s.say(message.Denied{Fault: faultOf(err)}, number)
	case o.closed:
		s.say(message.Opened{Incarnation: p.incarnation, From: a.from}, number)
		s.say(message.Closed{}, number)
	default:
		o.conn, o.number, o.eventRoom = c, number, a.eventRoom
		s.granted = false
		c.channels[number] = o
		o.opened = &message.Opened{Incarnation: p.incarnation, From: a.from}
		s.run(o)
	}
	s.mu.Unlock()
	if w.canceled && err == nil {
		c.canceled(number, w.cause)
	}
}

// take finds or makes the channel that an OPEN asks for, and says where it goes on.
func (c *serverConn) take(m message.Open, p *Publication, elsewhere string) (from Position, o *outlet, chunks []partition.Chunk, err error) {
	if elsewhere != "" {
		return from, nil, nil, fmt.Errorf("%w: %q, producer %d, is in process %q in the list of %q, and here in that of the client: "+sameLists, ErrTopology, m.Partition, m.Producer, elsewhere,
			c.server.config.Name)
	}
	if p == nil {
		return from, nil, nil, fmt.Errorf("%w: %q is not published by %q", ErrNotFound, m.Partition, c.server.config.Name)
	}
	if authorize := c.server.config.Authorize; authorize != nil {
		if err := authorize(c.ctx, c.peer, m.Partition); err != nil {
			return from, nil, nil, fmt.Errorf("%w: %q may not read %q: %w", ErrForbidden, c.peer.Name, m.Partition, err)
		}
	}
	if err := p.fits(m); err != nil {
		return from, nil, nil, err
	}
	sub := int(m.Subpartition)
	p.mu.Lock()
	o = p.outlets[sub]
	p.mu.Unlock()
	if o != nil {
		return c.again(m, p, o)
	}
	if m.Resume {
		if m.Incarnation != p.incarnation {
			return from, nil, nil, p.restarted()
		}
		return from, nil, nil, fmt.Errorf("%w: %q has nothing to resume", ErrPeerLost, p.id)
	}
	o, err = c.session.newOutlet(p, sub)
	if err != nil {
		return from, nil, nil, err
	}
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	_, _, err = o.flow.Credit(Position{}, m.Limit)
	return from, o, nil, err
}

// again opens a channel that was open before: by this client, which goes on, or by another one.
func (c *serverConn) again(m message.Open, p *Publication, o *outlet) (from Position, _ *outlet, chunks []partition.Chunk, err error) {
	s := c.session
	if o.session != s {
		return c.takeOver(m, p, o)
	}
	s.mu.Lock()
	ended := false
	defer func() {
		s.mu.Unlock()
		switch {
		case ended:
			o.view.Release(nil)
			release(chunks)
			chunks = nil
			s.finished(o, nil)
		case errors.Is(err, ErrPosition): // it will not be asked for again
			s.abandon(o, err, false)
		}
	}()
	switch {
	case o.conn != nil:
		return from, nil, nil, fmt.Errorf("%w: %q reads subpartition %d of %q already", partition.ErrInUse, s.name, o.subpart, p.id)
	case m.Resume && m.Incarnation != p.incarnation:
		return from, nil, nil, p.restarted()
	case o.closed && o.failure != nil && !o.left:
		return from, nil, nil, o.failure
	case o.closed && !o.left && !m.Resume:
		return from, nil, nil, fmt.Errorf("%w: %q has read subpartition %d of %q already", partition.ErrInUse, s.name, o.subpart, p.id)
	case o.closed:
		return m.Received, o, nil, nil
	}
	received := m.Received
	if !m.Resume && m.Reattach { // the client has not got the OPENED of its first OPEN, nor anything behind it, and does not know where the channel begins
		received = o.from
	}
	chunks, err = o.resume(received, m.Limit)
	if err != nil {
		return from, nil, nil, err
	}
	if o.flow.Done() { // all of it has arrived, and the last CREDIT was lost
		chunks = append(chunks, s.close(o, nil)...)
		ended = true
	}
	return received, o, chunks, nil
}

// restarted is what a client is told that wants to go on with what another process has begun.
func (p *Publication) restarted() error {
	return fmt.Errorf("%w: the process that produces %q was started again; what the one before had not sent is gone", ErrPeerRestarted, p.id)
}

// fits checks that a client and a partition mean the same.
func (p *Publication) fits(m message.Open) error {
	t := p.partition.Topology()
	theirs := selector.Topology{Producers: int(m.Producers), Consumers: int(m.Consumers), Producer: int(m.Producer), MaxParallelism: int(m.MaxParallelism)}
	if t != theirs {
		is, wanted := "", ""
		if t.MaxParallelism != theirs.MaxParallelism {
			is, wanted = fmt.Sprintf(" and max parallelism %d", t.MaxParallelism), fmt.Sprintf(" and max parallelism %d", theirs.MaxParallelism)
		}
		if m.Reader != "" { // it was wired by lists
			wanted += ": " + sameLists
		}
		return fmt.Errorf("%w: %q is producer %d of %d with %d consumers%s, the client wants producer %d of %d with %d consumers%s", ErrTopology, p.id,
			t.Producer, t.Producers, t.Consumers, is, theirs.Producer, theirs.Producers, theirs.Consumers, wanted)
	}
	sub := int(m.Subpartition)
	if m.Subpartition >= uint32(t.Consumers) {
		return fmt.Errorf("%w: subpartition %d of %d of %q", ErrTopology, m.Subpartition, t.Consumers, p.id)
	}
	if m.Reader != "" && p.readers != nil && p.readers[sub] != m.Reader && (p.readers[sub] != "" || !slices.Contains(p.offered, sub)) {
		return p.misplaced(sub, m.Reader)
	}
	if !slices.Contains(p.offered, sub) {
		return fmt.Errorf("%w: subpartition %d of %q is for a reader in the process that writes it", partition.ErrInUse, sub, p.id)
	}
	if c, ok := p.partition.Writer(); ok && m.Selection != "" && selectionOf(c) != m.Selection {
		return fmt.Errorf("%w: the writer of %q selects by %q, the client expects %q", ErrTopology, p.id, selectionOf(c), m.Selection)
	}
	return nil
}

// sameLists is what helps whose lists differ.
const sameLists = "all processes need the same lists in the same order"

// misplaced says that a subpartition is for another process than the one that asks for it, and for which ones they are in both lists.
func (p *Publication) misplaced(sub int, reader string) error {
	here := "the process that writes it"
	if name := p.readers[sub]; name != "" {
		here = strconv.Quote(name)
	}
	var own []int
	for _, s := range p.offered {
		if p.readers[s] == reader {
			own = append(own, s)
		}
	}
	theirs := "none of them"
	if len(own) > 0 {
		theirs = fmt.Sprint(own[:min(len(own), 10)])
	}
	return fmt.Errorf("%w: consumer %d of %q is %s in the list of the producer, and %q in that of the reader, which is %s in that of the producer: "+sameLists, ErrTopology, sub, p.id, here, reader, theirs)
}
