package wire_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestSlice(t *testing.T) {
	old := []int{1, 2, 3, 4, 5}
	for _, tc := range []struct {
		name  string
		src   string
		old   []int
		min   int
		alloc int64
		want  []int
		n     int
		err   error
	}{
		{"nil", "\x00", old, 1, 0, nil, 1, nil},
		{"empty", "\x01", nil, 1, 0, []int{}, 1, nil},
		{"empty in old", "\x01", slices.Clone(old), 1, 0, []int{}, 1, nil},
		{"new", "\x04abc", nil, 1, 24, []int{0, 0, 0}, 1, nil},
		{"too small", "\x07abcdef", slices.Clip(old), 1, 48, make([]int, 6), 1, nil},
		{"kept", "\x04abc", slices.Clone(old), 1, 24, []int{1, 2, 3}, 1, nil},
		{"zero beyond the length", "\x06abcde", slices.Clone(old)[:2], 1, 40, []int{1, 2, 0, 0, 0}, 1, nil},
		{"two bytes each", "\x04abcdef", nil, 2, 24, []int{0, 0, 0}, 1, nil},
		{"no bytes each", "\x04", nil, 0, 24, []int{0, 0, 0}, 1, nil},
		{"long length", "\xc9\x01" + strings.Repeat("a", 200), nil, 1, 1600, make([]int, 200), 2, nil},

		{"nothing", "", old, 1, 100, nil, 0, wire.ErrTruncated},
		{"cut length", "\x80", old, 1, 100, nil, 0, wire.ErrTruncated},
		{"length too long", "\x81\x00", old, 1, 100, nil, 0, wire.ErrCorrupt},
		{"too many", "\x04ab", old, 1, 100, nil, 0, wire.ErrTruncated},
		{"too many of two bytes", "\x04abcde", old, 2, 100, nil, 0, wire.ErrTruncated},
		{"above the budget", "\x04abc", nil, 1, 23, nil, 0, wire.ErrLimit},
		{"above the budget, in old", "\x04abc", old, 1, 23, nil, 0, wire.ErrLimit},
		{"2⁶⁴−2", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a", old, 1, 100, nil, 0, wire.ErrTruncated},
		{"2⁶⁴−2 of no bytes", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a", old, 0, 100, nil, 0, wire.ErrLimit},
	} {
		b := wire.NewBudget(tc.alloc, 0)
		got, n, err := wire.Slice([]byte(tc.src), tc.old, tc.min, 8, &b)
		if !slices.Equal(got, tc.want) || (got == nil) != (tc.want == nil) || n != tc.n || !errors.Is(err, tc.err) {
			t.Errorf("%s: %v, %d, %v, want %v, %d, %v", tc.name, got, n, err, tc.want, tc.n, tc.err)
		}
		if len(got) > 0 && cap(tc.old) >= len(got) && &got[0] != &tc.old[0] {
			t.Errorf("%s: the memory of old is not used", tc.name)
		}
		if err == nil && got != nil && len(got) <= len(tc.old) && slices.ContainsFunc(tc.old[len(got):], func(x int) bool { return x != 0 }) {
			t.Errorf("%s: what is left behind the end is %v", tc.name, tc.old[len(got):])
		}
	}
}

func TestMap(t *testing.T) {
	for _, tc := range []struct {
		name  string
		src   string
		old   map[int8]bool
		min   int
		alloc int64
		isNil bool
		size  int
		n     int
		err   error
	}{
		{"nil", "\x00", map[int8]bool{1: true}, 2, 0, true, 0, 1, nil},
		{"empty", "\x01", nil, 2, 0, false, 0, 1, nil},
		{"empty in old", "\x01", map[int8]bool{1: true}, 2, 0, false, 0, 1, nil},
		{"new", "\x03abcd", nil, 2, 8, false, 2, 1, nil},
		{"kept", "\x03abcd", map[int8]bool{1: true}, 2, 8, false, 2, 1, nil},
		{"no bytes each", "\xc9\x01", nil, 0, 800, false, 200, 2, nil},

		{"nothing", "", nil, 2, 100, true, 0, 0, wire.ErrTruncated},
		{"too many", "\x03abc", nil, 2, 100, true, 0, 0, wire.ErrTruncated},
		{"length too long", "\x81\x00", nil, 2, 100, true, 0, 0, wire.ErrCorrupt},
		{"above the budget", "\x03abcd", map[int8]bool{}, 2, 7, true, 0, 0, wire.ErrLimit},
	} {
		b := wire.NewBudget(tc.alloc, 0)
		got, size, n, err := wire.Map([]byte(tc.src), tc.old, tc.min, 4, &b)
		if (got == nil) != tc.isNil || len(got) != 0 || size != tc.size || n != tc.n || !errors.Is(err, tc.err) {
			t.Errorf("%s: %v, %d, %d, %v, want nil %v, %d, %d, %v", tc.name, got, size, n, err, tc.isNil, tc.size, tc.n, tc.err)
		}
		if got != nil && tc.old != nil {
			got[5] = true
			if !tc.old[5] {
				t.Errorf("%s: old is not used", tc.name)
			}
		}
	}
}

func TestNewAndEntry(t *testing.T) {
	old := &struct{ A int }{1}
	if got := wire.New(old); got == old || got.A != 0 {
		t.Errorf("New returns %v", got)
	}
	if k, v := wire.Entry(map[string]*int{"a": nil}); k != "" || v != nil {
		t.Errorf("Entry returns %q, %v", k, v)
	}
}
