package wire_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestBudgetCharge(t *testing.T) {
	type charge struct {
		n    uint64
		elem int64
		want error
	}
	for _, tc := range []struct {
		name    string
		max     int64
		charges []charge
	}{
		{"exactly all", 100, []charge{{10, 10, nil}, {1, 1, wire.ErrLimit}}},
		{"in parts", 100, []charge{{50, 1, nil}, {1, 50, nil}, {0, 50, nil}, {1, 1, wire.ErrLimit}}},
		{"refused charges take nothing", 100, []charge{{101, 1, wire.ErrLimit}, {100, 1, nil}}},
		{"rounding", 100, []charge{{2, 51, wire.ErrLimit}, {1, 51, nil}, {1, 49, nil}}},
		{"product above 64 bits", math.MaxInt64, []charge{
			{math.MaxUint64, math.MaxInt64, wire.ErrLimit}, {1 << 32, 1 << 32, wire.ErrLimit}, {1 << 31, 1 << 31, nil}}},
		{"nothing is free", 0, []charge{{math.MaxUint64, 0, nil}, {0, 8, nil}, {1, 1, wire.ErrLimit}}},
		{"negative budget", -5, []charge{{1, 1, wire.ErrLimit}}},
	} {
		b := wire.NewBudget(tc.max, 0)
		for i, c := range tc.charges {
			if err := b.Charge(c.n, c.elem); !errors.Is(err, c.want) {
				t.Errorf("%s: charge %d: %v, want %v", tc.name, i, err, c.want)
			}
		}
	}
}

func TestBudgetErrorHasNumbers(t *testing.T) {
	b := wire.NewBudget(1000, 0)
	b.Charge(1, 100)
	err := b.Charge(77, 24)
	for _, want := range []string{"77", "24", "900", "1000"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q has no %s", err, want)
		}
	}
}

func TestBudgetDepth(t *testing.T) {
	b := wire.NewBudget(0, 3)
	for range 2 { // what is left can be entered again
		for i := range 3 {
			if err := b.Enter(); err != nil {
				t.Fatalf("level %d: %v", i, err)
			}
		}
		for range 2 { // a refused Enter needs no Leave
			if err := b.Enter(); !errors.Is(err, wire.ErrDepth) || !strings.Contains(err.Error(), "3") {
				t.Fatalf("level 4: %v", err)
			}
		}
		for range 3 {
			b.Leave()
		}
	}
	var zero wire.Budget
	if err := zero.Enter(); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("zero budget: %v", err)
	}
}

func TestCount(t *testing.T) {
	for _, tc := range []struct {
		n1        uint64
		min, left int
		want      int
		err       error
	}{
		{0, 1, 0, 0, nil},
		{1, 1, 0, 0, nil},
		{1, 8, -1, 0, nil},
		{2, 1, 0, 0, wire.ErrTruncated},
		{2, 1, -1, 0, wire.ErrTruncated},
		{11, 1, 10, 10, nil},
		{12, 1, 10, 0, wire.ErrTruncated},
		{6, 2, 11, 5, nil},
		{7, 2, 11, 0, wire.ErrTruncated},
		{math.MaxUint64, 1, math.MaxInt, 0, wire.ErrTruncated},
		{math.MaxUint64, math.MaxInt, math.MaxInt, 0, wire.ErrTruncated},
		{math.MaxUint64, 0, 0, 0, wire.ErrLimit},
		{64<<20 + 1, 0, 0, 64 << 20, nil},
		{64<<20 + 2, 0, 0, 0, wire.ErrLimit},
	} {
		got, err := wire.Count(tc.n1, tc.min, tc.left)
		if got != tc.want || !errors.Is(err, tc.err) {
			t.Errorf("Count(%d, %d, %d) = %d, %v, want %d, %v", tc.n1, tc.min, tc.left, got, err, tc.want, tc.err)
		}
	}
}
