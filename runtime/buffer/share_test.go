package buffer_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

// TestOpenBlocksFitIntoTheGuarantee: whatever the maximum is, an open block of the largest size in each lane leaves a smallest block of the guarantee:
// that is what makes a share that shrinks independent of its writer. Blocks are no larger than a quarter of the maximum allows.
func TestOpenBlocksFitIntoTheGuarantee(t *testing.T) {
	for _, tt := range []struct {
		channels    int
		bytes, most int64 // KiB
		max         int   // KiB
	}{
		{1, 2, 0, 1},
		{1, 2, 1 << 20, 1},
		{1, 3, 1 << 20, 2},
		{1, 33, 129, 32},
		{1, 33, 128, 16},
		{1, 32, 1 << 20, 16},
		{1, 129, 129, 32},
		{1, 129, 1, 32}, // a maximum below the guarantee is the guarantee
		{4, 64, 64, 2},
		{4, 64, 128, 4},
		{4, 64, 256, 8},
		{4, 64, 1 << 20, 8},
		{1000, 1001, 1 << 20, 1},
		{1000, 2001, 1 << 20, 2},
	} {
		m, err := memory.NewPool(1 << 30)
		if err != nil {
			t.Fatal(err)
		}
		p, err := buffer.NewLocalPool(m, buffer.Config{Bytes: tt.bytes << 10, MaxBytes: tt.most << 10, Channels: tt.channels})
		if err != nil {
			t.Fatal(err)
		}
		if p.MaxBlock() != tt.max<<10 {
			t.Errorf("%+v: the largest block has %d bytes", tt, p.MaxBlock())
		}
		if all := int64(tt.channels * p.MaxBlock()); all > tt.bytes<<10-memory.MinBlock {
			t.Errorf("%+v: open blocks of %d bytes leave nothing of the guarantee", tt, all)
		}
		p.Close()
	}
}

// TestGuaranteeWhileOthersHoldEverything: with open blocks of the largest size in all lanes there is still a block to be had, and one more for each that
// is read, whatever others hold, and also right after the share has shrunk to its guarantee.
func TestGuaranteeWhileOthersHoldEverything(t *testing.T) {
	const channels = 3
	p := newLocal(t, 64<<10, buffer.Config{Bytes: 16 << 10, MaxBytes: 64 << 10, Channels: channels, ChannelBytes: 1 << 20})
	var open, full []*buffer.Buffer
	for lane := range channels {
		open = append(open, mustAcquire(t, p.LocalPool, lane, p.MaxBlock()))
	}
	for p.Usage().Used < 16<<10 {
		full = append(full, mustAcquire(t, p.LocalPool, 0, memory.MinBlock))
	}
	hog, err := p.memory.NewShare(0, 64<<10, nil)
	if err != nil {
		t.Fatal(err)
	}
	var hogged []memory.Segment
	for {
		s, ok := hog.Acquire(memory.MinBlock)
		if !ok {
			break
		}
		hogged = append(hogged, s)
	}
	guaranteed, err := p.memory.NewShare(24<<10, 0, nil) // 16 + 24 + 24 used by the hog
	if err != nil {
		t.Fatal(err)
	}
	if u := p.Usage(); u.Share > 28<<10 || u.Used != 16<<10 {
		t.Errorf("%+v", u)
	}
	mustRefuse(t, p.LocalPool, 0, memory.MinBlock)
	for i := range full {
		full[i].Release()
		full[i] = mustAcquire(t, p.LocalPool, i%channels, memory.MinBlock)
		mustRefuse(t, p.LocalPool, 0, memory.MinBlock)
	}
	for _, b := range full {
		b.Release()
	}
	for range 100 {
		mustAcquire(t, p.LocalPool, 2, memory.MinBlock).Release()
	}
	guaranteed.Close()
	for _, s := range hogged {
		hog.Release(s)
	}
	for _, b := range open {
		b.Release()
	}
}

// TestReleaseAfterClose: Flink's FLINK-19964. What is released after Close goes back to the memory behind the pool and stays there; nothing is kept in
// the pool.
func TestReleaseAfterClose(t *testing.T) {
	p := newLocal(t, 16<<10, buffer.Config{Bytes: 8 << 10, MaxBytes: 16 << 10, Channels: 1, ChannelBytes: 1 << 20})
	var held []*buffer.Buffer
	for range 16 {
		held = append(held, mustAcquire(t, p.LocalPool, 0, 1<<10))
	}
	large, ok := p.TryLarge(0, 100)
	if !ok {
		t.Fatal("no room")
	}
	for _, b := range held[:4] {
		b.Release()
	}
	if p.Kept() != 4 {
		t.Errorf("%d Buffers are kept after 4 were released", p.Kept())
	}
	p.Close()
	for i, b := range held[4:] {
		out := int64(12-i) << 10
		if s := p.memory.Stats(); s.Used != out || s.Guaranteed != 0 || p.Kept() != 0 {
			t.Fatalf("%+v with %d bytes out, %d Buffers kept", s, out, p.Kept())
		}
		if u := p.Usage(); u.Guarantee != 0 || u.Share != 0 || u.Used != out {
			t.Errorf("%+v with %d bytes out", u, out)
		}
		mustRefuse(t, p.LocalPool, 0, 1<<10)
		b.Release()
		all, err := p.memory.NewShare(16<<10-out+1<<10, 0, nil)
		if err != nil {
			t.Fatalf("what came back is not there for others: %v", err)
		}
		all.Close()
	}
	large.Release()
	if u := p.Usage(); u.Used != 0 || u.Large != 0 || p.Area().Used() != 0 || p.Kept() != 0 {
		t.Errorf("%+v at the end, %d kept", u, p.Kept())
	}
}

// TestKeptBuffersAreBounded: what is kept to be used again does not exceed what the share can use, and shrinks with it.
func TestKeptBuffersAreBounded(t *testing.T) {
	p := newLocal(t, 4<<20, buffer.Config{Bytes: 256 << 10, MaxBytes: 4 << 20, Channels: 2, ChannelBytes: 4 << 20})
	if p.SteadyBlock() != 32<<10 {
		t.Fatalf("the steady block has %d bytes", p.SteadyBlock())
	}
	fillAndDrain := func() {
		t.Helper()
		var held []*buffer.Buffer
		for {
			b, ok := p.TryAcquire(0, memory.MinBlock)
			if !ok {
				break
			}
			held = append(held, b)
		}
		for _, b := range held {
			b.Release()
		}
	}
	fillAndDrain()
	if p.Kept() != 128 {
		t.Errorf("%d Buffers are kept of 4096 blocks, want one for each 32 KiB", p.Kept())
	}
	if _, err := p.memory.NewShare(3<<20, 0, nil); err != nil {
		t.Fatal(err)
	}
	fillAndDrain()
	if p.Kept() != 32 {
		t.Errorf("%d Buffers are kept by a share of 1 MiB, want one for each 32 KiB", p.Kept())
	}
}

// TestWaitLocalPool: a pool whose guarantee others hold can be waited for.
func TestWaitLocalPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLocal(t, 16<<10, buffer.Config{Bytes: 4 << 10, MaxBytes: 16 << 10, Channels: 1, ChannelBytes: 1 << 20})
		c := buffer.Config{Bytes: 8 << 10, Channels: 2}
		var held []*buffer.Buffer
		for range 16 {
			held = append(held, mustAcquire(t, p.LocalPool, 0, 1<<10))
		}
		if _, err := buffer.NewLocalPool(p.memory, c); !errors.Is(err, memory.ErrBusy) {
			t.Errorf("NewLocalPool while everything is used: %v", err)
		}
		got := make(chan *buffer.LocalPool, 1)
		go func() {
			second, err := buffer.WaitLocalPool(t.Context(), p.memory, c)
			if err != nil {
				t.Error(err)
			}
			got <- second
		}()
		for i, b := range held {
			synctest.Wait()
			if (len(got) > 0) != (i >= 8) {
				t.Fatalf("opened: %v after %d of 16 blocks came back", len(got) > 0, i)
			}
			b.Release()
		}
		second := <-got
		mustAcquire(t, second, 1, 1<<10).Release()
		second.Close()
		c.Bytes = 13 << 10
		if _, err := buffer.WaitLocalPool(t.Context(), p.memory, c); !errors.Is(err, memory.ErrInsufficient) || errors.Is(err, memory.ErrBusy) {
			t.Errorf("waited for more than there can be: %v", err)
		}
	})
}

// stage moves blocks: for each that comes in it acquires one and hands that on, and only then releases what came in.
func stage(ctx context.Context, p *buffer.LocalPool, selects bool, in <-chan *buffer.Buffer, out chan<- *buffer.Buffer, n int, r *rand.Rand) error {
	defer close(out)
	for range n {
		lane := r.IntN(2)
		var b *buffer.Buffer
		for ok := false; !ok; {
			if b, ok = p.TryAcquire(lane, memory.MinBlock<<r.IntN(2)); ok {
				break
			}
			if selects {
				select {
				case <-p.Ready(lane):
				case <-ctx.Done():
					return ctx.Err()
				}
			} else if err := p.Wait(ctx, lane); err != nil {
				return err
			}
		}
		out <- b
		if in != nil {
			(<-in).Release()
		}
	}
	return nil
}

// TestStagesShareMemory: stages that read from one pool and write to another, in both directions, over one memory that is much too small for all of
// them: the guarantees keep them going, with the waits of writers and with those that select.
func TestStagesShareMemory(t *testing.T) {
	const n, stages = 5000, 4
	for _, selects := range []bool{false, true} {
		m, err := memory.NewPool(stages*6<<10 + 5<<10)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		var all sync.WaitGroup
		var in chan *buffer.Buffer
		var pools []*buffer.LocalPool
		for i := range stages {
			p, err := buffer.NewLocalPool(m, buffer.Config{Bytes: 6 << 10, MaxBytes: 1 << 20, Channels: 2, ChannelBytes: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			pools = append(pools, p)
			out := make(chan *buffer.Buffer, 2)
			r, source := rand.New(rand.NewPCG(uint64(i), 11)), in
			all.Go(func() {
				if err := stage(ctx, p, selects, source, out, n, r); err != nil {
					t.Errorf("stage %d: %v: %+v", i, err, p.Usage())
				}
			})
			in = out
		}
		last := in
		all.Go(func() {
			for b := range last {
				b.Release()
			}
		})
		// Another share comes and goes, so that all others shrink and grow.
		stop := make(chan struct{})
		var guest sync.WaitGroup
		guest.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				s, err := m.NewShare(0, 1<<20, nil)
				if err != nil {
					t.Error(err)
					return
				}
				seg, ok := s.Acquire(memory.MinBlock)
				runtime.Gosched()
				s.Close()
				runtime.Gosched()
				if ok {
					s.Release(seg)
				}
			}
		})
		all.Wait()
		close(stop)
		guest.Wait()
		cancel()
		for _, p := range pools {
			if u := p.Usage(); u.Used != 0 {
				t.Errorf("%+v at the end", u)
			}
			p.Close()
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPoolsComeAndGo: pools are closed by others while their writers acquire, wait and select, and their readers release. Nobody hangs, nothing is lost.
// See Flink's LocalBufferPoolTest: 128 tasks; and LocalBufferPoolDestroyTest.
func TestPoolsComeAndGo(t *testing.T) {
	const tasks, rounds = 16, 40
	m, err := memory.NewPool(tasks*3<<10 + 20<<10)
	if err != nil {
		t.Fatal(err)
	}
	handed := make(chan *buffer.Buffer, 32)
	var readers, writers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for b := range handed {
				b.Release()
			}
		})
	}
	for g := range uint64(tasks) {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(g, 13))
			for range rounds {
				p, err := buffer.WaitLocalPool(t.Context(), m, buffer.Config{Bytes: 3 << 10, MaxBytes: 1 << 20, Channels: 2})
				if err != nil {
					t.Error(err)
					return
				}
				var closer sync.WaitGroup
				after := r.IntN(200)
				for i := 0; ; i++ {
					if i == after {
						closer.Go(p.Close)
					}
					lane := r.IntN(2)
					if b, ok := p.TryAcquire(lane, memory.MinBlock); ok {
						handed <- b
						continue
					}
					if err := p.Err(); errors.Is(err, buffer.ErrClosed) {
						break
					} else if err != nil {
						t.Error(err)
						break
					}
					if r.IntN(2) == 0 {
						<-p.Ready(lane)
					} else if err := p.Wait(t.Context(), lane); err != nil && !errors.Is(err, buffer.ErrClosed) {
						t.Error(err)
						break
					}
				}
				closer.Wait()
			}
		})
	}
	writers.Wait()
	close(handed)
	readers.Wait()
	if s := m.Stats(); s.Used != 0 || s.Guaranteed != 0 || s.Shares != 0 {
		t.Errorf("%+v at the end", s)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
