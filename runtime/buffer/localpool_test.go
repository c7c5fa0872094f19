package buffer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

func TestLocalPoolMinimum(t *testing.T) {
	m, err := memory.NewPool(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		channels int
		bytes    int64
		want     []string // in the error; nil: accepted
	}{
		{1, 2048, nil},
		{1, 2047, []string{"1 channels", "2048 bytes", "2047 bytes"}},
		{100, 101 << 10, nil},
		{100, 101<<10 - 1, []string{"100 channels", "103424 bytes", "103423 bytes"}},
		{1, 0, []string{"2048 bytes", "0 bytes"}},
		{1, -1, []string{"-1 bytes"}},
		{0, 1 << 20, []string{"0 channels"}},
		{-1, 1 << 20, []string{"-1 channels"}},
	} {
		_, err := buffer.NewLocalPool(m, buffer.Config{Bytes: tt.bytes, Channels: tt.channels})
		if tt.want == nil {
			if err != nil {
				t.Errorf("%d channels in %d bytes: %v", tt.channels, tt.bytes, err)
			}
			continue
		}
		if !errors.Is(err, memory.ErrInsufficient) {
			t.Errorf("%d channels in %d bytes: %v, want ErrInsufficient", tt.channels, tt.bytes, err)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not name %q", err, want)
			}
		}
	}
}

func TestLocalPoolSizes(t *testing.T) {
	m, err := memory.NewPool(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		channels    int
		bytes, cap  int64
		max, steady int
		granted     int64 // bytes that one lane gets when it asks for the largest blocks
	}{
		{1, 2 << 10, 0, 1 << 10, 1 << 10, 2 << 10}, // the share, not the cap
		{1, 128<<10 + 1<<10, 0, 32 << 10, 32 << 10, 129 << 10},
		{1, 128 << 10, 0, 16 << 10, 16 << 10, 128 << 10},
		{1, 1 << 20, 0, 32 << 10, 32 << 10, 512 << 10},
		{1, 1 << 20, 100 << 10, 32 << 10, 32 << 10, 96 << 10},
		{1, 1 << 20, 1, 32 << 10, 32 << 10, 64 << 10}, // two blocks are always granted
		{4, 1 << 20, 0, 32 << 10, 32 << 10, 256 << 10},
		{100, 20 << 20, 0, 32 << 10, 8 << 10, 64 << 10},   // blocks grow to 1 MiB in all
		{1000, 256 << 20, 0, 32 << 10, 4 << 10, 64 << 10}, // but to 4 KiB each
		{1000, 8 << 20, 0, 2 << 10, 2 << 10, 16 << 10},    // or the largest size
		{1000, 1001 << 10, 0, 1 << 10, 1 << 10, 8 << 10},
		{1000, 1001 << 10, 3 << 10, 1 << 10, 1 << 10, 3 << 10},
	} {
		t.Run(fmt.Sprintf("%d in %d", tt.channels, tt.bytes), func(t *testing.T) {
			p, err := buffer.NewLocalPool(m, buffer.Config{Bytes: tt.bytes, Channels: tt.channels, ChannelBytes: tt.cap})
			if err != nil {
				t.Fatal(err)
			}
			if p.MaxBlock() != tt.max || p.SteadyBlock() != tt.steady {
				t.Errorf("largest block %d, steady block %d; want %d and %d", p.MaxBlock(), p.SteadyBlock(), tt.max, tt.steady)
			}
			if all := int64(tt.channels * p.MaxBlock()); all > tt.bytes-memory.MinBlock {
				t.Errorf("a block of the largest size for each channel is %d bytes, and leaves nothing of %d", all, tt.bytes)
			}
			if got, want := p.Area().Bytes(), int64(tt.max/buffer.LargeShare); got != want {
				t.Errorf("the area that nobody gave has %d bytes, want %d", got, want)
			}
			var blocks []*buffer.Buffer
			for {
				b, ok := p.TryAcquire(0, p.MaxBlock())
				if !ok {
					break
				}
				blocks = append(blocks, b)
			}
			if got := p.Held(0); got != tt.granted {
				t.Errorf("one lane gets %d bytes, want %d", got, tt.granted)
			}
			for _, b := range blocks {
				b.Release()
			}
			if u := p.Usage(); u != (buffer.Usage{Guarantee: tt.bytes, Share: tt.bytes, Max: tt.bytes}) {
				t.Errorf("%+v at the end", u)
			}
		})
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// TestLocalPoolCap: a lane at its cap gets nothing, others do; a lane without anything always gets a block.
func TestLocalPoolCap(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{
		Bytes: 64 << 10, Channels: 2, ChannelBytes: 16 << 10, Area: buffer.NewArea(1 << 20),
	})
	var held []*buffer.Buffer
	for range 2 {
		held = append(held, mustAcquire(t, p.LocalPool, 0, 4<<10))
	}
	held = append(held, mustAcquire(t, p.LocalPool, 0, 8<<10))
	mustRefuse(t, p.LocalPool, 0, 1<<10)
	if !p.Full(0) || p.Full(1) {
		t.Errorf("full: %v and %v, want only the first", p.Full(0), p.Full(1))
	}
	held = append(held, mustAcquire(t, p.LocalPool, 1, 1<<10))
	held[0].Release()
	if p.Full(0) {
		t.Error("full below the cap")
	}
	// A block that would exceed the cap is refused as a whole, not cut.
	mustRefuse(t, p.LocalPool, 0, 8<<10)
	held[0] = mustAcquire(t, p.LocalPool, 0, 4<<10)

	large, ok := p.TryLarge(1, 500<<10)
	if !ok {
		t.Fatal("no room for a large record")
	}
	if u := p.Usage(); u.Large != 500<<10 || u.Used != 17<<10 || p.Held(1) != 501<<10 {
		t.Errorf("%+v with a large record, lane holds %d", u, p.Held(1))
	}
	if !p.Full(1) {
		t.Error("large records do not count against the cap")
	}
	mustRefuse(t, p.LocalPool, 1, 1<<10)
	for _, b := range append(held, large) {
		b.Release()
	}
}

func TestLocalPoolTakesSmallerBlocks(t *testing.T) {
	t.Run("share nearly used", func(t *testing.T) {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: 40 << 10, Channels: 1, ChannelBytes: 1 << 20})
		var held []*buffer.Buffer
		for _, want := range []int{8, 8, 8, 8, 4, 2, 1, 1} {
			b := mustAcquire(t, p.LocalPool, 0, want<<10)
			held = append(held, b)
		}
		held[6].Release() // 1 KiB is free
		held[6] = mustAcquire(t, p.LocalPool, 0, 8<<10)
		if n := len(held[6].Bytes()); n != 1<<10 {
			t.Errorf("got %d bytes with 1024 free", n)
		}
		mustRefuse(t, p.LocalPool, 0, 8<<10)
		for _, b := range held {
			b.Release()
		}
	})
	t.Run("memory in pieces", func(t *testing.T) {
		p := newLocal(t, 64<<10, buffer.Config{Bytes: 32 << 10, Channels: 1, ChannelBytes: 1 << 20})
		for { // the half that is not guaranteed to p
			s, ok := p.memory.Acquire(memory.MinBlock)
			if !ok {
				break
			}
			defer p.memory.Release(s)
		}
		var all []*buffer.Buffer
		for range 32 {
			all = append(all, mustAcquire(t, p.LocalPool, 0, memory.MinBlock))
		}
		// 2 KiB in one piece, and pieces of 1 KiB.
		for i, b := range all {
			if i == 2 || i == 3 || i > 4 && i%2 == 1 {
				b.Release()
			} else {
				defer b.Release()
			}
		}
		for i, want := range []int{2 << 10, 1 << 10, 1 << 10} {
			b := mustAcquire(t, p.LocalPool, 0, 4<<10)
			if len(b.Bytes()) != want {
				t.Errorf("block %d has %d bytes, want %d", i, len(b.Bytes()), want)
			}
			defer b.Release()
		}
	})
}

// TestLocalPoolShareUnderLoad: whatever is acquired and released concurrently, the share is not exceeded, by the pool's own count and by that
// of the memory behind it.
func TestLocalPoolShareUnderLoad(t *testing.T) {
	const share, channels = 24 << 10, 4
	p := newLocal(t, 1<<20, buffer.Config{Bytes: share, Channels: channels, ChannelBytes: 8 << 10, Area: buffer.NewArea(3000)})
	handed := make(chan *buffer.Buffer, 32)
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for b := range handed {
				b.Release()
			}
		})
	}
	r := rand.New(rand.NewPCG(1, 2))
	blocks, refused := 0, 0
	for range 20000 {
		lane := r.IntN(channels)
		var b *buffer.Buffer
		var ok bool
		if r.IntN(4) == 0 {
			b, ok = p.TryLarge(lane, 1+r.IntN(3000))
		} else {
			b, ok = p.TryAcquire(lane, min(memory.MinBlock<<r.IntN(3), p.MaxBlock()))
			blocks++
		}
		if u := p.Usage(); u.Used < 0 || u.Used > share || u.Large < 0 || u.Large > 3000 {
			t.Fatalf("%+v", u)
		}
		if used := p.memory.Stats().Used; used > share {
			t.Fatalf("%d bytes of memory are used, the share is %d", used, share)
		}
		if !ok {
			refused++
			continue
		}
		handed <- b
	}
	close(handed)
	readers.Wait()
	if blocks == 0 || refused == 0 {
		t.Errorf("%d blocks, %d refusals: the load does not test anything", blocks, refused)
	}
}

func TestLocalPoolClosed(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	b := mustAcquire(t, p.LocalPool, 0, 1<<10)
	p.Close()
	p.Close()
	mustRefuse(t, p.LocalPool, 0, 1<<10)
	if err := p.Wait(t.Context(), 0); !errors.Is(err, buffer.ErrClosed) {
		t.Errorf("Wait on a closed pool: %v", err)
	}
	b.Release() // still given back
}
