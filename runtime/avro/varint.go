package avro

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/rwgen/rwgen/runtime/wire"
)

// Both int and long are variable-length zigzag numbers. The shortest form is written; longer ones of up to ten bytes are read, as by other implementations.

// The lengths of the longest numbers, in bytes.
const (
	MaxIntLen  = 5
	MaxLongLen = 10
)

// LongLen returns how many bytes v takes as a long, and as an int: 1 to 10.
func LongLen(v int64) int { return wire.UvarintLen(wire.Zigzag(v)) }

// PutLong writes v to the start of dst and returns how many bytes it took, or 0 if it does not fit into len(dst).
func PutLong(dst []byte, v int64) int {
	if u := uint64(v)<<1 ^ uint64(v>>63); u < 0x80 && len(dst) > 0 {
		dst[0] = byte(u)
		return 1
	}
	return putLong(dst, v)
}

// putLong is PutLong for what its first lines leave.
//
//go:noinline
func putLong(dst []byte, v int64) int {
	u := wire.Zigzag(v)
	n := wire.UvarintLen(u)
	if n > len(dst) {
		return 0
	}
	if n == 1 {
		dst[0] = byte(u)
		return 1
	}
	if n <= 8 {
		// Two stores that overlap, so that nothing behind the number is touched.
		w := spread(u) | continued>>(72-8*n)
		if n >= 4 {
			binary.LittleEndian.PutUint32(dst, uint32(w))
			binary.LittleEndian.PutUint32(dst[n-4:], uint32(w>>(8*n-32)))
		} else {
			binary.LittleEndian.PutUint16(dst, uint16(w))
			binary.LittleEndian.PutUint16(dst[n-2:], uint16(w>>(8*n-16)))
		}
		return n
	}
	for i := range dst[:n-1] {
		dst[i] = byte(u) | 0x80
		u >>= 7
	}
	dst[n-1] = byte(u)
	return n
}

// continued has the bit of each byte by which a number goes on.
const continued = 0x8080808080808080

// spread puts each seven bits of u, which has 56, into a byte of its own.
func spread(u uint64) uint64 {
	u = u&0x000000000fffffff | u&0x00fffffff0000000<<4
	u = u&0x00003fff00003fff | u&0x0fffc0000fffc000<<2
	return u&0x007f007f007f007f | u&0x3f803f803f803f80<<1
}

// gather is the inverse of spread: it takes seven bits of each byte.
func gather(u uint64) uint64 {
	u &^= continued
	u = u&0x007f007f007f007f | u&0x7f007f007f007f00>>1
	u = u&0x00003fff00003fff | u&0x3fff00003fff0000>>2
	return u&0x000000000fffffff | u&0x0fffffff00000000>>4
}

// QuickLong is the first part of [Long], made to be inlined, for numbers of one byte at src[i], where i is not negative. n is 0 where it does not know.
func QuickLong(src []byte, i int) (v int64, n int) {
	if i < len(src) && src[i] < 0x80 {
		return int64(src[i]>>1) ^ -int64(src[i]&1), 1
	}
	return 0, 0
}

// Long reads a long from the start of src and returns it and how many bytes it took. n is 0 if src ends within the number, and negative if the number has more than 64 bits; [NumberError] makes
// n an error.
func Long(src []byte) (v int64, n int) {
	u, n := uvarint(src)
	return wire.Unzigzag(u), n
}

// uvarint reads a number before it is taken for a signed one.
func uvarint(src []byte) (u uint64, n int) {
	if len(src) >= 8 {
		word := binary.LittleEndian.Uint64(src)
		if ends := ^word & continued; ends != 0 {
			last := bits.TrailingZeros64(ends) // the highest bit of the last byte
			return gather(word & (2<<last - 1)), last>>3 + 1
		}
	}
	for i, b := range src {
		if i == MaxLongLen-1 && b > 1 {
			return 0, -1 // beyond 64 bits, or an eleventh byte to come
		}
		u |= uint64(b&0x7f) << (7 * i & 63)
		if b < 0x80 {
			return u, i + 1
		}
	}
	return 0, 0
}

// QuickInt is the first part of [Int], as [QuickLong] is that of Long.
func QuickInt(src []byte, i int) (v int32, n int) {
	if i < len(src) && src[i] < 0x80 {
		return int32(src[i]>>1) ^ -int32(src[i]&1), 1
	}
	return 0, 0
}

// Int reads an int as [Long] reads a long. n is negative also if the number does not fit 32 bits.
func Int(src []byte) (v int32, n int) {
	u, n := uvarint(src)
	if u > math.MaxUint32 {
		return 0, -2
	}
	return int32(u>>1) ^ -int32(u&1), n
}

var (
	errLong = fmt.Errorf("avro: number of more than 64 bits: %w", wire.ErrCorrupt)
	errInt  = fmt.Errorf("avro: int of more than 32 bits: %w", wire.ErrCorrupt)
)

// NumberError returns the error for a result n ≤ 0 of [Long] and [Int]: [wire.ErrTruncated] for 0, one that is [wire.ErrCorrupt] below. It returns nil for n > 0.
func NumberError(n int) error {
	switch {
	case n > 0:
		return nil
	case n == 0:
		return wire.ErrTruncated
	case n == -2:
		return errInt
	}
	return errLong
}
