package values

import (
	"math"
	"time"
)

// EqualFloat32 reports whether two numbers have the same bits: 0 is not −0, and a NaN is itself.
func EqualFloat32(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

// EqualFloat64 is [EqualFloat32] for float64.
func EqualFloat64(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// EqualTime reports whether two times are the same instant, whatever their locations. It does not look at readings of a monotonic clock, which
// have no encoding; [time.Time.Equal] does.
func EqualTime(a, b time.Time) bool {
	return a.Unix() == b.Unix() && a.Nanosecond() == b.Nanosecond()
}

// EqualLen reports whether two slices have the same length, and are both nil or both not.
func EqualLen[S ~[]E, E any](a, b S) bool { return len(a) == len(b) && (a == nil) == (b == nil) }

// EqualSlice is [EqualLen] and whether the elements are the same by ==.
func EqualSlice[S ~[]E, E comparable](a, b S) bool {
	if !EqualLen(a, b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// EqualBytes is [EqualSlice] for bytes, and faster.
func EqualBytes[S ~[]byte](a, b S) bool { return string(a) == string(b) && (a == nil) == (b == nil) }

// EqualSize is [EqualLen] for maps.
func EqualSize[M ~map[K]V, K comparable, V any](a, b M) bool {
	return len(a) == len(b) && (a == nil) == (b == nil)
}

// Index finds the entries of a map by hashes of what their keys are encoded as. It is for maps whose keys Go compares in another way: by
// pointers rather than what they point to, for example. One that [NewIndex] has made has room for the entries of that map. It belongs to one goroutine.
type Index[K comparable, V any] struct {
	entries []entry[K, V]
	first   map[uint64]int // indices of entries
}

type entry[K comparable, V any] struct {
	key   K
	val   V
	next  int // of the entries with the same hash, −1 for the last one
	taken bool
}

// NewIndex returns an empty index with room for the entries of m. It allocates nothing for an empty map.
func NewIndex[M ~map[K]V, K comparable, V any](m M) Index[K, V] {
	if len(m) == 0 {
		return Index[K, V]{}
	}
	return Index[K, V]{entries: make([]entry[K, V], 0, len(m)), first: make(map[uint64]int, len(m))}
}

// Add adds an entry of the map whose key has that hash.
func (x *Index[K, V]) Add(hash uint64, key K, val V) {
	next, ok := x.first[hash]
	if !ok {
		next = -1
	}
	x.first[hash] = len(x.entries)
	x.entries = append(x.entries, entry[K, V]{key: key, val: val, next: next})
}

// First returns the number of the first entry with that hash which has not been taken, negative for none.
func (x *Index[K, V]) First(hash uint64) int {
	i, ok := x.first[hash]
	if !ok {
		return -1
	}
	return x.free(i)
}

// Next returns the number of the next entry after i with its hash, negative for none.
func (x *Index[K, V]) Next(i int) int { return x.free(x.entries[i].next) }

// free returns the first entry from i on that has not been taken.
func (x *Index[K, V]) free(i int) int {
	for i >= 0 && x.entries[i].taken {
		i = x.entries[i].next
	}
	return i
}

// At returns the key and value of entry i.
func (x *Index[K, V]) At(i int) (key *K, val *V) { return &x.entries[i].key, &x.entries[i].val }

// Take takes entry i out.
func (x *Index[K, V]) Take(i int) { x.entries[i].taken = true }
