package memory_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/memory"
)

// opening is a WaitShare in another goroutine.
type opening struct {
	share *memory.Share
	err   error
	done  bool
}

func waitShare(ctx context.Context, p *memory.Pool, least, most int64) *opening {
	o := new(opening)
	go func() {
		o.share, o.err = p.WaitShare(ctx, least, most, nil)
		o.done = true
	}()
	synctest.Wait()
	return o
}

// TestWaitShare: a guarantee that others hold is given when it has come back, and they cannot take it again meanwhile.
func TestWaitShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, 64*kib)
		hog := openShare(t, p, 8*kib, 64*kib, nil)
		held := fillShare(hog)
		first := waitShare(t.Context(), p, 16*kib, 64*kib)
		second := waitShare(t.Context(), p, 24*kib, 0)
		if _, err := p.NewShare(kib, 0, nil); !errors.Is(err, memory.ErrBusy) {
			t.Errorf("overtook those that wait: %v", err)
		}
		if _, err := p.WaitShare(t.Context(), 17*kib, 0, nil); !errors.Is(err, memory.ErrInsufficient) || errors.Is(err, memory.ErrBusy) {
			t.Errorf("waited for what would never come: %v", err)
		}
		for i, seg := range held {
			if wantFirst, wantSecond := i >= 16, i >= 40; first.done != wantFirst || second.done != wantSecond {
				t.Fatalf("opened: %v and %v after %d blocks came back, want %v and %v", first.done, second.done, i, wantFirst, wantSecond)
			}
			hog.Release(seg)
			if i < 47 { // the size of the hog is 8 and its part of the 16 that are left, once both wait
				if _, ok := hog.Acquire(kib); ok {
					t.Fatalf("took it again after %d blocks came back, with %d of %d used", i+1, hog.Used(), hog.Bytes())
				}
			}
			synctest.Wait()
		}
		for _, o := range []*opening{first, second} {
			if o.err != nil {
				t.Fatal(o.err)
			}
			got := fillShare(o.share)
			if bytesOf(got) < o.share.Min() {
				t.Errorf("got %d of %d guaranteed bytes", bytesOf(got), o.share.Min())
			}
			defer releaseAll(o.share, got)
		}
	})
}

func TestWaitShareGivenUp(t *testing.T) {
	cause := errors.New("somebody else has it")
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, 64*kib)
		hog := openShare(t, p, 8*kib, 64*kib, nil)
		held := fillShare(hog)
		ctx, cancel := context.WithCancelCause(t.Context())
		first := waitShare(ctx, p, 32*kib, 0)
		second := waitShare(t.Context(), p, 8*kib, 0)
		releaseAll(hog, held[:8])
		synctest.Wait()
		if first.done || second.done || hog.Bytes() != 24*kib {
			t.Fatalf("opened: %v and %v; the other has %d bytes", first.done, second.done, hog.Bytes())
		}
		cancel(cause)
		synctest.Wait()
		for _, want := range []error{cause, context.Canceled, memory.ErrBusy} {
			if !errors.Is(first.err, want) {
				t.Errorf("%v is no %q", first.err, want)
			}
		}
		if first.err == nil || !strings.Contains(first.err.Error(), "32768 bytes") || !strings.Contains(first.err.Error(), "of 65536") {
			t.Errorf("%v does not name the numbers", first.err)
		}
		if !second.done || second.err != nil || hog.Bytes() != 56*kib {
			t.Errorf("the one behind waits: %v, %v; the other has %d bytes", second.done, second.err, hog.Bytes())
		}
		second.share.Close()
		releaseAll(hog, held[8:])

		held = fillShare(hog)
		timed, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		if _, err := p.WaitShare(timed, kib, 0, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("WaitShare after the deadline: %v", err)
		}
		if s := p.Stats(); s.Guaranteed != 8*kib || s.Shares != 1 {
			t.Errorf("%+v: something is left of those that gave up", s)
		}
		releaseAll(hog, held)
	})
}

func TestWaitShareAtOnce(t *testing.T) {
	p := newPool(t, 8*kib)
	s, err := p.WaitShare(t.Context(), 8*kib, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := p.WaitShare(t.Context(), 9*kib, 0, nil); !errors.Is(err, memory.ErrInsufficient) {
		t.Error(err)
	}
}

// TestSharesConcurrent: shares are opened, used, closed with blocks outstanding, and waited for and given up, by many goroutines at once. No memory is
// lost, none is handed out twice, and nobody hangs. See Flink's LocalBufferPoolTest: 128 tasks with 1024 requests each; and a cancellation while another
// reserves.
func TestSharesConcurrent(t *testing.T) {
	const tasks, requests, limit = 128, 1024, 300 * kib
	p := newPool(t, limit)
	type block struct {
		share *memory.Share
		tagged
	}
	handed := make(chan block, 64)
	var readers, writers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for b := range handed {
				if err := check(b.Bytes()[:8], b.tag); err != nil {
					t.Error(err)
				}
				b.share.Release(b.Segment)
			}
		})
	}
	for g := range uint64(tasks) {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(g, 7))
			done := 0
			for done < requests {
				woken := make(chan struct{}, 1)
				wake := func() {
					select {
					case woken <- struct{}{}:
					default:
					}
				}
				ctx, cancel := context.WithCancel(t.Context())
				if r.IntN(4) == 0 {
					go cancel() // in the middle of waiting, or before or after it
				}
				s, err := p.WaitShare(ctx, 2*kib, 2*kib+r.Int64N(limit), wake)
				if err != nil {
					cancel()
					if !errors.Is(err, context.Canceled) {
						t.Error(err)
						return
					}
					runtime.Gosched()
					continue
				}
				for range 1 + r.IntN(requests/4) {
					used := s.Used() // others only make it less
					seg, ok := s.Acquire(2 * memory.MinBlock)
					if !ok || r.IntN(2) == 0 {
						if ok {
							s.Release(seg)
						}
						seg, ok = s.Acquire(memory.MinBlock)
					}
					if !ok {
						if used < s.Min() {
							t.Errorf("a share that holds %d of %d guaranteed bytes gets nothing", used, s.Min())
							break
						}
						if !s.Await() && s.Used()+memory.MinBlock <= s.Bytes() {
							select {
							case <-woken: // by whoever releases; it is a lost wake-up if nobody does
							case <-time.After(time.Minute):
								t.Error("not woken")
							}
						}
						runtime.Gosched()
						continue
					}
					done++
					tag := g<<32 | uint64(done)
					fill(seg.Bytes()[:8], tag)
					handed <- block{s, tagged{seg, tag}}
				}
				s.Close()
				cancel()
			}
		})
	}
	writers.Wait()
	close(handed)
	readers.Wait()
	if s := p.Stats(); s.Used != 0 || s.Guaranteed != 0 || s.Shares != 0 || s.Starving != 0 || s.Peak > limit {
		t.Errorf("%+v at the end", s)
	}
	s := openShare(t, p, limit, 0, nil)
	all := fillShare(s)
	if bytesOf(all) != limit {
		t.Errorf("%d of %d bytes are there at the end", bytesOf(all), limit)
	}
	releaseAll(s, all)
}

// TestGuaranteeWhileOthersWait: a guarantee that somebody waits for, however large, takes nothing from those that were given theirs.
func TestGuaranteeWhileOthersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const mib = 1 << 20
		p, err := memory.NewPool(16 * mib)
		if err != nil {
			t.Fatal(err)
		}
		hog, err := p.NewShare(mib, 16*mib, nil)
		if err != nil {
			t.Fatal(err)
		}
		modest, err := p.NewShare(mib, mib, nil)
		if err != nil {
			t.Fatal(err)
		}
		var held []memory.Segment
		for hog.Used() < 8*mib {
			s, ok := hog.Acquire(memory.MaxBlock)
			if !ok {
				t.Fatal("no block")
			}
			held = append(held, s)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			if s, err := p.WaitShare(ctx, 10*mib, 10*mib, nil); err == nil {
				s.Close()
				t.Error("there was room")
			}
		}()
		synctest.Wait()
		if s, ok := modest.Acquire(memory.MinBlock); ok {
			modest.Release(s)
		} else {
			t.Errorf("no block within the guarantee: %d of %d are used", modest.Used(), modest.Min())
		}
		cancel()
		<-done
		for _, s := range held {
			hog.Release(s)
		}
		hog.Close()
		modest.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestSplit: what is split off comes out of the guarantee, no more than that, and others notice nothing.
func TestSplit(t *testing.T) {
	p, err := memory.NewPool(64 << 10)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := p.NewShare(32<<10, 32<<10, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := p.Stats()
	part, err := whole.Split(8<<10, 64<<10, nil)
	if err != nil {
		t.Fatal(err)
	}
	heap, err := whole.SplitReserve(4<<10 - 1)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Min() != 20<<10 || part.Min() != 8<<10 || heap.Min() != 4<<10 {
		t.Errorf("guarantees of %d, %d and %d bytes", whole.Min(), part.Min(), heap.Min())
	}
	if s := p.Stats(); s.Guaranteed != before.Guaranteed || s.Reserved != 4<<10 || s.Shares != 3 {
		t.Errorf("%+v, before %+v", s, before)
	}
	if part.Bytes() != 40<<10 { // what is guaranteed to nobody goes to the only one that can have more
		t.Errorf("the part may hold %d bytes", part.Bytes())
	}
	for _, n := range []int64{21 << 10, 1 << 40, -1} {
		if _, err := whole.Split(n, 0, nil); err == nil || errors.Is(err, memory.ErrInsufficient) != (n > 0) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	s, ok := whole.Acquire(16 << 10)
	if !ok {
		t.Fatal("no block")
	}
	if _, err := whole.Split(5<<10, 0, nil); !errors.Is(err, memory.ErrInsufficient) {
		t.Errorf("what is used was split off: %v", err)
	}
	whole.Release(s)
	whole.Close()
	if _, err := whole.Split(0, 0, nil); !errors.Is(err, memory.ErrClosed) {
		t.Errorf("of a closed share: %v", err)
	}
	part.Close()
	heap.Close()
	if s := p.Stats(); s.Guaranteed != 0 || s.Reserved != 0 || s.Shares != 0 {
		t.Errorf("%+v is left", s)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
