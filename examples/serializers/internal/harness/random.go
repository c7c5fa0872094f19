package harness

import "math/rand/v2"

// NewRand returns a generator for the contents of a pool of records: the same in every run.
func NewRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// Letters returns a string of n random lower case letters.
func Letters(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}
