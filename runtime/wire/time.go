package wire

import (
	"encoding/binary"
	"fmt"
	"time"
)

// TimeLen is the length of a time on the wire, in bytes.
const TimeLen = 12

// PutTime writes the instant t to dst[:12]: seconds since 1970 and nanoseconds. Location and monotonic reading are left
// out. It panics if dst is shorter than [TimeLen].
func PutTime(dst []byte, t time.Time) {
	_ = dst[TimeLen-1]
	binary.LittleEndian.PutUint64(dst, uint64(t.Unix()))
	binary.LittleEndian.PutUint32(dst[8:], uint32(t.Nanosecond()))
}

// Time reads an instant from the start of src, which takes [TimeLen] bytes, and returns it in UTC. The zero time comes back as
// the zero time. The error is [ErrTruncated] if src is too short and [ErrCorrupt] for a billion nanoseconds or more.
func Time(src []byte) (time.Time, error) {
	if len(src) < TimeLen {
		return time.Time{}, ErrTruncated
	}
	sec := int64(binary.LittleEndian.Uint64(src))
	nsec := binary.LittleEndian.Uint32(src[8:])
	if nsec >= 1e9 {
		return time.Time{}, fmt.Errorf("%d nanoseconds in a time: %w", nsec, ErrCorrupt)
	}
	return time.Unix(sec, int64(nsec)).UTC(), nil
}
