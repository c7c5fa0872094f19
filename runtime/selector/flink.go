package selector

import (
	"math"
	"math/bits"
	"time"
	"unicode/utf8"
)

// The Flink functions select the channel that Apache Flink's keyBy selects, bit for bit: the key's Java hashCode, a
// murmur of it modulo the number of key groups, and the channel whose range holds the group. Integers have the hash of the
// Java type of their width. Java has no unsigned ones: uint8, uint16, uint32 and uint64 are converted to the signed type of the same
// width first, and int, uint and uintptr count as 64 bits on every machine.

// FlinkString returns the Java hash of a string: of its UTF-16 units. Each byte that is not part of valid UTF-8 counts as one
// U+FFFD.
func FlinkString(s string) int32 {
	var h int32
	i := 0
	for ; i < len(s) && s[i] < utf8.RuneSelf; i++ {
		h = 31*h + int32(s[i])
	}
	for _, r := range s[i:] {
		if r > 0xffff {
			r -= 0x10000
			h = 31*h + 0xd800 + r>>10
			r = 0xdc00 + r&0x3ff
		}
		h = 31*h + r
	}
	return h
}

// FlinkBytes returns the Java hash of the content of a byte array, java.util.Arrays.hashCode; a nil slice is an empty one. Flink
// itself refuses arrays as keys, because their hashCode is their identity: what agrees with it is a list of bytes or a class of one's own.
func FlinkBytes(k []byte) int32 {
	h := int32(1)
	for _, b := range k {
		h = 31*h + int32(int8(b))
	}
	return h
}

// FlinkBool returns the Java hash of a boolean.
func FlinkBool(v bool) int32 {
	if v {
		return 1231
	}
	return 1237
}

// Flink32 returns the Java hash of an int, short or byte, which is its value: int8 and int16 are converted by value.
func Flink32(v int32) int32 { return v }

// Flink64 returns the Java hash of a long: its halves xored. v and ^v so have the same hash, and share a channel.
func Flink64(v int64) int32 { return int32(v) ^ int32(v>>32) }

// FlinkFloat32 returns the Java hash of a float. All NaN are one key; −0 is another key than 0.
func FlinkFloat32(v float32) int32 {
	if v != v {
		return 0x7fc00000
	}
	return int32(math.Float32bits(v))
}

// FlinkFloat64 returns the Java hash of a double. All NaN are one key; −0 is another key than 0.
func FlinkFloat64(v float64) int32 {
	if v != v {
		return 0x7ff80000
	}
	return Flink64(int64(math.Float64bits(v)))
}

// FlinkTime returns the Java hash of a java.time.Instant: of the seconds since 1970 as a long, plus 51 times the nanoseconds.
// Equal instants are one key, whatever their location; a monotonic reading plays no part.
func FlinkTime(t time.Time) int32 { return Flink64(t.Unix()) + 51*int32(t.Nanosecond()) }

// FlinkCombine adds the hash of the next field to the hash h of a composite key, as Flink's tuples do. The first field is
// combined with 0.
func FlinkCombine(h, field int32) int32 { return 31*h + field }

// FlinkGroup returns the key group of a hash: a murmur of it, modulo keyGroups, which must be at least 1.
func FlinkGroup(hash int32, keyGroups int) int { return int(flinkMurmur(hash) % uint32(keyGroups)) }

// FlinkChannel returns the channel, of channels many, whose range of key groups holds the group of hash. It needs
// 1 ≤ channels ≤ keyGroups ≤ 32768, which [Topology.ValidateFor] checks.
func FlinkChannel(hash int32, keyGroups, channels int) int {
	group := flinkMurmur(hash) % uint32(keyGroups)
	return int(group * uint32(channels) / uint32(keyGroups)) // below 2³⁰, no overflow
}

// KeyGroupRange returns the first and the last key group of a channel, of channels many. The ranges of all channels divide the
// groups among them, their sizes differing by at most one. With fewer groups than channels, some ranges are empty: their last is first − 1.
func KeyGroupRange(channel, channels, keyGroups int) (first, last int) {
	i, p, m := int64(channel), int64(channels), int64(keyGroups)
	return int((i*m + p - 1) / p), int(((i+1)*m+p-1)/p) - 1
}

// flinkMurmur is the 32-bit MurmurHash3 of one word without a seed, made non-negative by negation.
func flinkMurmur(hash int32) uint32 {
	h := uint32(hash) * 0xcc9e2d51
	h = bits.RotateLeft32(h, 15) * 0x1b873593
	h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	h ^= 4
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	h ^= h >> 16
	// The sign is spread over s: h is negated if it is negative. The least number has no positive counterpart and counts as 0.
	s := uint32(int32(h) >> 31)
	return ((h ^ s) - s) & math.MaxInt32
}
