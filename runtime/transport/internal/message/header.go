package message

import (
	"encoding/binary"
	"fmt"
)

// HeaderBytes is what the header of every message takes.
const HeaderBytes = 12

// Header is what a message begins with:
//
//	0        4      5       6       8          12
//	├ length ┼ type ┼ flags ┼ zero  ┼ channel  ┼ body: length bytes
//	  u32      u8     u8      u16     u32
type Header struct {
	Length  uint32 // of the body, in bytes
	Type    Type
	Flags   uint8  // of an OPEN: FlagResume and FlagReattach; of others 0
	Channel uint32 // the client's number of the channel; 0 if the message is about none, see [Type.Own]
}

// Limits are what bounds the bodies of messages beside the constants of the protocol.
type Limits struct {
	// Data is the most bytes of records in a DATA: the smaller of what HELLO and WELCOME say. 0: no DATA is taken, as before WELCOME.
	Data uint32
}

// ParseHeader reads the first [HeaderBytes] of b, which must have so many, as the header of a message that was sent by from. It fails for types that there are not or that from does not send, for bits that must be
// zero, for the number of a channel where there is none, and for a length that no body of the type has; of DATA, max says which is the longest.
// That the message is allowed at this point of the conversation is left to the caller, and so is the number of the channel.
func ParseHeader(b []byte, from Role, max Limits) (Header, error) {
	if len(b) < HeaderBytes {
		return Header{}, &Error{Offset: len(b), Field: "header", Reason: fmt.Sprintf("ends after %d of %d bytes", len(b), HeaderBytes)}
	}
	h := Header{
		Length:  binary.BigEndian.Uint32(b),
		Type:    Type(b[4]),
		Flags:   b[5],
		Channel: binary.BigEndian.Uint32(b[8:]),
	}
	zero := binary.BigEndian.Uint16(b[6:])
	if !h.Type.Known() {
		return Header{}, h.wrong(offsetType, "type", "is not one of the protocol")
	}
	r := rules[h.Type]
	switch {
	case r.from&from == 0:
		return Header{}, h.wrong(offsetType, "type", "is not sent by a %v", from)
	case h.Flags&^r.flags != 0:
		return Header{}, h.wrong(offsetFlags, "flags", "are %#02x, may have %#02x", h.Flags, r.flags)
	case zero != 0:
		return Header{}, h.wrong(offsetZero, "zero", "is %#04x", zero)
	case h.Channel != 0 && !r.own:
		return Header{}, h.wrong(offsetChannel, "channel", "is %d, must be 0", h.Channel)
	case h.Length < r.least:
		return Header{}, h.wrong(offsetLength, "length", "is %d, the least is %d", h.Length, r.least)
	}
	if most := h.Type.limit(max); uint64(h.Length) > most {
		return Header{}, h.wrong(offsetLength, "length", "is %d, the limit is %d", h.Length, most)
	}
	return h, nil
}

// Append appends the header as it is.
func (h Header) Append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, h.Length)
	dst = append(dst, byte(h.Type), h.Flags, 0, 0)
	return binary.BigEndian.AppendUint32(dst, h.Channel)
}

// Where the fields of a header begin.
const (
	offsetLength  = 0
	offsetType    = 4
	offsetFlags   = 5
	offsetZero    = 6
	offsetChannel = 8
)

func (h Header) wrong(offset int, field, format string, args ...any) *Error {
	return &Error{Type: h.Type, Offset: offset, Field: field, Reason: fmt.Sprintf(format, args...)}
}

// limit is the most that the body of a message of a known type takes.
func (t Type) limit(max Limits) uint64 {
	if t == TypeData {
		return DataPrefixBytes + uint64(max.Data)
	}
	return uint64(rules[t].most)
}

// begin appends the header of a message whose length is not known yet; end writes it.
func begin(dst []byte, t Type, flags uint8, channel uint32) []byte {
	return Header{Type: t, Flags: flags, Channel: channel}.Append(dst)
}

// end writes the length of the message that begins at start, and returns dst.
func end(dst []byte, start int) []byte {
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-HeaderBytes))
	return dst
}
