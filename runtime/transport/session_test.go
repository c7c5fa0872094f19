package transport

import (
	"context"
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/partition"
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
