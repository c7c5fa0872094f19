package message_test

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// TestFaultText sends texts of all kinds and looks at what arrives.
func TestFaultText(t *testing.T) {
	a := strings.Repeat("a", message.MaxFaultText)
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"the longest", a, a},
		{"one byte more", a + "b", a},
		{"a character across the limit", a[1:] + "é", a[1:]},
		{"a character up to the limit", a[2:] + "éb", a[2:] + "é"},
		{"nothing behind a character that has no room", a[1:] + "éb", a[1:]},
		{"four bytes across the limit", a[3:] + "😀", a[3:]},
		{"no UTF-8", "disk \xff\xfefull", "disk \ufffd\ufffdfull"},
		{"half a character at the end", "caf\xc3", "caf\ufffd"},
		{"no UTF-8 across the limit", a[2:] + "\xff", a[2:]},
		{"no UTF-8 only", strings.Repeat("\xff", 1<<20), strings.Repeat("\ufffd", message.MaxFaultText/3)},
		{"zero", "a\x00b", "a\x00b"},
	} {
		want := message.Fault{Code: message.CodeFailed, Text: tc.want}
		sent := message.Fault{Code: message.CodeFailed, Text: tc.text}
		for _, m := range []message.Message{message.Refused{Fault: sent}, message.Denied{Fault: sent}, message.End{Fault: sent}, message.Cancel{Fault: sent}} {
			b := m.Append(nil, 7)
			_, got, err := read(b, sender(b))
			if err != nil {
				t.Errorf("%s: %v: %v", tc.name, m.Type(), err)
				continue
			}
			if f := faultOf(got); f != want {
				t.Errorf("%s: %v: %d bytes %.40q arrived, want %d bytes %.40q", tc.name, m.Type(), len(f.Text), f.Text, len(want.Text), want.Text)
			}
		}
	}
}

// TestLongFaultOfPeer takes a text that this side would not send: it fills its message.
func TestLongFaultOfPeer(t *testing.T) {
	text := strings.Repeat("a", 8192-4)
	body := append([]byte{0, 13, byte(len(text) >> 8), byte(len(text) & 255)}, text...)
	h := message.Header{Length: uint32(len(body)), Type: message.TypeRefused}
	_, got, err := read(append(h.Append(nil), body...), message.Server)
	if err != nil || faultOf(got) != (message.Fault{Code: message.CodeFailed, Text: text}) {
		t.Errorf("%v, %.40v", err, got)
	}
}

func TestFaultString(t *testing.T) {
	for _, tc := range []struct {
		fault message.Fault
		want  string
	}{
		{message.Fault{}, "no error"},
		{message.Fault{Code: message.CodeInUse, Text: "held by east-2"}, "in use (8): held by east-2"},
		{message.Fault{Code: message.CodeClosed}, "shutting down (17)"},
		{message.Fault{Code: 18, Text: "new"}, "code 18: new"},
	} {
		if got := tc.fault.String(); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
	seen := map[string]bool{}
	for c := message.CodeNone; c <= message.CodeClosed; c++ {
		if s := c.String(); s == "" || seen[s] || strings.HasPrefix(s, "code ") {
			t.Errorf("code %d is called %q", c, s)
		} else {
			seen[s] = true
		}
	}
}

// faultOf returns the error that a message carries.
func faultOf(m message.Message) message.Fault {
	switch m := m.(type) {
	case message.Refused:
		return m.Fault
	case message.Denied:
		return m.Fault
	case message.End:
		return m.Fault
	case message.Cancel:
		return m.Fault
	}
	return message.Fault{}
}

// TestCheck compares what Check says with what the peer does. A message that does not pass is still well formed on the outside, so that the peer refuses it and nothing else.
func TestCheck(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é", n/2) + strings.Repeat("a", n%2) }
	const rest = 4096 - (2 + 1 + 20 + 2 + 2 + 4 + 4 + 32) // for the selection of an OPEN with a partition of one byte
	for _, tc := range []struct {
		name  string
		m     message.Message
		field string // that is wrong; empty: none
	}{
		{"hello", message.Hello{Name: "a"}, ""},
		{"hello, long name", message.Hello{Name: long(255)}, ""},
		{"hello, no name", message.Hello{}, "name"},
		{"hello, name too long", message.Hello{Name: long(256)}, "name"},
		{"hello, name much too long", message.Hello{Name: long(70000)}, "name"},
		{"hello, name no UTF-8", message.Hello{Name: "a\xff"}, "name"},
		{"hello, long token", message.Hello{Name: "a", Token: make([]byte, 4096-37)}, ""},
		{"hello, token too long", message.Hello{Name: "a", Token: make([]byte, 4096-36)}, "length"},
		{"hello, token much too long", message.Hello{Name: "a", Token: make([]byte, 70000)}, "token"},
		{"welcome", message.Welcome{Name: "a"}, ""},
		{"welcome, no name", message.Welcome{}, "name"},
		{"open", message.Open{Partition: "p"}, ""},
		{"open, no partition", message.Open{}, "partition"},
		{"open, long selection", message.Open{Partition: "p", Selection: long(rest)}, ""},
		{"open, selection too long", message.Open{Partition: "p", Selection: long(rest + 1)}, "length"},
		{"open, long selection, resume", message.Open{Partition: "p", Selection: long(rest - 16), Resume: true}, ""},
		{"open, selection too long, resume", message.Open{Partition: "p", Selection: long(rest - 15), Resume: true}, "length"},
		{"open, long reader", message.Open{Partition: "p", Reader: long(rest)}, ""},
		{"open, reader too long", message.Open{Partition: "p", Reader: long(rest + 1)}, "length"},
		{"open, reader no UTF-8", message.Open{Partition: "p", Reader: "\xc3"}, "reader"},
		{"open, selection no UTF-8", message.Open{Partition: "p", Selection: "\xc3"}, "selection"},
		{"schema", message.Schema{}, ""},
		{"schema, long record", message.Schema{Record: long(65535)}, ""},
		{"schema, record too long", message.Schema{Record: long(65536)}, "record"},
		{"schema, long text", message.Schema{Canonical: long(2<<20 - 14)}, ""},
		{"schema, text too long", message.Schema{Canonical: long(2<<20 - 14), Extras: "a"}, "length"},
		{"schema, text no UTF-8", message.Schema{Canonical: "\x80"}, "canonical text"},
		{"schema, extras no UTF-8", message.Schema{Extras: "\x80"}, "aliases and defaults"},
		{"writer", message.Writer{}, ""},
		{"writer, long name", message.Writer{Name: long(4096 - 8)}, ""},
		{"writer, name too long", message.Writer{Name: long(4096 - 7)}, "length"},
		{"writer, name no UTF-8", message.Writer{Name: "\xff"}, "name"},
		{"user event", message.Event{Kind: message.UserEvent, Record: make([]byte, 1<<20-4)}, ""},
		{"user event too large", message.Event{Kind: message.UserEvent, Record: make([]byte, 1<<20-3)}, "length"},
		{"end of data", message.Event{Kind: message.EndOfData}, ""},
		{"latency marker", message.Event{Kind: message.LatencyMarker}, ""},
		{"event of no kind", message.Event{}, "kind"},
		{"event of another kind", message.Event{Kind: 4}, "kind"},
	} {
		var e *message.Error
		err := tc.m.(interface{ Check() error }).Check()
		if errors.As(err, &e); (tc.field == "") != (err == nil) || e != nil && (e.Field != tc.field || e.Type != tc.m.Type()) {
			t.Errorf("%s: %v, want the field %q", tc.name, err, tc.field)
		}
		b := tc.m.Append(nil, 7)
		h, _, err := read(b, sender(b))
		if (err == nil) != (tc.field == "") && tc.name != "schema, record too long" { // which the peer takes as cut
			t.Errorf("%s: the peer says %v", tc.name, err)
		}
		if err == nil && int(h.Length) != len(b)-message.HeaderBytes {
			t.Errorf("%s: %v of %d bytes", tc.name, h, len(b))
		}
	}
}

// TestCutText looks at what is sent of a text that its length cannot say.
func TestCutText(t *testing.T) {
	b := message.Schema{Record: "a" + strings.Repeat("😀", 1<<15)}.Append(nil, 0)
	_, m, err := read(b, message.Server)
	if err != nil {
		t.Fatal(err)
	}
	if r := m.(message.Schema).Record; !utf8.ValidString(r) || len(r) != 1+4*(65534/4) {
		t.Errorf("%d bytes arrived, valid: %v", len(r), utf8.ValidString(r))
	}
}

// TestLengthBombs reads bodies whose texts claim lengths that are not there: nothing may be allocated for them.
func TestLengthBombs(t *testing.T) {
	for _, tc := range []struct {
		name string
		typ  message.Type
		body []byte
	}{
		{"canonical text of 4 GiB", message.TypeSchema, []byte{0, 0, 0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}},
		{"canonical text of 2 GiB", message.TypeSchema, []byte{0, 0, 0, 1, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0}},
		{"extras of 1 MiB", message.TypeSchema, []byte{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0}},
		{"record of 64 KiB", message.TypeSchema, []byte{0, 0, 0, 1, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0}},
		{"text of 64 KiB", message.TypeRefused, []byte{0, 1, 0xff, 0xff}},
		{"name of 64 KiB", message.TypeWelcome, append([]byte{0, 1, 0xff, 0xff}, make([]byte, 30)...)},
	} {
		var before, after runtime.MemStats
		h := message.Header{Length: uint32(len(tc.body)), Type: tc.typ}
		const runs = 100
		runtime.ReadMemStats(&before)
		for range runs {
			if m, err := message.Parse(h, tc.body); !errors.Is(err, message.ErrMalformed) {
				t.Errorf("%s: read as %+v, %v", tc.name, m, err)
			}
		}
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) / runs; got > 4096 {
			t.Errorf("%s: %d bytes allocated", tc.name, got)
		}
	}
}

// TestAliases pins what belongs to whom: slices alias the body, and have no room behind them; strings do not.
func TestAliases(t *testing.T) {
	event := message.Event{Kind: message.UserEvent, Record: []byte("record")}.Append(nil, 7)
	data := message.Data{Bytes: []byte("record")}.Append(nil, 7)
	hello := message.Hello{Name: "name", Token: []byte("token")}.Append(nil, 0)
	e, err1 := message.ParseEvent(event[message.HeaderBytes:])
	d, err2 := message.ParseData(data[message.HeaderBytes:])
	h, err3 := message.ParseHello(hello[message.HeaderBytes:])
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{event, data, hello} {
		clear(b)
	}
	for _, s := range [][]byte{e.Record, d.Bytes, h.Token} {
		if !reflect.DeepEqual(s, make([]byte, len(s))) || cap(s) != len(s) {
			t.Errorf("%q with room for %d bytes more", s, cap(s)-len(s))
		}
	}
	if h.Name != "name" {
		t.Errorf("the name is %q", h.Name)
	}
}
