package values

import "maps"

// MakeSlice returns a slice of as many zero elements as s has, nil for nil.
func MakeSlice[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	return make(S, len(s))
}

// CloneSlice returns a copy of s that shares no memory with it, nil for nil. [slices.Clone] of an empty slice does.
func CloneSlice[S ~[]E, E any](s S) S {
	c := MakeSlice(s)
	copy(c, s)
	return c
}

// MakeMap returns an empty map with room for as many entries as m has, nil for nil.
func MakeMap[M ~map[K]V, K comparable, V any](m M) M {
	if m == nil {
		return nil
	}
	return make(M, len(m))
}

// CloneMap returns a copy of m with the same keys and values, nil for nil.
func CloneMap[M ~map[K]V, K comparable, V any](m M) M { return maps.Clone(m) }

// ResetSlice returns s without elements, after all that its memory has room for have been set to zero, so that they keep nothing else alive.
// Nil stays nil.
func ResetSlice[S ~[]E, E any](s S) S {
	clear(s[:cap(s)])
	return s[:0]
}
