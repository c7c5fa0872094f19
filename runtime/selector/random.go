package selector

import "math/rand/v2"

// Random draws channels at random, independently and evenly. Its numbers are those of SplitMix64: one addition and a mixing
// function, which is enough for spreading load and cheap enough to be inlined. The zero Random works, but always draws the same
// channels; [NewRandom] starts anywhere. A Random belongs to one writer and must not be used by two goroutines at a time.
type Random struct {
	state uint64
}

// NewRandom returns a generator with a random start.
func NewRandom() Random { return Random{state: rand.Uint64()} }

// SeedRandom returns the generator whose numbers follow from seed, typically the [ProducerSeed] of a writer.
func SeedRandom(seed uint64) Random { return Random{state: seed} }

// ProducerSeed returns the seed of the producer-th writer of an edge whose seed is seed. It is the same at every call, and unrelated
// for the writers of one edge, so that they do not all draw the same channels.
func ProducerSeed(seed uint64, producer int) uint64 {
	r := Random{state: seed ^ Hash64(uint64(producer))}
	return r.next()
}

// Channel returns a number from 0 to n−1; n must be at least 1.
func (r *Random) Channel(n int) int { return Scale(r.next(), n) }

func (r *Random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
