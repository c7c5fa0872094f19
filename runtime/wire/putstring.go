package wire

import "encoding/binary"

// PutString writes s with its length to the start of dst and returns how many bytes it took, or 0 if it does not fit into
// len(dst).
func PutString(dst []byte, s string) int {
	n := len(s)
	if n >= 0x80 || n >= len(dst) {
		return putString(dst, s)
	}
	dst[0] = byte(n)
	dst = dst[1 : 1+n]
	// Up to 32 bytes are moved by two or four loads and stores that overlap: a call of memmove takes longer than that, and so would one of a function with these lines.
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
	if n := len(s); n>>7 != 0 && n < 1<<14 && n <= len(dst)-2 {
		dst[0], dst[1] = byte(n)|0x80, byte(n>>7)
		return 2 + copy(dst[2:], s)
	}
	n := PutUvarint(dst, uint64(len(s)))
	if n == 0 || len(s) > len(dst)-n {
		return 0
	}
	return n + copy(dst[n:], s)
}

// load64 returns the first eight bytes of s as they are on the wire. The compiler makes it one load.
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
