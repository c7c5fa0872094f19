package wire_test

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// timeVectors are fixed for all time.
var timeVectors = []struct {
	t   time.Time
	hex string
}{
	{time.Time{}, "00096e88f1ffffff00000000"},
	{time.Unix(0, 0), "000000000000000000000000"},
	{time.Unix(0, 999999999), "0000000000000000ffc99a3b"},
	{time.Unix(0, -1), "ffffffffffffffffffc99a3b"},
	{time.Date(2024, 2, 29, 12, 30, 15, 1, time.UTC), "d778e0650000000001000000"},
	{time.Date(2024, 2, 29, 14, 30, 15, 1, time.FixedZone("here", 7200)), "d778e0650000000001000000"},
	{time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), "7f41f4ff3a00000000000000"},
	{time.Unix(math.MaxInt64, 0), "ffffffffffffff7f00000000"},
	{time.Unix(math.MinInt64, 0), "000000000000008000000000"},
}

func TestTime(t *testing.T) {
	for _, tc := range timeVectors {
		want := unhex(t, tc.hex)
		got := bytes.Repeat([]byte{0xee}, wire.TimeLen+1)
		wire.PutTime(got, tc.t)
		if !bytes.Equal(got[:wire.TimeLen], want) || got[wire.TimeLen] != 0xee {
			t.Errorf("PutTime(%v) = %x, want %x", tc.t, got, want)
		}
		back, err := wire.Time(append(want, 0xff))
		if err != nil || back.Unix() != tc.t.Unix() || back.Nanosecond() != tc.t.Nanosecond() || back.Location() != time.UTC {
			t.Errorf("Time(%x) = %v, %v, want %v in UTC", want, back, err, tc.t)
		}
		if back != back.UTC().Round(0) {
			t.Errorf("Time(%x) = %#v: not in the plain form", want, back)
		}
		for n := range want {
			if _, err := wire.Time(want[:n]); !errors.Is(err, wire.ErrTruncated) {
				t.Errorf("Time of %d bytes: %v", n, err)
			}
		}
	}
}

func TestTimeKeepsZero(t *testing.T) {
	var buf [wire.TimeLen]byte
	wire.PutTime(buf[:], time.Time{})
	got, err := wire.Time(buf[:])
	if err != nil || got != (time.Time{}) {
		t.Errorf("zero time comes back as %#v, %v", got, err)
	}
}

func TestTimeDropsMonotonic(t *testing.T) {
	now := time.Now()
	var buf [wire.TimeLen]byte
	wire.PutTime(buf[:], now)
	got, err := wire.Time(buf[:])
	if err != nil || got != now.Round(0).UTC() {
		t.Errorf("%v comes back as %v, %v", now, got, err)
	}
}

func TestTimeRefusesNanoseconds(t *testing.T) {
	for _, s := range []string{"000000000000000000ca9a3b", "0000000000000000ffffffff"} {
		if got, err := wire.Time(unhex(t, s)); !errors.Is(err, wire.ErrCorrupt) {
			t.Errorf("Time(%s) = %v, %v", s, got, err)
		}
	}
}

func TestPutTimePanicsWhenShort(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	wire.PutTime(make([]byte, wire.TimeLen-1), time.Time{})
}
