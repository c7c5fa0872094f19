package rwtest

import (
	"math/bits"
	"math/rand/v2"
	"time"
)

// dice makes the random choices of one kind at one place, so that what is chosen there does not depend on what happens elsewhere.
type dice struct{ source rand.PCG }

// newDice returns dice for the place that the names and numbers describe.
func newDice(seed uint64, names []string, numbers ...uint64) dice {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for _, name := range names {
		for i := range len(name) {
			h = (h ^ uint64(name[i])) * prime
		}
		h = (h ^ 0xff) * prime // no byte of UTF-8: the end of a name
	}
	for _, n := range numbers {
		h = (h ^ n) * prime
		h ^= h >> 29
	}
	var d dice
	d.source.Seed(seed, h)
	return d
}

// below returns a number from 0 to n−1, and 0 if n is 0.
func (d *dice) below(n uint64) uint64 {
	hi, _ := bits.Mul64(d.source.Uint64(), n)
	return hi
}

// between returns a number from low to high.
func (d *dice) between(low, high int64) int64 {
	if high <= low {
		return low
	}
	return low + int64(d.below(uint64(high-low)+1))
}

// duration returns a duration from low to high.
func (d *dice) duration(low, high time.Duration) time.Duration {
	return time.Duration(d.between(int64(low), int64(high)))
}

// happens is true with probability p.
func (d *dice) happens(p float64) bool {
	return p > 0 && float64(d.source.Uint64()>>11)/(1<<53) < p
}
