package avro_test

import (
	"encoding"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/avro"
)

var (
	_ encoding.TextAppender      = avro.UUID{}
	_ encoding.TextMarshaler     = avro.UUID{}
	_ encoding.TextUnmarshaler   = (*avro.UUID)(nil)
	_ encoding.BinaryAppender    = avro.UUID{}
	_ encoding.BinaryMarshaler   = avro.UUID{}
	_ encoding.BinaryUnmarshaler = (*avro.UUID)(nil)
)

const text = "01234567-89ab-cdef-fedc-ba9876543210"

func TestUUIDText(t *testing.T) {
	want := avro.UUID{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10}
	for _, s := range []string{text, strings.ToUpper(text)} {
		u, err := avro.ParseUUID(s)
		if err != nil || u != want {
			t.Errorf("ParseUUID(%q) = %v, %v", s, u, err)
		}
	}
	if got := want.String(); got != text {
		t.Errorf("String() = %q, want %q", got, text)
	}
	got, err := want.AppendText([]byte("id="))
	if err != nil || string(got) != "id="+text {
		t.Errorf("AppendText = %q, %v", got, err)
	}
	var u avro.UUID
	if err := u.UnmarshalText([]byte(text)); err != nil || u != want {
		t.Errorf("UnmarshalText = %v, %v", u, err)
	}
}

func TestUUIDTextRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "0 bytes"},
		{text[:35], "35 bytes"},
		{text + "0", "37 bytes"},
		{strings.Replace(text, "-", "0", 1), "index 8, want a dash"},
		{strings.Replace(text, "-", "\x00", 1), "index 8, want a dash"},
		{"g" + text[1:], "index 0 is no"},
		{"0-" + text[2:], "index 1 is no"},
		{text[:35] + "é"[:1], "index 35 is no"},
		{"01234567-89ab-cdef-fedc-ba98765432-0", "index 34 is no"},
	} {
		u := avro.UUID{1, 2, 3}
		err := u.UnmarshalText([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("UnmarshalText(%q): error %v, want one with %q", c.text, err, c.want)
		}
		if u != (avro.UUID{1, 2, 3}) {
			t.Errorf("UnmarshalText(%q) has changed the UUID to %v", c.text, u)
		}
		if _, err := avro.ParseUUID(c.text); err == nil {
			t.Errorf("ParseUUID(%q) succeeded", c.text)
		}
	}
}

func TestUUIDBinary(t *testing.T) {
	want, err := avro.ParseUUID(text)
	if err != nil {
		t.Fatal(err)
	}
	b, err := want.AppendBinary([]byte{0xff})
	if err != nil || len(b) != 17 || avro.UUID(b[1:]) != want {
		t.Errorf("AppendBinary = %x, %v", b, err)
	}
	var u avro.UUID
	if err := u.UnmarshalBinary(b[1:]); err != nil || u != want {
		t.Errorf("UnmarshalBinary = %v, %v", u, err)
	}
	for _, n := range []int{0, 15, 17} {
		if err := u.UnmarshalBinary(make([]byte, n)); err == nil || u != want {
			t.Errorf("UnmarshalBinary of %d bytes: %v, %v", n, u, err)
		}
	}
}

func TestUUIDAllocs(t *testing.T) {
	u, err := avro.ParseUUID(text)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		b, _ := u.AppendText(buf)
		_ = u.UnmarshalText(b)
		b, _ = u.AppendBinary(buf)
		_ = u.UnmarshalBinary(b)
	}); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
