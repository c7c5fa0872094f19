package wire

import (
	"fmt"
	"math"
	"slices"
)

// Grow returns dst with room for a record of size more bytes. The error is [ErrLimit], and dst as it was, for more than 2³¹−1, which no frame carries, and for a negative number: a sum of
// lengths may be either where an int has 32 bits, because the slices and strings of a record may share memory.
func Grow(dst []byte, size int) ([]byte, error) {
	if size < 0 || size > math.MaxInt32 {
		return dst, growError(size)
	}
	return slices.Grow(dst, size), nil
}

//go:noinline
func growError(size int) error {
	if size < 0 {
		return fmt.Errorf("record of more than %d bytes: %w", math.MaxInt32, ErrLimit)
	}
	return fmt.Errorf("record of %d bytes, above %d: %w", size, math.MaxInt32, ErrLimit)
}
