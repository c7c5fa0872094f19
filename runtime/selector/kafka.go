package selector

import (
	"math"
	"math/bits"
)

// The Kafka functions hash a key as Kafka's default partitioner does: murmur2 of the bytes that Kafka's own serializer of the
// type writes, without its sign bit. Integers and floats are big-endian; signed integers are converted to the unsigned type of
// their width first, and int, uint and uintptr count as 64 bits on every machine.

// KafkaChannel returns the channel of a hash, of channels many: the hash modulo channels, which must be at least 1. When the
// number of channels changes, nearly all keys move.
func KafkaChannel(hash uint32, channels int) int { return int(hash % uint32(channels)) }

// KafkaString returns the hash of a string, whose bytes are taken as they are. Kafka's StringSerializer writes UTF-8, so it agrees for
// valid UTF-8.
func KafkaString(s string) uint32 { return murmur2(s) & math.MaxInt32 }

// KafkaBytes returns the hash of a []byte. A nil slice is the same key as an empty one and as the empty string. k is only read.
func KafkaBytes(k []byte) uint32 { return murmur2(k) & math.MaxInt32 }

// KafkaBool returns the hash of a bool: of one byte, 0 or 1.
func KafkaBool(v bool) uint32 {
	if v {
		return Kafka8(1)
	}
	return Kafka8(0)
}

// Kafka8 returns the hash of an 8-bit integer: of one byte. Kafka has no serializer for it.
func Kafka8(v uint8) uint32 { return murmur2Tail(murmur2Start^1, uint32(v)) }

// Kafka16 returns the hash of a 16-bit integer.
func Kafka16(v uint16) uint32 { return murmur2Tail(murmur2Start^2, uint32(bits.ReverseBytes16(v))) }

// Kafka32 returns the hash of a 32-bit integer.
func Kafka32(v uint32) uint32 {
	return murmur2End(murmur2Word(murmur2Start^4, bits.ReverseBytes32(v))) & math.MaxInt32
}

// Kafka64 returns the hash of an integer of 64 bits.
func Kafka64(v uint64) uint32 {
	h := murmur2Word(murmur2Start^8, bits.ReverseBytes32(uint32(v>>32)))
	return murmur2End(murmur2Word(h, bits.ReverseBytes32(uint32(v)))) & math.MaxInt32
}

// KafkaFloat32 returns the hash of a float32: of its bits as they are, so that −0 is another key than 0 and NaN with different bits
// are different keys.
func KafkaFloat32(v float32) uint32 { return Kafka32(math.Float32bits(v)) }

// KafkaFloat64 returns the hash of a float64. All NaN are one key, as in Kafka's DoubleSerializer; −0 is another key than 0.
func KafkaFloat64(v float64) uint32 {
	if v != v {
		return Kafka64(0x7ff8000000000000)
	}
	return Kafka64(math.Float64bits(v))
}

const (
	murmur2Start = 0x9747b28c // Kafka's seed
	murmur2Mul   = 0x5bd1e995
)

// murmur2 is the 32-bit MurmurHash2 with Kafka's seed.
func murmur2[K string | []byte](k K) uint32 {
	h := murmur2Start ^ uint32(len(k))
	i := 0
	for ; i+4 <= len(k); i += 4 {
		h = murmur2Word(h, uint32(k[i])|uint32(k[i+1])<<8|uint32(k[i+2])<<16|uint32(k[i+3])<<24)
	}
	if i < len(k) {
		var tail uint32
		for j := len(k) - 1; j >= i; j-- {
			tail = tail<<8 | uint32(k[j])
		}
		h = (h ^ tail) * murmur2Mul
	}
	return murmur2End(h)
}

// murmur2Tail is the rest of the hash of 1 to 3 bytes, which tail holds in little-endian order, without the sign bit.
func murmur2Tail(h, tail uint32) uint32 { return murmur2End((h^tail)*murmur2Mul) & math.MaxInt32 }

func murmur2Word(h, word uint32) uint32 {
	word *= murmur2Mul
	word ^= word >> 24
	return h*murmur2Mul ^ word*murmur2Mul
}

func murmur2End(h uint32) uint32 {
	h = (h ^ h>>13) * murmur2Mul
	return h ^ h>>15
}
