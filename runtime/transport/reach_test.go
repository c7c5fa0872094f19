package transport_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// A server whose connections break right after WELCOME is given up after the limit, with pauses that grow; one that answers and then breaks is not, and is not asked without pauses either.
func TestBreaksAfterWelcome(t *testing.T) {
	for _, answers := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			n := rwtest.NewNetwork()
			rwtest.MustClose(t, n)
			l, err := n.Listen("broken:1")
			if err != nil {
				t.Fatal(err)
			}
			conns := 0
			served := make(chan struct{})
			go func() {
				defer close(served)
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					conns++
					r := &raw{Conn: conn}
					_, _, _ = r.next(message.Client) // HELLO
					r.say(message.Welcome{Version: 1, Name: "broken", DataMax: 1 << 16, KeepAliveMillis: 5000}, 0)
					if answers {
						for h, _, err := r.next(message.Client); err == nil && h.Type != message.TypeOpen; h, _, err = r.next(message.Client) {
						}
						r.say(message.Opened{Incarnation: message.Incarnation{5}}, 1)
					}
					_ = conn.Close()
				}
			}()
			w := newWorld(t, network(n, options{config: func(_, c *transport.Config) { c.GiveUp = 10 * time.Second }}))
			start := time.Now()
			ctx, cancel := context.WithTimeout(w.ctx, 30*time.Second)
			_, err = readAll(ctx, readerOf(t, w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = "broken:1" })))
			cancel()
			if answers {
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v, want to go on", err)
				}
			} else {
				if peer := fails(t, err, transport.ErrPeerLost); !strings.Contains(err.Error(), "not reached for 10s") || peer.Peer != "broken" {
					t.Errorf("%v", err)
				}
				within(t, start, 9*time.Second, 12*time.Second)
			}
			if conns < 5 || conns > 50 { // 20, 40, … 640 ms, then 1 s each
				t.Errorf("%d connections in %v", conns, time.Since(start))
			}
			_ = l.Close()
			w.pubs[0].Withdraw()
			w.parts[0].Abandon(errFull)
			w.parts[0].Discard(0)
			_ = w.client.Close(ended)
			_ = w.server.Close(ended)
			w.over()
			<-served
		})
	}
}

// A client that connects again and again, and never asks for its channel, does not keep it for longer than two resume windows: its connections are of no use.
func TestComesBackAndBreaks(t *testing.T) {
	virtual(t, options{config: func(s, _ *transport.Config) { s.ResumeWindow = 10 * time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
		wr := w.writer(0)
		done := make(chan error, 1)
		go func() { done <- emitUntil(w.ctx, wr, 0) }()
		connect := func(open bool) {
			conn, err := n.Host("evil").Dial(w.ctx, w.address)
			if err != nil {
				t.Error(err)
				return
			}
			r := &raw{Conn: conn}
			r.say(hello("evil"), 0)
			r.until(t, message.Server, message.TypeWelcome)
			if open {
				r.say(openOf(w), 1)
				r.until(t, message.Server, message.TypeData)
			}
			_ = conn.Close()
		}
		connect(true)
		start := time.Now()
		var err error
		for over := false; !over; {
			select {
			case err = <-done:
				over = true
			case <-time.After(3 * time.Second):
				connect(false)
			}
			if time.Since(start) > time.Minute {
				t.Fatal("the channel is not lost")
			}
		}
		fails(t, err, transport.ErrPeerLost)
		within(t, start, 10*time.Second, 21*time.Second)
		_ = wr.CloseWithError(err)
		w.pubs[0].Withdraw()
	})
}

// What is told of a server that is not reached is why: also if the last of all attempts had no time for more than a timeout.
func TestWhyNotReached(t *testing.T) {
	for name, test := range map[string]struct {
		errs []error // of attempts, the last one for all that follow
		want error
		text string
	}{
		"refused, then silence": {[]error{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, nil}, syscall.ECONNREFUSED, "nobody listens there"},
		"no such host":          {[]error{&net.DNSError{Err: "no such host", Name: "nowhere", IsNotFound: true}}, nil, "is the name right?"},
		"silence":               {[]error{nil}, context.DeadlineExceeded, "nothing answers"},
	} {
		t.Run(name, func(t *testing.T) {
			tries := 0
			virtual(t, options{config: func(_, c *transport.Config) {
				c.GiveUp, c.HandshakeTimeout = 10*time.Second, 4*time.Second
				dial := c.Dial
				c.Dial = func(ctx context.Context, address string) (net.Conn, error) {
					if address != "nowhere:1" {
						return dial(ctx, address)
					}
					err := test.errs[min(tries, len(test.errs)-1)]
					tries++
					if err == nil {
						<-ctx.Done()
						err = ctx.Err()
					}
					return nil, err
				}
			}}, func(t *testing.T, _ *rwtest.Network, w *world) {
				_, err := readAll(w.ctx, readerOf(t, w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = "nowhere:1" })))
				fails(t, err, transport.ErrPeerLost)
				if test.want != nil && !errors.Is(err, test.want) {
					t.Errorf("%v, want %v", err, test.want)
				}
				for _, s := range []string{"nowhere:1", "10s, the limit in Config.GiveUp", fmt.Sprintf("%d tries", tries), test.text} {
					if !strings.Contains(err.Error(), s) {
						t.Errorf("%v does not say %q", err, s)
					}
				}
				w.pubs[0].Withdraw()
				w.parts[0].Abandon(errFull)
				w.parts[0].Discard(0)
			})
		})
	}
}

// One side that speaks TLS, and one that does not, are found out at once.
func TestTLSOnOneSide(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		p := w.process(n, "a", "reader", func(c *transport.Config) { c.TLS = &tls.Config{InsecureSkipVerify: true} })
		start := time.Now()
		_, err := readAll(w.ctx, readerOf(t, p.channel(0, 0, nil)))
		fails(t, err)
		if err == nil || !strings.Contains(err.Error(), "does not speak TLS") {
			t.Errorf("%v", err)
		}
		if err := w.pubs[0].Wait(ended); err == nil || !strings.Contains(err.Error(), "the client speaks TLS, and Config.TLS is not set here") {
			t.Errorf("the producer is told %v", err)
		}
		within(t, start, 0, time.Second)
		p.close()

		w.pubs[0].Withdraw()
		w.parts[0].Abandon(errFull)
		w.parts[0].Discard(0)
	})
	virtual(t, options{config: func(s, _ *transport.Config) { s.TLS = &tls.Config{Certificates: []tls.Certificate{{}}} }}, func(t *testing.T, _ *rwtest.Network, w *world) {
		start := time.Now()
		_, err := readAll(w.ctx, readerOf(t, w.open(0, 0, nil)))
		fails(t, err, transport.ErrForbidden)
		if err == nil || !strings.Contains(err.Error(), "the server speaks TLS") {
			t.Errorf("%v", err)
		}
		within(t, start, 0, time.Second)
		w.pubs[0].Withdraw()
		w.parts[0].Abandon(errFull)
		w.parts[0].Discard(0)
	})
}

// A server forgets listeners that are closed.
func TestListenersAreForgotten(t *testing.T) {
	s, err := transport.NewServer(transport.Config{Name: "s", Plain: transport.PlainLoopback}, new(transport.Registry))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- s.Serve(ctx, l) }()
		for len(s.Addrs()) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-served; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if a := s.Addrs(); len(a) != 0 {
			t.Errorf("listens on %v", a)
		}
	}
	if err := s.Close(context.Background()); err != nil {
		t.Error(err)
	}
}
