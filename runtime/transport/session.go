package transport

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// session is what a server keeps for one incarnation of a client: its channels, and where each of them is. It outlives connections, of which it has at most one.
//
//	connected ── connection breaks ─► away ── resume window over ─► lost
//	    ▲                              │
//	    └──── the client dials again ──┘
//
// Only the writing goroutine of the connection reads the inbox, and there is one at a time.
type session struct {
	server      *Server
	name        string
	incarnation message.Incarnation
	inbox       *partition.Inbox
	newest      uint64 // number of the newest connection that was let in; guarded by Server.mu

	abandoning sync.Mutex // held while a channel is given up, perhaps by the timer: whoever closes the server waits for it. Before mu

	mu       sync.Mutex
	conn     *serverConn // nil: away
	address  string      // of the last connection
	outlets  []*outlet   // by View.Index; nil: that channel is closed, or goes on in another session
	free     []int       // of outlets, those that are nil
	runnable []*outlet   // that have something to send, beside those that the inbox knows
	control  []byte      // messages that are to be sent
	drained  sync.Cond   // control was emptied, or a connection is over
	lost     error       // there will be no connection any more
	instead  error       // what an earlier process of this name has lost by this one, until this one has a channel; nil: nothing
	timer    *time.Timer // of the resume window
	until    time.Time   // its end
	granted  bool        // the client is back and has got a whole window, and has not got a channel since
	writing  bool        // a batch is being made, or under way: what it refers to must stay
	garbage  []partition.Chunk
	released []partition.Chunk // empty, for the garbage of the next batch
	ending   []ending          // that are to be told when the garbage is released
}

// ending is what a publication is to be told of one of its channels.
type ending struct {
	publication *Publication
	err         error
}

func newSession(s *Server, name string, incarnation message.Incarnation) *session {
	ses := &session{server: s, name: name, incarnation: incarnation, inbox: partition.NewInbox()}
	ses.inbox.Apart()
	ses.drained.L = &ses.mu
	ses.timer = time.AfterFunc(time.Hour, ses.expire)
	ses.timer.Stop()
	return ses
}

// wait begins the resume window. REQUIRES: mu held.
func (s *session) wait() {
	s.until = time.Now().Add(s.server.config.ResumeWindow)
	s.timer.Reset(s.server.config.ResumeWindow)
}

// unread reports whether a channel is open that no connection has. REQUIRES: mu held.
func (s *session) unread() bool {
	return slices.ContainsFunc(s.outlets, func(o *outlet) bool { return o != nil && !o.closed && o.conn == nil })
}

// attach gives the session its connection. If it has one, that is returned and nothing has changed. It fails if the session is lost.
func (s *session) attach(c *serverConn) (older *serverConn, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost != nil || s.conn != nil {
		return s.conn, s.lost
	}
	s.conn, s.address, s.control = c, c.address, nil
	switch {
	case !s.unread():
		s.timer.Stop()
		s.granted = false
	case !s.granted: // the client must ask for all of them again. It gets the time for that once: connections that break before they are of any use do not count
		s.granted = true
		s.wait()
	}
	return nil, nil
}

// detach says that the connection is over, and nobody uses it any more.
func (s *session) detach(c *serverConn) {
	s.mu.Lock()
	mine := s.conn == c
	s.mu.Unlock()
	if !mine {
		return
	}
	s.settle() // before another connection may have a batch
	s.mu.Lock()
	s.conn = nil
	for _, o := range s.outlets {
		if o != nil {
			o.conn, o.queued = nil, false
		}
	}
	s.runnable = nil
	if s.lost == nil && !s.granted {
		s.wait()
	}
	s.mu.Unlock()
}

// settle says that no batch is under way, and gives back what was kept for it.
func (s *session) settle() {
	s.mu.Lock()
	for len(s.garbage)+len(s.ending) > 0 {
		garbage, endings := s.garbage, s.ending
		s.garbage, s.released, s.ending = s.released, nil, nil
		s.mu.Unlock()
		release(garbage)
		for _, e := range endings {
			e.publication.finished(e.err)
		}
		s.mu.Lock()
		s.released = garbage[:0]
	}
	s.writing = false
	s.mu.Unlock()
}

// finished tells the publication that a channel is over, once nothing of it is held any more: whoever waits for that wants the memory back. REQUIRES: what close has returned is released.
func (s *session) finished(o *outlet, err error) {
	s.mu.Lock()
	if s.writing {
		s.ending = append(s.ending, ending{o.publication, err})
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	o.publication.finished(err)
}

// expire is called when the resume window is over.
func (s *session) expire() {
	s.mu.Lock()
	if time.Now().Before(s.until) { // another one has begun
		s.mu.Unlock()
		return
	}
	cause := s.lost
	if s.conn != nil && cause == nil { // the client is back, perhaps not with all channels
		outlets := slices.Clone(s.outlets)
		s.mu.Unlock()
		cause = fmt.Errorf("%w: it has come back, and not asked for the channel for %v, Config.ResumeWindow", ErrPeerLost, s.server.config.ResumeWindow)
		for _, o := range outlets {
			if o != nil {
				s.abandon(o, cause, true)
			}
		}
		s.mu.Lock()
		s.granted = false
		s.mu.Unlock()
		return
	}
	if cause == nil {
		cause = fmt.Errorf("%w: it has not come back for %v, Config.ResumeWindow", ErrPeerLost, s.server.config.ResumeWindow)
		s.lost = cause // nobody attaches any more
	}
	s.mu.Unlock()
	s.end(cause, false)
}

// fence ends the connection of a process whose name a newer one has taken. What its producers are told is another thing: see end.
func (s *session) fence(cause error) {
	s.mu.Lock()
	conn := s.conn
	if s.lost == nil {
		s.lost = ErrPeerRestarted // nobody attaches any more
	}
	s.mu.Unlock()
	if conn != nil {
		conn.stop(cause)
	}
}

// supersede notes that an earlier process of this name has lost its channels by this one.
func (s *session) supersede() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.instead = fmt.Errorf("%w: the channels of an earlier process %q were lost when this one has connected, and the server has left; one that is started again goes on only if both sides have chosen Reattach, and two that run at a time need different names", ErrPeerRestarted, s.name)
}

// farewell is what a client is told when the server leaves. If the producers have failed because the process was started again, they may be gone before its OPEN is there, which would be answered so: then this says it.
func (s *session) farewell() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.instead != nil {
		return s.instead
	}
	return ErrClosed
}

// end ends the session because of cause, and makes all channels that are open fail with it; lost reports whether there were any. With keep these wait, for as long as the resume window, for another incarnation that takes them over.
func (s *session) end(cause error, keep bool) (lost bool) {
	s.mu.Lock()
	if s.lost == nil || s.lost == ErrPeerRestarted {
		s.lost = cause
	}
	conn := s.conn
	s.timer.Stop()
	var open []*outlet
	for _, o := range s.outlets {
		if o != nil && !o.closed {
			open = append(open, o)
		}
	}
	if keep = keep && len(open) > 0; keep {
		s.wait()
	}
	s.mu.Unlock()
	if conn != nil {
		conn.stop(cause)
	}
	if keep {
		return false
	}
	for _, o := range open {
		s.abandon(o, cause, false)
	}
	s.server.forget(s)
	return len(open) > 0
}

// abandon closes a channel that will not be read, because of cause; with suspended only one that is not on a connection, whose client would not hear of it.
func (s *session) abandon(o *outlet, cause error, suspended bool) {
	s.abandoning.Lock()
	defer s.abandoning.Unlock()
	s.mu.Lock()
	if o.closed || suspended && o.conn != nil {
		s.mu.Unlock()
		return
	}
	err := s.errorFor(o, cause)
	chunks := s.close(o, err)
	s.mu.Unlock()
	o.view.Release(err)
	release(chunks)
	s.finished(o, err)
}

// newOutlet makes the channel of a subpartition that has no reader yet.
func (s *session) newOutlet(p *Publication, sub int) (*outlet, error) {
	s.mu.Lock() // the writing goroutine may get the view at once, and must find the channel then
	defer s.mu.Unlock()
	if s.lost != nil { // end has seen all channels
		return nil, s.lost
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.withdrawn {
		return nil, fmt.Errorf("%w: %q was withdrawn", ErrClosed, p.id)
	}
	if err := p.missing[sub]; err != nil {
		return nil, err
	}
	if other := p.outlets[sub]; other != nil {
		return nil, fmt.Errorf("%w: %q reads subpartition %d of %q", partition.ErrInUse, other.session.name, sub, p.id)
	}
	v, err := p.partition.Subpartition(sub).View(s.inbox)
	if err != nil {
		return nil, err
	}
	o := &outlet{session: s, publication: p, subpart: sub, view: v, watermark: partition.NoWatermark}
	p.outlets[sub] = o
	delete(p.refused, sub)
	s.adopt(o)
	return o, nil
}

// adopt gives a channel its place among those of the session, so that the writing goroutine finds it. REQUIRES: mu held.
func (s *session) adopt(o *outlet) {
	s.instead = nil
	if n := len(s.free); n > 0 {
		o.view.Index = s.free[n-1]
		s.free = s.free[:n-1]
		s.outlets[o.view.Index] = o
		return
	}
	o.view.Index = len(s.outlets)
	s.outlets = append(s.outlets, o)
}

// disown takes that place back, for another one. The inbox may name the view once more. REQUIRES: mu held.
func (s *session) disown(o *outlet) {
	if i := o.view.Index; i < len(s.outlets) && s.outlets[i] == o {
		s.outlets[i] = nil
		s.free = append(s.free, i)
	}
}

// close takes a channel out of use, and frees its number: what the client says of it afterwards is ignored. REQUIRES: mu held, the channel is not closed.
func (s *session) close(o *outlet, failure error) (chunks []partition.Chunk) {
	if o.conn != nil {
		delete(o.conn.channels, o.number)
	}
	o.closed, o.failure, o.conn = true, failure, nil
	s.disown(o)
	chunks = o.drop()
	if s.writing {
		s.garbage = append(s.garbage, chunks...)
		chunks = nil
	}
	return chunks
}

// errorFor returns what a producer is told of a channel.
func (s *session) errorFor(o *outlet, cause error) error {
	return &PeerError{Peer: s.name, Address: s.address, Partition: o.publication.id, Subpartition: o.subpart, Position: o.flow.Acked(), Err: cause}
}

// say queues a message about the connection or a channel. REQUIRES: mu held.
func (s *session) say(m message.Message, channel uint32) {
	if s.conn == nil {
		return
	}
	s.control = m.Append(s.control, channel)
	s.inbox.Poke()
}

// run makes a channel one of those that have something to send. REQUIRES: mu held.
func (s *session) run(o *outlet) {
	if !o.queued && o.conn != nil && !o.closed {
		o.queued = true
		s.runnable = append(s.runnable, o)
		s.inbox.Poke()
	}
}

// gone waits until no connection uses the session any more. REQUIRES: it has ended.
func (s *session) gone() {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil {
		<-conn.done
	}
}

// withdraw ends a channel because its partition is withdrawn, because of cause if that is not nil.
func (s *session) withdraw(o *outlet, cause error) {
	fault := message.Fault{Code: message.CodeClosed, Text: "the partition was withdrawn"}
	if cause != nil {
		fault = faultOf(cause)
	}
	_ = s.cut(o, ErrClosed, fault)
}

// cut ends a channel because of cause, which the producer is told, and the client of fault. It returns the error of the producer, nil if the channel was closed. The publication is not told.
func (s *session) cut(o *outlet, cause error, fault message.Fault) error {
	s.mu.Lock()
	if o.closed {
		s.mu.Unlock()
		return nil
	}
	err := s.errorFor(o, cause)
	conn := o.conn
	chunks := s.close(o, err)
	if conn != nil {
		if o.opened != nil {
			s.say(*o.opened, o.number)
		}
		s.say(message.End{Before: o.flow.Sent(), Fault: fault}, o.number)
		s.say(message.Closed{}, o.number)
	}
	s.mu.Unlock()
	o.view.Release(err)
	release(chunks)
	return err
}

// release gives chunks back.
func release(chunks []partition.Chunk) {
	for i := range chunks {
		chunks[i].Release()
	}
}

// rest waits until nobody is giving up a channel, as the timer may be, and with it memory.
func (s *session) rest() {
	s.abandoning.Lock()
	defer s.abandoning.Unlock()
}
