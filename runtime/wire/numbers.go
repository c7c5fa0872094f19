package wire

import (
	"encoding/binary"
	"math"
)

// integer and float are the types of numbers whose size is the same everywhere, and word those that have the size of the machine's word, but 64 bits on the wire.
type (
	integer interface {
		~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
	}
	float interface{ ~float32 | ~float64 }
	word  interface{ ~int | ~uint | ~uintptr }
)

// PutInts writes the integers of s to the start of dst, which must have room for them: it panics otherwise. Where memory has the order of the wire it is one copy,
// as are the other functions for numbers.
func PutInts[E integer](dst []byte, s []E) {
	if bulk {
		putBulk(dst, s)
		return
	}
	switch size := intSize[E](); size {
	case 1:
		_ = dst[:len(s)]
		for i, x := range s {
			dst[i] = byte(x)
		}
	case 2:
		_ = dst[:2*len(s)]
		for i, x := range s {
			binary.LittleEndian.PutUint16(dst[2*i:], uint16(x))
		}
	case 4:
		_ = dst[:4*len(s)]
		for i, x := range s {
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(x))
		}
	default:
		_ = dst[:8*len(s)]
		for i, x := range s {
			binary.LittleEndian.PutUint64(dst[8*i:], uint64(x))
		}
	}
}

// Ints reads len(s) integers from the start of src into s. It panics if src has fewer.
func Ints[E integer](s []E, src []byte) {
	if bulk {
		readBulk(s, src)
		return
	}
	switch size := intSize[E](); size {
	case 1:
		src = src[:len(s)]
		for i, b := range src {
			s[i] = E(b)
		}
	case 2:
		_ = src[:2*len(s)]
		for i := range s {
			s[i] = E(binary.LittleEndian.Uint16(src[2*i:]))
		}
	case 4:
		_ = src[:4*len(s)]
		for i := range s {
			s[i] = E(binary.LittleEndian.Uint32(src[4*i:]))
		}
	default:
		_ = src[:8*len(s)]
		for i := range s {
			s[i] = E(binary.LittleEndian.Uint64(src[8*i:]))
		}
	}
}

// PutFloats is [PutInts] for floating-point numbers, whose bits are written as they are.
func PutFloats[E float](dst []byte, s []E) {
	switch {
	case bulk:
		putBulk(dst, s)
	case isFloat32[E]():
		_ = dst[:4*len(s)]
		for i, x := range s {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(x)))
		}
	default:
		_ = dst[:8*len(s)]
		for i, x := range s {
			binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(float64(x)))
		}
	}
}

// Floats is [Ints] for floating-point numbers.
func Floats[E float](s []E, src []byte) {
	switch {
	case bulk:
		readBulk(s, src)
	case isFloat32[E]():
		_ = src[:4*len(s)]
		for i := range s {
			s[i] = E(math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:])))
		}
	default:
		_ = src[:8*len(s)]
		for i := range s {
			s[i] = E(math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:])))
		}
	}
}

// PutWords is [PutInts] for integers of the machine's word, which take 64 bits each.
func PutWords[E word](dst []byte, s []E) {
	if bulk && wide {
		putBulk(dst, s)
		return
	}
	_ = dst[:8*len(s)]
	for i, x := range s {
		binary.LittleEndian.PutUint64(dst[8*i:], uint64(x))
	}
}

// Words is [Ints] for integers of the machine's word. It stops at the first one that does not fit into it, and returns how many did.
func Words[E word](s []E, src []byte) int {
	if bulk && wide {
		readBulk(s, src)
		return len(s)
	}
	_ = src[:8*len(s)]
	for i := range s {
		x := binary.LittleEndian.Uint64(src[8*i:])
		if s[i] = E(x); uint64(s[i]) != x { // signed words are extended by their sign, which is what those that fit have
			return i
		}
	}
	return len(s)
}

// wide says that a word of the machine has 64 bits.
const wide = math.MaxUint > math.MaxUint32

// intSize returns the size of an E in bytes.
func intSize[E integer]() int {
	one := E(1)
	size := 1
	for size < 8 && one<<(8*size) != 0 {
		size *= 2
	}
	return size
}

// isFloat32 says that an E has 32 bits.
func isFloat32[E float]() bool {
	x := E(1 << 24) // of 32 bits it is the first one without a successor
	return x+1 == x
}
