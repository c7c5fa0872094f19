package avro

import (
	"encoding/binary"
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// HeaderLen is the length of what stands before a record in the single-object encoding: two bytes that never change and the fingerprint of the schema.
const HeaderLen = 10

// The bytes by which the single-object encoding begins.
const (
	marker0 = 0xC3
	marker1 = 0x01
)

// HeaderError says that bytes are no record in the single-object encoding, or one of another schema. errors.Is(err, [wire.ErrCorrupt]) is true.
type HeaderError struct {
	// Marker holds the first two bytes.
	Marker [2]byte
	// Fingerprint is that of the schema of the record, if Marker is right, and Want that of the reader's.
	Fingerprint, Want uint64
}

// Error tells the marker, or both fingerprints, as 16 hex digits.
func (e *HeaderError) Error() string {
	if e.Marker != [2]byte{marker0, marker1} {
		return fmt.Sprintf("avro: record begins with % x, not with the marker c3 01 of single objects", e.Marker[:])
	}
	return fmt.Sprintf("avro: single object of the schema %016x, not %016x", e.Fingerprint, e.Want)
}

// Unwrap returns [wire.ErrCorrupt].
func (e *HeaderError) Unwrap() error { return wire.ErrCorrupt }

// PutHeader writes the header of a schema with that fingerprint, which is of [Fingerprint], to dst[:[HeaderLen]]. It panics if dst is shorter.
func PutHeader(dst []byte, fingerprint uint64) {
	_ = dst[HeaderLen-1]
	dst[0], dst[1] = marker0, marker1
	binary.LittleEndian.PutUint64(dst[2:], fingerprint)
}

// CheckHeader returns an error if src does not begin with the header of a schema with that fingerprint: [wire.ErrTruncated], or a [*HeaderError].
func CheckHeader(src []byte, fingerprint uint64) error {
	if len(src) >= HeaderLen && src[0] == marker0 && src[1] == marker1 && binary.LittleEndian.Uint64(src[2:]) == fingerprint {
		return nil
	}
	return headerError(src, fingerprint)
}

//go:noinline
func headerError(src []byte, fingerprint uint64) error {
	if len(src) < HeaderLen {
		return wire.ErrTruncated
	}
	return &HeaderError{Marker: [2]byte(src), Fingerprint: binary.LittleEndian.Uint64(src[2:]), Want: fingerprint}
}

// Fingerprint returns the CRC-64-AVRO of a schema, whose text is in the Parsing Canonical Form.
func Fingerprint(canonical string) uint64 {
	const empty = 0xc15d213aa4d7a795
	sum := uint64(empty)
	for i := range len(canonical) {
		low := (sum ^ uint64(canonical[i])) & 0xff
		for range 8 {
			low = low>>1 ^ empty&-(low&1)
		}
		sum = sum>>8 ^ low
	}
	return sum
}
