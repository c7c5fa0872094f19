package transport_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
	"github.com/rwgen/rwgen/runtime/writer"
)

// What has arrived together with the end of its connection is readable, though nothing more comes on the next one.
func TestArrivesWithTheEnd(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		l, err := n.Listen("between:1")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for first := true; ; first = false {
				client, err := l.Accept()
				if err != nil {
					return
				}
				server, err := n.Host("between").Dial(w.ctx, w.address)
				if err != nil {
					return
				}
				go func() {
					_, _ = io.Copy(server, client)
					_ = server.Close()
				}()
				if first {
					untilData(server, client)
				} else {
					_, _ = io.Copy(client, server)
				}
				_ = client.Close()
			}
		}()
		wr := w.writer(0, writer.FlushWhenIdle(time.Millisecond))
		if err := emit(w.ctx, wr, 0, 1); err != nil {
			t.Fatal(err)
		}
		r := readerOf(t, w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = "between:1" }))
		ctx, cancel := context.WithTimeout(w.ctx, 10*time.Second)
		defer cancel()
		var v trade
		if ok, err := r.Next(ctx, &v); !ok || err != nil {
			t.Errorf("%v, %v", ok, err)
		}
		if err := wr.Close(); err != nil {
			t.Error(err)
		}
		if got, err := readAll(w.ctx, r); got != 0 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		_ = l.Close()
		<-done
	})
}

// untilData passes on what a server says, up to the first DATA; and that in one piece with a REFUSED behind which the client dials again.
func untilData(server io.Reader, client io.Writer) {
	var b []byte
	for {
		head := make([]byte, message.HeaderBytes)
		if _, err := io.ReadFull(server, head); err != nil {
			return
		}
		h, err := message.ParseHeader(head, message.Server, message.Limits{Data: 1 << 20})
		if err != nil {
			return
		}
		body := make([]byte, h.Length)
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		b = append(append(b, head...), body...)
		switch h.Type {
		case message.TypeWelcome:
			_, _ = client.Write(b)
			b = nil
		case message.TypeData:
			_, _ = client.Write(message.Refused{Fault: message.Fault{Code: message.CodeTooMany}}.Append(b, 0))
			return
		}
	}
}
