package transport_test

import (
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// What arrives of a DATA after a pause is readable, and acknowledged, as its beginning is: also the last piece.
func TestDataInPieces(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		l, err := n.Listen("slow:1")
		if err != nil {
			t.Fatal(err)
		}
		ch := w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = "slow:1" })
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		r := &raw{Conn: conn}
		r.say(message.Welcome{Version: 1, Name: "slow", DataMax: 1 << 16, KeepAliveMillis: 5000}, 0)
		r.until(t, message.Client, message.TypeOpen)
		r.say(message.Opened{Incarnation: message.Incarnation{5}}, 1)
		r.say(message.Schema{Number: 0, Record: "trade", Canonical: "x"}, 0)
		r.say(message.Writer{Schema: 0, Name: "w"}, 1)
		const size = 800 // less than the first block has
		data := append(message.AppendDataHeader(nil, 1, 0, 0, size), make([]byte, size)...)
		for sent, piece := 0, 0; sent < len(data); sent += piece {
			piece = min(300, len(data)-sent)
			_, _ = conn.Write(data[sent : sent+piece])
			want := uint64(sent + piece - message.DataHeaderBytes)
			start := time.Now()
			for ack := uint64(0); ack < want; {
				ack = r.until(t, message.Client, message.TypeCredit).(message.Credit).Acknowledged.Data
			}
			within(t, start, 0, time.Second)
		}
		if !ch.Discard() {
			t.Error("the channel has a reader")
		}
		r.until(t, message.Client, message.TypeCancel)
		r.say(message.Closed{}, 1)
		if err := ch.Wait(w.ctx); err != nil {
			t.Error(err)
		}
		_ = conn.Close()
		_ = l.Close()
		w.pubs[0].Withdraw()
		w.parts[0].Discard(0)
	})
}

// Records that are written one by one, each when the one before has been read, and without a flush, arrive: whoever sends them, none waits for the next.
func TestOneByOne(t *testing.T) {
	for name, encrypted := range map[string]bool{"plain": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, options{config: func(s, c *transport.Config) {
				if a := newAuthority(t); encrypted {
					s.TLS, c.TLS = a.config(t, "", "writer"), a.config(t, "", "reader")
				}
			}})
			wr, r := w.writer(0), w.reader(0)
			for i := range int64(500) {
				if err := wr.Emit(w.ctx, &trade{Seq: i}); err != nil {
					t.Fatal(err)
				}
				var got trade
				if ok, err := r.Next(w.ctx, &got); !ok || err != nil || got.Seq != i {
					t.Fatalf("record %d: %v, %v, %d", i, ok, err, got.Seq)
				}
			}
			done := make(chan error, 1)
			go func() { done <- wr.Close() }()
			if n, err := readAll(w.ctx, r); n != 0 || err != nil {
				t.Errorf("%d records more, %v", n, err)
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
			w.close()
		})
	}
}
