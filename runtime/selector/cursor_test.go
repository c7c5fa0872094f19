package selector_test

import (
	"math"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
)

func TestCursor(t *testing.T) {
	for _, tc := range []struct {
		lo, hi, start int
		want          []int
	}{
		{0, 3, 0, []int{0, 1, 2, 0, 1, 2, 0}},
		{0, 3, 2, []int{2, 0, 1, 2}},
		{2, 5, 3, []int{3, 4, 2, 3}},
		{7, 8, 7, []int{7, 7, 7}},
		{0, 3, 3, []int{0, 1}},
		{0, 3, -1, []int{2, 0}},
		{2, 5, 5, []int{2, 3}},
		{2, 5, 1, []int{4, 2}},
		{2, 5, 0, []int{3, 4}},
		{4, 4, 9, []int{4, 4}},
		{4, 1, 9, []int{4, 4}},
		{0, math.MaxInt, math.MaxInt - 1, []int{math.MaxInt - 1, 0, 1}},
		{0, 10, math.MaxInt, []int{math.MaxInt % 10, (math.MaxInt%10 + 1) % 10}},
	} {
		c := selector.NewCursor(tc.lo, tc.hi, tc.start)
		for i, want := range tc.want {
			if got := c.Next(); got != want {
				t.Errorf("NewCursor(%d, %d, %d): number %d is %d, want %d", tc.lo, tc.hi, tc.start, i, got, want)
			}
		}
	}
}

func TestCursorTakesAnyStart(t *testing.T) {
	for _, start := range []int{math.MinInt, -7, -1, 0, 1, 100, math.MaxInt} {
		for _, r := range [][2]int{{0, 1}, {0, 7}, {3, 10}, {math.MaxInt - 5, math.MaxInt}} {
			c := selector.NewCursor(r[0], r[1], start)
			for range 20 {
				if got := c.Next(); got < r[0] || got >= r[1] {
					t.Fatalf("NewCursor(%d, %d, %d).Next() = %d", r[0], r[1], start, got)
				}
			}
		}
	}
}
