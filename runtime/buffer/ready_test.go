package buffer_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func isReady(p *buffer.LocalPool, lane int) bool { return isClosed(p.Ready(lane)) }

// available checks that a lane is available, or not, and that Ready says the same of all lanes together.
func available(t *testing.T, p *buffer.LocalPool, want ...bool) {
	t.Helper()
	for lane, want := range want {
		if got := p.Available(lane); got != want {
			t.Errorf("lane %d is available: %v, want %v: %+v", lane, got, want, p.Usage())
		}
	}
	all := !slices.Contains(want, false)
	if got := p.Available(-1); got != all {
		t.Errorf("all lanes are available: %v, want %v: %+v", got, all, p.Usage())
	}
	if got := isReady(p, -1); got != all {
		t.Errorf("all lanes are ready: %v, want %v: %+v", got, all, p.Usage())
	}
}

// TestShareOfOne: Flink's LocalBufferPoolTest: availability flips with the only block that is left, and the next request gets nothing.
func TestShareOfOne(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 2 << 10, Channels: 1})
	open := mustAcquire(t, p.LocalPool, 0, 1<<10)
	p.Opened(1 << 10)
	for range 3 {
		available(t, p.LocalPool, true)
		last := mustAcquire(t, p.LocalPool, 0, 1<<10)
		available(t, p.LocalPool, false)
		mustRefuse(t, p.LocalPool, 0, 1<<10)
		ready := p.Ready(0)
		if isClosed(ready) {
			t.Error("ready with nothing left")
		}
		last.Release()
		if !isClosed(ready) {
			t.Error("not ready with a block free")
		}
	}
	open.Release()
}

// TestFullLaneIsUnavailable: Flink's FLINK-27522. One lane at its cap makes the writer as a whole unavailable; the other lanes are served all the same.
func TestFullLaneIsUnavailable(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 64 << 10, Channels: 3, ChannelBytes: 8 << 10})
	if p.MaxBlock() != 4<<10 {
		t.Fatalf("the largest block has %d bytes", p.MaxBlock())
	}
	available(t, p.LocalPool, true, true, true)
	held := []*buffer.Buffer{mustAcquire(t, p.LocalPool, 1, 4<<10)}
	available(t, p.LocalPool, true, true, true)
	held = append(held, mustAcquire(t, p.LocalPool, 1, 1<<10))
	available(t, p.LocalPool, true, false, true) // 3 KiB below the cap: a block of the largest size does not fit
	held = append(held, mustAcquire(t, p.LocalPool, 1, 2<<10))
	all, lane, other := p.Ready(-1), p.Ready(1), p.Ready(2)
	if isClosed(all) || isClosed(lane) || !isClosed(other) {
		t.Errorf("ready: all %v, the full lane %v, another %v", isClosed(all), isClosed(lane), isClosed(other))
	}
	mustAcquire(t, p.LocalPool, 2, 4<<10).Release()
	held[2].Release() // 5 KiB
	if isClosed(all) || isClosed(lane) {
		t.Error("ready although the largest block does not fit")
	}
	held[1].Release() // 4 KiB: room for a block, and half of the cap
	available(t, p.LocalPool, true, true, true)
	if !isClosed(all) || !isClosed(lane) {
		t.Error("not ready although the lane is half full")
	}
	held[0].Release()
}

// TestShareShrinksAndGrows: Flink's LocalBufferPoolTest. When another share takes its guarantee, what is not used goes at once and what is used goes
// when it is released; when the other ends, the pool becomes available.
func TestShareShrinksAndGrows(t *testing.T) {
	p := newLocal(t, 64<<10, buffer.Config{Bytes: 8 << 10, MaxBytes: 64 << 10, Channels: 1, ChannelBytes: 1 << 20})
	var held []*buffer.Buffer
	for range 20 {
		held = append(held, mustAcquire(t, p.LocalPool, 0, 1<<10))
	}
	usage := func(share, used int64) {
		t.Helper()
		if u, want := p.Usage(), (buffer.Usage{Guarantee: 8 << 10, Share: share << 10, Max: 64 << 10, Used: used << 10}); u != want {
			t.Errorf("%+v, want %+v", u, want)
		}
	}
	usage(64, 20)
	other, err := p.memory.NewShare(44<<10, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	usage(20, 20)
	available(t, p.LocalPool, false)
	if _, err := p.memory.NewShare(2<<10, 0, nil); !errors.Is(err, memory.ErrBusy) {
		t.Fatalf("a guarantee of what is used: %v", err)
	}
	for _, b := range held[18:] {
		b.Release()
	}
	held = held[:18]
	more, err := p.memory.NewShare(2<<10, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	usage(18, 18)
	available(t, p.LocalPool, false)
	ready := p.Ready(-1)
	more.Close()
	usage(20, 18)
	if !isClosed(ready) {
		t.Error("not ready although the share has grown")
	}
	available(t, p.LocalPool, true)
	other.Close()
	usage(64, 18)
	for _, b := range held {
		b.Release()
	}
}

// TestWaitForGrowth: a writer that waits for its share goes on when the share has grown enough that half of it is free.
func TestWaitForGrowth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLocal(t, 64<<10, buffer.Config{Bytes: 8 << 10, MaxBytes: 64 << 10, Channels: 1, ChannelBytes: 1 << 20})
		other, _ := p.memory.NewShare(52<<10, 0, nil)
		room, _ := p.memory.Reserve(4 << 10)
		var held []*buffer.Buffer
		for range 8 {
			held = append(held, mustAcquire(t, p.LocalPool, 0, 1<<10))
		}
		w := wait(t.Context(), p.LocalPool, 0, 2<<10)
		w.expect(t, false, "everything is used")
		room.Close()
		w.expect(t, false, "of 12 KiB 2 are open, and 4 of the other 10 are free")
		other.Close()
		w.expect(t, true, "the share has 64 KiB")
		for _, b := range held {
			b.Release()
		}
	})
}

// TestReadyIsTheSame: asking again does not make another channel, what was asked for and is not needed costs nothing later, and each lane has its own.
func TestReadyIsTheSame(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 2, ChannelBytes: 1 << 20})
	var held []*buffer.Buffer
	for range 8 {
		held = append(held, mustAcquire(t, p.LocalPool, 0, 1<<10))
	}
	zero, one, all := p.Ready(0), p.Ready(1), p.Ready(-1)
	if zero != p.Ready(0) || one != p.Ready(1) || all != p.Ready(-1) {
		t.Error("asking again makes another channel")
	}
	if zero == one || one == all || zero == all {
		t.Error("lanes share a channel")
	}
	if n := testing.AllocsPerRun(100, func() { p.Ready(1) }); n != 0 {
		t.Errorf("asking again allocates %v times", n)
	}
	// Lane 1 is empty: a block is worth its while. Lane 0 waits for half.
	for i, b := range held {
		b.Release()
		if isClosed(all) != (i >= 0) || isClosed(one) != (i >= 0) || isClosed(zero) != (i >= 3) {
			t.Errorf("ready with %d of 8 KiB free: all %v, lanes %v and %v", i+1, isClosed(all), isClosed(zero), isClosed(one))
		}
	}
	p.Ready(1)
	if n := testing.AllocsPerRun(100, func() { p.Ready(0) }); n != 0 {
		t.Errorf("asking when it is ready allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { mustAcquire(t, p.LocalPool, 0, 1<<10).Release() }); n != 0 {
		t.Errorf("acquiring and releasing allocates %v times", n)
	}
}

// TestReadyEnds: Wake and Close close the channels; a Wake that came before the question is not lost.
func TestReadyEnds(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 2 << 10, Channels: 1})
	a, b := mustAcquire(t, p.LocalPool, 0, 1<<10), mustAcquire(t, p.LocalPool, 0, 1<<10)
	p.Wake()
	if !isReady(p.LocalPool, 0) {
		t.Error("a Wake before the question was lost")
	}
	lane, all := p.Ready(0), p.Ready(-1)
	if isClosed(lane) || isClosed(all) {
		t.Error("ready with nothing free")
	}
	p.Wake()
	if !isClosed(lane) || !isClosed(all) {
		t.Error("not woken")
	}
	isReady(p.LocalPool, 0) // sees the Wake again, at most
	lane, all = p.Ready(0), p.Ready(-1)
	if isClosed(lane) || isClosed(all) {
		t.Error("a Wake that was seen is seen again")
	}
	p.Close()
	if !isClosed(lane) || !isClosed(all) || !p.Available(0) || !p.Available(-1) || !isReady(p.LocalPool, 0) {
		t.Error("not ready after Close")
	}
	a.Release()
	b.Release()
}

// TestReadyForLarge: after a large record was refused, it is worth trying again when there is room for it and nobody is before it.
func TestReadyForLarge(t *testing.T) { synctest.Test(t, testReadyForLarge) }

func testReadyForLarge(t *testing.T) {
	area := buffer.NewArea(100)
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1, Area: area})
	other := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1, Area: area})
	held := make(map[int]*buffer.Buffer)
	for _, n := range []int{50, 30, 20} {
		b, ok := other.TryLarge(0, n)
		if !ok {
			t.Fatal("no room in an empty area")
		}
		held[n] = b
	}
	available(t, p.LocalPool, true)
	if _, ok := p.TryLarge(0, 40); ok {
		t.Fatal("got room in a full area")
	}
	available(t, p.LocalPool, false)
	ready := p.Ready(0)
	held[30].Release()
	if isClosed(ready) || p.Available(0) {
		t.Error("ready with room for 30 bytes of 40")
	}
	got := make(chan *buffer.Buffer, 1)
	go func() {
		b, err := other.Large(context.Background(), 0, 75)
		if err != nil {
			t.Error(err)
		}
		got <- b
	}()
	synctest.Wait()
	held[20].Release()
	synctest.Wait()
	if isClosed(ready) || p.Available(0) {
		t.Error("ready with room for 50 bytes, which somebody waits for who was first")
	}
	held[50].Release()
	b := <-got
	if isClosed(ready) || p.Available(0) {
		t.Error("ready with room for 25 bytes of 40")
	}
	b.Release()
	if !isClosed(ready) || area.Used() != 0 {
		t.Error("not ready with an empty area")
	}
	available(t, p.LocalPool, true)

	// Who tries something else does not wait for the area any more.
	full, _ := other.TryLarge(0, 100)
	p.TryLarge(0, 1)
	ready = p.Ready(-1)
	if isClosed(ready) {
		t.Error("ready with a full area")
	}
	mustAcquire(t, p.LocalPool, 0, 1<<10).Release()
	if !isClosed(ready) {
		t.Error("waits for a large record that was given up")
	}
	available(t, p.LocalPool, true)
	full.Release()
}

// TestAvailableIffReady: Flink's FLINK-20547. After every step of a random schedule of two pools that compete for memory: Ready says what Available says
// for all lanes; for one it says what Wait waits for, which implies that the lane is available; channels that were asked for earlier are closed when,
// and only if, that came to hold. An available lane gets a block of any size that it may ask for, if only as small as there are.
func TestAvailableIffReady(t *testing.T) {
	const total, channels = 48 << 10, 3
	closed, granted, refused := 0, 0, 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 9))
		m, err := memory.NewPool(total)
		if err != nil {
			t.Fatal(err)
		}
		area := buffer.NewArea(2000)
		type pool struct {
			*buffer.LocalPool
			held  []*buffer.Buffer
			asked map[int]<-chan struct{} // what was not ready
		}
		var pools [2]*pool
		for i := range pools {
			p, err := buffer.NewLocalPool(m, buffer.Config{
				Bytes: 12 << 10, MaxBytes: 48 << 10, Channels: channels, ChannelBytes: 16 << 10, Area: area,
			})
			if err != nil {
				t.Fatal(err)
			}
			pools[i] = &pool{LocalPool: p, asked: make(map[int]<-chan struct{})}
		}
		var others []*memory.Share
		for range 400 {
			p := pools[r.IntN(2)]
			lane := r.IntN(channels)
			what := ""
			switch op := r.IntN(12); {
			case op < 5:
				what = "acquire"
				want := memory.MinBlock << r.IntN(2)
				could := p.Available(lane)
				b, ok := p.TryAcquire(lane, want)
				if ok {
					granted++
					p.held = append(p.held, b)
				} else {
					refused++
					if could {
						t.Fatalf("an available lane got nothing: %+v", p.Usage())
					}
				}
			case op < 6:
				what = "large"
				if b, ok := p.TryLarge(lane, 1+r.IntN(2000)); ok {
					p.held = append(p.held, b)
				}
			case op < 10:
				what = "release"
				if len(p.held) > 0 {
					i := r.IntN(len(p.held))
					b := p.held[i]
					p.held = slices.Delete(p.held, i, i+1)
					b.Release()
				}
			case op < 11:
				what = "another share"
				if s, err := m.NewShare(r.Int64N(24)<<10, 0, nil); err == nil {
					others = append(others, s)
				}
			case len(others) > 0:
				what = "no other share"
				others[0].Close()
				others = others[1:]
			}
			for i, p := range pools {
				for lane := -1; lane < channels; lane++ {
					// Before anything else is asked: what was not ready is closed if, and only if, it is worth trying now.
					before, wasAsked := p.asked[lane]
					now := isReady(p.LocalPool, lane)
					if wasAsked && now != isClosed(before) {
						t.Fatalf("after %s: ready %v, but the channel from before says %v: pool %d, lane %d, %+v", what, now, isClosed(before), i, lane, p.Usage())
					}
					available := p.Available(lane)
					if now && !available || lane < 0 && now != available {
						t.Fatalf("after %s: ready %v, available %v: pool %d, lane %d, %+v", what, now, available, i, lane, p.Usage())
					}
					delete(p.asked, lane)
					if !now {
						p.asked[lane] = p.Ready(lane)
					} else if wasAsked {
						closed++
					}
				}
			}
		}
		for _, p := range pools {
			for _, b := range p.held {
				b.Release()
			}
			p.Close()
		}
		for _, s := range others {
			s.Close()
		}
		if s := m.Stats(); s.Used != 0 || s.Guaranteed != 0 || area.Used() != 0 {
			t.Fatalf("%+v at the end", s)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if closed < 100 || granted < 100 || refused < 100 {
		t.Errorf("%d channels closed, %d granted, %d refused: the schedules do not test much", closed, granted, refused)
	}
}
