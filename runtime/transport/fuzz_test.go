package transport_test

import (
	"context"
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

// conversation appends messages, for the corpora.
func conversation(channel uint32, ms ...message.Message) (b []byte) {
	for _, m := range ms {
		c := channel
		switch m.(type) {
		case message.Hello, message.Welcome, message.Schema, message.Ping, message.Goodbye:
			c = 0
		}
		b = m.Append(b, c)
	}
	return b
}

// FuzzServer says to a server what a client might, with a valid HELLO before it or without. The server must not panic, hang or take memory, and another client gets its records.
func FuzzServer(f *testing.F) {
	limit := transport.Position{Data: 1 << 12, Events: 1 << 20}
	ask := message.Open{Partition: "trades/0", Producers: 2, Consumers: 2, EventRoom: 1 << 20, Limit: limit}
	f.Add(true, conversation(1, ask, message.Credit{Limit: limit}, message.Cancel{}, message.Ping{}, message.Goodbye{}))
	f.Add(true, conversation(1, ask, ask))
	resumed := ask
	resumed.Resume, resumed.Reattach = true, true
	f.Add(true, conversation(1, resumed, message.Credit{Acknowledged: limit, Limit: limit}))
	f.Add(false, conversation(0, hello("x")))
	f.Add(false, []byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, greeted bool, said []byte) {
		synctest.Test(t, func(t *testing.T) {
			n := rwtest.NewNetwork()
			w := newWorld(t, network(n, options{producers: 2, consumers: 2, config: func(s, _ *transport.Config) {
				s.ResumeWindow = time.Second
				s.Authorize = func(_ context.Context, p transport.Peer, partition string) error {
					if p.Name != "reader" && partition != "trades/0" {
						return errFull
					}
					return nil
				}
			}}))
			wr, good := w.writer(0), w.writer(1)
			conn, err := n.Host("evil").Dial(w.ctx, w.address)
			if err != nil {
				t.Fatal(err)
			}
			if greeted {
				(&raw{Conn: conn}).say(hello("evil"), 0)
			}
			go func() { _, _ = conn.Write(said) }()
			go func() { _, _ = io.Copy(io.Discard, conn) }()
			_ = emit(w.ctx, wr, 0, 10)
			time.Sleep(time.Second)
			_ = conn.Close()
			time.Sleep(2 * time.Second)
			done := make(chan error, 1)
			go func() { done <- errors.Join(emit(w.ctx, good, 1, 100), good.Close()) }()
			if got, err := readAll(w.ctx, readerOf(t, w.open(1, 1, nil))); got != 100 || err != nil {
				t.Errorf("another client: %d records, %v", got, err)
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
			_ = wr.Close()
			for i, p := range w.pubs {
				p.Withdraw()
				w.parts[i].Discard(0)
				w.parts[i].Discard(1)
			}
			w.close()
			rwtest.MustClose(t, n)
		})
	})
}

// FuzzClient says to a client what a server might, with a valid WELCOME before it or without. The client must not panic or hang, its channel ends, and the memory stays within the budget.
func FuzzClient(f *testing.F) {
	records := append(message.AppendDataHeader(nil, 1, 0, 9, 4), 3, 0, 0, 0)
	f.Add(true, conversation(1, message.Opened{}, message.Schema{Record: "trade", Canonical: "x"}, message.Writer{}, message.Mark{Idle: true}, message.Event{Kind: message.EndOfData}, message.End{Before: transport.Position{Events: 192}}, message.Closed{}))
	f.Add(true, append(conversation(1, message.Opened{}, message.Schema{}, message.Writer{}), records...))
	f.Add(true, conversation(1, message.Denied{Fault: message.Fault{Code: message.CodeNotFound}}, message.Ping{}, message.Goodbye{}))
	f.Add(false, conversation(0, message.Welcome{Version: 1, Name: "x", DataMax: 1 << 12}))
	f.Add(false, []byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
	f.Fuzz(func(t *testing.T, greeted bool, said []byte) {
		synctest.Test(t, func(t *testing.T) {
			pool := rwtest.NewPool(t, 1<<18)
			budget, err := transport.NewBudget(pool, transport.BudgetConfig{Bytes: 1 << 18})
			if err != nil {
				t.Fatal(err)
			}
			n := rwtest.NewNetwork()
			dials := 0
			config := transport.Config{Name: "reader", Plain: transport.PlainLoopback, GiveUp: time.Second, Patience: time.Second, Dial: func(ctx context.Context, address string) (net.Conn, error) {
				if dials++; dials > 3 { // WELCOME each time would go on for ever
					return nil, errDead
				}
				return n.Host("reader").Dial(ctx, address)
			}}
			config.LandAlways()
			c, err := transport.NewClient(config)
			if err != nil {
				t.Fatal(err)
			}
			l, err := n.Listen("evil:1")
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					go func() {
						defer conn.Close()
						go func() { _, _ = io.Copy(io.Discard, conn) }()
						if greeted {
							(&raw{Conn: conn}).say(message.Welcome{Version: 1, Name: "evil", DataMax: 1 << 12, KeepAliveMillis: 100}, 0)
						}
						_, _ = conn.Write(said)
						time.Sleep(time.Second)
					}()
				}
			}()
			w := &world{t: t, address: "evil:1"}
			w.topology.Producers, w.topology.Consumers = 1, 1
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			ch := open(w, c, budget, 0, 0, nil)
			_, _ = readAll(ctx, readerOf(t, ch))
			_ = ch.Wait(ctx)
			if ctx.Err() != nil {
				t.Error("the channel does not end")
			}
			if err := c.Close(ctx); err != nil {
				t.Error(err)
			}
			if used := budget.Used(); used != 0 {
				t.Errorf("%d bytes are used", used)
			}
			budget.Close()
			_ = l.Close()
			time.Sleep(2 * time.Second)
			rwtest.MustClose(t, n)
		})
	})
}
