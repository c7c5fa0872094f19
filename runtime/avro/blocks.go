package avro

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/rwgen/rwgen/runtime/wire"
)

// Arrays and maps: blocks of a count and as many elements or entries, up to a block of none. A count below zero is followed by the size of the block in bytes. One block is written, without
// its size, and none for an empty array or map.

// BlocksLen returns how many bytes the counts of an array or map of n elements take.
func BlocksLen(n int) int {
	if n == 0 {
		return 1
	}
	return wire.UvarintLen(uint64(n)<<1) + 1
}

// Slice reads the count of the first block of an array from the start of src, and returns a slice for its elements, which follow, and how many bytes the count took. The slice is never nil; it has no elements if the
// array has none, which then has been read to its end. Otherwise [More] is called behind the elements.
//
// It reuses the memory of old where that is enough. Elements within the length of old keep what they hold, so that it can be reused as well; all others are zero. Elements of old behind the end are set to
// zero. Memory is charged to b at elemBytes an element, reused or not. An element takes at least minElemBytes bytes of src. old must not be used any more, except after an error.
//
// Errors are those of [NumberError], [wire.ErrTruncated] for more elements than the bytes that are left can hold, [wire.ErrLimit] for more than [wire.MaxEmptyElems] elements of no bytes, and those of [wire.Budget.Charge].
func Slice[S ~[]E, E any](src []byte, old S, minElemBytes int, elemBytes int64, b *wire.Budget) (s S, n int, err error) {
	size, n := shortBlock(src, minElemBytes, elemBytes, b), 1
	if size < 0 {
		if size, n, err = block(src, 0, minElemBytes, elemBytes, b); err != nil {
			return nil, 0, err
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

// More reads what follows the elements of a block of an array, which are all of s: the end, for which it returns s, or the count of another block, for which s has as many more elements, which are zero. n is as
// for [Slice], and so are the errors.
func More[S ~[]E, E any](src []byte, s S, minElemBytes int, elemBytes int64, b *wire.Budget) (longer S, n int, err error) {
	if len(src) > 0 && src[0] == 0 {
		return s, 1, nil
	}
	size, n, err := block(src, len(s), minElemBytes, elemBytes, b)
	if err != nil {
		return nil, 0, err
	}
	longer = slices.Grow(s, size)[:len(s)+size]
	clear(longer[len(s):])
	return longer, n, nil
}

// Map reads the count of the first block of a map from the start of src, and returns an empty map, the number of entries, which follow, and how many bytes the count took. It clears and reuses old if that is not nil. If
// there are no entries the map has been read to its end; otherwise [MoreEntries] is called behind them.
//
// Memory is charged to b at entryBytes an entry, reused or not. An entry takes at least minEntryBytes bytes of src, of which the key is one. Errors are as for [Slice].
func Map[M ~map[string]V, V any](src []byte, old M, minEntryBytes int, entryBytes int64, b *wire.Budget) (m M, size, n int, err error) {
	size, n = shortBlock(src, minEntryBytes, entryBytes, b), 1
	if size < 0 {
		if size, n, err = block(src, 0, minEntryBytes, entryBytes, b); err != nil {
			return nil, 0, 0, err
		}
	}
	if old == nil {
		return make(M, size), size, n, nil
	}
	clear(old)
	return old, size, n, nil
}

// MoreEntries reads what follows the entries of a block of a map: the end, for which it returns 0, or the count of another block. n and the errors are as for [Map].
func MoreEntries(src []byte, minEntryBytes int, entryBytes int64, b *wire.Budget) (size, n int, err error) {
	if len(src) > 0 && src[0] == 0 {
		return 0, 1, nil
	}
	return block(src, 0, minEntryBytes, entryBytes, b)
}

// shortBlock reads a count of one byte at the start of src, as nearly all are, and charges b. It returns -1 for others, and where there is an error.
func shortBlock(src []byte, minElemBytes int, elemBytes int64, b *wire.Budget) int {
	if len(src) == 0 || src[0]&0x81 != 0 {
		return -1
	}
	size := int(src[0] >> 1)
	if minElemBytes > 0 && uint64(size)*uint64(minElemBytes) >= uint64(len(src)) || b.Charge(uint64(size), elemBytes) != nil {
		return -1
	}
	return size
}

// block reads a count, and the size in bytes if there is one, and charges b. before is the number of elements that were read already.
//
//go:noinline
func block(src []byte, before, minElemBytes int, elemBytes int64, b *wire.Budget) (size, n int, err error) {
	count, n := Long(src)
	if n <= 0 {
		return 0, 0, NumberError(n)
	}
	if count < 0 {
		bytes, m := Long(src[n:])
		if m <= 0 {
			return 0, 0, NumberError(m)
		}
		n += m
		switch {
		case bytes < 0:
			return 0, 0, fmt.Errorf("block of %d bytes: %w", bytes, wire.ErrCorrupt)
		case bytes > int64(len(src)-n):
			return 0, 0, fmt.Errorf("block of %d bytes, but %d bytes left: %w", bytes, len(src)-n, wire.ErrTruncated)
		case count == math.MinInt64:
			return 0, 0, fmt.Errorf("block of %d elements: %w", count, wire.ErrCorrupt)
		}
		count = -count
	}
	if minElemBytes > 0 {
		if hi, need := bits.Mul64(uint64(count), uint64(minElemBytes)); hi != 0 || need > uint64(len(src)-n) {
			return 0, 0, fmt.Errorf("%d elements of at least %d bytes, but %d bytes left: %w", count, minElemBytes, len(src)-n, wire.ErrTruncated)
		}
	} else if uint64(count) > uint64(max(wire.MaxEmptyElems-before, 0)) {
		return 0, 0, fmt.Errorf("%d empty elements, more than %d: %w", uint64(count)+uint64(before), wire.MaxEmptyElems, wire.ErrLimit)
	}
	if err := b.Charge(uint64(count), elemBytes); err != nil {
		return 0, 0, err
	}
	return int(count), n, nil
}
