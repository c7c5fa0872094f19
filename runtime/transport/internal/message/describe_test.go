package message_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

func TestDescribe(t *testing.T) {
	for _, tc := range []struct {
		m    message.Message
		want string
	}{
		{message.Hello{Lowest: 1, Highest: 2, Name: "a\n", Token: []byte("secret"), DataMax: 32768, KeepAliveMillis: 5000},
			`HELLO, 44 bytes: versions 1 to 2, name "a\n", incarnation 00000000000000000000000000000000, token of 6 bytes, at most 32768 bytes of records, keep-alive 5s`},
		{message.Denied{Fault: message.Fault{Code: message.CodeInUse, Text: "held by east-2"}}, `DENIED of channel 7, 18 bytes: "in use (8): held by east-2"`},
		{message.Writer{Schema: 1, Name: strings.Repeat("é", 150)}, `WRITER of channel 7, 308 bytes: schema 1, name "` + strings.Repeat("é", 100) + `"… of 300 bytes, selection ""`},
		{message.Data{At: 1000, BacklogKiB: 3, Bytes: make([]byte, 100)}, "DATA of channel 7, 112 bytes: 100 bytes of records at 1000, backlog 3 KiB"},
		{message.Event{Kind: message.EndOfData, Drained: true}, "EVENT of channel 7, 18 bytes: end of data before (0, 0), drained"},
		{message.Event{Kind: message.UserEvent, Schema: 5, Record: []byte("abc")}, "EVENT of channel 7, 24 bytes: user event before (0, 0), 3 bytes of schema 5"},
		{message.Event{Kind: message.LatencyMarker, SentMicros: -1}, "EVENT of channel 7, 25 bytes: latency marker before (0, 0), sent -1 µs"},
		{message.Mark{WatermarkMicros: 12, Idle: true}, "MARK of channel 7, 9 bytes: watermark 12 µs, idle"},
		{message.End{Before: credit.Position{Data: 1000, Events: 192}}, `END of channel 7, 20 bytes: before (1000, 192), "no error"`},
		{message.Credit{Acknowledged: credit.Position{Data: 1000, Events: 192}, Limit: credit.Position{Data: 33768, Events: 1048768}},
			"CREDIT of channel 7, 32 bytes: acknowledged (1000, 192), limit (33768, 1048768)"},
		{message.Closed{}, "CLOSED of channel 7, 0 bytes"},
		{message.Ping{Number: 5}, "PING, 8 bytes: 5"},
		{message.Open{Partition: "lines", Subpartition: 1, Producers: 2, Consumers: 3, MaxParallelism: 128, PatienceMillis: 1500, Resume: true, Reattach: true},
			`OPEN of channel 7, flags 0x03, 87 bytes: partition "lines", subpartition 1 of 3, producer 0 of 2, max parallelism 128, selection "", reader "", room for 0 of events, patience 1.5s, received (0, 0), limit (0, 0), ` +
				`resume incarnation 00000000000000000000000000000000, reattach`},
	} {
		b := tc.m.Append(nil, 7)
		h, _, err := read(b, sender(b))
		if err != nil {
			t.Fatalf("%s: %v", tc.want, err)
		}
		if got := message.Describe(h, b[message.HeaderBytes:]); got != tc.want {
			t.Errorf("%s, want\n%s", got, tc.want)
		}
	}
	h := message.Header{Length: 8, Type: message.TypeMark, Channel: 7}
	if got, want := message.Describe(h, make([]byte, 8)), "MARK of channel 7, 8 bytes: message: malformed MARK, offset 20: body has 8 bytes, must have 9"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestDump dumps a conversation, whole and cut at every byte.
func TestDump(t *testing.T) {
	var b []byte
	b = message.Opened{}.Append(b, 7)
	b = message.Data{Bytes: []byte("abc")}.Append(b, 7)
	b = append(b, message.Header{Length: 18, Type: message.TypeEvent, Channel: 7}.Append(nil)...)
	b = append(b, make([]byte, 18)...)
	b = message.Closed{}.Append(b, 7)
	ends := map[int]int{0: 0, 44: 1, 71: 2, 101: 3, 113: 4} // lines by length
	const want = `0 OPENED of channel 7, 32 bytes: incarnation 00000000000000000000000000000000, from (0, 0)
44 DATA of channel 7, 15 bytes: 3 bytes of records at 0, backlog 0 KiB
71 EVENT of channel 7, 18 bytes: message: malformed EVENT, offset 28: kind is 0, there is none of that number
101 CLOSED of channel 7, 0 bytes
`
	for n := range len(b) + 1 {
		var out strings.Builder
		err := message.Dump(&out, iotest.OneByteReader(bytes.NewReader(b[:n])), message.Server, vectorLimits)
		lines, whole := ends[n]
		if whole && err != nil || !whole && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes: %v", n, err)
		}
		if !strings.HasPrefix(want, out.String()) || whole && strings.Count(out.String(), "\n") != lines {
			t.Errorf("%d bytes: %s", n, out.String())
		}
	}
	var out strings.Builder
	if err := message.Dump(&out, bytes.NewReader(append(b, make([]byte, 12)...)), message.Server, vectorLimits); !errors.Is(err, message.ErrMalformed) || out.String() != want {
		t.Errorf("%v behind\n%s", err, out.String())
	}
	broken := errors.New("broken")
	for n := range 20 {
		r := io.MultiReader(bytes.NewReader(b[:n]), iotest.ErrReader(broken))
		if err := message.Dump(io.Discard, r, message.Server, vectorLimits); !errors.Is(err, broken) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
