package wire_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestCheckMax(t *testing.T) {
	for _, tc := range []struct {
		n, most int
		ok      bool
	}{{0, 1, true}, {1, 1, true}, {2, 1, false}, {1 << 30, 1<<30 - 1, false}} {
		err := wire.CheckMax(tc.n, tc.most)
		if (err == nil) != tc.ok || err != nil && (!errors.Is(err, wire.ErrLimit) || !strings.Contains(err.Error(), "max=")) {
			t.Errorf("CheckMax(%d, %d) = %v", tc.n, tc.most, err)
		}
	}
}

func TestCheckUTF8(t *testing.T) {
	for _, tc := range []struct {
		s  string
		at string // the place in the error, "" if s is valid
	}{
		{"", ""}, {"a", ""}, {"日本", ""}, {"\ufffd", ""}, {"a\x00", ""},
		{"\xff", "0xff at index 0"}, {"\ufffd\xc3", "0xc3 at index 3"}, {"ab\xed\xa0\x80", "0xed at index 2"}, {"\xc0\x80", "0xc0 at index 0"},
	} {
		for _, err := range []error{wire.CheckUTF8(tc.s), wire.CheckUTF8([]byte(tc.s))} {
			if (err == nil) != (tc.at == "") || err != nil && (!errors.Is(err, wire.ErrUTF8) || !errors.Is(err, wire.ErrCorrupt) || !strings.Contains(err.Error(), tc.at)) {
				t.Errorf("CheckUTF8(%q) = %v", tc.s, err)
			}
		}
	}
	s, b := strings.Repeat("é", 100), []byte(strings.Repeat("é", 100))
	if n := testing.AllocsPerRun(100, func() {
		if wire.CheckUTF8(s) != nil || wire.CheckUTF8(b) != nil || wire.CheckMax(len(s), 200) != nil {
			t.Error("refused")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
