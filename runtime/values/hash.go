package values

import (
	"math"
	"math/bits"
	"time"

	"github.com/zeebo/xxh3"
)

// Seed is the state that a hash starts with.
const Seed = 0x2d358dccaa6c78a5

// multiplier is 2⁶⁴ divided by the golden ratio, an odd number without a pattern in its bits.
const multiplier = 0x9e3779b97f4a7c15

// HashWord returns the state that follows on h after the word w.
func HashWord(h, w uint64) uint64 {
	hi, lo := bits.Mul64(h^w, multiplier)
	return hi ^ lo
}

// HashBool is [HashWord] for a bool: 0 or 1.
func HashBool(h uint64, v bool) uint64 {
	if v {
		return HashWord(h, 1)
	}
	return HashWord(h, 0)
}

// HashFloat32 is [HashWord] for the bits of a number.
func HashFloat32(h uint64, v float32) uint64 { return HashWord(h, uint64(math.Float32bits(v))) }

// HashFloat64 is [HashWord] for the bits of a number.
func HashFloat64(h uint64, v float64) uint64 { return HashWord(h, math.Float64bits(v)) }

// HashTime hashes an instant: its seconds since 1970, then its nanoseconds.
func HashTime(h uint64, t time.Time) uint64 {
	return HashWord(HashWord(h, uint64(t.Unix())), uint64(t.Nanosecond()))
}

// HashCount hashes the length of a slice or map of n elements: 0 for nil, otherwise n+1.
func HashCount(h uint64, n int, isNil bool) uint64 {
	if isNil {
		return HashWord(h, 0)
	}
	return HashWord(h, uint64(n)+1)
}

// HashString hashes a string: the XXH3 of its bytes is one word.
func HashString(h uint64, s string) uint64 { return HashWord(h, xxh3.HashString(s)) }

// HashRaw hashes bytes without their number, as those of an array: their XXH3 is one word.
func HashRaw(h uint64, p []byte) uint64 { return HashWord(h, xxh3.Hash(p)) }

// HashBytes hashes a byte slice: its length, as [HashCount] does, and, unless it is nil, its bytes.
func HashBytes(h uint64, p []byte) uint64 {
	if p == nil {
		return HashWord(h, 0)
	}
	return HashRaw(HashWord(h, uint64(len(p))+1), p)
}

// scratchBytes is the number of bytes of other types that are hashed without an allocation.
const scratchBytes = 64

// HashRawOf is [HashRaw] for elements of a type of the package's own, which have to be copied. More than 64 of them take an allocation.
func HashRawOf[E ~uint8](h uint64, p []E) uint64 {
	var scratch [scratchBytes]byte
	b := scratch[:0]
	if len(p) > len(scratch) {
		b = make([]byte, 0, len(p))
	}
	for _, c := range p {
		b = append(b, byte(c))
	}
	return HashRaw(h, b)
}

// HashBytesOf is [HashBytes] for elements of a type of the package's own. See [HashRawOf].
func HashBytesOf[S ~[]E, E ~uint8](h uint64, p S) uint64 {
	if p == nil {
		return HashWord(h, 0)
	}
	return HashRawOf(HashWord(h, uint64(len(p))+1), p)
}
