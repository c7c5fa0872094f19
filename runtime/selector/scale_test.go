package selector_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
)

var channelCounts = []int{1, 2, 3, 7, 10, 100, 127, 1000, 1024, 1 << 20, math.MaxInt32}

// TestScaleEdges checks that channel i of n owns the hashes from ⌈i·2⁶⁴/n⌉ to ⌈(i+1)·2⁶⁴/n⌉−1, at all edges for small n
// and at some for large.
func TestScaleEdges(t *testing.T) {
	for _, n := range channelCounts {
		for step := range min(n, 2001) {
			i := int(int64(step) * int64(n-1) / int64(max(min(n, 2001)-1, 1)))
			first, last := firstHash(i, n), firstHash(i+1, n)-1 // wraps round to the greatest hash for the last channel
			if got := selector.Scale(first, n); got != i {
				t.Errorf("Scale(%#x, %d) = %d, want %d", first, n, got, i)
			}
			if got := selector.Scale(last, n); got != i {
				t.Errorf("Scale(%#x, %d) = %d, want %d", last, n, got, i)
			}
		}
		if got := selector.Scale(math.MaxUint64, n); got != n-1 {
			t.Errorf("Scale(greatest, %d) = %d", n, got)
		}
	}
}

// firstHash returns ⌈i·2⁶⁴/n⌉ modulo 2⁶⁴.
func firstHash(i, n int) uint64 {
	x := new(big.Int).Lsh(big.NewInt(int64(i)), 64)
	x.Add(x, big.NewInt(int64(n-1)))
	x.Div(x, big.NewInt(int64(n)))
	return new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}

// TestScaleNests checks what rescaling rests on: with k times as many channels each range splits into k whole ones.
func TestScaleNests(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10000 {
		h, n, k := r.Uint64(), 1+r.IntN(1000), 1+r.IntN(8)
		if few, many := selector.Scale(h, n), selector.Scale(h, n*k); many/k != few {
			t.Fatalf("hash %#x: channel %d of %d, but %d of %d", h, few, n, many, n*k)
		}
	}
}

// TestUniform sends keys that differ little to channels and compares the loads with what chance allows: a χ² of n−1
// degrees of freedom stays below n + 6√(2n) but for one case in many millions.
func TestUniform(t *testing.T) {
	const keys = 200_000
	for name, hash := range map[string]func(i int) uint64{
		"counting 64":  func(i int) uint64 { return selector.Hash64(uint64(i)) },
		"steps of 2³²": func(i int) uint64 { return selector.Hash64(uint64(i) << 32) },
		"counting 32":  func(i int) uint64 { return selector.Hash32(uint32(i)) },
		"floats":       func(i int) uint64 { return selector.HashFloat64(float64(i)) },
		"strings": func(i int) uint64 {
			return selector.HashString(string(selector.Append32([]byte("customer-"), uint32(i))))
		},
	} {
		for _, n := range []int{2, 3, 7, 100, 1024} {
			loads := make([]int, n)
			for i := range keys {
				loads[selector.Scale(hash(i), n)]++
			}
			if x := chiSquare(loads, keys); x > float64(n)+6*math.Sqrt(2*float64(n)) {
				t.Errorf("%s: χ² of %d channels is %.1f", name, n, x)
			}
		}
	}
}

func chiSquare(loads []int, total int) float64 {
	expected := float64(total) / float64(len(loads))
	x := 0.0
	for _, load := range loads {
		d := float64(load) - expected
		x += d * d / expected
	}
	return x
}
