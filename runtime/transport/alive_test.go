package transport_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// trickle writes a record every 100 ms.
func trickle(w *world, n int) chan error {
	wr := w.writer(0)
	done := make(chan error, 1)
	go func() {
		for i := range n {
			if err := wr.Emit(w.ctx, &trade{Seq: int64(i)}); err != nil {
				_ = wr.CloseWithError(err)
				done <- err
				return
			}
			_ = wr.Flush()
			time.Sleep(100 * time.Millisecond)
		}
		done <- wr.Close()
	}()
	return done
}

// Connections that are half open, or on which nothing passes for less than the windows, are found and made again, or go on: nothing is lost.
func TestHalfOpen(t *testing.T) {
	for name, c := range map[string]struct {
		harm  func(l *rwtest.Link)
		conns int // that were made
	}{
		"the reader's end is gone": {func(l *rwtest.Link) { l.CutAt("reader") }, 2},
		"the writer's end is gone": {func(l *rwtest.Link) { l.CutAt("writer") }, 2},
		"silence, short":           {func(l *rwtest.Link) { l.Drop(); time.AfterFunc(5*time.Second, l.Heal) }, 1},
		"silence, long":            {func(l *rwtest.Link) { l.Drop(); time.AfterFunc(25*time.Second, l.Heal) }, 2},
		"silence of the reader":    {func(l *rwtest.Link) { l.From("reader").Drop(); time.AfterFunc(25*time.Second, l.From("reader").Heal) }, 2},
		"silence of the writer":    {func(l *rwtest.Link) { l.From("writer").Drop(); time.AfterFunc(25*time.Second, l.From("writer").Heal) }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, options{config: func(s, r *transport.Config) { s.ResumeWindow, r.GiveUp = 40*time.Second, 40*time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
				done := trickle(w, 400)
				r := w.reader(0)
				take(t, w, r, 50)
				c.harm(n.Link("reader", "writer"))
				if got, err := readAll(w.ctx, r); got != 350 || err != nil {
					t.Errorf("%d records, %v", got, err)
				}
				if err := <-done; err != nil {
					t.Error(err)
				}
				if s := n.Link("reader", "writer").Stats(); s.Conns < c.conns {
					t.Errorf("%d connections, want %d", s.Conns, c.conns)
				}
			})
		})
	}
}

// A peer that is there and says nothing, as one that was stopped, is given up after three intervals of keep-alive and the windows.
func TestSilenceForGood(t *testing.T) {
	virtual(t, options{config: func(s, c *transport.Config) {
		s.KeepAlive, c.KeepAlive, s.ResumeWindow, c.GiveUp = time.Second, 2*time.Second, 10*time.Second, 15*time.Second
	}}, func(t *testing.T, n *rwtest.Network, w *world) {
		done := trickle(w, 1<<30)
		r := w.reader(0)
		take(t, w, r, 50)
		l := n.Link("reader", "writer")
		l.Drop()
		start := time.Now()
		err := <-done
		if peer := fails(t, err, transport.ErrPeerLost); peer.Peer != "reader" {
			t.Errorf("%+v", peer)
		}
		within(t, start, 15*time.Second, 17*time.Second)
		_, err = readAll(w.ctx, r)
		if peer := fails(t, err, transport.ErrPeerLost); peer.Peer != "writer" {
			t.Errorf("%+v", peer)
		}
		within(t, start, 20*time.Second, 23*time.Second)
		l.Heal()
		w.pubs[0].Withdraw()
	})
}

// A connection without records stays, and costs a message an interval.
func TestIdleConnection(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		wr := w.writer(0)
		r := w.reader(0)
		var messages atomic.Int64 // CLOSED may be under way when it is read
		watch(n.Link("reader", "writer"), func(rwtest.Message) int { messages.Add(1); return rwtest.Pass })
		time.Sleep(50 * time.Second)
		go func() { _ = errors.Join(emit(w.ctx, wr, 0, 10), wr.Close()) }()
		if got, err := readAll(w.ctx, r); got != 10 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		if s := n.Link("reader", "writer").Stats(); s.Conns != 1 {
			t.Errorf("%d connections", s.Conns)
		}
		if got := messages.Load(); got < 20 || got > 60 { // a PING of one side or the other each 5 s, its PONG, and the exchange
			t.Errorf("%d messages", got)
		}
	})
}

// The side that leaves on purpose says so, and the other does not wait.
func TestGoodbye(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		done := trickle(w, 1<<30)
		p := w.process(n, "elsewhere", "leaving", nil)
		r := readerOf(t, p.channel(0, 0, nil))
		take(t, w, r, 50)
		start := time.Now()
		p.close()
		_, err := readAll(w.ctx, r)
		fails(t, err, transport.ErrClosed)
		if peer := fails(t, <-done, transport.ErrPeerLost); peer.Peer != "leaving" {
			t.Errorf("%+v", peer)
		}
		within(t, start, 0, time.Second)
		w.pubs[0].Withdraw()
	})
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		done := trickle(w, 1<<30)
		r := w.reader(0)
		take(t, w, r, 50)
		start := time.Now()
		if err := w.server.Close(ended); err == nil {
			t.Error("closed without a word although there is a reader")
		}
		_, err := readAll(w.ctx, r)
		if peer := fails(t, err, transport.ErrClosed); peer.Peer != "writer" {
			t.Errorf("%+v", peer)
		}
		fails(t, <-done, transport.ErrClosed)
		within(t, start, 0, time.Second)
		w.pubs[0].Withdraw()
	})
}
