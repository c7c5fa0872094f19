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

func TestWithin(t *testing.T) {
	if err := wire.Within(3, nil); err != nil {
		t.Errorf("nil became %v", err)
	}
	inner := wire.FieldError("X", 4, wire.ErrTruncated)
	err := wire.FieldError("Shape", 10, wire.Within(2, inner))
	if got, want := err.Error(), "Shape.X: offset 16: wire: source ends early"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := inner.Error(); got != "X: offset 4: wire: source ends early" {
		t.Errorf("the inner error became %q", got)
	}
	if err := wire.Within(2, wire.ErrNil); err.Error() != "offset 2: "+wire.ErrNil.Error() || !errors.Is(err, wire.ErrNil) {
		t.Errorf("%v", err)
	}
	// Of a long path both ends stay what they are.
	long := error(wire.ErrCorrupt)
	for range 200 {
		long = wire.Within(1, wire.FieldError("Next", 1, long))
	}
	var e *wire.Error
	if !errors.As(long, &e) || e.Offset != 400 || len(e.Path) > 260 || !strings.HasSuffix(e.Path, ".Next") {
		t.Errorf("%v", long)
	}
}

func TestWithinRefused(t *testing.T) {
	for _, whole := range []error{wire.ErrShort, wire.ErrDepth} {
		if err := wire.WithinRefused(2, whole); err != whole {
			t.Errorf("%v became %v", whole, err)
		}
	}
	if err := wire.WithinRefused(2, wire.ErrNil); err.Error() != "offset 2: "+wire.ErrNil.Error() {
		t.Errorf("%v", err)
	}
}

func TestKindsOfCorrupt(t *testing.T) {
	for _, err := range []error{wire.ErrDuplicateKey, wire.ErrOverflow, &wire.PresenceError{Bits: 2, Fields: 1}} {
		if !errors.Is(err, wire.ErrCorrupt) {
			t.Errorf("%v is not ErrCorrupt", err)
		}
	}
	if got, want := (&wire.PresenceError{Bits: 2, Fields: 1}).Error(), "presence bits 0x02 for 1 fields: wire: corrupt record"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
