package byhand

import (
	"fmt"
	"unsafe"
)

// cut takes the string of fewer than 128 bytes that begins with its length at s[i], and returns it and where it ends; 0 if there is none.
func cut(s string, i int) (text string, end int) {
	if i < len(s) {
		n := int(s[i])
		i++
		if n < 0x80 && n <= len(s)-i {
			return s[i : i+n], i + n
		}
	}
	return "", 0
}

// count takes the length of a slice or map at s[i], of fewer than 127 elements of at least size bytes. It is 0 for nil, and -1 for what is not usual.
func count(s string, i, size int) int {
	if i < len(s) {
		if n := int(s[i]); n < 0x80 && (n-1)*size < len(s)-i {
			return n
		}
	}
	return -1
}

// textOf returns b as a string, as a part of it or as a copy.
func textOf(b []byte, view bool) string {
	if view {
		return unsafe.String(unsafe.SliceData(b), len(b))
	}
	return string(b)
}

// load64 and load32 read numbers in front of s[end].
func load64(s string, end int) uint64 {
	s = s[end-8 : end]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func load32(s string, end int) uint32 {
	s = s[end-4 : end]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// whole is an error if a record of n bytes is not all of src.
func whole(n int, err error, src []byte) error {
	if err == nil && n != len(src) {
		return fmt.Errorf("byhand: %d of %d bytes are a record", n, len(src))
	}
	return err
}
