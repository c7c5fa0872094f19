package wire_test

import (
	"errors"
	"math"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestGrow(t *testing.T) {
	dst := []byte("dst")
	b, err := wire.Grow(dst, 100)
	if err != nil || string(b) != "dst" || cap(b) < 103 {
		t.Errorf("%q with room for %d, %v", b, cap(b), err)
	}
	sizes := []int{-1, math.MinInt}
	if n := math.MaxInt32; uint64(math.MaxInt) > math.MaxInt32 {
		sizes = append(sizes, n+1, math.MaxInt)
	}
	for _, size := range sizes {
		if b, err := wire.Grow(dst, size); !errors.Is(err, wire.ErrLimit) || string(b) != "dst" {
			t.Errorf("by %d: %q, %v", size, b, err)
		}
	}
}
