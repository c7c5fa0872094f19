package wire_test

import (
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

// TestTextError: of a string that cannot be read, a length beyond the bound is said, and else what is wrong with the bytes.
func TestTextError(t *testing.T) {
	for _, c := range []struct {
		src  string
		want error
	}{
		{"", wire.ErrTruncated},
		{"\x03ab", wire.ErrTruncated},
		{"\x05ab", wire.ErrTruncated},
		{"\x06ab", wire.ErrLimit},
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", wire.ErrLimit},
		{"\x80\x00", wire.ErrCorrupt},
		{"\x86", wire.ErrTruncated},
	} {
		_, n := wire.Span([]byte(c.src))
		if err := wire.TextError([]byte(c.src), n, 5); n > 0 || !errors.Is(err, c.want) {
			t.Errorf("%x: %d, %v, want %v", c.src, n, err, c.want)
		}
	}
}
