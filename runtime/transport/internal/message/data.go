package message

import (
	"encoding/binary"
	"fmt"
)

const (
	// DataPrefixBytes is what the body of a DATA takes before the bytes of records.
	DataPrefixBytes = 12
	// DataHeaderBytes is what a DATA takes before the bytes of records: what AppendDataHeader appends.
	DataHeaderBytes = HeaderBytes + DataPrefixBytes
)

// Data is a piece of a channel's records, cut anywhere.
type Data struct {
	At         uint64 // position of the first byte
	BacklogKiB uint32 // how much more was waiting when it was sent
	Bytes      []byte // of records, at least one
}

// Type returns [TypeData].
func (Data) Type() Type { return TypeData }

// Append appends the message, copying the bytes.
func (m Data) Append(dst []byte, channel uint32) []byte {
	return append(AppendDataHeader(dst, channel, m.At, m.BacklogKiB, len(m.Bytes)), m.Bytes...)
}

// AppendDataHeader appends the [DataHeaderBytes] that come before the n bytes of records of a DATA. at is the position of the first of them. n is at least 1 and at most what both sides have agreed on.
func AppendDataHeader(dst []byte, channel uint32, at uint64, backlogKiB uint32, n int) []byte {
	dst = Header{Length: uint32(DataPrefixBytes + n), Type: TypeData, Channel: channel}.Append(dst)
	dst = binary.BigEndian.AppendUint64(dst, at)
	return binary.BigEndian.AppendUint32(dst, backlogKiB)
}

// ParseData reads the body of a DATA. The bytes of records alias it.
func ParseData(body []byte) (Data, error) {
	if len(body) <= DataPrefixBytes {
		return Data{}, shortBody(TypeData, len(body), DataPrefixBytes+1)
	}
	at, backlog := ParseDataPrefix([DataPrefixBytes]byte(body))
	return Data{At: at, BacklogKiB: backlog, Bytes: body[DataPrefixBytes:len(body):len(body)]}, nil
}

// ParseDataPrefix reads what the body of a DATA begins with, for those who read the rest of it straight to where it belongs. The header says how much that is: [Header.Length] less [DataPrefixBytes], at least 1.
func ParseDataPrefix(b [DataPrefixBytes]byte) (at uint64, backlogKiB uint32) {
	return binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint32(b[8:])
}

// shortBody is the error of a body that is shorter than its type allows.
func shortBody(t Type, is, least int) error {
	return &Error{Type: t, Offset: HeaderBytes + is, Field: "body", Reason: fmt.Sprintf("has %d bytes, the least is %d", is, least)}
}
