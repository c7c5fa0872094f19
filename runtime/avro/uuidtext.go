package avro

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// UUIDTextLen is the length of a UUID that is a string, with its length.
const UUIDTextLen = 1 + uuidText

// PutUUIDText writes u as a string to dst[:[UUIDTextLen]]. It panics if dst is shorter.
func PutUUIDText(dst []byte, u UUID) {
	text := (*[uuidText]byte)(dst[1:])
	dst[0] = uuidText << 1
	u.put(text)
}

// UUIDText reads a UUID from the start of src, which is a string, and returns it and how many bytes it took. The error is of [LengthError], or [wire.ErrCorrupt] for a string that is no UUID.
func UUIDText(src []byte) (u UUID, n int, err error) {
	p, n := Span(src)
	if n <= 0 {
		return UUID{}, 0, LengthError(n)
	}
	if u, err = parseUUID(p); err != nil {
		return UUID{}, 0, uuidError(p)
	}
	return u, n, nil
}

func uuidError(p []byte) error {
	return fmt.Errorf("no UUID: %.50q: %w", p, wire.ErrCorrupt)
}

// DurationLen is the length of a duration, in bytes.
const DurationLen = 12
