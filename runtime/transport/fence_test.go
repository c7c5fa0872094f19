package transport_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// says checks that an error says each of some texts.
func says(t *testing.T, err error, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("%v does not say %q", err, s)
		}
	}
}

// Two processes of one name that run at a time: the first is told that it was fenced, by whom and what to do, whenever it hears of it; the second why it cannot go on; the producer that its reader has restarted.
func TestTwoOfOneName(t *testing.T) {
	for _, when := range []string{"connected", "away", "between two connections"} {
		t.Run(when, func(t *testing.T) {
			virtual(t, options{consumers: 2}, func(t *testing.T, n *rwtest.Network, w *world) {
				wr := w.writer(0)
				done := make(chan error, 1)
				go func() { done <- emitUntil(w.ctx, wr, 0) }()
				a, b := w.process(n, "a", "twice", nil), w.process(n, "b", "twice", nil)
				first := readerOf(t, a.channel(0, 0, nil))
				take(t, w, first, 10)
				l := n.Link("a", "writer")
				switch when {
				case "away":
					l.Refuse(true)
					l.Cut()
				case "between two connections":
					l.Latency(time.Second, time.Second)
					l.Cut()
				}
				second := readerOf(t, b.channel(0, 0, nil))
				_, err := readAll(w.ctx, second)
				fails(t, err, transport.ErrPeerRestarted)
				says(t, err, `earlier process "twice"`, "Reattach", "different names")
				err = <-done
				fails(t, err, transport.ErrPeerRestarted, partition.ErrConsumerGone)
				says(t, err, `"twice" has come back as another process`, "b:")
				l.Refuse(false)
				_, err = readAll(w.ctx, first)
				if peer := fails(t, err, transport.ErrFenced); peer.Peer != "writer" {
					t.Errorf("%+v", peer)
				}
				says(t, err, "fenced", `"twice"`, "different names")
				if strings.Contains(err.Error(), "restarted") {
					t.Errorf("%v: it has not restarted", err)
				}
				_ = wr.CloseWithError(err)
				a.close()
				b.close()
				w.pubs[0].Withdraw()
				w.parts[0].Discard(1)
			})
		})
	}
}

// A process that reaches one server by two addresses is told so by whichever connection is older.
func TestTwoAddressesOfOneServer(t *testing.T) {
	virtual(t, options{consumers: 2}, func(t *testing.T, n *rwtest.Network, w *world) {
		l, err := n.Listen("alias:1")
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan error, 1)
		go func() { served <- w.server.Serve(w.ctx, l) }()
		older := readerOf(t, w.open(0, 0, nil))
		time.Sleep(time.Second)
		newer := readerOf(t, w.open(0, 1, func(c *transport.ChannelConfig) { c.Address = "alias:1" }))
		_, err = readAll(w.ctx, older)
		fails(t, err, transport.ErrFenced)
		says(t, err, "has connected again", "two addresses of a server")
		wr := w.writer(0)
		go func() { _ = emit(w.ctx, wr, 1, 100); _ = wr.Close() }()
		if got, err := readAll(w.ctx, newer); got != 100 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		w.pubs[0].Withdraw()
		w.parts[0].Discard(0)
		_ = w.client.Close(ended)
		_ = w.server.Close(ended)
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}
