package transport_test

import (
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// All of a DATA is acknowledged when nothing follows, also if it has arrived in pieces with pauses between them: a producer may need the memory.
func TestAcknowledgedInPieces(t *testing.T) {
	for _, pieces := range [][]int{{1000}, {1, 999}, {12, 500, 488}} {
		total := 0
		for _, n := range pieces {
			total += n
		}
		virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
			l, err := n.Listen("pieces:1")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			ch := w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = "pieces:1" })
			r := readerOf(t, ch)
			conn, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			s := &raw{Conn: conn}
			s.until(t, message.Client, message.TypeHello)
			s.say(message.Welcome{Version: 1, Name: "pieces", DataMax: 1 << 16, KeepAliveMillis: 60_000}, 0)
			limit := s.until(t, message.Client, message.TypeOpen).(message.Open).Limit
			s.say(message.Opened{Incarnation: message.Incarnation{5}}, 1)
			s.say(message.Schema{Record: "trade", Canonical: serializer(t).Schema().Text}, 0)
			s.say(message.Writer{Name: "w"}, 1)
			if uint64(total) > limit.Data {
				t.Fatalf("a limit of %d", limit.Data)
			}
			_, _ = s.Write(message.AppendDataHeader(nil, 1, 0, 0, total))
			for _, k := range pieces {
				time.Sleep(time.Second)
				_, _ = s.Write(make([]byte, k))
			}
			over := time.AfterFunc(5*time.Second, func() { _ = conn.Close() })
			for acked := uint64(0); acked < uint64(total); {
				h, m, err := s.next(message.Client)
				if err != nil {
					t.Fatalf("%d bytes of %d are acknowledged", acked, total)
				}
				if h.Type == message.TypeCredit {
					acked = m.(message.Credit).Acknowledged.Data
				}
			}
			over.Stop()
			_ = r.Close()
			_ = conn.Close()
			w.pubs[0].Withdraw()
			w.parts[0].Abandon(errFull)
			w.parts[0].Discard(0)
			_ = w.client.Close(ended)
		})
	}
}
