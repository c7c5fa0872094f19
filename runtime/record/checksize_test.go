package record

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestCheckSize(t *testing.T) {
	for _, tc := range []struct {
		max, n int
		ok     bool
	}{
		{0, 0, true}, {0, 64 << 20, true}, {0, 64<<20 + 1, false},
		{-1, 64 << 20, true}, {-1, 64<<20 + 1, false},
		{10, 10, true}, {10, 11, false},
		{math.MaxInt32, math.MaxInt32, true},
	} {
		err := Limits{MaxRecordBytes: tc.max}.CheckSize(tc.n)
		if (err == nil) != tc.ok || err != nil && !errors.Is(err, wire.ErrLimit) {
			t.Errorf("CheckSize(%d) under %d: %v", tc.n, tc.max, err)
		}
	}
	if err := (Limits{MaxRecordBytes: 77}).CheckSize(99); !strings.Contains(err.Error(), "77") || !strings.Contains(err.Error(), "99") {
		t.Errorf("%q has no numbers", err)
	}
}
