package memory_test

import (
	"math"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

// TestHostileNumbers: amounts that no pool has are refused before they are rounded, and negative ones, whatever they would wrap around to.
func TestHostileNumbers(t *testing.T) {
	p, err := memory.NewPool(64 << 10)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Reserve(4 << 10)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Charge(2 << 10) {
		t.Fatal("2 KiB of 4 are refused")
	}
	before := p.Stats()
	for _, n := range []int64{math.MaxInt64, math.MaxInt64 - 1023, 64<<10 + 1, -1, -1024, math.MinInt64} {
		if s.Charge(n) {
			t.Errorf("Charge(%d) of 64 KiB is granted", n)
		}
		if _, err := s.SplitReserve(n); err == nil {
			t.Errorf("SplitReserve(%d) of 4 KiB is granted", n)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Discharge(%d) of 2 KiB does not panic", n)
				}
			}()
			s.Discharge(n)
		}()
	}
	if after := p.Stats(); after != before || s.Used() != 2<<10 || s.Min() != 4<<10 {
		t.Errorf("%+v is now %+v, %d of %d are used", before, after, s.Used(), s.Min())
	}
	s.Discharge(2 << 10)
	s.Close()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestShortSlabs: what was mapped in small parts, because the rest was reserved then, is as good as any other memory when nothing of it is in use; and in parts that are, as far as there are whole pages.
func TestShortSlabs(t *testing.T) {
	const limit = 256 << 10
	for name, keep := range map[string]int{"nothing is kept": 0, "a block is kept": 1} {
		t.Run(name, func(t *testing.T) {
			p, err := memory.NewPool(limit)
			if err != nil {
				t.Fatal(err)
			}
			pieces, err := p.Reserve(0)
			if err != nil {
				t.Fatal(err)
			}
			s, err := p.NewShare(0, limit, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !pieces.Charge(limit) {
				t.Fatal("all of the pool is refused")
			}
			acquire := func(size int) memory.Segment {
				seg, ok := s.Acquire(size)
				if !ok {
					t.Fatalf("no block of %d bytes in %+v", size, p.Stats())
				}
				return seg
			}
			var small, large []memory.Segment
			for range limit / memory.MinBlock {
				pieces.Discharge(memory.MinBlock)
				small = append(small, acquire(memory.MinBlock))
			}
			for _, seg := range small[keep:] {
				s.Release(seg)
			}
			for range limit/memory.MaxBlock - keep {
				large = append(large, acquire(memory.MaxBlock))
			}
			for range keep * (memory.MaxBlock/memory.MinBlock - 1) { // the rest of a page
				large = append(large, acquire(memory.MinBlock))
			}
			if got := p.Stats(); got.Used != limit || got.Mapped != limit {
				t.Errorf("%+v", got)
			}
			for _, seg := range append(large, small[:keep]...) {
				s.Release(seg)
			}
			s.Close()
			pieces.Close()
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWholePages: a slab that is mapped while little is free does not end within a page, so that what becomes free later makes a page too.
func TestWholePages(t *testing.T) {
	const limit = 2 * memory.MaxBlock
	p, err := memory.NewPool(limit)
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := p.Reserve(limit/2 - memory.MinBlock)
	if err != nil {
		t.Fatal(err)
	}
	var small [2]memory.Segment
	for i := range small {
		var ok bool
		if small[i], ok = p.Acquire(memory.MinBlock); !ok {
			t.Fatal("no small block")
		}
	}
	pieces.Close()
	large, ok := p.Acquire(memory.MaxBlock)
	if !ok {
		t.Fatalf("two blocks of 1 KiB are used, and there is none of 32 KiB in %+v", p.Stats())
	}
	p.Release(large)
	for _, seg := range small {
		p.Release(seg)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
