package transport

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// A channel that waits for its turn, and has something new as well, has one turn.
func TestRunnableOnce(t *testing.T) {
	s := newSession(nil, "x", message.Incarnation{})
	c := &serverConn{session: s, out: &batch{bytes: batchBytes}} // full
	o := &outlet{session: s, conn: c, view: new(partition.View), items: []item{{end: true}}}
	s.adopt(o)
	s.run(o)
	c.ready(o.view)
	s.run(o)
	if len(s.runnable) != 1 {
		t.Errorf("%d turns", len(s.runnable))
	}
}

// The places of channels that are closed are used again, and a view that the inbox still names does not disturb the channel that has its place.
func TestPlacesAreUsedAgain(t *testing.T) {
	s := newSession(nil, "x", message.Incarnation{})
	open := func() *outlet {
		o := &outlet{session: s, view: new(partition.View)}
		s.adopt(o)
		return o
	}
	open()
	var last *outlet
	for range 100 {
		last = open()
		s.close(last, nil)
	}
	if len(s.outlets) != 2 || s.outlets[1] != nil {
		t.Errorf("%d places", len(s.outlets))
	}
	next := open()
	if next.view.Index != 1 || len(s.outlets) != 2 || len(s.free) != 0 {
		t.Errorf("place %d of %d", next.view.Index, len(s.outlets))
	}
	c := &serverConn{session: s, out: new(batch)}
	c.ready(last.view)
	if next.more {
		t.Error("the next channel was looked at instead of the one before")
	}
}

// A process whose session is ended by a newer one, between the look at its name and its place in the session, is fenced as well: it has not restarted.
func TestFencedInBetween(t *testing.T) {
	s, err := NewServer(Config{Name: "s", Plain: PlainLoopback}, new(Registry))
	if err != nil {
		t.Fatal(err)
	}
	c := &serverConn{server: s, address: "a"}
	h := message.Hello{Name: "x", Incarnation: message.Incarnation{1}}
	if err := s.join(c, h); err != nil {
		t.Fatal(err)
	}
	c.session.detach(c)
	c.session.fence(ErrFenced)
	if err := s.join(&serverConn{server: s, address: "b"}, h); !errors.Is(err, ErrFenced) || errors.Is(err, ErrPeerRestarted) {
		t.Errorf("%v, want %v", err, ErrFenced)
	}
	if err := s.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// served is a connection of a server that publishes a partition with so many subpartitions, as it is behind the handshake; nobody reads or writes it.
func served(t *testing.T, consumers int) (*serverConn, *Publication) {
	t.Helper()
	pool, err := memory.NewPool(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	local, err := buffer.NewLocalPool(pool, buffer.Config{Bytes: 1 << 19, Channels: consumers, Area: buffer.NewArea(1 << 16)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := partition.New(partition.Config{Topology: selector.Topology{Producers: 1, Consumers: consumers}, Pool: local})
	if err != nil {
		t.Fatal(err)
	}
	registry := new(Registry)
	s, err := NewServer(Config{Name: "s", Plain: PlainLoopback}, registry)
	if err != nil {
		t.Fatal(err)
	}
	pub, err := registry.Publish("p", p)
	if err != nil {
		t.Fatal(err)
	}
	c := &serverConn{server: s, address: "a", channels: make(map[uint32]*outlet), waiting: make(map[uint32]*request)}
	if err := s.join(c, message.Hello{Name: "x", Incarnation: message.Incarnation{1}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.session.detach(c)
		pub.Withdraw()
		for i := range consumers {
			p.Discard(i)
		}
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		p.Abandon(errors.New("over"))
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return c, pub
}

// openOf asks for a subpartition of what served publishes.
func openOf(p *Publication, sub int) message.Open {
	return message.Open{Partition: p.id, Subpartition: uint32(sub), Producers: 1, Consumers: uint32(p.partition.Topology().Consumers), EventRoom: minEventRoom}
}

// ask takes an OPEN as far as the partition is found.
func (c *serverConn) ask(number uint32, p *Publication, m message.Open) answer {
	c.waiting[number] = &request{conn: c, number: number, open: m}
	return c.answerTo(m, p, "")
}

// What a client says of a channel when the server has given it up is ignored: its publication is told of the end once.
func TestClosedOnce(t *testing.T) {
	c, p := served(t, 2)
	c.tell(1, p, c.ask(1, p, openOf(p, 0)))
	o := c.channels[1]
	if o == nil || o.closed {
		t.Fatal("not open")
	}
	c.session.abandon(o, ErrPeerLost, false)
	c.canceled(1, nil)
	if err := c.credit(1, message.Credit{}); err != nil {
		t.Error(err)
	}
	if p.pending != 1 || len(p.errs) != 1 {
		t.Errorf("%d of 2 subpartitions are pending, errors %v", p.pending, p.errs)
	}
}

// Of two OPEN for one subpartition that are answered at a time, one gets it.
func TestOpenedOnce(t *testing.T) {
	c, p := served(t, 1)
	first, second := c.ask(1, p, openOf(p, 0)), c.ask(2, p, openOf(p, 0))
	c.tell(1, p, first)
	c.tell(2, p, second)
	if len(c.channels) != 1 || c.channels[1] == nil || c.channels[1].number != 1 {
		t.Errorf("open: %v", c.channels)
	}
	var d message.Denied
	if h, err := message.ParseHeader(c.session.control, message.Server, message.Limits{}); err != nil || h.Type != d.Type() || h.Channel != 2 {
		t.Errorf("said %v, %v", h, err)
	} else if d, err = message.ParseDenied(c.session.control[message.HeaderBytes:]); err != nil || d.Fault.Code != message.CodeInUse {
		t.Errorf("said %v, %v", d, err)
	}
}

// A channel that is asked for when the window of its session is over just then is lost or goes on; it is not open for the client alone.
func TestAskedForAtTheEndOfTheWindow(t *testing.T) {
	c, p := served(t, 1)
	c.tell(1, p, c.ask(1, p, openOf(p, 0)))
	s, o := c.session, c.channels[1]
	s.detach(c)
	if older, err := s.attach(c); older != nil || err != nil {
		t.Fatal(older, err)
	}
	s.mu.Lock()
	s.until = time.Now()
	s.mu.Unlock()
	s.abandoning.Lock() // another channel is being given up
	expired := make(chan struct{})
	go func() {
		defer close(expired)
		s.expire()
	}()
	time.Sleep(10 * time.Millisecond)
	m := openOf(p, 0)
	m.Resume, m.Incarnation = true, p.incarnation
	c.tell(2, p, c.ask(2, p, m))
	s.abandoning.Unlock()
	<-expired
	s.mu.Lock()
	defer s.mu.Unlock()
	if open := c.channels[2] == o; !open || o.closed {
		t.Errorf("the client has channel 2: %v, the server has closed it: %v", open, o.closed)
	}
}
