package wire

// Slice reads the length of a slice from the start of src and returns a slice of that length for the elements that follow, nil
// for nil, and how many bytes the length took. It reuses the memory of old where that is enough. Elements within the length of old
// keep what they hold, so that it can be reused as well; all others are zero, because what they held may belong to others by now. Elements of old behind the end are
// set to zero, so that nothing is held that no record has.
//
// Memory is charged to b at elemBytes an element, reused or not: whether a record is accepted depends on its bytes alone. An element takes at least
// minElemBytes bytes of src. old must not be used any more, except after an error. Errors are those of [UvarintError],
// [Count] and [Budget.Charge].
func Slice[S ~[]E, E any](src []byte, old S, minElemBytes int, elemBytes int64, b *Budget) (s S, n int, err error) {
	size, n := shortLength(src, minElemBytes, elemBytes, b), 1
	if size < 0 {
		if size, n, err = longLength(src, minElemBytes, elemBytes, b); size < 0 {
			return nil, n, err
		}
	}
	if old == nil || size > cap(old) {
		return make(S, size), n, nil
	}
	s = old[:size]
	switch {
	case size > len(old):
		clear(s[len(old):])
	case size < len(old):
		clear(old[size:])
	}
	return s, n, nil
}

// shortLength reads a length of one byte at the start of src, as nearly all are, and charges b. It returns -1 for others, for nil, and where there is an error.
func shortLength(src []byte, minElemBytes int, elemBytes int64, b *Budget) int {
	if len(src) > 0 && src[0] < 0x80 {
		size := int(src[0]) - 1
		memory := uint64(size) * uint64(elemBytes)
		// -1 is more than there is, as is every product: what a byte counts does not overflow.
		if minElemBytes > 0 && uint64(size)*uint64(minElemBytes) < uint64(len(src)) && memory <= uint64(b.left) {
			b.left -= int64(memory)
			return size
		}
	}
	return -1
}

// longLength reads any length and charges b. It returns -1 for nil, and with an error.
//
//go:noinline
func longLength(src []byte, minElemBytes int, elemBytes int64, b *Budget) (size, n int, err error) {
	count, n := Uvarint(src)
	if n <= 0 {
		return -1, 0, UvarintError(n)
	}
	if count == 0 {
		return -1, n, nil
	}
	if size, err = Count(count, minElemBytes, len(src)-n); err != nil {
		return -1, 0, err
	}
	if err = b.Charge(uint64(size), elemBytes); err != nil {
		return -1, 0, err
	}
	return size, n, nil
}

// Map reads the length of a map from the start of src and returns an empty map for that many entries, nil for nil, the
// number of entries, and how many bytes the length took. It clears and reuses old if that is not nil. Memory is charged to b at
// entryBytes an entry, reused or not. An entry takes at least minEntryBytes bytes of src.
//
// Errors are those of [UvarintError], [Count] and [Budget.Charge].
func Map[M ~map[K]V, K comparable, V any](src []byte, old M, minEntryBytes int, entryBytes int64, b *Budget) (m M, size, n int, err error) {
	size, n = shortLength(src, minEntryBytes, entryBytes, b), 1
	if size < 0 {
		if size, n, err = longLength(src, minEntryBytes, entryBytes, b); size < 0 {
			return nil, 0, n, err
		}
	}
	if old == nil {
		// Entries of no bytes can only be one key: do not make room for as many as the bytes claim.
		if minEntryBytes == 0 {
			return make(M), size, n, nil
		}
		return make(M, size), size, n, nil
	}
	clear(old)
	return old, size, n, nil
}

// New returns a new variable of the type that its argument points to, which it does not look at. Generated code uses it for types that it
// cannot spell: structs without a name, whose tags are part of the type.
func New[T any](*T) *T { return new(T) }

// Entry returns variables for a key and a value of a map, which it does not look at. See [New].
func Entry[M ~map[K]V, K comparable, V any](M) (key K, val V) { return key, val }
