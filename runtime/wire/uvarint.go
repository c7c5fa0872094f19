package wire

import (
	"encoding/binary"
	"math/bits"
)

// MaxUvarintLen is the length of the longest uvarint, in bytes.
const MaxUvarintLen = 10

// UvarintLen returns how many bytes v takes as a uvarint: 1 to 10.
func UvarintLen(v uint64) int {
	// The smallest n with 7n ≥ the bits of v, without a division: exact for 0 to 64 bits.
	return (9*bits.Len64(v) + 64) >> 6
}

// PutUvarint writes v to the start of dst and returns how many bytes it took, or 0 if it does not fit into len(dst).
func PutUvarint(dst []byte, v uint64) int {
	if v < 0x80 && len(dst) > 0 {
		dst[0] = byte(v)
		return 1
	}
	return putUvarint(dst, v)
}

// putUvarint is kept out of line so that PutUvarint fits into its callers.
//
//go:noinline
func putUvarint(dst []byte, v uint64) int {
	if v >= 0x80 && v < 1<<14 && len(dst) > 1 {
		dst[0], dst[1] = byte(v)|0x80, byte(v>>7)
		return 2
	}
	if len(dst) < UvarintLen(v) {
		return 0
	}
	return binary.PutUvarint(dst, v)
}

// AppendUvarint appends v to dst and returns the extended slice.
func AppendUvarint(dst []byte, v uint64) []byte { return binary.AppendUvarint(dst, v) }

// Uvarint reads a uvarint from the start of src and returns it and how many bytes it took. n is 0 if src ends within the
// number and negative if the bytes are no uvarint: above 64 bits, or longer than needed. [UvarintError] makes n an error.
//
// The whole of it fits into its callers: the loop is cheaper to the inliner than a call of a second function, and the
// first line is what most lengths take.
func Uvarint(src []byte) (v uint64, n int) {
	if len(src) > 0 && src[0] < 0x80 {
		return uint64(src[0]), 1
	}
	for i, b := range src {
		if i == MaxUvarintLen-1 && b > 1 {
			return 0, -1 // beyond 64 bits, or an eleventh byte to come
		}
		v |= uint64(b&0x7f) << (7 * i & 63) // the mask changes nothing and spares the check for wide shifts
		if b < 0x80 {
			if b == 0 {
				return 0, -1 // a last byte that adds nothing: not the shortest form
			}
			return v, i + 1
		}
	}
	return 0, 0
}

// UvarintError returns the error for a result n ≤ 0 of [Uvarint]: [ErrTruncated] for 0, [ErrCorrupt] below. It returns
// nil for n > 0.
func UvarintError(n int) error {
	switch {
	case n > 0:
		return nil
	case n == 0:
		return ErrTruncated
	default:
		return errUvarint
	}
}

var errUvarint error = &kindError{"wire: uvarint not in its shortest form or above 64 bits", ErrCorrupt}

// Zigzag maps signed to unsigned integers so that small magnitudes stay small: 0, −1, 1, −2 become 0, 1, 2, 3.
func Zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

// Unzigzag is the inverse of [Zigzag].
func Unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }
