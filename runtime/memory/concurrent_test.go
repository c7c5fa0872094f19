package memory_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

func TestPoolConcurrent(t *testing.T) {
	const limit = 200 << 10
	p, err := memory.NewPool(limit)
	if err != nil {
		t.Fatal(err)
	}
	kept, ok := p.Acquire(memory.MinBlock)
	if !ok {
		t.Fatal("no block in an empty pool")
	}
	// Segments are released by other goroutines than those that acquired them, as in an exchange.
	handed := make(chan tagged, 64)
	var writers, readers sync.WaitGroup
	for g := range uint64(4) {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(g, 1))
			for i := range uint64(2000) {
				size := memory.MinBlock << r.IntN(6)
				s, ok := p.Acquire(size)
				if !ok {
					runtime.Gosched()
					continue
				}
				tag := g<<32 | i
				fill(s.Bytes(), tag)
				handed <- tagged{s, tag}
			}
		})
		readers.Go(func() {
			for s := range handed {
				if err := check(s.Bytes(), s.tag); err != nil {
					t.Error(err)
				}
				p.Release(s.Segment)
			}
		})
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if s := p.Stats(); s.Used < memory.MinBlock || s.Used > limit || s.Used > s.Mapped || s.Peak < s.Used {
				t.Errorf("impossible numbers: %+v", s)
			}
			if err := p.Close(); !errors.Is(err, memory.ErrInUse) {
				t.Errorf("Close with a segment outstanding: %v", err)
			}
			runtime.Gosched()
		}
	})
	writers.Wait()
	close(handed)
	readers.Wait()
	close(done)
	watcher.Wait()
	p.Release(kept)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if s := p.Stats(); s.Used != 0 {
		t.Errorf("%d bytes are in use at the end", s.Used)
	}
}
