package wire

import (
	"fmt"
	"math/bits"
)

// Budget bounds what decoding, or encoding, one record may take: memory for slices, maps and pointers, and depth of nesting.
// A budget is used for one record and by one goroutine. The zero Budget allows nothing that takes memory or depth.
type Budget struct {
	left     int64 // bytes
	depth    int   // levels
	maxAlloc int64
	maxDepth int
	interner *Interner
}

// NewBudget returns a budget of maxAllocBytes bytes and maxDepth levels. Negative values count as zero.
func NewBudget(maxAllocBytes int64, maxDepth int) Budget {
	maxAllocBytes, maxDepth = max(maxAllocBytes, 0), max(maxDepth, 0)
	return Budget{left: maxAllocBytes, depth: maxDepth, maxAlloc: maxAllocBytes, maxDepth: maxDepth}
}

// WithInterner returns b with in as its [Interner], which may be nil.
func (b Budget) WithInterner(in *Interner) Budget {
	b.interner = in
	return b
}

// Interner returns what [Budget.WithInterner] set, nil by default. A nil b has none.
func (b *Budget) Interner() *Interner {
	if b == nil {
		return nil
	}
	return b.interner
}

// Charge takes n elements of elemBytes bytes each off the budget, or returns an error that is [ErrLimit] and takes nothing.
// The product may overflow; elements of no size cost nothing. elemBytes must not be negative.
func (b *Budget) Charge(n uint64, elemBytes int64) error {
	if elemBytes <= 0 {
		return nil
	}
	hi, bytes := bits.Mul64(n, uint64(elemBytes)) // a division would take longer than all the rest
	if hi != 0 || bytes > uint64(b.left) {
		return b.chargeError(n, elemBytes)
	}
	b.left -= int64(bytes)
	return nil
}

func (b *Budget) chargeError(n uint64, elemBytes int64) error {
	return fmt.Errorf("%d elements of %d bytes exceed the %d bytes left of %d: %w", n, elemBytes, b.left, b.maxAlloc, ErrLimit)
}

// Enter goes down one level of a recursive type, or returns an error that is [ErrDepth] and stays where it is. Every Enter
// that succeeds is followed by a [Budget.Leave].
func (b *Budget) Enter() error {
	if b.depth <= 0 {
		return b.depthError()
	}
	b.depth--
	return nil
}

func (b *Budget) depthError() error {
	return fmt.Errorf("more than %d levels: %w", b.maxDepth, ErrDepth)
}

// Leave comes back up one level.
func (b *Budget) Leave() { b.depth++ }

// MaxEmptyElems bounds the number of elements that take no bytes in a slice or map. Nothing in the payload bounds it, so
// each counts one byte against the default record limit.
const MaxEmptyElems = 64 << 20

// Count checks the length of a slice or map against the bytes that are left for it. n1 is the number on the wire: the length
// plus one, or 0 for nil, for which Count returns 0 as it does for 1. minElemBytes is the least number of bytes an element takes. The
// error is [ErrTruncated] if the elements cannot fit into left bytes, and [ErrLimit] for more than [MaxEmptyElems]
// elements of no bytes.
func Count(n1 uint64, minElemBytes, left int) (int, error) {
	if n1 <= 1 {
		return 0, nil
	}
	n := n1 - 1
	if minElemBytes <= 0 {
		if n > MaxEmptyElems {
			return 0, fmt.Errorf("%d empty elements, more than %d: %w", n, MaxEmptyElems, ErrLimit)
		}
		return int(n), nil
	}
	if hi, bytes := bits.Mul64(n, uint64(minElemBytes)); hi != 0 || bytes > uint64(max(left, 0)) {
		return 0, countError(n, minElemBytes, left)
	}
	return int(n), nil
}

func countError(n uint64, minElemBytes, left int) error {
	return fmt.Errorf("%d elements of at least %d bytes, but %d bytes left: %w", n, minElemBytes, left, ErrTruncated)
}
