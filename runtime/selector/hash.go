package selector

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"

	"github.com/zeebo/xxh3"
)

// Scale returns the channel, of channels many, that owns hash: the upper 64 bits of the 128-bit product. channels must be at
// least 1. A channel owns one contiguous range of hashes, and the ranges differ in size by at most one.
func Scale(hash uint64, channels int) int {
	hi, _ := bits.Mul64(hash, uint64(channels))
	return int(hi)
}

// HashString returns the hash of a key that is one string. The empty string has a hash like any other.
func HashString(s string) uint64 { return xxh3.HashString(s) }

// HashBytes returns the hash of a key that is one []byte, or of the composite key built in k. A nil slice is the same key as
// an empty one and as the empty string. k is only read.
func HashBytes(k []byte) uint64 { return xxh3.Hash(k) }

// HashBool returns the hash of a key that is one bool.
func HashBool(v bool) uint64 {
	if v {
		return hashTrue
	}
	return hashFalse
}

// The hashes of the bytes 0 and 1.
const (
	hashFalse = 0xc44bdff4074eecdb
	hashTrue  = 0xe12ef9d2eb86ceeb
)

// Hash8 returns the hash of a key that is one 8-bit integer; signed ones are converted to uint8 first.
func Hash8(v uint8) uint64 { return xxh3.Hash([]byte{v}) }

// Hash16 returns the hash of a key that is one 16-bit integer; signed ones are converted to uint16 first.
func Hash16(v uint16) uint64 {
	var k [2]byte
	binary.LittleEndian.PutUint16(k[:], v)
	return xxh3.Hash(k[:])
}

// The 8- and 4-byte cases of XXH3-64 with seed 0, small enough to be inlined: these are the keys of most records. The
// general function reads the input as two overlapping 32-bit words, the first of which goes to the upper half; for 8 bytes that is a
// rotation, for 4 bytes a doubling. A test compares both with the general function.
const (
	xxhFlip = 0xc73ab174c5ecd5a2 // bytes 8–15 of the default secret xor bytes 16–23
	xxhMul  = 0x9fb21c651e98df25
)

// Hash32 returns the hash of a key that is one 32-bit integer; signed ones are converted to uint32 first.
func Hash32(v uint32) uint64 {
	h := (uint64(v) | uint64(v)<<32) ^ xxhFlip
	h ^= bits.RotateLeft64(h, 49) ^ bits.RotateLeft64(h, 24)
	h *= xxhMul
	h ^= h>>35 + 4
	h *= xxhMul
	return h ^ h>>28
}

// Hash64 returns the hash of a key that is one integer of 64 bits, or an int, uint or uintptr, which are 64 bits wide in
// keys on every machine; signed ones are converted through int64 to uint64 first.
func Hash64(v uint64) uint64 {
	h := bits.RotateLeft64(v, 32) ^ xxhFlip
	h ^= bits.RotateLeft64(h, 49) ^ bits.RotateLeft64(h, 24)
	h *= xxhMul
	h ^= h>>35 + 8
	h *= xxhMul
	return h ^ h>>28
}

// HashFloat32 returns the hash of a key that is one float32. −0 is the same key as 0, and all NaN are one key.
func HashFloat32(v float32) uint64 { return Hash32(floatKey32(v)) }

// HashFloat64 returns the hash of a key that is one float64. −0 is the same key as 0, and all NaN are one key.
func HashFloat64(v float64) uint64 { return Hash64(floatKey64(v)) }

// HashTime returns the hash of a key that is one time. Equal instants are one key, whatever their location; a monotonic
// reading plays no part.
func HashTime(t time.Time) uint64 {
	var k [12]byte
	return xxh3.Hash(AppendTime(k[:0], t))
}

func floatKey32(v float32) uint32 {
	switch {
	case v == 0:
		return 0
	case v != v:
		return 0x7fc00000
	}
	return math.Float32bits(v)
}

func floatKey64(v float64) uint64 {
	switch {
	case v == 0:
		return 0
	case v != v:
		return 0x7ff8000000000000
	}
	return math.Float64bits(v)
}
