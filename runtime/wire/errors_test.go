package wire_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestSentinels(t *testing.T) {
	for _, tc := range []struct {
		err, target error
		want        bool
	}{
		{wire.ErrDepth, wire.ErrLimit, true},
		{wire.ErrDepth, wire.ErrCorrupt, false},
		{wire.ErrLimit, wire.ErrDepth, false},
		{wire.ErrOverflow, wire.ErrCorrupt, true},
		{wire.ErrOverflow, wire.ErrLimit, false},
		{wire.ErrShort, wire.ErrTruncated, false},
		{wire.ErrTruncated, wire.ErrCorrupt, false},
		{wire.FieldError("A", 1, wire.ErrOverflow), wire.ErrCorrupt, true},
		{wire.IndexError(0, 1, fmt.Errorf("x: %w", wire.ErrDepth)), wire.ErrLimit, true},
	} {
		if got := errors.Is(tc.err, tc.target); got != tc.want {
			t.Errorf("errors.Is(%v, %v) = %v", tc.err, tc.target, got)
		}
	}
}

func TestErrorPath(t *testing.T) {
	cause := errors.New("cause")
	for _, tc := range []struct {
		err    error
		path   string
		offset int
		text   string
	}{
		{wire.FieldError("Sku", 2, cause), "Sku", 2, "Sku: offset 2: cause"},
		{wire.FieldError("A", 10, wire.FieldError("B", 3, cause)), "A.B", 13, "A.B: offset 13: cause"},
		{wire.FieldError("Lines", 4, wire.IndexError(3, 10, wire.FieldError("Sku", 3, cause))), "Lines[3].Sku", 17,
			"Lines[3].Sku: offset 17: cause"},
		{wire.FieldError("M", 0, wire.IndexError(0, 0, wire.IndexError(12, 0, cause))), "M[0][12]", 0, "M[0][12]: offset 0: cause"},
		{&wire.Error{Offset: 5, Err: cause}, "", 5, "offset 5: cause"},
		{wire.FieldError("A", 1, &wire.Error{Offset: 5, Err: cause}), "A", 6, "A: offset 6: cause"},
	} {
		var e *wire.Error
		if !errors.As(tc.err, &e) || e.Path != tc.path || e.Offset != tc.offset || e.Error() != tc.text || !errors.Is(e, cause) {
			t.Errorf("%#v, want path %q, offset %d, text %q", tc.err, tc.path, tc.offset, tc.text)
		}
	}
	if err := wire.FieldError("A", 1, nil); err != nil {
		t.Errorf("FieldError of nil = %v", err)
	}
	if err := wire.IndexError(1, 1, nil); err != nil {
		t.Errorf("IndexError of nil = %v", err)
	}
}

func TestErrorIsNotChanged(t *testing.T) {
	inner := wire.FieldError("B", 1, wire.ErrCorrupt)
	before := inner.Error()
	wire.FieldError("A", 7, inner)
	wire.IndexError(0, 7, inner)
	if inner.Error() != before {
		t.Errorf("error became %q, was %q", inner, before)
	}
}

func TestLongPathIsCut(t *testing.T) {
	err := error(wire.ErrCorrupt)
	err = wire.FieldError("Leaf", 1, err)
	for range 100_000 {
		err = wire.FieldError("Next", 1, err)
	}
	err = wire.FieldError("List", 1, err)
	var e *wire.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if len(e.Path) > 300 || !strings.HasPrefix(e.Path, "List…Next.Next.") || !strings.HasSuffix(e.Path, ".Next.Leaf") {
		t.Errorf("path of %d bytes: %s", len(e.Path), e.Path)
	}
	if e.Offset != 100_002 {
		t.Errorf("offset %d", e.Offset)
	}
}
