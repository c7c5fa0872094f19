package message

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
)

// Incarnation is 128 random bits: of a process, made when it starts; of a partition, made when it is published.
type Incarnation [16]byte

// String returns the bits as 32 hexadecimal digits.
func (i Incarnation) String() string { return hex.EncodeToString(i[:]) }

// positionBytes is what a position takes.
const positionBytes = 16

func appendPosition(dst []byte, p credit.Position) []byte {
	dst = binary.BigEndian.AppendUint64(dst, p.Data)
	return binary.BigEndian.AppendUint64(dst, p.Events)
}

// position reads the position that b begins with.
func position(b []byte) credit.Position {
	return credit.Position{Data: binary.BigEndian.Uint64(b), Events: binary.BigEndian.Uint64(b[8:])}
}

func appendText(dst []byte, s string) []byte {
	s = cut(s, maxText)
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(s)))
	return append(dst, s...)
}

func appendLong(dst []byte, s string) []byte {
	s = cut(s, maxLong)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(s)))
	return append(dst, s...)
}

func appendBytes(dst []byte, b []byte) []byte {
	b = b[:min(len(b), maxText)]
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(b)))
	return append(dst, b...)
}

// cut returns the first most bytes of s, or less so that no character is cut.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// fields reads the fields of a body in order. After the first error it reads nothing and all values are zero; the error is kept for done.
type fields struct {
	t    Type
	body []byte
	at   int // bytes of the body that were read
	err  error
}

// fail keeps the error of a field that begins at an offset in the body.
func (f *fields) fail(at int, field, format string, args ...any) {
	if f.err == nil {
		f.err = &Error{Type: f.t, Offset: HeaderBytes + at, Field: field, Reason: fmt.Sprintf(format, args...)}
	}
}

// take returns the next n bytes of the body, which belong to a field that begins at an offset in the body; nil after an error.
func (f *fields) take(at, n int, field string) []byte {
	if f.err != nil {
		return nil
	}
	if rest := len(f.body) - f.at; n > rest {
		f.fail(at, field, "needs %d bytes, %d are left", n, rest)
		return nil
	}
	f.at += n
	return f.body[f.at-n : f.at : f.at]
}

func (f *fields) u8(field string) uint8 {
	if b := f.take(f.at, 1, field); b != nil {
		return b[0]
	}
	return 0
}

func (f *fields) u16(field string) uint16 {
	if b := f.take(f.at, 2, field); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

func (f *fields) u32(field string) uint32 {
	if b := f.take(f.at, 4, field); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (f *fields) u64(field string) uint64 {
	if b := f.take(f.at, 8, field); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (f *fields) bool(field string) bool {
	b := f.u8(field)
	if b > 1 {
		f.fail(f.at-1, field, "is %d, may be 0 or 1", b)
	}
	return b == 1
}

func (f *fields) position(field string) credit.Position {
	if b := f.take(f.at, positionBytes, field); b != nil {
		return position(b)
	}
	return credit.Position{}
}

func (f *fields) incarnation(field string) Incarnation {
	if b := f.take(f.at, len(Incarnation{}), field); b != nil {
		return Incarnation(b)
	}
	return Incarnation{}
}

// bytes reads bytes that alias the body.
func (f *fields) bytes(field string) []byte {
	at := f.at
	n := int(f.u16(field))
	return f.take(at, n, field)
}

// text reads a text of any length.
func (f *fields) text(field string) string {
	at := f.at
	n := int(f.u16(field))
	return f.utf8(at, n, field)
}

// name reads a text of 1 to MaxName bytes.
func (f *fields) name(field string) string {
	at := f.at
	n := int(f.u16(field))
	if f.err == nil && (n == 0 || n > MaxName) {
		f.fail(at, field, "has %d bytes, may have 1 to %d", n, MaxName)
	}
	return f.utf8(at, n, field)
}

// long reads a text whose length is a u32.
func (f *fields) long(field string) string {
	at := f.at
	n := f.u32(field)
	if rest := len(f.body) - f.at; uint64(n) > uint64(rest) { // it may be more than an int holds
		f.fail(at, field, "needs %d bytes, %d are left", n, rest)
		return ""
	}
	return f.utf8(at, int(n), field)
}

// utf8 reads the n bytes of a text that begins, with its length, at an offset in the body.
func (f *fields) utf8(at, n int, field string) string {
	b := f.take(at, n, field)
	if !utf8.Valid(b) {
		f.fail(at, field, "is no UTF-8")
		return ""
	}
	return string(b)
}

func (f *fields) fault() Fault {
	code := Code(f.u16("code"))
	return Fault{Code: code, Text: f.text("text")}
}

// rest returns what is left of the body; it aliases the body.
func (f *fields) rest() []byte { return f.take(f.at, len(f.body)-f.at, "") }

// done returns the first error, which may be that the body goes on. It must come last.
func (f *fields) done() error {
	if rest := len(f.body) - f.at; rest > 0 {
		f.fail(f.at, "body", "goes on for %d bytes behind its last field", rest)
	}
	return f.err
}

// exactly returns an error if a body of fields of constant size has not n bytes.
func exactly(t Type, body []byte, n int) error {
	if len(body) == n {
		return nil
	}
	return wrongLength(t, len(body), n)
}

// wrongLength is the error of exactly; it is apart so that exactly is inlined.
func wrongLength(t Type, is, want int) error {
	return &Error{Type: t, Offset: HeaderBytes + min(is, want), Field: "body", Reason: fmt.Sprintf("has %d bytes, must have %d", is, want)}
}
