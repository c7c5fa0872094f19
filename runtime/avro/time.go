package avro

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// Times. What is finer than the unit of the schema is cut off towards the past.

// ErrRange says that a value to be written is outside the range of its type in the schema: a time, a symbol of an enum or a decimal.
var ErrRange = errors.New("avro: value outside the range of the schema")

const secondsPerDay = 24 * 60 * 60

// divideFloor returns a/b rounded down; b is positive.
func divideFloor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// timeError is the error for a time that has no number in the schema.
//
//go:noinline
func timeError(t time.Time, logical string) error {
	return fmt.Errorf("%v as %s: %w", t.Round(0), logical, ErrRange)
}

// FromDate returns the day of t, in UTC, since 1970. The error is [ErrRange] for days beyond 32 bits.
func FromDate(t time.Time) (int32, error) {
	day := divideFloor(t.Unix(), secondsPerDay)
	if int64(int32(day)) != day {
		return 0, timeError(t, "date")
	}
	return int32(day), nil
}

// ToDate is the inverse of [FromDate]: midnight of the day, in UTC.
func ToDate(day int32) time.Time { return time.Unix(int64(day)*secondsPerDay, 0).UTC() }

// ticks returns the instant sec, nsec in units of which a second has perSecond.
func ticks(sec int64, nsec int, perSecond int64) (n int64, ok bool) {
	least := divideFloor(math.MinInt64, perSecond) // where the product is just out of range
	switch {
	case sec > least && sec <= math.MaxInt64/perSecond-1:
		return sec*perSecond + int64(nsec)/(int64(time.Second)/perSecond), true
	case sec == math.MaxInt64/perSecond:
		n = sec * perSecond
		if rest := int64(nsec) / (int64(time.Second) / perSecond); rest <= math.MaxInt64-n {
			return n + rest, true
		}
	case sec == least:
		// sec*perSecond is below the range, but with the rest added it may be in it.
		n = (sec + 1) * perSecond
		if rest := int64(nsec)/(int64(time.Second)/perSecond) - perSecond; rest >= math.MinInt64-n {
			return n + rest, true
		}
	}
	return 0, false
}

// FromTimestampMillis returns t in milliseconds since 1970. The error is [ErrRange] for times beyond 64 bits.
func FromTimestampMillis(t time.Time) (int64, error) {
	n, ok := ticks(t.Unix(), t.Nanosecond(), 1e3)
	if !ok {
		return 0, timeError(t, "timestamp-millis")
	}
	return n, nil
}

// FromTimestampMicros returns t in microseconds since 1970. The error is [ErrRange] for times beyond 64 bits.
func FromTimestampMicros(t time.Time) (int64, error) {
	n, ok := ticks(t.Unix(), t.Nanosecond(), 1e6)
	if !ok {
		return 0, timeError(t, "timestamp-micros")
	}
	return n, nil
}

// FromTimestampNanos returns t in nanoseconds since 1970. The error is [ErrRange] for times beyond 64 bits, such as the zero time: years 1677 to 2262 are in range.
func FromTimestampNanos(t time.Time) (int64, error) {
	n, ok := ticks(t.Unix(), t.Nanosecond(), 1e9)
	if !ok {
		return 0, timeError(t, "timestamp-nanos")
	}
	return n, nil
}

// FromLocalTimestampMillis is [FromTimestampMillis] for what a clock shows in the location of t.
func FromLocalTimestampMillis(t time.Time) (int64, error) {
	n, ok := ticks(wallSeconds(t), t.Nanosecond(), 1e3)
	if !ok {
		return 0, timeError(t, "local-timestamp-millis")
	}
	return n, nil
}

// FromLocalTimestampMicros is [FromTimestampMicros] for what a clock shows in the location of t.
func FromLocalTimestampMicros(t time.Time) (int64, error) {
	n, ok := ticks(wallSeconds(t), t.Nanosecond(), 1e6)
	if !ok {
		return 0, timeError(t, "local-timestamp-micros")
	}
	return n, nil
}

// FromLocalTimestampNanos is [FromTimestampNanos] for what a clock shows in the location of t.
func FromLocalTimestampNanos(t time.Time) (int64, error) {
	n, ok := ticks(wallSeconds(t), t.Nanosecond(), 1e9)
	if !ok {
		return 0, timeError(t, "local-timestamp-nanos")
	}
	return n, nil
}

// wallSeconds returns the seconds since 1970 of the UTC time that looks as t does in its location.
func wallSeconds(t time.Time) int64 {
	_, offset := t.Zone()
	return t.Unix() + int64(offset)
}

// ToTimestampMillis returns the time of that many milliseconds since 1970, in UTC: of a local timestamp the time that looks like it.
func ToTimestampMillis(n int64) time.Time { return time.UnixMilli(n).UTC() }

// ToTimestampMicros returns the time of that many microseconds since 1970, in UTC: of a local timestamp the time that looks like it.
func ToTimestampMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// ToTimestampNanos returns the time of that many nanoseconds since 1970, in UTC: of a local timestamp the time that looks like it.
func ToTimestampNanos(n int64) time.Time { return time.Unix(0, n).UTC() }

// FromTimeMillis returns d, the time since midnight, in milliseconds. The error is [ErrRange] for more than 32 bits; that a day has 24 hours is not checked.
func FromTimeMillis(d time.Duration) (int32, error) {
	n := divideFloor(int64(d), int64(time.Millisecond))
	if int64(int32(n)) != n {
		return 0, fmt.Errorf("%v as time-millis: %w", d, ErrRange)
	}
	return int32(n), nil
}

// ToTimeMillis is the inverse of [FromTimeMillis].
func ToTimeMillis(n int32) time.Duration { return time.Duration(n) * time.Millisecond }

// FromTimeMicros returns d, the time since midnight, in microseconds.
func FromTimeMicros(d time.Duration) int64 { return divideFloor(int64(d), int64(time.Microsecond)) }

// ToTimeMicros is the inverse of [FromTimeMicros]. The error, which is [wire.ErrCorrupt], is for numbers that are no [time.Duration], which is 292 years.
func ToTimeMicros(n int64) (time.Duration, error) {
	if n > math.MaxInt64/1000 || n < math.MinInt64/1000 {
		return 0, fmt.Errorf("time-micros of %d: %w", n, wire.ErrCorrupt)
	}
	return time.Duration(n) * time.Microsecond, nil
}
