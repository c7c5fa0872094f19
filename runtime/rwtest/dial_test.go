package rwtest_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
)

// dial is what Dial returns, for the check that it fails.
func dial(c net.Conn, err error) (int, error) {
	if c != nil {
		_ = c.Close()
		return 1, err
	}
	return 0, err
}

// TestDial: it takes there and back again, and does not wait for Accept; the accepting side is there as soon as it was reached.
func TestDial(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.From("client").Latency(2*time.Second, 2*time.Second)
		w.link.From("server").Latency(3*time.Second, 3*time.Second)
		group(func() {
			w.elapsed(5*time.Second, func() {
				c, err := w.Dial(w.Context(), address)
				if err != nil {
					t.Fatal(err)
				}
				w.read(c, "hello")
				_ = c.Close()
			})
		}, func() {
			w.elapsed(2*time.Second, func() {
				s, err := w.listener.Accept()
				if err != nil {
					t.Fatal(err)
				}
				w.write(s, "hello")
				_ = s.Close()
			})
		})
		w.elapsed(5*time.Second, func() {
			c, err := w.Dial(w.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			_ = c.Close()
		})
	})
}

// TestRefused: nobody listens, not any more, or the link refuses, by host.
func TestRefused(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.Latency(time.Second, time.Second)
		w.elapsed(2*time.Second, func() { w.fails(errRefused)(dial(w.Dial(w.Context(), "server:2"))) })
		w.link.From("client").Refuse(true)
		w.elapsed(2*time.Second, func() { w.fails(errRefused)(dial(w.Dial(w.Context(), address))) })
		other, err := w.Host("other").Dial(w.Context(), address)
		if err != nil {
			t.Error(err)
		}
		_ = other.Close()
		w.link.Refuse(false)
		w.open()
		if s := w.link.Stats(); s.Dials != 3 || s.Conns != 1 {
			t.Errorf("%+v", s)
		}
		l, err := w.Listen("server:3")
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		w.fails(errRefused)(dial(w.Dial(w.Context(), "server:3")))
	})
}

// TestDialContext: it ends Dial in whatever state that is. A connection that was made already is reset.
func TestDialContext(t *testing.T) {
	inWorld(t, func(w *world) {
		w.fails(context.Canceled)(dial(w.Dial(canceled(), address)))
		w.link.Latency(time.Second, time.Second)
		for _, limit := range []time.Duration{500 * time.Millisecond, 1500 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(w.Context(), limit)
			w.elapsed(limit, func() {
				_, err := w.Dial(ctx, address)
				var timeout net.Error
				if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
					t.Errorf("got %v", err)
				}
			})
			cancel()
		}
		s, err := w.listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		w.elapsed(time.Second, func() { w.readEnd(s, "", errReset) })
		_ = s.Close()
		if s := w.link.Stats(); s.Open != 0 || s.Cuts != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// TestDialDropped: while nothing passes Dial waits, in both directions; it goes on after Heal.
func TestDialDropped(t *testing.T) {
	for _, host := range []string{"client", "server"} {
		for name, early := range map[string]bool{"before": true, "under way": false} {
			t.Run(host+" "+name, func(t *testing.T) {
				inWorld(t, func(w *world) {
					w.link.Latency(time.Minute, time.Minute)
					way := w.link.From(host)
					if early {
						way.Drop()
					}
					w.waits(func() { w.open() }, func() {
						way.Heal()
						if w.link.Stats().Conns != 1 && host == "server" {
							t.Error("the server was not reached")
						}
					})
				}, rwtest.EachLink(func(l *rwtest.Link) {
					if !early {
						go func() { // inside the first minute, or the second
							time.Sleep(map[string]time.Duration{"client": 30 * time.Second, "server": 90 * time.Second}[host])
							l.From(host).Drop()
						}()
					}
				}))
			})
		}
	}
}

func TestDialInvalid(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, address := range []string{"", "server", ":1", "server:http", "server:65536", "server:-1"} {
			_, err := w.Listen(address)
			for _, err := range []error{err, func() error { _, err := w.Dial(w.Context(), address); return err }()} {
				var a *net.AddrError
				if !errors.As(err, &a) {
					t.Errorf("%q: %v", address, err)
				}
			}
		}
	})
}

func TestListener(t *testing.T) {
	inWorld(t, func(w *world) {
		_, err := w.Listen(address)
		w.fails(syscall.EADDRINUSE)(0, err)
		l, err := w.Listen("server:0")
		if err != nil {
			t.Fatal(err)
		}
		c, err := w.Dial(w.Context(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		waiting, err := w.Dial(w.Context(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		w.write(waiting, "hello?")
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		w.fails(net.ErrClosed)(0, l.Close())
		w.fails(net.ErrClosed)(0, l.(*rwtest.Listener).SetDeadline(time.Time{}))
		_, err = l.Accept()
		w.fails(net.ErrClosed)(0, err)
		w.readEnd(waiting, "", errReset)
		w.write(c, "accepted before")
		_ = c.Close()
		w.readEnd(s, "accepted before", io.EOF)
		_, _ = s.Close(), waiting.Close()
		again, err := w.Listen(l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = again.Close()
	})
}

func TestListenerDeadline(t *testing.T) {
	inWorld(t, func(w *world) {
		l := w.listener.(*rwtest.Listener)
		accept := func() {
			_, err := l.Accept()
			w.fails(os.ErrDeadlineExceeded)(0, err)
		}
		set := func(at time.Time) {
			if err := l.SetDeadline(at); err != nil {
				t.Error(err)
			}
		}
		set(time.Now().Add(time.Minute))
		w.elapsed(time.Minute, accept)
		w.elapsed(0, accept)
		set(time.Now().Add(100 * time.Hour))
		w.waits(accept, func() { set(time.Now()) })
		set(time.Time{})
		w.waits(func() {
			s, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			_ = s.Close()
		}, func() {
			if n, err := dial(w.Dial(w.Context(), address)); n != 1 || err != nil {
				t.Error(err)
			}
		})
	})
}

// TestNetworkClosesUnderWay: a dial that is on its way when the network, or the listener, is closed.
func TestNetworkClosesUnderWay(t *testing.T) {
	for name, tt := range map[string]struct {
		close func(*rwtest.Network, net.Listener) error
		want  error
	}{
		"network":  {func(n *rwtest.Network, _ net.Listener) error { _ = n.Close(); return nil }, net.ErrClosed}, // it names the listener
		"listener": {func(_ *rwtest.Network, l net.Listener) error { return l.Close() }, errRefused},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				n := rwtest.NewNetwork()
				l, err := n.Listen(address)
				if err != nil {
					t.Fatal(err)
				}
				n.Link("client", "server").Latency(time.Minute, time.Minute)
				group(func() { w.fails(tt.want)(dial(n.DialContext(w.Context(), "tcp", address))) }, func() {
					time.Sleep(30 * time.Second)
					if err := tt.close(n, l); err != nil {
						t.Error(err)
					}
				})
			})
		})
	}
}
