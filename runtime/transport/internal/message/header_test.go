package message_test

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// row is what PROTOCOL.md §2 says of a type; written again here on purpose.
type row struct {
	typ            message.Type
	name           string
	client, server bool
	own            bool
	flags          uint8
	most           uint64
}

func table(dataMax uint32) []row {
	return []row{
		{message.TypeHello, "HELLO", true, false, false, 0, 4096},
		{message.TypeWelcome, "WELCOME", false, true, false, 0, 4096},
		{message.TypeRefused, "REFUSED", true, true, false, 0, 8192},
		{message.TypeOpen, "OPEN", true, false, true, 3, 4096},
		{message.TypeOpened, "OPENED", false, true, true, 0, 64},
		{message.TypeDenied, "DENIED", false, true, true, 0, 8192},
		{message.TypeSchema, "SCHEMA", false, true, false, 0, 2097152},
		{message.TypeWriter, "WRITER", false, true, true, 0, 4096},
		{message.TypeData, "DATA", false, true, true, 0, 12 + uint64(dataMax)},
		{message.TypeEvent, "EVENT", false, true, true, 0, 17 + 1048576},
		{message.TypeMark, "MARK", false, true, true, 0, 9},
		{message.TypeEnd, "END", false, true, true, 0, 8192},
		{message.TypeCredit, "CREDIT", true, false, true, 0, 32},
		{message.TypeCancel, "CANCEL", true, false, true, 0, 8192},
		{message.TypeClosed, "CLOSED", false, true, true, 0, 0},
		{message.TypePing, "PING", true, true, false, 0, 8},
		{message.TypePong, "PONG", true, true, false, 0, 8},
		{message.TypeGoodbye, "GOODBYE", true, true, false, 0, 0},
	}
}

// TestHeaderTable walks the table of the protocol: sender, flags, channel, zero bytes, and both sides of each limit.
func TestHeaderTable(t *testing.T) {
	for _, dataMax := range []uint32{1, 32768, math.MaxUint32 - 12, math.MaxUint32} {
		limits := message.Limits{Data: dataMax}
		for i, r := range table(dataMax) {
			if int(r.typ) != i+1 || r.typ.String() != r.name || !r.typ.Known() || r.typ.Own() != r.own {
				t.Errorf("type %d is %v, row %+v", i+1, r.typ, r)
			}
			from, other := message.Client, message.Server
			if !r.client {
				from, other = other, from
			}
			h := message.Header{Length: uint32(min(r.most, math.MaxUint32)), Type: r.typ}
			if got, err := message.ParseHeader(h.Append(nil), from, limits); err != nil || got != h {
				t.Errorf("%v: read as %v, %v", h, got, err)
			}
			if _, err := message.ParseHeader(h.Append(nil), other, limits); (err == nil) != (r.client && r.server) {
				t.Errorf("%v of a %v: %v", h, other, err)
			}
			refused := func(what string, b []byte, field string) {
				t.Helper()
				var e *message.Error
				if got, err := message.ParseHeader(b, from, limits); !errors.As(err, &e) || e.Field != field || e.Type != r.typ || got != (message.Header{}) {
					t.Errorf("%v with %s: read as %v, %v", h, what, got, err)
				}
			}
			for bit := range 8 {
				wrong := h
				wrong.Flags = 1 << bit
				if wrong.Flags&r.flags == 0 {
					refused("a flag", wrong.Append(nil), "flags")
				} else if got, err := message.ParseHeader(wrong.Append(nil), from, limits); err != nil || got != wrong {
					t.Errorf("%v: read as %v, %v", wrong, got, err)
				}
			}
			for bit := range 16 {
				b := h.Append(nil)
				binary.BigEndian.PutUint16(b[6:], 1<<bit)
				refused("a bit in the zero bytes", b, "zero")
			}
			channel := h
			channel.Channel = 1 << 31
			if !r.own {
				refused("a channel", channel.Append(nil), "channel")
			} else if got, err := message.ParseHeader(channel.Append(nil), from, limits); err != nil || got != channel {
				t.Errorf("%v: read as %v, %v", channel, got, err)
			}
			if r.most < math.MaxUint32 {
				long := h
				for _, length := range []uint32{uint32(r.most + 1), math.MaxInt32 + 1, math.MaxUint32} {
					if long.Length = length; uint64(length) > r.most {
						refused("a longer body", long.Append(nil), "length")
					}
				}
			}
		}
	}
}

func TestHeaderOtherwise(t *testing.T) {
	for typ := range 256 {
		h := message.Header{Type: message.Type(typ)}
		if known := typ >= 1 && typ <= 18; h.Type.Known() != known {
			t.Errorf("type %d: known is %v", typ, h.Type.Known())
		} else if known {
			continue
		}
		for _, from := range []message.Role{message.Client, message.Server} {
			if _, err := message.ParseHeader(h.Append(nil), from, vectorLimits); !errors.Is(err, message.ErrMalformed) {
				t.Errorf("type %d of a %v: %v", typ, from, err)
			}
		}
		if _, err := message.Parse(h, nil); !errors.Is(err, message.ErrMalformed) {
			t.Errorf("type %d: body %v", typ, err)
		}
	}
	b := message.Closed{}.Append(nil, 7)
	for n := range b {
		if _, err := message.ParseHeader(b[:n], message.Server, vectorLimits); !errors.Is(err, message.ErrMalformed) {
			t.Errorf("%d bytes of a header: %v", n, err)
		}
	}
	one := message.Data{Bytes: []byte{1}}.Append(nil, 7)
	if _, err := message.ParseHeader(one, message.Server, message.Limits{}); !errors.Is(err, message.ErrMalformed) {
		t.Errorf("DATA before its limit is known: %v", err)
	}
	if _, err := message.ParseHeader(b, 0, vectorLimits); !errors.Is(err, message.ErrMalformed) {
		t.Errorf("no role: %v", err)
	}
}

// TestErrorText pins what an error says: type, place, field, numbers.
func TestErrorText(t *testing.T) {
	_, err := message.ParseHeader(message.Header{Length: 33, Type: message.TypeCredit}.Append(nil), message.Client, vectorLimits)
	if got, want := err.Error(), "message: malformed CREDIT, offset 0: length is 33, the limit is 32"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	_, err = message.ParseMark(make([]byte, 8))
	if got, want := err.Error(), "message: malformed MARK, offset 20: body has 8 bytes, must have 9"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, s := range []string{message.Type(77).String(), message.Code(77).String(), message.EventKind(77).String(), message.Role(77).String()} {
		if !strings.HasSuffix(s, " 77") {
			t.Errorf("something that there is not is called %s", s)
		}
	}
}
