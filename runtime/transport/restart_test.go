package transport_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
	"github.com/rwgen/rwgen/runtime/writer"
)

// take reads n records, and returns the number of the last.
func take(t *testing.T, w *world, r *gate.Reader[trade], n int) (last int64) {
	t.Helper()
	var v trade
	for range n {
		if ok, err := r.Next(w.ctx, &v); !ok || err != nil {
			t.Fatalf("%v, %v", ok, err)
		}
		last = v.Seq
	}
	return last
}

// A reading process that comes back as another one is told so, and so is the producer: nothing is resumed silently.
func TestReaderRestarts(t *testing.T) {
	for _, away := range []bool{false, true} {
		virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
			wr := w.writer(0)
			done := make(chan error, 1)
			go func() { done <- emitUntil(w.ctx, wr, 0) }()
			a := w.process(n, "a", "again", nil)
			r := readerOf(t, a.channel(0, 0, nil))
			take(t, w, r, 1000)
			if away {
				a.kill(n.Link("a", "writer"))
				time.Sleep(time.Second)
			}
			start := time.Now()
			b := w.process(n, "b", "again", nil)
			_, err := readAll(w.ctx, readerOf(t, b.channel(0, 0, nil)))
			if peer := fails(t, err, transport.ErrPeerRestarted); peer.Peer != "writer" || peer.Partition != "trades/0" {
				t.Errorf("%+v", peer)
			}
			err = <-done
			if peer := fails(t, err, transport.ErrPeerRestarted, partition.ErrConsumerGone); peer.Peer != "again" || peer.Partition != "trades/0" {
				t.Errorf("%+v", peer)
			}
			within(t, start, 0, time.Second)
			_ = wr.CloseWithError(err)
			if !away {
				_, err = readAll(w.ctx, r)
				fails(t, err, transport.ErrFenced)
			} else {
				_ = r.Close()
			}
			a.close()
			b.close()
			w.pubs[0].Withdraw()
		})
	}
}

// A reading process that was started again is told so also if the producer has failed because of it, and left, before it could ask for anything.
func TestReaderRestartsAndServerLeaves(t *testing.T) {
	for _, other := range []bool{false, true} { // the process that comes has another name, and nothing to do with the one before
		virtual(t, options{consumers: 2}, func(t *testing.T, n *rwtest.Network, w *world) {
			wr := w.writer(0)
			done := make(chan error, 1)
			a := w.process(n, "a", "again", nil)
			r := readerOf(t, a.channel(0, 0, nil))
			go func() { done <- emitUntil(w.ctx, wr, 0) }()
			take(t, w, r, 100)
			a.kill(n.Link("a", "writer"))
			time.Sleep(time.Second)
			name := "again"
			if other {
				name = "other"
			}
			n.Link("b", "writer").Latency(10*time.Millisecond, 10*time.Millisecond)
			b := w.process(n, "b", name, nil)
			next := readerOf(t, b.channel(0, 1, nil))
			if other {
				time.Sleep(45 * time.Millisecond) // it is let in, and its OPEN is on its way
				w.parts[0].Cancel(errFull)
			}
			err := <-done
			if !other {
				fails(t, err, transport.ErrPeerRestarted)
			}
			_ = wr.CloseWithError(err)
			w.pubs[0].Withdraw()
			if err := w.server.Close(ended); err != nil {
				t.Error(err)
			}
			_, err = readAll(w.ctx, next)
			if other {
				fails(t, err, transport.ErrClosed)
			} else if fails(t, err, transport.ErrPeerRestarted); !strings.Contains(fmt.Sprint(err), `an earlier process "again"`) {
				t.Errorf("%v", err)
			}
			_ = r.Close()
			a.close()
			b.close()
			for sub := range 2 {
				w.parts[0].Discard(sub)
			}
		})
	}
}

// A process that has lost its place does not get it back by connecting again.
func TestFencedForGood(t *testing.T) {
	virtual(t, options{consumers: 2}, func(t *testing.T, n *rwtest.Network, w *world) {
		wr := w.writer(0)
		a, b := w.process(n, "a", "twice", nil), w.process(n, "b", "twice", nil)
		old := readerOf(t, a.channel(0, 0, nil))
		time.Sleep(time.Second)
		l := n.Link("a", "writer")
		l.Refuse(true)
		l.Cut()
		r := readerOf(t, b.channel(0, 1, nil))
		time.Sleep(time.Second)
		l.Refuse(false)
		_, err := readAll(w.ctx, old)
		fails(t, err, transport.ErrFenced)
		go func() { _ = errors.Join(emit(w.ctx, wr, 1, 1000), wr.Close()) }()
		if got, err := readAll(w.ctx, r); got != 1000 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		a.close()
		b.close()
		w.pubs[0].Withdraw()
	})
}

// With Reattach on both sides a channel goes on with the new process: at a record, and both sides are told from where.
func TestReattach(t *testing.T) {
	for _, alive := range []bool{false, true} {
		var told [2][]transport.Loss
		set := func(i int) func(*transport.Config) {
			return func(c *transport.Config) {
				c.Reattach, c.OnLoss = true, func(l transport.Loss) { told[i] = append(told[i], l) }
			}
		}
		virtual(t, options{config: func(s, _ *transport.Config) { set(0)(s) }}, func(t *testing.T, n *rwtest.Network, w *world) {
			wr := w.writer(0, writer.FlushWhenIdle(time.Millisecond))
			const total = 100_000
			done := make(chan error, 1)
			go func() { done <- errors.Join(emit(w.ctx, wr, 0, total), wr.Close()) }()
			a, b := w.process(n, "a", "again", set(1)), w.process(n, "b", "again", set(1))
			n.Link("a", "writer").CutAfter(100_001) // in the middle of a record
			r := readerOf(t, a.channel(0, 0, nil))
			take(t, w, r, 1000)
			if !alive {
				a.kill(n.Link("a", "writer"))
			}
			next := readerOf(t, b.channel(0, 0, nil))
			var v trade
			if ok, err := next.Next(w.ctx, &v); !ok || err != nil {
				t.Fatal(ok, err)
			}
			first := v.Seq // what the other one had read, and not acknowledged, comes again
			for seq := first + 1; seq < total; seq++ {
				if ok, err := next.Next(w.ctx, &v); !ok || err != nil || v.Seq != seq {
					t.Fatalf("record %d is %+v, %v, %v", seq, v, ok, err)
				}
			}
			if ok, err := next.Next(w.ctx, &v); ok || err != nil {
				t.Errorf("%v, %v behind the last", ok, err)
			}
			if err := errors.Join(next.Close(), <-done); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Second)
			if len(told[0]) != 1 || len(told[1]) != 1 || told[0][0].Before != told[1][0].Before || told[0][0].Before.Data == 0 {
				t.Errorf("the server was told %v, the client %v", told[0], told[1])
			} else if told[0][0].Peer != "again" || told[1][0].Peer != "writer" || told[0][0].Partition != "trades/0" {
				t.Errorf("%+v", told)
			}
			if alive {
				for ok, err := r.Next(w.ctx, &v); ; ok, err = r.Next(w.ctx, &v) {
					if err != nil {
						fails(t, err, transport.ErrFenced)
						break
					}
					if !ok {
						t.Fatal("the process that was replaced has read to the end")
					}
				}
			}
			_ = r.Close()
			a.close()
			b.close()
		})
	}
}

// A channel that goes on with another process goes on also if the connection breaks before that has heard from where.
func TestReattachIsCut(t *testing.T) {
	virtual(t, options{config: func(s, _ *transport.Config) { s.Reattach = true }}, func(t *testing.T, n *rwtest.Network, w *world) {
		cut := false
		watch(n.Link("b", "writer"), func(m rwtest.Message) int {
			if !cut && m.From == "writer" && message.Type(m.Header[4]) == message.TypeOpened {
				cut = true
				return 0
			}
			return rwtest.Pass
		})
		wr := w.writer(0, writer.FlushWhenIdle(time.Millisecond))
		const total = 10_000
		done, killed := make(chan error, 1), make(chan struct{})
		go func() {
			err := emit(w.ctx, wr, 0, total)
			<-killed // what the first process gets it may acknowledge, and there must be something left
			for i := int64(total); i < 2*total && err == nil; i++ {
				err = wr.Emit(w.ctx, &trade{Seq: i})
			}
			_ = wr.Close()
			done <- err
		}()
		set := func(c *transport.Config) { c.Reattach = true }
		a, b := w.process(n, "a", "again", set), w.process(n, "b", "again", set)
		r := readerOf(t, a.channel(0, 0, nil))
		take(t, w, r, 1000)
		a.kill(n.Link("a", "writer"))
		close(killed)
		next := readerOf(t, b.channel(0, 0, nil))
		if got, err := readAll(w.ctx, next); got == 0 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		if !cut {
			t.Error("nothing was cut")
		}
		_ = r.Close()
		a.close()
		b.close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// What the process that is gone has not acknowledged goes to the next one, also what lies in one block with what it has.
func TestReattachInABlock(t *testing.T) {
	var told []transport.Loss
	virtual(t, options{budget: transport.BudgetConfig{Bytes: 4 << 10, ExclusiveBytes: 1 << 10}, config: func(s, c *transport.Config) { s.Reattach, c.Reattach = true, true }}, func(t *testing.T, n *rwtest.Network, w *world) {
		wr := w.writer(0)
		const total = 10_000
		done := make(chan error, 1)
		go func() {
			err := emit(w.ctx, wr, 0, total)
			_ = wr.Close()
			done <- err
		}()
		old := w.open(0, 0, nil) // nobody reads it: it is full soon
		time.Sleep(time.Second)
		n.Link("reader", "writer").Refuse(true)
		n.Link("reader", "writer").Cut()
		_ = w.client.Close(ended)
		acked := fails(t, old.Wait(w.ctx), transport.ErrClosed).Position.Data
		b := w.process(n, "b", "reader", func(c *transport.Config) {
			c.Reattach, c.OnLoss = true, func(l transport.Loss) { told = append(told, l) }
		})
		next := readerOf(t, b.channel(0, 0, nil))
		var v trade
		if ok, err := next.Next(w.ctx, &v); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if got, err := readAll(w.ctx, next); int64(got) != total-v.Seq-1 || err != nil {
			t.Errorf("%d records behind number %d, %v", got, v.Seq, err)
		}
		if len(told) != 1 || acked == 0 || told[0].Before.Data < acked || told[0].Before.Data-acked >= told[0].Before.Data/uint64(v.Seq) {
			t.Errorf("%d bytes were acknowledged, it goes on with record %d at %v", acked, v.Seq, told)
		}
		old.Discard()
		b.close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// Reattach needs both sides.
func TestReattachOfOneSide(t *testing.T) {
	for _, server := range []bool{false, true} {
		virtual(t, options{config: func(s, _ *transport.Config) { s.Reattach, s.ResumeWindow = server, 5*time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
			wr := w.writer(0)
			done := make(chan error, 1)
			go func() { done <- emitUntil(w.ctx, wr, 0) }()
			set := func(c *transport.Config) { c.Reattach = !server }
			a, b := w.process(n, "a", "again", set), w.process(n, "b", "again", set)
			r := readerOf(t, a.channel(0, 0, nil))
			take(t, w, r, 1000)
			a.kill(n.Link("a", "writer"))
			_, err := readAll(w.ctx, readerOf(t, b.channel(0, 0, nil)))
			fails(t, err, transport.ErrPeerRestarted)
			err = <-done
			fails(t, err, transport.ErrPeerRestarted)
			_ = wr.CloseWithError(err)
			_ = r.Close()
			a.close()
			b.close()
			w.pubs[0].Withdraw()
		})
	}
}

// A server that comes back as another process is told from the one before, whether it has the partition again or not.
func TestServerRestarts(t *testing.T) {
	for _, published := range []bool{false, true} {
		var target atomic.Pointer[string]
		virtual(t, options{config: func(s, c *transport.Config) {
			s.ResumeWindow = 10 * time.Second
			dial := c.Dial
			c.Dial = func(ctx context.Context, address string) (net.Conn, error) {
				if a := target.Load(); a != nil {
					address = *a
				}
				return dial(ctx, address)
			}
		}}, func(t *testing.T, n *rwtest.Network, w *world) {
			wr := w.writer(0)
			done := make(chan error, 1)
			go func() { done <- emitUntil(w.ctx, wr, 0) }()
			r := w.reader(0)
			take(t, w, r, 1000)

			var registry transport.Registry
			s, err := transport.NewServer(transport.Config{Name: "writer", Plain: transport.PlainLoopback}, &registry)
			if err != nil {
				t.Fatal(err)
			}
			l, err := n.Listen("second:1")
			if err != nil {
				t.Fatal(err)
			}
			served := make(chan error, 1)
			go func() { served <- s.Serve(w.ctx, l) }()
			p := w.partition(0)
			if published {
				if _, err := registry.Publish("trades/0", p); err != nil {
					t.Fatal(err)
				}
			}
			address := "second:1"
			target.Store(&address)
			start := time.Now()
			n.Link("reader", "writer").Cut()
			_, err = readAll(w.ctx, r)
			if peer := fails(t, err, transport.ErrPeerRestarted); peer.Peer != "writer" || peer.Partition != "trades/0" || peer.Position.Data == 0 {
				t.Errorf("%+v", peer)
			}
			if text := `the process that produces "trades/0" was started again; what the one before had not sent is gone`; !strings.Contains(fmt.Sprint(err), text) {
				t.Errorf("%v does not say %q", err, text)
			}
			within(t, start, 0, time.Second)
			err = <-done
			if peer := fails(t, err, transport.ErrPeerLost); peer.Peer != "reader" {
				t.Errorf("%+v", peer)
			}
			within(t, start, 10*time.Second, 11*time.Second)
			_ = wr.CloseWithError(err)
			w.pubs[0].Withdraw()
			if published {
				p.Abandon(errFull)
			}
			_ = s.Close(ended)
			if err := <-served; err != nil {
				t.Error(err)
			}
			p.Abandon(errFull)
			p.Discard(0)
		})
	}
}

// When the resume window is over the producers of a process that is away fail with its name. When it comes back later it is told so.
func TestResumeWindowOver(t *testing.T) {
	virtual(t, options{config: func(s, _ *transport.Config) { s.ResumeWindow = 10 * time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
		wr := w.writer(0)
		done := make(chan error, 1)
		go func() { done <- emitUntil(w.ctx, wr, 0) }()
		r := w.reader(0)
		take(t, w, r, 1000)
		l := n.Link("reader", "writer")
		l.Refuse(true)
		l.Cut()
		start := time.Now()
		err := <-done
		if peer := fails(t, err, transport.ErrPeerLost, partition.ErrConsumerGone); peer.Peer != "reader" || peer.Partition != "trades/0" || peer.Position.Data == 0 {
			t.Errorf("%+v", peer)
		}
		within(t, start, 10*time.Second, 11*time.Second)
		l.Refuse(false)
		_, err = readAll(w.ctx, r)
		fails(t, err, transport.ErrPeerLost)
		within(t, start, 10*time.Second, 13*time.Second)
		_ = wr.CloseWithError(err)
		w.pubs[0].Withdraw()
	})
}

// A client gives up a server after its limit, at first and after a break, and its channels say what of whom they have lost.
func TestGiveUp(t *testing.T) {
	for _, first := range []bool{true, false} {
		virtual(t, options{config: func(s, c *transport.Config) { c.GiveUp, s.ResumeWindow = 7*time.Second, 3*time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
			wr := w.writer(0)
			done := make(chan error, 1)
			l := n.Link("reader", "writer")
			l.Refuse(first)
			r := w.reader(0)
			if !first {
				go func() { done <- emitUntil(w.ctx, wr, 0) }()
				take(t, w, r, 1000)
				l.Refuse(true)
				l.Cut()
			}
			start := time.Now()
			_, err := readAll(w.ctx, r)
			peer := fails(t, err, transport.ErrPeerLost)
			if peer.Partition != "trades/0" || peer.Subpartition != 0 || peer.Address != "writer:1" || !first && (peer.Peer != "writer" || peer.Position.Data == 0) {
				t.Errorf("%+v", peer)
			}
			within(t, start, 7*time.Second, 8*time.Second)
			if ended := "nobody listens there any more: the process has ended"; strings.Contains(err.Error(), ended) == first {
				t.Errorf("reached before: %v; %v", !first, err)
			}
			if !first {
				fails(t, <-done, transport.ErrPeerLost)
			}
			_ = wr.CloseWithError(err)
			w.parts[0].Discard(0)
			w.pubs[0].Withdraw()
		})
	}
}
