package eventtime

import (
	"math"
	"time"
)

const (
	// None is the watermark of a stream that has not said anything: every record may still come.
	None = math.MinInt64
	// End is the watermark of a stream that has ended: no record follows.
	End = math.MaxInt64
)

// Micros returns t in microseconds since the Unix epoch, rounded downwards. Times that are too far away for that, more than 292,000 years, become None or End.
func Micros(t time.Time) int64 {
	switch {
	case !t.After(time.UnixMicro(None)):
		return None
	case !t.Before(time.UnixMicro(End)):
		return End
	}
	return t.UnixMicro()
}

// Time returns the time of so many microseconds since the Unix epoch, in UTC. None and End become times before and after every other, which [Micros] turns back.
func Time(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// order maps event times to unsigned numbers of the same order, of which zero is None: so the zero generator has seen nothing.
func order(micros int64) uint64 { return uint64(micros) ^ 1<<63 }

// before returns the time that is so many microseconds before an ordered one, None rather than any that does not fit into an int64.
func before(t, by uint64) int64 { return int64((t - min(t, by)) ^ 1<<63) }
