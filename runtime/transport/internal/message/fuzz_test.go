package message_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// FuzzHeader reads any bytes as a header. What is read has a length within its limit and is written as the same bytes.
func FuzzHeader(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.bytes, v.from == message.Server, vectorLimits.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte, server bool, dataMax uint32) {
		from := message.Client
		if server {
			from = message.Server
		}
		h, err := message.ParseHeader(b, from, message.Limits{Data: dataMax})
		if err != nil {
			checkError(t, err)
			if h != (message.Header{}) {
				t.Errorf("%v beside %v", h, err)
			}
			return
		}
		if got := h.Append(nil); !bytes.Equal(got, b[:message.HeaderBytes]) {
			t.Errorf("%v: written as %x, was %x", h, got, b[:message.HeaderBytes])
		}
		if h.Type != message.TypeData && h.Length > 2<<20 || h.Type == message.TypeData && uint64(h.Length) > 12+uint64(dataMax) {
			t.Errorf("%v", h)
		}
	})
}

// FuzzBody reads any bytes as the body of every type. What is read is written as the same bytes, but for a text that is longer than this side sends.
func FuzzBody(f *testing.F) {
	for _, v := range vectors(f) {
		if len(v.bytes) > message.HeaderBytes {
			f.Add(v.bytes[5]&3, v.bytes[message.HeaderBytes:])
		}
	}
	f.Fuzz(func(t *testing.T, flags uint8, body []byte) {
		for typ := message.TypeHello; typ.Known(); typ++ {
			h := message.Header{Length: uint32(len(body)), Type: typ}
			if typ == message.TypeOpen {
				h.Flags = flags & (message.FlagResume | message.FlagReattach)
			}
			text := message.Describe(h, body)
			if text == "" || strings.ContainsAny(text, "\n\r\x00") {
				t.Errorf("%v: described as %q", h, text)
			}
			m, err := message.Parse(h, body)
			if err != nil {
				checkError(t, err)
				if m != nil {
					t.Errorf("%v: %+v beside %v", h, m, err)
				}
				continue
			}
			if len(faultOf(m).Text) > message.MaxFaultText {
				continue
			}
			if got, want := m.Append(nil, 0), append(h.Append(nil), body...); !bytes.Equal(got, want) {
				t.Errorf("%v: written as\n%x, was\n%x", h, got, want)
			}
			if c, ok := m.(interface{ Check() error }); ok {
				_, tooLong := message.ParseHeader(h.Append(nil), sender(h.Append(nil)), vectorLimits)
				if err := c.Check(); (err != nil) != (tooLong != nil) {
					t.Errorf("%v: %v and %v", h, err, tooLong)
				}
			}
		}
	})
}

// checkError fails unless err is what every error of this package is.
func checkError(t *testing.T, err error) {
	t.Helper()
	var e *message.Error
	if !errors.As(err, &e) || !errors.Is(err, message.ErrMalformed) || e.Offset < 0 || e.Field == "" || e.Reason == "" {
		t.Errorf("%#v", err)
	}
}
