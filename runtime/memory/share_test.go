package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

// fillShare acquires blocks of MinBlock until it is refused.
func fillShare(s *memory.Share) (all []memory.Segment) {
	for {
		seg, ok := s.Acquire(memory.MinBlock)
		if !ok {
			return all
		}
		all = append(all, seg)
	}
}

func releaseAll(s *memory.Share, all []memory.Segment) {
	for _, seg := range all {
		s.Release(seg)
	}
}

func TestNewShareRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		min  int64
		prep func(p *memory.Pool) // of a pool of 64 KiB
		is   error
		not  error
		want []string // in the error
	}{
		{"larger than the pool", 65 * kib, func(*memory.Pool) {}, memory.ErrInsufficient, memory.ErrBusy, []string{"66560 bytes", "0 of 65536"}},
		{"far larger", 1<<63 - 1, func(*memory.Pool) {}, memory.ErrInsufficient, memory.ErrBusy, []string{"9223372036854775807 bytes"}},
		{"others are guaranteed too much", 33 * kib, func(p *memory.Pool) {
			openShare(t, p, 32*kib, 0, nil)
		}, memory.ErrInsufficient, memory.ErrBusy, []string{"33792 bytes", "32768 of 65536"}},
		{"others have reserved too much", 33 * kib, func(p *memory.Pool) { mustReserve(t, p, 31*kib+1) },
			memory.ErrInsufficient, memory.ErrBusy, []string{"33792 bytes", "32768 of 65536"}},
		{"others hold more than their guarantee", 48 * kib, func(p *memory.Pool) {
			fillShare(openShare(t, p, 16*kib, 17*kib, nil))
		}, memory.ErrBusy, nil, []string{"49152 bytes", "17408 of 65536"}},
		{"a closed share holds something", 64 * kib, func(p *memory.Pool) {
			s := openShare(t, p, 16*kib, 0, nil)
			s.Acquire(2 * kib)
			s.Close()
		}, memory.ErrBusy, nil, []string{"65536 bytes", "2048 of 65536"}},
		{"somebody without a share holds something", 64 * kib, func(p *memory.Pool) { p.Acquire(4 * kib) },
			memory.ErrBusy, nil, []string{"65536 bytes", "4096 of 65536"}},
		{"the pool is closed", kib, func(p *memory.Pool) { p.Close() }, memory.ErrClosed, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := memory.NewPool(64 * kib)
			if err != nil {
				t.Fatal(err)
			}
			tt.prep(p)
			before := p.Stats()
			_, err = p.NewShare(tt.min, tt.min, nil)
			if !errors.Is(err, tt.is) || tt.not != nil && errors.Is(err, tt.not) {
				t.Errorf("%v, want %q", err, tt.is)
			}
			if tt.is == memory.ErrBusy && !errors.Is(err, memory.ErrInsufficient) {
				t.Errorf("%v is no ErrInsufficient", err)
			}
			for _, want := range tt.want {
				if err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not name %q", err, want)
				}
			}
			if after := p.Stats(); after != before {
				t.Errorf("%+v after the refusal, before it %+v", after, before)
			}
		})
	}
	if _, err := newPool(t, kib).NewShare(-1, 5, nil); err == nil || !strings.Contains(err.Error(), "-1 bytes") {
		t.Errorf("a negative guarantee: %v", err)
	}
}

func TestShareIsRoundedUp(t *testing.T) {
	p := newPool(t, 16*kib)
	for _, tt := range []struct{ min, max, wantMin, wantMax int64 }{
		{1, 0, kib, kib}, {kib, kib + 1, kib, 2 * kib}, {0, 0, 0, 0}, {3 * kib, 1 << 62, 3 * kib, 16 * kib},
	} {
		s := openShare(t, p, tt.min, tt.max, nil)
		if s.Min() != tt.wantMin || s.Max() != tt.wantMax {
			t.Errorf("a share of %d to %d bytes has %d to %d, want %d to %d", tt.min, tt.max, s.Min(), s.Max(), tt.wantMin, tt.wantMax)
		}
		s.Close()
	}
}

// TestShareNeverExceedsItsSize: see Flink's LocalBufferPoolTest: a pool of one hands out one, and the next request gets nothing.
func TestShareNeverExceedsItsSize(t *testing.T) {
	p := newPool(t, 64*kib)
	for _, n := range []int{0, 1, 7} {
		s := openShare(t, p, int64(n)*kib, 0, nil)
		all := fillShare(s)
		if len(all) != n || s.Used() != int64(n)*kib || s.Room() != 0 {
			t.Errorf("a share of %d KiB gave %d, holds %d bytes, and has room for %d", n, len(all), s.Used(), s.Room())
		}
		if p.Stats().Starving != 0 {
			t.Error("a share that is used up is not starving: only its own memory can come back")
		}
		releaseAll(s, all)
		s.Close()
	}
}

// TestGuaranteeIsPhysical: whatever others hold, a share gets its guarantee at once.
func TestGuaranteeIsPhysical(t *testing.T) {
	p := newPool(t, 64*kib)
	modest := openShare(t, p, 16*kib, 0, nil)
	greedy := openShare(t, p, 8*kib, 1<<40, nil)
	all := fillShare(greedy)
	var direct []memory.Segment
	for {
		seg, ok := p.Acquire(memory.MinBlock)
		if !ok {
			break
		}
		direct = append(direct, seg)
	}
	if len(all) != 48 || len(direct) != 0 {
		t.Errorf("others got %d and %d KiB, want 48 and nothing of what is not guaranteed to the first", len(all), len(direct))
	}
	mine := fillShare(modest)
	if len(mine) != 16 {
		t.Errorf("got %d KiB of a guarantee of 16", len(mine))
	}
	releaseAll(greedy, all)
	// Now nobody holds more than is guaranteed; without a share there is what is guaranteed to nobody.
	for {
		seg, ok := p.Acquire(memory.MinBlock)
		if !ok {
			break
		}
		direct = append(direct, seg)
	}
	if len(direct) != 40 {
		t.Errorf("got %d KiB without a share, want the 40 that are not guaranteed", len(direct))
	}
	if all = fillShare(greedy); len(all) != 8 {
		t.Errorf("got %d KiB of a guarantee of 8", len(all))
	}
	for _, seg := range direct {
		p.Release(seg)
	}
	releaseAll(greedy, all)
	releaseAll(modest, mine)
}

// TestSecondShareGetsTheExcess: a share that had everything gives back what is too much as it comes back, and the second one gets it; see Flink's
// BufferPoolFactoryTest.
func TestSecondShareGetsTheExcess(t *testing.T) {
	p := newPool(t, 64*kib)
	first := openShare(t, p, 8*kib, 64*kib, nil)
	held := fillShare(first)
	if len(held) != 64 {
		t.Fatalf("a share alone got %d KiB", len(held))
	}
	if _, err := p.NewShare(8*kib, 64*kib, nil); !errors.Is(err, memory.ErrBusy) {
		t.Fatalf("a guarantee while everything is taken: %v", err)
	}
	releaseAll(first, held[:8])
	held = held[8:]
	woken := 0
	second := openShare(t, p, 8*kib, 64*kib, func() { woken++ })
	woken = 0
	if first.Bytes() != 32*kib || second.Bytes() != 32*kib || first.Used() != 56*kib {
		t.Fatalf("sizes %d and %d, the first holds %d", first.Bytes(), second.Bytes(), first.Used())
	}
	if _, ok := first.Acquire(memory.MinBlock); ok {
		t.Error("got more than the size")
	}
	mine := fillShare(second)
	if len(mine) != 8 {
		t.Fatalf("the second got %d KiB at once, want its guarantee of 8", len(mine))
	}
	for i := range 24 {
		if second.Room() != 0 {
			t.Fatalf("room for %d bytes while the first holds everything", second.Room())
		}
		first.Release(held[0])
		held = held[1:]
		if woken != i+1 {
			t.Fatalf("woken %d times after %d blocks came back", woken, i+1)
		}
		got := fillShare(second)
		if len(got) != 1 {
			t.Fatalf("got %d KiB after 1 came back", len(got))
		}
		mine = append(mine, got...)
	}
	if second.Used() != second.Bytes() || first.Used() != first.Bytes() {
		t.Errorf("%d of %d and %d of %d are used", first.Used(), first.Bytes(), second.Used(), second.Bytes())
	}
	releaseAll(first, held)
	releaseAll(second, mine)
}

// TestClosedShareGivesBackOneByOne: Flink's lazyDestroy. The guarantee ends at once; what is held comes back later, and the others grow by it.
func TestClosedShareGivesBackOneByOne(t *testing.T) {
	p := newPool(t, 64*kib)
	rest := openShare(t, p, 0, 64*kib, nil)
	s := openShare(t, p, 48*kib, 0, nil)
	held := fillShare(s)
	releaseAll(s, held[32:])
	held = held[:32]
	if rest.Bytes() != 16*kib {
		t.Fatalf("%d bytes are left, want 16 KiB", rest.Bytes())
	}
	s.Close()
	s.Close()
	if _, ok := s.Acquire(memory.MinBlock); ok || s.Room() != 0 || s.Bytes() != 0 {
		t.Error("a closed share gives memory")
	}
	if got := p.Stats(); got.Guaranteed != 0 || got.Shares != 1 {
		t.Errorf("%+v: the guarantee did not end", got)
	}
	last := rest.Bytes()
	if last != 32*kib {
		t.Errorf("the other has %d bytes, want what the closed one does not hold", last)
	}
	for i, seg := range held {
		s.Release(seg)
		size := rest.Bytes()
		if out := s.Used(); size < last || size > 64*kib-out || size < 64*kib-2*out {
			t.Fatalf("%d bytes after %d of 32 blocks came back, before it %d", size, i+1, last)
		}
		last = size
	}
	if last != 64*kib {
		t.Errorf("%d bytes after everything came back", last)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestStarvingIsWoken: a share that was refused what its size allows is woken by everybody who gives back what it can have, whoever that is, and not for
// the rest.
func TestStarvingIsWoken(t *testing.T) {
	type scene struct {
		p      *memory.Pool
		hog    *memory.Share // 16 KiB guaranteed, holds more
		held   []memory.Segment
		direct memory.Segment
		closed *memory.Share // holds 1 KiB
		left   memory.Segment
	}
	for _, tt := range []struct {
		name string
		do   func(*scene)
		want int
	}{
		{"another share gives back above its guarantee", func(s *scene) { s.hog.Release(s.held[0]); s.held = s.held[1:] }, 1},
		{"somebody without a share gives back", func(s *scene) { s.p.Release(s.direct); s.direct = memory.Segment{} }, 1},
		{"a closed share gives back", func(s *scene) { s.closed.Release(s.left); s.closed = nil }, 1},
		{"nobody gives back", func(s *scene) { s.hog.Acquire(memory.MinBlock) }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s scene
			s.p = newPool(t, 64*kib)
			s.closed = openShare(t, s.p, kib, 0, nil)
			s.left, _ = s.closed.Acquire(kib)
			s.closed.Close()
			s.direct, _ = s.p.Acquire(kib)
			s.hog = openShare(t, s.p, 16*kib, 64*kib, nil)
			for len(s.held) < 50 {
				seg, ok := s.hog.Acquire(kib)
				if !ok {
					t.Fatal("no memory")
				}
				s.held = append(s.held, seg)
			}
			woken := 0
			poor := openShare(t, s.p, 4*kib, 64*kib, func() { woken++ })
			mine := fillShare(poor)
			if len(mine) != 12 || s.p.Stats().Starving != 1 {
				t.Fatalf("got %d KiB, %+v", len(mine), s.p.Stats())
			}
			woken = 0
			tt.do(&s)
			if (woken > 0) != (tt.want > 0) {
				t.Errorf("woken %d times, want %d", woken, tt.want)
			}
			if got := fillShare(poor); (len(got) > 0) != (tt.want > 0) {
				t.Errorf("got %d KiB after that", len(got))
			} else {
				mine = append(mine, got...)
			}
			// Afterwards nothing is owed: who gives back what is guaranteed to him wakes nobody.
			releaseAll(poor, mine)
			woken = 0
			if s.direct.Bytes() != nil {
				s.p.Release(s.direct)
			}
			if s.closed != nil {
				s.closed.Release(s.left)
			}
			releaseAll(s.hog, s.held)
		})
	}
}

// TestAwait: a share that asks without acquiring is woken as well; one that acquires is not starving any more.
func TestAwait(t *testing.T) {
	p := newPool(t, 8*kib)
	hog := openShare(t, p, 0, 8*kib, nil)
	held := fillShare(hog)
	woken := 0
	s := openShare(t, p, 0, 8*kib, func() { woken++ })
	woken = 0
	for range 2 {
		if s.Await() {
			t.Fatal("there is memory although everything is taken")
		}
	}
	if p.Stats().Starving != 1 {
		t.Errorf("%+v, want one that is starving", p.Stats())
	}
	hog.Release(held[0])
	if woken != 1 || !s.Await() || p.Stats().Starving != 0 {
		t.Errorf("woken %d times; %+v", woken, p.Stats())
	}
	seg, ok := s.Acquire(kib)
	if !ok || s.Await() {
		t.Error("the block that came back is not there, or twice")
	}
	s.Close()
	if p.Stats().Starving != 0 {
		t.Error("a closed share is starving")
	}
	hog.Release(held[1])
	if woken != 1 {
		t.Error("a closed share was woken")
	}
	s.Release(seg)
	releaseAll(hog, held[2:])
}

// TestGrowthWakes: a share that grows is told so.
func TestGrowthWakes(t *testing.T) {
	p := newPool(t, 64*kib)
	woken := 0
	s := openShare(t, p, 0, 64*kib, func() { woken++ })
	other := openShare(t, p, 32*kib, 0, nil)
	room := mustReserve(t, p, 8*kib)
	woken = 0
	room.Close()
	if woken != 1 || s.Bytes() != 32*kib {
		t.Errorf("woken %d times with %d bytes after a reservation ended", woken, s.Bytes())
	}
	other.Close()
	if woken != 2 || s.Bytes() != 64*kib {
		t.Errorf("woken %d times with %d bytes after a share was closed", woken, s.Bytes())
	}
}

// TestWakeMayCallThePool: Flink's FLINK-9676. What is called back may do with the pool what it likes, since no lock is held.
func TestWakeMayCallThePool(t *testing.T) {
	p := newPool(t, 8*kib)
	hog := openShare(t, p, 0, 8*kib, nil)
	held := fillShare(hog)
	var got []memory.Segment
	var s *memory.Share
	listening := false
	s = openShare(t, p, 0, 8*kib, func() {
		if !listening {
			return
		}
		listening = false
		p.Stats()
		s.Err()
		other, err := p.NewShare(0, kib, nil)
		if err != nil {
			t.Error(err)
		}
		got = append(got, fillShare(s)...)
		other.Close()
	})
	fillShare(s)
	listening = true
	hog.Release(held[0])
	if len(got) != 1 {
		t.Errorf("got %d blocks from inside of the wake function", len(got))
	}
	releaseAll(s, got)
	releaseAll(hog, held[1:])
}

func TestReserve(t *testing.T) {
	const slab = 4 << 20
	p := newPool(t, 3*slab)
	s := openShare(t, p, 0, 3*slab, nil)
	held := fillShare(s)
	if got := p.Stats(); got.Mapped != 3*slab || got.Used != 3*slab {
		t.Fatalf("%+v, want everything mapped and used", got)
	}
	if _, err := p.Reserve(kib); !errors.Is(err, memory.ErrBusy) {
		t.Errorf("a reservation while everything is used: %v", err)
	}
	// One block stays in use in each of two slabs.
	var kept []memory.Segment
	for i, seg := range held {
		if i == 0 || i == slab/kib {
			kept = append(kept, seg)
		} else {
			s.Release(seg)
		}
	}
	room := mustReserve(t, p, slab+slab/2)
	if _, ok := room.Acquire(kib); ok || room.Await() || room.Room() != 0 {
		t.Error("a reservation gives memory")
	}
	if got := p.Stats(); got.Mapped != 2*slab || got.Reserved != slab+slab/2 || s.Bytes() != slab+slab/2 {
		t.Errorf("%+v: the slab that is not in use should be unmapped; %d bytes are left for blocks", got, s.Bytes())
	}
	s.Release(kept[0])
	if got := p.Stats(); got.Mapped != slab {
		t.Errorf("%+v: the second slab should be unmapped when it is empty", got)
	}
	mustPanic(t, "released", func() { s.Release(kept[0]) })
	held = append(fillShare(s), kept[1])
	if got := p.Stats(); int64(len(held)) != s.Bytes()/kib || got.Mapped+got.Reserved != got.Limit {
		t.Errorf("got %d KiB of %d bytes, %+v", len(held), s.Bytes(), got)
	}
	room.Close()
	held = append(held, fillShare(s)...)
	if got := p.Stats(); got.Used != 3*slab || got.Mapped != 3*slab || got.Reserved != 0 {
		t.Errorf("%+v after the reservation ended, want everything for blocks", got)
	}
	releaseAll(s, held)
}

// TestSystemRefusesMemory: a share that gets nothing for another reason than that others have it says why.
func TestSystemRefusesMemory(t *testing.T) {
	p := newPool(t, 8<<20)
	s := openShare(t, p, 8<<20, 0, nil)
	first, ok := s.Acquire(memory.MaxBlock)
	if !ok || s.Err() != nil {
		t.Fatalf("no memory: %v", s.Err())
	}
	full := errors.New("no memory in this machine")
	p.RefuseMapping(full)
	held := fillShare(s)
	if len(held) != 4<<10-32 || !errors.Is(s.Err(), full) {
		t.Errorf("got %d KiB, then %v", len(held), s.Err())
	}
	if _, ok := s.Acquire(memory.MaxBlock); ok || !errors.Is(s.Err(), full) {
		t.Errorf("got a block, or %v", s.Err())
	}
	s.Release(held[0])
	if held[0], ok = s.Acquire(memory.MinBlock); !ok || s.Err() != nil {
		t.Errorf("what came back is not there: %v", s.Err())
	}
	p.RefuseMapping(nil)
	more, ok := s.Acquire(memory.MaxBlock)
	if !ok || s.Err() != nil {
		t.Errorf("no memory after the system had some again: %v", s.Err())
	}
	releaseAll(s, append(held, first, more))
}

func TestShareOfClosedPool(t *testing.T) {
	p, err := memory.NewPool(8 * kib)
	if err != nil {
		t.Fatal(err)
	}
	woken := 0
	s := openShare(t, p, 2*kib, 8*kib, func() { woken++ })
	seg, _ := s.Acquire(kib)
	if err := p.Close(); !errors.Is(err, memory.ErrInUse) || s.Err() != nil {
		t.Fatalf("Close with a block outstanding: %v; %v", err, s.Err())
	}
	s.Release(seg)
	woken = 0
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if woken != 1 || !s.Await() || !errors.Is(s.Err(), memory.ErrClosed) {
		t.Errorf("woken %d times, %v", woken, s.Err())
	}
	if _, ok := s.Acquire(kib); ok || !errors.Is(s.Err(), memory.ErrClosed) {
		t.Errorf("acquired, or %v", s.Err())
	}
	s.Close()
}

// TestReleaseToAnotherShare: a share cannot give back more than it holds.
func TestReleaseToAnotherShare(t *testing.T) {
	p := newPool(t, 8*kib)
	a, b := openShare(t, p, kib, 0, nil), openShare(t, p, kib, 0, nil)
	seg, _ := a.Acquire(kib)
	mustPanic(t, "1024 bytes released to a share that holds 0", func() { b.Release(seg) })
	a.Release(seg)
}
