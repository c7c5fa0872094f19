package message_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// random draws a message that may be sent, as reading it returns it.
func random(t *rapid.T) message.Message {
	u32 := func(label string) uint32 {
		return rapid.OneOf(rapid.Uint32(), rapid.SampledFrom([]uint32{0, 1, math.MaxUint32})).Draw(t, label)
	}
	u64 := func(label string) uint64 {
		return rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, math.MaxUint64})).Draw(t, label)
	}
	flag := func(label string) bool { return rapid.Bool().Draw(t, label) }
	text := func(label string) string { return strings.ToValidUTF8(rapid.StringN(0, 40, 160).Draw(t, label), "") }
	name := func(label string) string {
		return strings.ToValidUTF8(rapid.StringN(1, 60, message.MaxName-1).Draw(t, label), "") + "x"
	}
	some := func(label string, least, most int) []byte {
		return rapid.SliceOfN(rapid.Byte(), least, most).Draw(t, label)
	}
	id := func(label string) message.Incarnation { return message.Incarnation(some(label, 16, 16)) }
	position := func(label string) credit.Position {
		return credit.Position{Data: u64(label + " data"), Events: u64(label + " events")}
	}
	fault := func() message.Fault {
		return message.Fault{Code: message.Code(rapid.Uint16().Draw(t, "code")), Text: text("text")}
	}
	switch typ := message.Type(rapid.IntRange(int(message.TypeHello), int(message.TypeGoodbye)).Draw(t, "type")); typ {
	case message.TypeHello:
		return message.Hello{Lowest: rapid.Uint16().Draw(t, "lowest"), Highest: rapid.Uint16().Draw(t, "highest"), Name: name("name"), Incarnation: id("incarnation"),
			Token: some("token", 0, 40), DataMax: u32("data max"), KeepAliveMillis: u32("keep-alive")}
	case message.TypeWelcome:
		return message.Welcome{Version: rapid.Uint16().Draw(t, "version"), Name: name("name"), Incarnation: id("incarnation"), DataMax: u32("data max"), KeepAliveMillis: u32("keep-alive")}
	case message.TypeRefused:
		return message.Refused{Fault: fault()}
	case message.TypeOpen:
		m := message.Open{Partition: name("partition"), Subpartition: u32("subpartition"), Producer: u32("producer"), Producers: u32("producers"), Consumers: u32("consumers"), MaxParallelism: u32("max parallelism"),
			Selection: text("selection"), Reader: text("reader"), EventRoom: u32("event room"), PatienceMillis: u32("patience"), Received: position("received"), Limit: position("limit"), Resume: flag("resume"), Reattach: flag("reattach")}
		if m.Resume {
			m.Incarnation = id("incarnation")
		}
		return m
	case message.TypeOpened:
		return message.Opened{Incarnation: id("incarnation"), From: position("from")}
	case message.TypeDenied:
		return message.Denied{Fault: fault()}
	case message.TypeSchema:
		return message.Schema{Number: u32("number"), Record: text("record"), Canonical: text("canonical"), Extras: text("extras")}
	case message.TypeWriter:
		return message.Writer{Schema: u32("schema"), Name: text("name"), Selection: text("selection")}
	case message.TypeData:
		return message.Data{At: u64("at"), BacklogKiB: u32("backlog"), Bytes: some("bytes", 1, 100)}
	case message.TypeEvent:
		m := message.Event{Before: position("before"), Kind: message.EventKind(rapid.IntRange(1, 3).Draw(t, "kind"))}
		switch m.Kind {
		case message.EndOfData:
			m.Drained = flag("drained")
		case message.UserEvent:
			m.Schema, m.Record = u32("schema"), some("record", 0, 40)
		case message.LatencyMarker:
			m.SentMicros = int64(u64("sent"))
		}
		return m
	case message.TypeMark:
		return message.Mark{WatermarkMicros: int64(u64("watermark")), Idle: flag("idle")}
	case message.TypeEnd:
		return message.End{Before: position("before"), Fault: fault()}
	case message.TypeCredit:
		return message.Credit{Acknowledged: position("acknowledged"), Limit: position("limit")}
	case message.TypeCancel:
		return message.Cancel{Fault: fault()}
	case message.TypeClosed:
		return message.Closed{}
	case message.TypePing:
		return message.Ping{Number: u64("number")}
	case message.TypePong:
		return message.Pong{Number: u64("number")}
	default:
		return message.Goodbye{}
	}
}

// sender returns a role that sends messages of the type.
func sender(b []byte) message.Role {
	if _, err := message.ParseHeader(b, message.Client, vectorLimits); err == nil {
		return message.Client
	}
	return message.Server
}

// TestRoundTrip writes random messages behind other bytes, and reads the same back.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := random(t)
		channel := rapid.Uint32().Draw(t, "channel")
		if c, ok := m.(interface{ Check() error }); ok {
			if err := c.Check(); err != nil {
				t.Fatalf("%+v: %v", m, err)
			}
		}
		b := m.Append([]byte("before"), channel)[len("before"):]
		h, got, err := read(b, sender(b))
		if err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		if !m.Type().Own() {
			channel = 0
		}
		if h.Channel != channel || h.Type != m.Type() {
			t.Fatalf("%+v: header %v, want channel %d", m, h, channel)
		}
		if !reflect.DeepEqual(got, m) {
			t.Fatalf("read %+v, want %+v", got, m)
		}
	})
}

// TestOtherLengths cuts and extends the bodies of random messages, with and without saying so in the header.
func TestOtherLengths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := random(t)
		b := m.Append(nil, 7)
		from := sender(b)
		h, _, err := read(b, from)
		if err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		body := append(b[message.HeaderBytes:], 0)
		for n := range len(body) + 1 {
			if n == len(body)-1 {
				continue
			}
			if got, err := message.Parse(h, body[:n]); err == nil {
				t.Fatalf("%d bytes of %v read as %+v", n, h, got)
			}
			other := h
			other.Length = uint32(n)
			_, headerErr := message.ParseHeader(other.Append(nil), from, vectorLimits)
			got, err := message.Parse(other, body[:n])
			if open := openEnded(m, n); (err == nil) != open || open && headerErr != nil {
				t.Fatalf("%d bytes of %v, which are those of another message: %v; read as %+v: %v, %v", n, h, open, got, headerErr, err)
			}
			if headerErr != nil && err == nil {
				t.Fatalf("%v: the header fails and the body does not: %v", other, headerErr)
			}
		}
	})
}

// openEnded says whether n bytes of the body of m, or of it and a byte more, are the body of another message: it ends with bytes of records.
func openEnded(m message.Message, n int) bool {
	switch m := m.(type) {
	case message.Data:
		return n > message.DataPrefixBytes
	case message.Event:
		return m.Kind == message.UserEvent && n >= 16+1+4
	}
	return false
}
