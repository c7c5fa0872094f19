package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestUnixNano(t *testing.T) {
	first, last := time.Unix(0, math.MinInt64+1), time.Unix(0, math.MaxInt64)
	for _, tc := range []struct {
		t    time.Time
		want int64
		ok   bool
	}{
		{time.Unix(0, 0), 0, true},
		{time.Unix(0, -1), -1, true},
		{time.Unix(1, 5).In(time.FixedZone("", 7200)), 1_000_000_005, true},
		{time.Time{}, math.MinInt64, true},
		{time.Time{}.In(time.FixedZone("", 7200)), math.MinInt64, true},
		{first, math.MinInt64 + 1, true},
		{last, math.MaxInt64, true},
		{first.Add(-1), 0, false},
		{last.Add(1), 0, false},
		{time.Time{}.Add(1), 0, false},
		{time.Time{}.Add(-1), 0, false},
		{time.Unix(0, 0).AddDate(600, 0, 0), 0, false},
		{time.Unix(math.MaxInt64, 0), 0, false},
		{time.Unix(math.MinInt64, 0), 0, false},
		{first.Add(math.MaxInt64).Add(math.MaxInt64).Add(3), 0, false}, // as far off as the integers go round
	} {
		dst := bytes.Repeat([]byte{0xee}, 9)
		err := wire.PutUnixNano(dst, tc.t)
		if !tc.ok {
			if !errors.Is(err, wire.ErrRange) || dst[0] != 0xee {
				t.Errorf("%v: %v", tc.t, err)
			}
			continue
		}
		if got := int64(binary.LittleEndian.Uint64(dst)); err != nil || got != tc.want || dst[8] != 0xee {
			t.Errorf("%v: %d, %v, want %d", tc.t, got, err, tc.want)
		}
		if back := wire.UnixNano(dst); !back.Equal(tc.t) || back.Location() != time.UTC || back.IsZero() != tc.t.IsZero() {
			t.Errorf("%v comes back as %v", tc.t, back)
		}
	}
}

func FuzzUnixNano(f *testing.F) {
	f.Add(int64(0), int64(0))
	f.Add(int64(math.MinInt64/1_000_000_000), int64(145224192))
	f.Add(int64(-62135596800), int64(0))
	f.Fuzz(func(t *testing.T, sec, nsec int64) {
		when := time.Unix(sec, nsec)
		dst := make([]byte, wire.UnixNanoLen)
		if err := wire.PutUnixNano(dst, when); err == nil {
			if back := wire.UnixNano(dst); !back.Equal(when) {
				t.Fatalf("%v comes back as %v", when, back)
			}
		} else if n := when.UnixNano(); n != math.MinInt64 && time.Unix(0, n).Equal(when) {
			t.Fatalf("%v: %v", when, err)
		}
		// Every content is a time, and its own again.
		binary.LittleEndian.PutUint64(dst, uint64(sec))
		again := make([]byte, wire.UnixNanoLen)
		if err := wire.PutUnixNano(again, wire.UnixNano(dst)); err != nil || !bytes.Equal(again, dst) {
			t.Fatalf("%x becomes %x, %v", dst, again, err)
		}
	})
}
