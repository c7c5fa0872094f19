package buffer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

// waiter runs Wait and lets the test see whether it has returned.
type waiter struct{ result atomic.Pointer[error] }

func wait(ctx context.Context, p *buffer.LocalPool, lane, open int) *waiter {
	p.Opened(open)
	w := new(waiter)
	go func() {
		err := p.Wait(ctx, lane)
		w.result.Store(&err)
	}()
	synctest.Wait()
	return w
}

func (w *waiter) expect(t *testing.T, done bool, when string) {
	t.Helper()
	synctest.Wait()
	err := w.result.Load()
	if (err != nil) != done {
		t.Fatalf("%s: Wait has returned: %v, want %v", when, err != nil, done)
	}
	if err != nil && *err != nil {
		t.Fatalf("%s: %v", when, *err)
	}
}

// TestWaitForHalfOfTheShare: the writer is not woken for each block that comes back, but when half of what can come back is free.
func TestWaitForHalfOfTheShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: 16 << 10, Channels: 3, ChannelBytes: 1 << 20})
		var held []*buffer.Buffer
		for range 16 {
			held = append(held, mustAcquire(t, p.LocalPool, 0, 1<<10))
		}
		// 4 KiB are open and do not come back: half of the other 12 KiB must.
		w := wait(t.Context(), p.LocalPool, 0, 4<<10)
		for i, b := range held[:6] {
			w.expect(t, false, fmt.Sprintf("%d KiB free", i))
			b.Release()
		}
		w.expect(t, true, "6 KiB free")
		for _, b := range held[6:] {
			b.Release()
		}
	})
}

// TestWaitForOneBlock: a lane whose reader has read all does not wait for half of the share, which others may hold for ever.
func TestWaitForOneBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: 16 << 10, Channels: 2, ChannelBytes: 1 << 20})
		if p.MaxBlock() != 1<<10 {
			t.Fatalf("the largest block has %d bytes", p.MaxBlock())
		}
		stuck := mustAcquire(t, p.LocalPool, 0, 1<<10)
		var held []*buffer.Buffer
		for range 15 {
			held = append(held, mustAcquire(t, p.LocalPool, 0, 1<<10))
		}
		w := wait(t.Context(), p.LocalPool, 1, 1<<10)
		ready := p.Ready(1)
		w.expect(t, false, "nothing free")
		held[0].Release()
		w.expect(t, true, "one block free")
		if !isClosed(ready) {
			t.Error("not ready with a block free")
		}
		for _, b := range append(held[1:], stuck) {
			b.Release()
		}
	})
}

// TestWaitForHalfOfTheLane: the same for the cap of a channel.
func TestWaitForHalfOfTheLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: 64 << 10, Channels: 2, ChannelBytes: 16 << 10})
		var lane, other []*buffer.Buffer
		for range 8 {
			lane = append(lane, mustAcquire(t, p.LocalPool, 0, 2<<10))
			other = append(other, mustAcquire(t, p.LocalPool, 1, 1<<10))
		}
		mustRefuse(t, p.LocalPool, 0, 1<<10)
		w := wait(t.Context(), p.LocalPool, 0, 0)
		for _, b := range other {
			b.Release()
		}
		w.expect(t, false, "another lane is empty")
		for _, b := range lane[:4] {
			w.expect(t, false, "the lane is more than half full")
			b.Release()
		}
		w.expect(t, true, "the lane is half full")
		for _, b := range lane[4:] {
			b.Release()
		}
	})
}

// TestWaitAtTheMinimum: with the least share, all of it open but one block, the writer waits for that block.
func TestWaitAtTheMinimum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: 5 << 10, Channels: 4})
		var held []*buffer.Buffer
		for lane := range 4 {
			held = append(held, mustAcquire(t, p.LocalPool, lane, 1<<10))
		}
		full := mustAcquire(t, p.LocalPool, 0, 1<<10)
		w := wait(t.Context(), p.LocalPool, 0, 4<<10)
		w.expect(t, false, "everything is taken")
		full.Release()
		w.expect(t, true, "one block is free")
		for _, b := range held {
			b.Release()
		}
	})
}

func TestWaitReturnsAtOnceWhenThereIsEnough(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	if err := p.Wait(t.Context(), 0); err != nil {
		t.Error(err)
	}
}

// TestWakeIsNotLost: a Wake between the last look of a writer and its Wait makes the Wait return; it is remembered once.
func TestWakeIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: 2 << 10, Channels: 1})
		a, b := mustAcquire(t, p.LocalPool, 0, 1<<10), mustAcquire(t, p.LocalPool, 0, 1<<10)
		p.Wake()
		p.Wake()
		wait(t.Context(), p.LocalPool, 0, 0).expect(t, true, "woken before")
		w := wait(t.Context(), p.LocalPool, 0, 0)
		w.expect(t, false, "woken before, but seen")
		p.Wake()
		w.expect(t, true, "woken")
		w = wait(t.Context(), p.LocalPool, 0, 0)
		a.Release()
		w.expect(t, true, "half is free")
		b.Release()
	})
}

func TestWaitEnds(t *testing.T) {
	cause := errors.New("the user went home")
	for _, tt := range []struct {
		name string
		end  func(p *buffer.LocalPool, cancel context.CancelCauseFunc)
		want []error
	}{
		{"Close", func(p *buffer.LocalPool, _ context.CancelCauseFunc) { p.Close() }, []error{buffer.ErrClosed}},
		{"cancel", func(_ *buffer.LocalPool, c context.CancelCauseFunc) { c(nil) }, []error{context.Canceled}},
		{"cancel with cause", func(_ *buffer.LocalPool, c context.CancelCauseFunc) { c(cause) }, []error{context.Canceled, cause}},
		{"deadline", func(*buffer.LocalPool, context.CancelCauseFunc) { time.Sleep(time.Hour) }, []error{context.DeadlineExceeded}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newLocal(t, 1<<20, buffer.Config{Bytes: 2 << 10, Channels: 1})
				a, b := mustAcquire(t, p.LocalPool, 0, 1<<10), mustAcquire(t, p.LocalPool, 0, 1<<10)
				timed, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				ctx, cancel := context.WithCancelCause(timed)
				defer cancel(nil)
				w := wait(ctx, p.LocalPool, 0, 0)
				w.expect(t, false, "nothing happened")
				tt.end(p.LocalPool, cancel)
				synctest.Wait()
				for _, want := range tt.want {
					if err := w.result.Load(); err == nil || !errors.Is(*err, want) {
						t.Errorf("returned %v, want %v", err, want)
					}
				}
				a.Release()
				b.Release()
			})
		})
	}
}

// TestWaitWithoutMemory: the memory behind a share can be closed by mistake. That must be an error, and not a writer that tries again for ever.
func TestWaitWithoutMemory(t *testing.T) {
	p := newLocal(t, 64<<10, buffer.Config{Bytes: 8 << 10, Channels: 1, ChannelBytes: 1 << 20})
	if err := p.Wait(t.Context(), 0); err != nil {
		t.Errorf("Wait before anything was refused: %v", err)
	}
	if err := p.memory.Close(); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, p.LocalPool, 0, 1<<10)
	for what, err := range map[string]error{"Err": p.Err(), "Wait": p.Wait(t.Context(), 0)} {
		if !errors.Is(err, memory.ErrClosed) || errors.Is(err, memory.ErrInsufficient) {
			t.Errorf("%s: %v, want that the memory is closed", what, err)
		}
	}
	if !p.Available(0) || !isReady(p.LocalPool, 0) {
		t.Error("nothing has to be waited for when trying again fails at once")
	}
}

// TestWaitConcurrent: a writer that acquires, waits, and acquires again never hangs, whoever releases when.
func TestWaitConcurrent(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, channels := range []int{1, 3} {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: int64(channels+2) << 10, Channels: channels, ChannelBytes: 1})
		handed := make(chan *buffer.Buffer, 2)
		released := make(chan struct{})
		go func() {
			defer close(released)
			for b := range handed {
				b.Release()
			}
		}()
		r := rand.New(rand.NewPCG(3, 4))
		for range 20000 {
			lane := r.IntN(channels)
			for {
				b, ok := p.TryAcquire(lane, 1<<10)
				if ok {
					handed <- b
					break
				}
				if err := p.Wait(ctx, lane); err != nil {
					t.Fatal(err)
				}
			}
			if r.IntN(50) == 0 {
				p.Wake()
			}
		}
		close(handed)
		<-released
	}
}
