package buffer_test

import (
	"testing"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

// local is a LocalPool with the memory behind it.
type local struct {
	*buffer.LocalPool
	memory *memory.Pool
}

// newLocal returns a share of a pool of total bytes. At the end of the test everything must have been given back.
func newLocal(t testing.TB, total int64, c buffer.Config) local {
	t.Helper()
	m, err := memory.NewPool(total)
	if err != nil {
		t.Fatal(err)
	}
	p, err := buffer.NewLocalPool(m, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if u := p.Usage(); u.Used != 0 || u.Large != 0 {
			t.Errorf("not given back: %+v", u)
		}
		for lane := range c.Channels {
			if n := p.Held(lane); n != 0 {
				t.Errorf("lane %d holds %d bytes", lane, n)
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return local{p, m}
}

func mustAcquire(t testing.TB, p *buffer.LocalPool, lane, want int) *buffer.Buffer {
	t.Helper()
	b, ok := p.TryAcquire(lane, want)
	if !ok {
		t.Fatalf("no block of %d bytes for lane %d: %+v", want, lane, p.Usage())
	}
	return b
}

func mustRefuse(t testing.TB, p *buffer.LocalPool, lane, want int) {
	t.Helper()
	if b, ok := p.TryAcquire(lane, want); ok {
		t.Fatalf("got %d bytes for lane %d: %+v", len(b.Bytes()), lane, p.Usage())
	}
}
