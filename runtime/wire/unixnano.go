package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// UnixNanoLen is the length of a time of a field tagged unixnano on the wire, in bytes.
const UnixNanoLen = 8

// ErrRange says that a time to be written is outside what nanoseconds in 64 bits can express: about 1677-09-21 to 2262-04-11.
var ErrRange = errors.New("wire: time outside the range of unixnano")

// PutUnixNano writes the instant t to dst[:8]: nanoseconds since 1970, and the least integer for the zero time. Location and monotonic
// reading are left out. The error is [ErrRange] for any other time outside the range; nothing is written then. It panics if dst is shorter than
// [UnixNanoLen].
func PutUnixNano(dst []byte, t time.Time) error {
	_ = dst[UnixNanoLen-1]
	n := t.UnixNano()
	// UnixNano wraps round outside its range. Whole seconds tell, with a second to spare at both ends.
	if s := t.Unix(); s <= math.MinInt64/int64(time.Second) || s >= math.MaxInt64/int64(time.Second) {
		switch {
		case t.IsZero():
			n = math.MinInt64
		case n == math.MinInt64 || !time.Unix(0, n).Equal(t):
			return fmt.Errorf("%v: %w", t.UTC().Round(0), ErrRange)
		}
	}
	binary.LittleEndian.PutUint64(dst, uint64(n))
	return nil
}

// UnixNano reads an instant from src[:8] and returns it in UTC, the least integer as the zero time. Every content is a time. It panics if src is shorter
// than [UnixNanoLen].
func UnixNano(src []byte) time.Time {
	n := int64(binary.LittleEndian.Uint64(src))
	if n == math.MinInt64 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
