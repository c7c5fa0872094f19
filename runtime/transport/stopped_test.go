package transport_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// lateDeadline is a connection on which the first deadline is set only when another one was, in the past, that is to end it.
type lateDeadline struct {
	net.Conn
	once  sync.Once
	ended chan struct{}
}

func (c *lateDeadline) SetDeadline(t time.Time) error {
	if t.Before(time.Now()) {
		defer c.once.Do(func() { close(c.ended) })
	} else {
		<-c.ended
	}
	return c.Conn.SetDeadline(t)
}

func (c *lateDeadline) SetReadDeadline(t time.Time) error {
	if t.Before(time.Now()) {
		defer c.once.Do(func() { close(c.ended) })
	}
	return c.Conn.SetReadDeadline(t)
}

type lateDeadlines struct{ net.Listener }

func (l lateDeadlines) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &lateDeadline{Conn: conn, ended: make(chan struct{})}, nil
}

// A connection that is ended just when its handshake begins does not wait for a peer that says nothing.
func TestClosedWhenHandshakeBegins(t *testing.T) {
	t.Run("server", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			n := rwtest.NewNetwork()
			s, err := transport.NewServer(transport.Config{Name: "s", Plain: transport.PlainLoopback}, new(transport.Registry))
			if err != nil {
				t.Fatal(err)
			}
			l, err := n.Listen("s:1")
			if err != nil {
				t.Fatal(err)
			}
			served := make(chan error, 1)
			go func() { served <- s.Serve(t.Context(), lateDeadlines{l}) }()
			conn, err := n.Host("silent").Dial(t.Context(), "s:1")
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			start := time.Now()
			if err := s.Close(ended); err != nil {
				t.Error(err)
			}
			within(t, start, 0, time.Second)
			<-served
			_ = conn.Close()
			rwtest.MustClose(t, n)
		})
	})
	t.Run("client", func(t *testing.T) {
		virtual(t, options{config: func(_, c *transport.Config) {
			dial := c.Dial
			c.Dial = func(ctx context.Context, address string) (net.Conn, error) {
				conn, err := dial(ctx, address)
				if err != nil {
					return nil, err
				}
				return &lateDeadline{Conn: conn, ended: make(chan struct{})}, nil
			}
		}}, func(t *testing.T, n *rwtest.Network, w *world) {
			l, err := n.Listen("silent:1")
			if err != nil {
				t.Fatal(err)
			}
			ch := w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = "silent:1" })
			synctest.Wait()
			start := time.Now()
			_ = w.client.Close(ended)
			within(t, start, 0, time.Second)
			ch.Discard()
			_ = l.Close()
			w.pubs[0].Withdraw()
			w.parts[0].Abandon(errFull)
			w.parts[0].Discard(0)
		})
	})
}
