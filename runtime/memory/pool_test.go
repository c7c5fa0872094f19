package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

func TestNewPoolLimits(t *testing.T) {
	for _, tt := range []struct{ bytes, limit int64 }{
		{-1, 0}, {0, 0}, {1023, 0}, {1024, 1024}, {1025, 1024}, {2047, 1024}, {33<<10 + 1, 33 << 10},
	} {
		p, err := memory.NewPool(tt.bytes)
		if tt.limit == 0 {
			if !errors.Is(err, memory.ErrInsufficient) || !strings.Contains(err.Error(), "1024") {
				t.Errorf("NewPool(%d): %v, want ErrInsufficient with the least size", tt.bytes, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("NewPool(%d): %v", tt.bytes, err)
			continue
		}
		if s := p.Stats(); s != (memory.Stats{Limit: tt.limit}) {
			t.Errorf("NewPool(%d): %+v, want a limit of %d and nothing mapped", tt.bytes, s, tt.limit)
		}
	}
}

func TestRoundUp(t *testing.T) {
	for _, tt := range []struct{ n, size int }{
		{-1, 1024}, {0, 1024}, {1, 1024}, {1024, 1024}, {1025, 2048}, {2048, 2048}, {2049, 4096}, {16385, 32768}, {32768, 32768}, {32769, 0},
	} {
		if got := memory.RoundUp(tt.n); got != tt.size {
			t.Errorf("RoundUp(%d) = %d, want %d", tt.n, got, tt.size)
		}
	}
}

func TestAcquireRefusesOtherSizes(t *testing.T) {
	p, err := memory.NewPool(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{-1024, 0, 1, 512, 1023, 1025, 3 << 10, 64 << 10} {
		mustPanic(t, "no block size", func() { p.Acquire(size) })
	}
	if s := p.Stats(); s.Used != 0 || s.Mapped != 0 {
		t.Errorf("%+v after refused sizes", s)
	}
}

// TestAcquireIsBounded: a segment must not reach into its neighbour, even by append.
func TestAcquireIsBounded(t *testing.T) {
	m := newModel(t, 32<<10)
	for m.acquire(memory.MinBlock) {
	}
	for _, s := range m.live {
		_ = append(s.Bytes(), 0xff)
	}
	m.merged()
}

func TestMapsWhatIsNeeded(t *testing.T) {
	const slab = 4 << 20
	m := newModel(t, 2*slab+5<<10)
	for _, want := range []int64{slab, 2 * slab, 2*slab + 5<<10} {
		before := m.pool.Stats().Mapped
		for m.pool.Stats().Mapped == before {
			if !m.acquire(memory.MinBlock << 2) {
				t.Fatalf("the pool gave up at %+v", m.pool.Stats())
			}
		}
		if got := m.pool.Stats().Mapped; got != want {
			t.Fatalf("%d bytes are mapped, want %d", got, want)
		}
	}
	m.merged()
	if got := m.pool.Stats().Mapped; got != m.limit {
		t.Errorf("%d bytes are mapped after everything was used, want %d", got, m.limit)
	}
}

func TestReleaseTwicePanics(t *testing.T) {
	pool := func(t *testing.T, n int64) *memory.Pool {
		p, err := memory.NewPool(n)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	get := func(t *testing.T, p *memory.Pool, size int) memory.Segment {
		s, ok := p.Acquire(size)
		if !ok {
			t.Fatalf("no block of %d bytes", size)
		}
		return s
	}
	t.Run("block is free", func(t *testing.T) {
		p := pool(t, 32<<10)
		get(t, p, 1<<10) // keeps its buddy from being joined
		s := get(t, p, 1<<10)
		p.Release(s)
		mustPanic(t, "1024 bytes released twice", func() { p.Release(s) })
		if used := p.Stats().Used; used != 1<<10 {
			t.Errorf("%d bytes are used after the panic, want 1024", used)
		}
	})
	t.Run("block was joined", func(t *testing.T) {
		p := pool(t, 64<<10)
		get(t, p, 32<<10) // so that the number of bytes in use does not give it away
		s := get(t, p, 4<<10)
		p.Release(s)
		mustPanic(t, "4096 bytes released twice", func() { p.Release(s) })
	})
	t.Run("half of it is in use", func(t *testing.T) {
		p := pool(t, 32<<10)
		s := get(t, p, 8<<10)
		get(t, p, 8<<10)
		get(t, p, 16<<10)
		p.Release(s)
		half := get(t, p, 4<<10)
		mustPanic(t, "8192 bytes released twice", func() { p.Release(s) })
		p.Release(half)
	})
	t.Run("after Close", func(t *testing.T) {
		p := pool(t, 32<<10)
		s := get(t, p, 2<<10)
		p.Release(s)
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		mustPanic(t, "2048 bytes released twice", func() { p.Release(s) })
	})
	t.Run("zero segment", func(t *testing.T) {
		p := pool(t, 32<<10)
		mustPanic(t, "no block size", func() { p.Release(memory.Segment{}) })
	})
}

func TestClose(t *testing.T) {
	m := newModel(t, 64<<10)
	m.acquire(2 << 10)
	m.acquire(32 << 10)
	for range 2 {
		if err := m.pool.Close(); !errors.Is(err, memory.ErrInUse) || !strings.Contains(err.Error(), "34816 bytes") {
			t.Fatalf("Close with segments outstanding: %v", err)
		}
	}
	if !m.acquire(1 << 10) {
		t.Fatal("a Close that failed closed the pool")
	}
	m.stats()
	m.merged()
	for range 2 {
		if err := m.pool.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
	}
	if _, ok := m.pool.Acquire(memory.MinBlock); ok {
		t.Error("a closed pool gave a block")
	}
	if s := m.pool.Stats(); s.Mapped != 0 || s.Used != 0 || s.Peak != m.peak {
		t.Errorf("%+v after Close, want nothing mapped and the peak kept", s)
	}
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got, _ := recover().(string); !strings.Contains(got, want) {
			t.Errorf("panic %q, want one with %q", got, want)
		}
	}()
	f()
}
