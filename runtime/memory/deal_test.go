package memory_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

const kib = 1 << 10

// bounds are what a share is opened with, in KiB; a negative min is a reservation of −min.
type bounds struct{ min, max int64 }

func newPool(t testing.TB, bytes int64) *memory.Pool {
	t.Helper()
	p, err := memory.NewPool(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func openShare(t testing.TB, p *memory.Pool, min, max int64, wake func()) *memory.Share {
	t.Helper()
	s, err := p.NewShare(min, max, wake)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustReserve(t testing.TB, p *memory.Pool, bytes int64) *memory.Share {
	t.Helper()
	s, err := p.Reserve(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRedistribution are the cases of Flink's BufferPoolFactoryTest: sizes of all shares after each of them was opened.
func TestRedistribution(t *testing.T) {
	const unlimited = math.MaxInt64 / kib
	for _, tt := range []struct {
		name   string
		limit  int64 // KiB, as are all sizes
		shares []bounds
		want   [][]int64
	}{
		{"alone, unlimited", 100, []bounds{{10, unlimited}}, [][]int64{{100}}},
		{"alone, bounded", 100, []bounds{{10, 30}}, [][]int64{{30}}},
		{"uniform", 1000, []bounds{{10, unlimited}, {10, unlimited}, {10, unlimited}, {10, unlimited}},
			[][]int64{{1000}, {500, 500}, {333, 333, 334}, {250, 250, 250, 250}}},
		{"uniform, bounded below what there is", 1000, []bounds{{10, 30}, {10, 30}}, [][]int64{{30}, {30, 30}}},
		{"uniform, bounded above what there is", 40, []bounds{{10, 30}, {10, 30}}, [][]int64{{30}, {20, 20}}},
		{"mixed: in proportion to what each can use", 100, []bounds{{10, 20}, {10, 50}, {10, 40}},
			[][]int64{{20}, {20, 50}, {18, 45, 37}}},
		{"mixed: bounded and unlimited", 100, []bounds{{10, 20}, {10, unlimited}}, [][]int64{{20}, {18, 82}}},
		{"three blocks over three shares", 3, []bounds{{0, unlimited}, {0, unlimited}, {0, unlimited}}, [][]int64{{3}, {1, 2}, {1, 1, 1}}},
		{"two blocks over three shares", 2, []bounds{{0, 9}, {0, 9}, {0, 9}}, [][]int64{{2}, {1, 1}, {0, 1, 1}}},
		{"nothing is left", 30, []bounds{{10, 90}, {10, 90}, {10, 90}}, [][]int64{{30}, {15, 15}, {10, 10, 10}}},
		{"reserved", 100, []bounds{{10, unlimited}, {10, unlimited}, {-40, 0}}, [][]int64{{100}, {50, 50}, {30, 30, 40}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPool(t, tt.limit*kib)
			var shares []*memory.Share
			var sizes []int64
			look := func() []int64 {
				sizes = nil
				for _, s := range shares {
					if s.Bytes()%kib != 0 {
						t.Errorf("a size of %d bytes", s.Bytes())
					}
					sizes = append(sizes, s.Bytes()/kib)
				}
				return sizes
			}
			for i, b := range tt.shares {
				if b.min < 0 {
					shares = append(shares, mustReserve(t, p, -b.min*kib))
				} else {
					shares = append(shares, openShare(t, p, b.min*kib, b.max*kib, nil))
				}
				if got := look(); !slices.Equal(got, tt.want[i]) {
					t.Fatalf("sizes %v after %d shares, want %v", got, i+1, tt.want[i])
				}
			}
			for len(shares) > 1 {
				last := shares[len(shares)-1]
				last.Close()
				if last.Bytes() != 0 {
					t.Errorf("a closed share has %d bytes", last.Bytes())
				}
				shares = shares[:len(shares)-1]
				if got, want := look(), tt.want[len(shares)-1]; !slices.Equal(got, want) {
					t.Fatalf("sizes %v after all but %d were closed, want %v", got, len(shares), want)
				}
			}
		})
	}
}

// TestRedistributionDealsEverything: whatever is open, all of the pool is dealt as far as the maxima allow, and no share has less than its
// guarantee or more than its maximum.
func TestRedistributionDealsEverything(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		limit := 1 + r.Int64N(2000)
		if r.IntN(10) == 0 {
			limit = 1 << 36 // the largest pool: products of sizes do not fit into 64 bits
		}
		p := newPool(t, limit*kib)
		var shares []*memory.Share
		left := limit
		for range 1 + r.IntN(30) {
			least := r.Int64N(left/4 + 1)
			s := openShare(t, p, least*kib, (least+r.Int64N(limit))*kib, nil)
			shares = append(shares, s)
			left -= least
			if r.IntN(4) == 0 {
				i := r.IntN(len(shares))
				left += shares[i].Min() / kib
				shares[i].Close()
				shares = slices.Delete(shares, i, i+1)
			}
			var sum, most int64
			for _, s := range shares {
				if s.Bytes() < s.Min() || s.Bytes() > s.Max() {
					t.Fatalf("%d bytes with a guarantee of %d and a maximum of %d", s.Bytes(), s.Min(), s.Max())
				}
				sum += s.Bytes()
				most += s.Max()
			}
			if want := min(limit*kib, most); sum != want {
				t.Fatalf("%d bytes were dealt to %d shares, want %d", sum, len(shares), want)
			}
		}
	}
}
