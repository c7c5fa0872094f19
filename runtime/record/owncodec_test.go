package record

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// version declares methods for binary data on both kinds of receivers.
type version struct{ major, minor int }

var errVersion = errors.New("a version has two bytes")

func (v version) AppendBinary(b []byte) ([]byte, error) {
	if v.major < 0 {
		return b, errVersion
	}
	return append(b, byte(v.major), byte(v.minor)), nil
}

func (v *version) UnmarshalBinary(b []byte) error {
	if len(b) != 2 {
		return errVersion
	}
	v.major, v.minor = int(b[0]), int(b[1])
	return nil
}

// blob has MarshalBinary only, and as many bytes as one likes.
type blob string

func (b blob) MarshalBinary() ([]byte, error)     { return []byte(b), nil }
func (b *blob) UnmarshalBinary(data []byte) error { *b = blob(data); return nil }

// secret has no structure that can be encoded, but text.
type secret struct {
	c chan int
	s string
}

func (s secret) MarshalText() ([]byte, error) { return []byte(s.s), nil }
func (s *secret) UnmarshalText(b []byte) error {
	if s.c != nil || s.s != "" {
		return errors.New("not the zero value")
	}
	s.s = string(b)
	return nil
}

// label has text and a structure: the structure is used.
type label string

func (l label) MarshalText() ([]byte, error)  { return []byte("label " + string(l)), nil }
func (l *label) UnmarshalText(b []byte) error { *l = label(b); return nil }

type (
	price      struct{ cents int64 }
	priceCodec struct{}
)

func (priceCodec) Append(dst []byte, v *price) ([]byte, error) {
	return binary.AppendVarint(dst, v.cents), nil
}

func (priceCodec) Consume(src []byte, v *price) error {
	c, n := binary.Varint(src)
	if n != len(src) || len(binary.AppendVarint(nil, c)) != n {
		return fmt.Errorf("a price of %d bytes in %d", n, len(src))
	}
	v.cents = c
	return nil
}

type stringCodec struct{}

func (stringCodec) Append(dst []byte, v *string) ([]byte, error) { return dst, nil }
func (stringCodec) Consume([]byte, *string) error                { return nil }

type timesCodec struct{}

func (timesCodec) Append(dst []byte, v *time.Time) ([]byte, error) { return dst, nil }
func (timesCodec) Consume([]byte, *time.Time) error                { return nil }

type funcCodec func()

func (funcCodec) Append(dst []byte, v *price) ([]byte, error) { return dst, nil }
func (funcCodec) Consume([]byte, *price) error                { return nil }

// long is more than a length of one byte says.
var long = strings.Repeat("ab", 100)

// ownVectors has vectors for types with an encoding of their own.
var ownVectors = []vector{
	vec("AppendBinary", one[version]{version{3, 4}}, "02 0304"),
	vec("pointer", one[*version]{&version{3, 4}}, "01 02 0304"),
	vec("slice", one[[]version]{[]version{{1, 2}, {3, 4}}}, "03 02 0102 02 0304"),
	vec("array", one[[2]version]{[2]version{{1, 2}, {3, 4}}}, "02 0102 02 0304"),
	vec("map key", one[map[version]int8]{map[version]int8{{1, 2}: 5}}, "02 02 0102 05"),
	vec("embedded", struct{ version }{version{1, 2}}, "02 0102"),
	vec("MarshalBinary", one[blob]{"abc"}, "03 616263"),
	vec("no bytes", one[blob]{}, "00"),
	vec("128 bytes", one[blob]{blob(long[:128])}, "8001"+hex.EncodeToString([]byte(long[:128]))),
	vec("200 bytes", one[[]blob]{[]blob{"x", blob(long), "y"}}, "04 0178 c801"+hex.EncodeToString([]byte(long))+" 0179"),
	vec("text", one[secret]{secret{nil, "ab"}}, "02 6162"),
	vec("structure before text", one[label]{"ab"}, "02 6162"),
	vec("registered", one[price]{price{-1}}, "01 01", CodecOf(priceCodec{})),
	vec("registered by pointer", one[*price]{&price{1}}, "01 01 02", CodecOf(&priceCodec{})),
	vec("netip.Addr", one[netip.Addr]{netip.MustParseAddr("1.2.3.4")}, "04 01020304"),
	vec("netip.Addr zero", one[netip.Addr]{}, "00"),
	vec("netip.Prefix", one[netip.Prefix]{netip.MustParsePrefix("1.2.3.0/24")}, "05 01020300 18"),
	vec("url.URL", one[url.URL]{url.URL{Scheme: "a", Host: "b"}}, "05"+hex.EncodeToString([]byte("a://b"))),
	vec("big.Int", one[*big.Int]{big.NewInt(-42)}, "01 03 2d3432"),
	vec("big.Rat", one[*big.Rat]{big.NewRat(1, 3)}, "01 03 312f33"),
	vec("json.RawMessage", one[json.RawMessage]{json.RawMessage("1")}, "02 31"),
	vec("time.Duration", one[time.Duration]{1}, "0100000000000000"),
}

func TestOwnCodecVectors(t *testing.T) { checkVectors(t, ownVectors) }

var ownRefusals = []refusal{
	refuse[one[version]]("refused by the method", "01 00", errVersion, "V", 0),
	refuse[one[[]version]]("in a slice", "03 02 0102 00", errVersion, "V[1]", 4),
	refuse[one[map[version]version]]("key", "02 00 00", errVersion, "V[0]", 1),
	refuse[one[map[version]version]]("value", "02 02 0102 00", errVersion, "V[0]", 4),
	refuse[one[map[version]int8]]("key twice", "03 02 0102 01 02 0102 01", wire.ErrCorrupt, "V[1]", 5),
	refuse[one[version]]("length beyond the source", "03 0000", wire.ErrTruncated, "V", 0),
	refuse[one[version]]("length of 2⁶⁴−1", "ffffffffffffffffff01 00", wire.ErrTruncated, "V", 0),
	refuse[one[version]]("length too long", "8200 0000", wire.ErrCorrupt, "V", 0),
	refuse[one[[]blob]]("slice longer than the rest", "03 00", wire.ErrTruncated, "V", 0),
}

func TestOwnCodecRefusals(t *testing.T) {
	checkRefusals(t, ownRefusals)
	s, err := Reflect[one[price]](CodecOf(priceCodec{}))
	if err != nil {
		t.Fatal(err)
	}
	var v one[price]
	if _, err := s.Consume([]byte{2, 1, 1}, &v); err == nil || !strings.Contains(err.Error(), "V: offset 0: a price of 1 bytes in 2") {
		t.Error(err)
	}
}

// shortCodec fails with what a destination that is too short fails with.
type shortCodec struct{}

func (shortCodec) Append([]byte, *price) ([]byte, error) { return nil, wire.ErrShort }
func (shortCodec) Consume([]byte, *price) error          { return wire.FieldError("Inner", 7, wire.ErrShort) }

func TestOwnCodecErrors(t *testing.T) {
	s, err := Reflect[struct {
		A string
		V []version
	}]()
	if err != nil {
		t.Fatal(err)
	}
	v := struct {
		A string
		V []version
	}{"abc", []version{{}, {major: -1}}}
	for _, room := range []int{0, 100} {
		got, err := s.Append(make([]byte, 0, room), &v)
		if !errors.Is(err, errVersion) || !strings.HasPrefix(err.Error(), "V[1]: offset 8: ") || len(got) != 0 {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	}
	short, err := Reflect[one[price]](CodecOf(shortCodec{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := short.Append(nil, &one[price]{}); err == nil || err == wire.ErrShort || !strings.HasPrefix(err.Error(), "V: offset 0: ") {
		t.Errorf("a codec that fails with ErrShort: %v", err)
	}
	var e *wire.Error
	if _, err := short.Consume([]byte{0}, &one[price]{}); !errors.As(err, &e) || e.Path != "V" || e.Offset != 0 {
		t.Errorf("a codec that fails with a place of its own: %v", err)
	}
}

// TestOwnCodecIsZeroedFirst checks that a value is read into a zero variable, and that what it held is not touched.
func TestOwnCodecIsZeroedFirst(t *testing.T) {
	s, err := Reflect[one[secret]]()
	if err != nil {
		t.Fatal(err)
	}
	v := one[secret]{secret{make(chan int), "old"}}
	if _, err := s.Consume([]byte{1, 'a'}, &v); err != nil || v.V.s != "a" || v.V.c != nil {
		t.Errorf("%v, %+v", err, v)
	}
	ints, err := Reflect[one[big.Int]]()
	if err != nil {
		t.Fatal(err)
	}
	var w one[big.Int]
	w.V.SetInt64(1)
	bits := w.V.Bits()
	if _, err := ints.Consume([]byte{2, '4', '2'}, &w); err != nil || w.V.Int64() != 42 || bits[0] != 1 {
		t.Errorf("%v, %v, the bits of before are %v", err, &w.V, bits)
	}
}

// TestOwnCodecAllocations checks that a value with AppendBinary is written in place.
func TestOwnCodecAllocations(t *testing.T) {
	s, err := Reflect[one[[4]netip.Addr]]()
	if err != nil {
		t.Fatal(err)
	}
	v := one[[4]netip.Addr]{[4]netip.Addr{netip.IPv4Unspecified(), netip.IPv4Unspecified()}}
	dst := make([]byte, s.Size(&v))
	if n := testing.AllocsPerRun(100, func() {
		if n, err := s.Put(dst, &v); err != nil || n != len(dst) {
			t.Error(n, err)
		}
		if n, err := s.Consume(dst, &v); err != nil || n != len(dst) {
			t.Error(n, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
