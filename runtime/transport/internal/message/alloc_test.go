package message_test

import (
	"bytes"
	"testing"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// TestAllocations pins that writing and reading what is sent often allocates nothing.
func TestAllocations(t *testing.T) {
	buf := make([]byte, 0, 4096)
	record := make([]byte, 100)
	for _, tc := range []struct {
		name string
		run  func() error
	}{
		{"DATA", func() error {
			b := append(message.AppendDataHeader(buf, 7, 1000, 3, len(record)), record...)
			h, err := message.ParseHeader(b, message.Server, vectorLimits)
			if err != nil {
				return err
			}
			message.ParseDataPrefix([message.DataPrefixBytes]byte(b[message.HeaderBytes:]))
			_, err = message.ParseData(b[message.HeaderBytes:][:h.Length])
			return err
		}},
		{"DATA, copied", func() error {
			_, err := message.ParseData(message.Data{At: 1000, Bytes: record}.Append(buf, 7)[message.HeaderBytes:])
			return err
		}},
		{"EVENT", func() error {
			_, err := message.ParseEvent(message.Event{Kind: message.UserEvent, Record: record}.Append(buf, 7)[message.HeaderBytes:])
			return err
		}},
		{"CREDIT", func() error {
			b := message.Credit{Limit: credit.Position{Data: 1000}}.Append(buf, 7)
			if _, err := message.ParseHeader(b, message.Client, vectorLimits); err != nil {
				return err
			}
			_, err := message.ParseCredit(b[message.HeaderBytes:])
			return err
		}},
		{"MARK", func() error {
			_, err := message.ParseMark(message.Mark{WatermarkMicros: 1000, Idle: true}.Append(buf, 7)[message.HeaderBytes:])
			return err
		}},
		{"PING", func() error {
			_, err := message.ParsePing(message.Ping{Number: 1}.Append(buf, 0)[message.HeaderBytes:])
			return err
		}},
		{"PONG", func() error {
			_, err := message.ParsePong(message.Pong{Number: 1}.Append(buf, 0)[message.HeaderBytes:])
			return err
		}},
	} {
		if n := testing.AllocsPerRun(100, func() {
			if err := tc.run(); err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", tc.name, n)
		}
	}
}

// TestHeadersApart pins that the parts that are sent without copying make the same messages.
func TestHeadersApart(t *testing.T) {
	d := message.Data{At: 1000, BacklogKiB: 3, Bytes: []byte("records")}
	header := message.AppendDataHeader(nil, 7, d.At, d.BacklogKiB, len(d.Bytes))
	if len(header) != message.DataHeaderBytes || !bytes.Equal(append(header, d.Bytes...), d.Append(nil, 7)) {
		t.Errorf("%d bytes before the records: %x", len(header), header)
	}
	at, backlog := message.ParseDataPrefix([message.DataPrefixBytes]byte(header[message.HeaderBytes:]))
	if at != d.At || backlog != d.BacklogKiB {
		t.Errorf("at %d, backlog %d", at, backlog)
	}
	for kind := message.EndOfData; kind <= message.LatencyMarker; kind++ {
		e := message.Event{Kind: kind, Schema: 1, Record: []byte("record"), SentMicros: 5, Drained: true}
		header, whole := e.AppendHeader(nil, 7), e.Append(nil, 7)
		if len(header) > message.EventHeaderBytes {
			t.Errorf("%v: %d bytes before the record", kind, len(header))
		}
		if kind == message.UserEvent {
			header = append(header, e.Record...)
		}
		if !bytes.Equal(header, whole) {
			t.Errorf("%v: %x, want %x", kind, header, whole)
		}
	}
}

func BenchmarkAppendDataHeader(b *testing.B) {
	buf := make([]byte, 0, message.DataHeaderBytes)
	b.ReportAllocs()
	for b.Loop() {
		message.AppendDataHeader(buf, 7, 1000, 3, 32768)
	}
}

func BenchmarkParseDataHeader(b *testing.B) {
	data := message.AppendDataHeader(nil, 7, 1000, 3, 32768)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := message.ParseHeader(data, message.Server, vectorLimits); err != nil {
			b.Fatal(err)
		}
		message.ParseDataPrefix([message.DataPrefixBytes]byte(data[message.HeaderBytes:]))
	}
}

func BenchmarkCredit(b *testing.B) {
	buf := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		m := message.Credit{Limit: credit.Position{Data: 1000}}.Append(buf, 7)
		if _, err := message.ParseHeader(m, message.Client, vectorLimits); err != nil {
			b.Fatal(err)
		}
		if _, err := message.ParseCredit(m[message.HeaderBytes:]); err != nil {
			b.Fatal(err)
		}
	}
}
