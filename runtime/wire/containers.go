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
	count, n := Uvarint(src)
	if n <= 0 {
		return nil, 0, UvarintError(n)
	}
	if count == 0 {
		return nil, n, nil
	}
	size, err := Count(count, minElemBytes, len(src)-n)
	if err != nil {
		return nil, 0, err
	}
	if err := b.Charge(uint64(size), elemBytes); err != nil {
		return nil, 0, err
	}
	if old == nil || size > cap(old) {
		return make(S, size), n, nil
	}
	s = old[:size]
	if size > len(old) {
		clear(s[len(old):])
	} else {
		clear(old[size:])
	}
	return s, n, nil
}

// Map reads the length of a map from the start of src and returns an empty map for that many entries, nil for nil, the
// number of entries, and how many bytes the length took. It clears and reuses old if that is not nil. Memory is charged to b at
// entryBytes an entry, reused or not. An entry takes at least minEntryBytes bytes of src.
//
// Errors are those of [UvarintError], [Count] and [Budget.Charge].
func Map[M ~map[K]V, K comparable, V any](src []byte, old M, minEntryBytes int, entryBytes int64, b *Budget) (m M, size, n int, err error) {
	count, n := Uvarint(src)
	if n <= 0 {
		return nil, 0, 0, UvarintError(n)
	}
	if count == 0 {
		return nil, 0, n, nil
	}
	if size, err = Count(count, minEntryBytes, len(src)-n); err != nil {
		return nil, 0, 0, err
	}
	if err := b.Charge(uint64(size), entryBytes); err != nil {
		return nil, 0, 0, err
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
