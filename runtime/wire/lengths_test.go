package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestCheckCount(t *testing.T) {
	for _, tt := range []struct {
		count uint64 // on the wire: the length and one
		most  int
		over  bool
	}{
		{0, 1, false}, {1, 1, false}, {2, 1, false}, {3, 1, true}, {101, 100, false}, {102, 100, true},
		{math.MaxInt32 + 1, math.MaxInt32, false}, {math.MaxInt32 + 3, 5, true}, {math.MaxUint64, 5, true}, {math.MaxUint64, math.MaxInt32 - 1, true}, {math.MaxUint64, math.MaxInt - 1, true},
	} {
		err := wire.CheckCount(binary.AppendUvarint(nil, tt.count), tt.most)
		if errors.Is(err, wire.ErrLimit) != tt.over || (err != nil) != tt.over {
			t.Errorf("%d of %d: %v", tt.count, tt.most, err)
		}
	}
	// What cannot be read is for the reader.
	for _, src := range [][]byte{nil, {0x80}, {0x80, 0x00}, bytes.Repeat([]byte{0xff}, 11)} {
		if err := wire.CheckCount(src, 1); err != nil {
			t.Errorf("%x: %v", src, err)
		}
	}
}

// ViewBytes reads what wire.Bytes reads, from the same memory.
func TestViewBytes(t *testing.T) {
	for _, src := range [][]byte{
		nil, {0}, {1}, {2}, {2, 7}, {4, 7, 8, 9, 10}, {0x80}, {0x80, 0x00}, bytes.Repeat([]byte{0xff}, 11), binary.AppendUvarint(nil, math.MaxUint64),
	} {
		want, wantN := wire.Bytes[[]byte](src, nil)
		p, n := wire.ViewBytes(src)
		if n != wantN || !bytes.Equal(p, want) || (p == nil) != (want == nil) {
			t.Errorf("%x: %x, %d, want %x, %d", src, p, n, want, wantN)
		}
		if len(p) > 0 && &p[0] != &src[1] || cap(p) != len(p) {
			t.Errorf("%x: the result is a copy, or has a capacity of %d", src, cap(p))
		}
	}
}

func TestRefused(t *testing.T) {
	for _, whole := range []error{wire.ErrShort, wire.ErrDepth, nil} {
		if f, i := wire.FieldRefused("A", 1, whole), wire.IndexRefused(1, 1, whole); f != whole || i != whole {
			t.Errorf("%v became %v and %v", whole, f, i)
		}
	}
	err := wire.FieldRefused("A", 3, wire.IndexRefused(2, 1, wire.FieldError("B", 1, wire.CodecError(wire.ErrShort))))
	var e *wire.Error
	if !errors.As(err, &e) || e.Path != "A[2].B" || e.Offset != 5 {
		t.Errorf("%v", err)
	}
}
