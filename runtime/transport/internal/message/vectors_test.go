package message_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// vectorLimits are those that testdata/messages.txt is made for.
var vectorLimits = message.Limits{Data: 65536}

// vector is one line of testdata/messages.txt.
type vector struct {
	good  bool
	from  message.Role
	name  string
	bytes []byte
	last  string // fields, or the place of the mistake
}

// vectors reads testdata/messages.txt.
func vectors(t testing.TB) []vector {
	t.Helper()
	f, err := os.Open("testdata/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []vector
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		columns := strings.Split(s.Text(), "\t")
		if len(columns) != 5 {
			t.Fatalf("%d columns in %q", len(columns), s.Text())
		}
		v := vector{good: columns[0] == "good", from: message.Client, name: columns[2], last: columns[4]}
		if columns[1] == "server" {
			v.from = message.Server
		}
		if v.bytes, err = hex.DecodeString(columns[3]); err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		all = append(all, v)
	}
	if len(all) < 80 {
		t.Fatalf("%d vectors only", len(all))
	}
	return all
}

// read reads a whole message.
func read(b []byte, from message.Role) (message.Header, message.Message, error) {
	h, err := message.ParseHeader(b, from, vectorLimits)
	if err != nil {
		return h, nil, err
	}
	m, err := message.Parse(h, b[message.HeaderBytes:])
	return h, m, err
}

func TestVectors(t *testing.T) {
	types := map[message.Type]bool{}
	for _, v := range vectors(t) {
		h, m, err := read(v.bytes, v.from)
		if !v.good {
			var e *message.Error
			if !errors.As(err, &e) || !errors.Is(err, message.ErrMalformed) {
				t.Errorf("%s: read as %+v, %v", v.name, m, err)
			} else if at := fmt.Sprint(e.Offset, " ", e.Field); at != v.last {
				t.Errorf("%s: wrong at %q, want %q: %v", v.name, at, v.last, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
			continue
		}
		types[h.Type] = true
		if got := fieldsOf(m); got != v.last {
			t.Errorf("%s: read as\n%s, want\n%s", v.name, got, v.last)
		}
		if m.Type() != h.Type || int(h.Length) != len(v.bytes)-message.HeaderBytes {
			t.Errorf("%s: %v of the type %v", v.name, h, m.Type())
		}
		prefix := []byte("prefix")
		if got := m.Append(prefix, h.Channel); !bytes.Equal(got, append(prefix, v.bytes...)) {
			t.Errorf("%s: written as\n%x, want\n%x", v.name, got[len(prefix):], v.bytes)
		}
	}
	for typ := message.TypeHello; typ.Known(); typ++ {
		if !types[typ] {
			t.Errorf("no vector of %v", typ)
		}
	}
}

// TestVectorsAsWritten compares some vectors with messages that are written here, field by field, so that two fields of one kind cannot have changed places on both sides.
func TestVectorsAsWritten(t *testing.T) {
	id := message.Incarnation{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	late := message.Incarnation{0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff}
	want := map[string]message.Message{
		"hello with token": message.Hello{Lowest: 1, Highest: 3, Name: "zürich", Incarnation: late, Token: []byte{0, 255, 's', '3'}, DataMax: math.MaxUint32},
		"welcome":          message.Welcome{Version: 1, Name: "east-2", Incarnation: late, DataMax: 65536, KeepAliveMillis: 5000},
		"refused":          message.Refused{Fault: message.Fault{Code: message.CodeVersion, Text: "versions 1 to 1, not 4 to 5"}},
		"open resume": message.Open{Partition: "lines", Subpartition: 1, Producer: 2, Producers: 3, Consumers: 4, MaxParallelism: 128, EventRoom: 1 << 20, PatienceMillis: 10000,
			Received: credit.Position{Data: 70000, Events: 192}, Limit: credit.Position{Data: 102768, Events: 1048768}, Resume: true, Incarnation: id},
		"open with selection and reader": message.Open{Partition: "lines", Subpartition: 1, Producer: 2, Producers: 3, Consumers: 4, MaxParallelism: 128, Selection: "key Customer", Reader: "worker-b", EventRoom: 65536,
			PatienceMillis: 10000, Limit: credit.Position{Data: 65536, Events: 1048576}},
		"opened":         message.Opened{Incarnation: id, From: credit.Position{Data: 70000, Events: 192}},
		"denied":         message.Denied{Fault: message.Fault{Code: message.CodeInUse, Text: "held by east-2"}},
		"schema":         message.Schema{Number: 1, Record: "orders.Line", Canonical: "rwgen/1 {V i32}"},
		"writer":         message.Writer{Schema: 1, Name: "Lines", Selection: "key Customer"},
		"data":           message.Data{At: math.MaxUint64, BacklogKiB: 33, Bytes: []byte{3, 1, 255, 128}},
		"user event":     message.Event{Before: credit.Position{Data: 1000, Events: 192}, Kind: message.UserEvent, Schema: 5, Record: []byte{42, 0}},
		"latency marker": message.Event{Before: credit.Position{Data: 1, Events: 2}, Kind: message.LatencyMarker, SentMicros: 1767225600000000},
		"mark":           message.Mark{WatermarkMicros: 1767225600000000},
		"end with cause": message.End{Before: credit.Position{Data: 5000, Events: 384}, Fault: message.Fault{Code: message.CodeFailed, Text: "disk full"}},
		"credit":         message.Credit{Acknowledged: credit.Position{Data: 1000, Events: 192}, Limit: credit.Position{Data: 33768, Events: 1048768}},
		"ping":           message.Ping{Number: 0x0102030405060708},
	}
	for _, v := range vectors(t) {
		w, ok := want[v.name]
		if !ok {
			continue
		}
		delete(want, v.name)
		_, m, err := read(v.bytes, v.from)
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
		} else if !reflect.DeepEqual(m, w) {
			t.Errorf("%s: read as %+v, want %+v", v.name, m, w)
		}
	}
	for name := range want {
		t.Errorf("no vector %s", name)
	}
}

// fieldsOf returns the fields of a message as testdata/messages.txt has them.
func fieldsOf(m message.Message) string {
	at := func(p credit.Position) string { return fmt.Sprintf("(%d,%d)", p.Data, p.Events) }
	fault := func(f message.Fault) string { return fmt.Sprintf("code=%d text=%q", uint16(f.Code), f.Text) }
	switch m := m.(type) {
	case message.Hello:
		return fmt.Sprintf("versions=%d..%d name=%q incarnation=%v token=%x data=%d keepalive=%d", m.Lowest, m.Highest, m.Name, m.Incarnation, m.Token, m.DataMax, m.KeepAliveMillis)
	case message.Welcome:
		return fmt.Sprintf("version=%d name=%q incarnation=%v data=%d keepalive=%d", m.Version, m.Name, m.Incarnation, m.DataMax, m.KeepAliveMillis)
	case message.Refused:
		return fault(m.Fault)
	case message.Open:
		resume := ""
		if m.Resume {
			resume = m.Incarnation.String()
		}
		return fmt.Sprintf("partition=%q subpartition=%d producer=%d producers=%d consumers=%d parallelism=%d selection=%q reader=%q room=%d patience=%d received=%s limit=%s resume=%s reattach=%v",
			m.Partition, m.Subpartition, m.Producer, m.Producers, m.Consumers, m.MaxParallelism, m.Selection, m.Reader, m.EventRoom, m.PatienceMillis, at(m.Received), at(m.Limit), resume, m.Reattach)
	case message.Opened:
		return fmt.Sprintf("incarnation=%v from=%s", m.Incarnation, at(m.From))
	case message.Denied:
		return fault(m.Fault)
	case message.Schema:
		return fmt.Sprintf("number=%d record=%q canonical=%q extras=%q", m.Number, m.Record, m.Canonical, m.Extras)
	case message.Writer:
		return fmt.Sprintf("schema=%d name=%q selection=%q", m.Schema, m.Name, m.Selection)
	case message.Data:
		return fmt.Sprintf("at=%d backlog=%d bytes=%x", m.At, m.BacklogKiB, m.Bytes)
	case message.Event:
		s := fmt.Sprintf("before=%s kind=%d", at(m.Before), m.Kind)
		switch m.Kind {
		case message.EndOfData:
			s += fmt.Sprintf(" drained=%v", m.Drained)
		case message.UserEvent:
			s += fmt.Sprintf(" schema=%d record=%x", m.Schema, m.Record)
		case message.LatencyMarker:
			s += fmt.Sprintf(" sent=%d", m.SentMicros)
		}
		return s
	case message.Mark:
		return fmt.Sprintf("watermark=%d idle=%v", m.WatermarkMicros, m.Idle)
	case message.End:
		return fmt.Sprintf("before=%s %s", at(m.Before), fault(m.Fault))
	case message.Credit:
		return fmt.Sprintf("acknowledged=%s limit=%s", at(m.Acknowledged), at(m.Limit))
	case message.Cancel:
		return fault(m.Fault)
	case message.Ping:
		return fmt.Sprintf("number=%d", m.Number)
	case message.Pong:
		return fmt.Sprintf("number=%d", m.Number)
	}
	return ""
}
