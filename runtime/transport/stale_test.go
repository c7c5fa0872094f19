package transport_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// What a process has said on a connection that it has lost may be read after what it has said on the next one. The newer one stays: the process is there, and would take being fenced for its end.
func TestStaleConnection(t *testing.T) {
	for name, incarnations := range map[string][2]message.Incarnation{
		"of the same process":     {{1}, {1}},
		"of the one that is gone": {{1}, {2}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := rwtest.NewNetwork()
				rwtest.MustClose(t, n)
				w := newWorld(t, network(n, options{}))
				dial := func(incarnation message.Incarnation) (*raw, message.Hello) {
					conn, err := n.Host("reader").Dial(w.ctx, "writer:1")
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { _ = conn.Close() })
					h := hello("reader")
					h.Incarnation = incarnation
					return &raw{conn}, h
				}
				stale, first := dial(incarnations[0])
				synctest.Wait() // it is accepted
				fresh, second := dial(incarnations[1])
				fresh.say(second, 0)
				fresh.until(t, message.Server, message.TypeWelcome)
				fresh.say(openOf(w), 1)
				fresh.until(t, message.Server, message.TypeOpened)

				stale.say(first, 0)
				if h, m, err := stale.next(message.Server); err == nil {
					t.Errorf("it is answered: %v %+v", h.Type, m)
				}
				time.Sleep(time.Second)
				fresh.say(message.Ping{Number: 7}, 0)
				if m := fresh.until(t, message.Server, message.TypePong); m.(message.Pong).Number != 7 {
					t.Errorf("got %+v", m)
				}
				fresh.say(message.Goodbye{}, 0)
				_ = fresh.Close()
				_ = stale.Close()
				_ = w.parts[0].Fail(nil)
				w.pubs[0].Withdraw()
				w.close()
			})
		})
	}
}

// What a client has said on a connection that the server does not answer is not left to the kernel, which may deliver it behind what the client says on the next one.
func TestUnansweredIsDropped(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, options{config: func(_, c *transport.Config) { c.HandshakeTimeout, c.GiveUp = 50*time.Millisecond, 100*time.Millisecond }})
	_, err = readAll(w.ctx, readerOf(t, w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = silent.Addr().String() })))
	fails(t, err, transport.ErrPeerLost)
	conn, err := silent.Accept()
	if err == nil { // a system may forget it before
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		var netErr net.Error
		if b, err := io.ReadAll(conn); err == nil || errors.As(err, &netErr) && netErr.Timeout() {
			t.Errorf("%d bytes and %v of a connection that was given up, want a reset", len(b), err)
		}
		_ = conn.Close()
	}
	_ = silent.Close()
	w.pubs[0].Withdraw()
	w.parts[0].Abandon(errFull)
	w.parts[0].Discard(0)
	w.close()
}
