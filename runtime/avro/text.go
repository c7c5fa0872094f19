package avro

import (
	"encoding/binary"
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// Strings and bytes: a length as a long, and as many bytes. Strings that are no valid UTF-8 are neither refused nor changed.

// StringLen returns how many bytes s takes with its length.
func StringLen(s string) int { return wire.UvarintLen(uint64(len(s))<<1) + len(s) }

// BytesLen returns how many bytes p takes with its length.
func BytesLen(p []byte) int { return wire.UvarintLen(uint64(len(p))<<1) + len(p) }

// PutString writes s with its length to the start of dst and returns how many bytes it took, or 0 if it does not fit into len(dst).
func PutString(dst []byte, s string) int {
	n := len(s)
	if n >= 0x40 || n >= len(dst) {
		return putString(dst, s)
	}
	dst[0] = byte(n << 1)
	dst = dst[1 : 1+n]
	// As in package wire: loads and stores that overlap take less time than a call of memmove.
	switch {
	case n > 32:
		copy(dst, s)
	case n > 16:
		a, b, c, d := load64(s), load64(s[8:]), load64(s[n-16:]), load64(s[n-8:])
		binary.LittleEndian.PutUint64(dst, a)
		binary.LittleEndian.PutUint64(dst[8:], b)
		binary.LittleEndian.PutUint64(dst[n-16:], c)
		binary.LittleEndian.PutUint64(dst[n-8:], d)
	case n >= 8:
		a, b := load64(s), load64(s[n-8:])
		binary.LittleEndian.PutUint64(dst, a)
		binary.LittleEndian.PutUint64(dst[n-8:], b)
	case n >= 4:
		a, b := load32(s), load32(s[n-4:])
		binary.LittleEndian.PutUint32(dst, a)
		binary.LittleEndian.PutUint32(dst[n-4:], b)
	default:
		for i := range dst {
			dst[i] = s[i]
		}
	}
	return 1 + n
}

// putString is PutString for lengths of two bytes and more, and for strings that do not fit.
//
//go:noinline
func putString(dst []byte, s string) int {
	n := PutLong(dst, int64(len(s)))
	if n == 0 || len(s) > len(dst)-n {
		return 0
	}
	return n + copy(dst[n:], s)
}

// load64 returns the first eight bytes of s, the first one lowest. The compiler makes it one load.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// load32 is load64 for four bytes.
func load32(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// PutBytes is [PutString] for bytes.
func PutBytes(dst, p []byte) int {
	n := PutLong(dst, int64(len(p)))
	if n == 0 || len(p) > len(dst)-n {
		return 0
	}
	return n + copy(dst[n:], p)
}

// QuickSpan is the first part of [Span], made to be inlined, for lengths of one byte at src[i], where i is not negative. n is 0 where it does not know.
func QuickSpan(src []byte, i int) (p []byte, n int) {
	if i < len(src) {
		n = int(src[i])
		i++
		if n&0x81 == 0 {
			if n >>= 1; n <= len(src)-i {
				return src[i : i+n], n + 1
			}
		}
	}
	return nil, 0
}

// Span reads a string, or bytes, from the start of src. It returns the bytes, which are part of src, and how many bytes they took with their length. n is 0 if src ends within them, and negative if
// there is no length; [LengthError] makes n an error.
func Span(src []byte) (p []byte, n int) {
	u, n := uvarint(src)
	if n <= 0 {
		return nil, n
	}
	if u&1 != 0 {
		return nil, -3
	}
	if u >>= 1; u > uint64(len(src)-n) {
		return nil, 0
	}
	end := n + int(u)
	return src[n:end], end
}

var errNegative = fmt.Errorf("avro: negative length: %w", wire.ErrCorrupt)

// LengthError returns the error for a result n ≤ 0 of [Span] and [Bytes]: [wire.ErrTruncated] for 0, one that is [wire.ErrCorrupt] below. It returns nil for n > 0.
func LengthError(n int) error {
	if n == -3 {
		return errNegative
	}
	return NumberError(n)
}

// Bytes reads bytes from the start of src into the memory of old, or into new memory if that is too small, and returns them and how many bytes they took with their length. They are never nil. n ≤ 0 is
// as for [Span].
func Bytes[S ~[]byte](src []byte, old S) (p S, n int) {
	span, n := Span(src)
	if n <= 0 {
		return nil, n
	}
	if old == nil {
		old = S{}
	}
	return append(old[:0], span...), n
}
