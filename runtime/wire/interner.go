package wire

import "hash/maphash"

// Interner keeps strings that were read lately, so that equal strings of many records are one string in memory and most of them
// cost no allocation. It is a cache of fixed size: what it holds never takes more memory than it was made with, and strings that do
// not repeat only make others miss. Which strings compete for a place differs from one Interner to the next, so that no input can be
// made to.
//
// An Interner belongs to one goroutine. A nil *Interner keeps nothing.
type Interner struct {
	seed maphash.Seed
	mask uint64
	sets []internSet // a power of two of them
}

// internSet holds the strings that compete for one place, the one used last first.
type internSet [2]string

const (
	// MaxInternLen is the length of the longest string that an [Interner] keeps, in bytes. Longer ones rarely repeat.
	MaxInternLen = 64
	// internSetBytes is the memory of a set at most: two headers on a 64-bit machine and two strings.
	internSetBytes = 2 * (16 + MaxInternLen)
)

// NewInterner returns an Interner that takes at most maxBytes of memory, its table included, and all of its table at once. It keeps at least maxBytes/320
// strings. With less than 160 bytes it keeps nothing.
func NewInterner(maxBytes int) *Interner {
	if maxBytes < internSetBytes {
		return &Interner{}
	}
	sets := 1
	for sets <= maxBytes/internSetBytes/2 {
		sets *= 2
	}
	return &Interner{seed: maphash.MakeSeed(), mask: uint64(sets - 1), sets: make([]internSet, sets)}
}

// Take returns p as a string: old if that is equal, else one that it has kept, else a copy, which it keeps for later if it is not too long. It
// allocates only for a copy.
func (in *Interner) Take(p []byte, old string) string {
	if old == string(p) {
		return old
	}
	if in == nil || len(p) > MaxInternLen || len(in.sets) == 0 || len(p) == 0 {
		return string(p)
	}
	set := &in.sets[maphash.Bytes(in.seed, p)&in.mask]
	if set[0] == string(p) {
		return set[0]
	}
	s := set[1]
	if s != string(p) {
		s = string(p)
	}
	set[1], set[0] = set[0], s
	return s
}
