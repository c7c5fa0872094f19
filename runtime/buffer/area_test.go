package buffer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

func TestLarge(t *testing.T) {
	area := buffer.NewArea(10000)
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 2, Area: area})
	if p.Area() != area || area.Bytes() != 10000 {
		t.Errorf("the area is %p with %d bytes, want %p with 10000", p.Area(), area.Bytes(), area)
	}
	a, err := p.Large(t.Context(), 1, 6001)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Bytes()) != 6001 {
		t.Errorf("asked for 6001 bytes, got %d", len(a.Bytes()))
	}
	if _, ok := p.TryLarge(1, 4000); ok {
		t.Error("got 4000 bytes with 3999 free")
	}
	b, ok := p.TryLarge(0, 3999)
	if !ok {
		t.Error("did not get 3999 bytes with as many free")
	}
	if u := p.Usage(); u.Large != 10000 || u.Used != 0 || p.Held(0) != 3999 || p.Held(1) != 6001 {
		t.Errorf("%+v, lanes %d and %d", u, p.Held(0), p.Held(1))
	}
	a.Release()
	b.Release()
	c, ok := p.TryLarge(0, 10000)
	if !ok {
		t.Fatal("the area is not empty again")
	}
	c.Release()
}

// TestAreaIsFirstComeFirstServed: a large record that waits is not passed by smaller ones that would fit, also not of another partition.
func TestAreaIsFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		area := buffer.NewArea(100)
		var pools [3]local
		for i := range pools {
			pools[i] = newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1, Area: area})
		}
		first, ok := pools[0].TryLarge(0, 60)
		if !ok {
			t.Fatal("no room in an empty area")
		}
		var mu sync.Mutex
		var order []int
		for i, n := range []int{90, 20, 85} {
			go func() {
				b, err := pools[i].Large(context.Background(), 0, n)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				order = append(order, n)
				mu.Unlock()
				time.Sleep(time.Second)
				b.Release()
			}()
			synctest.Wait()
		}
		if _, ok := pools[1].TryLarge(0, 1); ok {
			t.Fatal("TryLarge overtook those that wait")
		}
		mu.Lock()
		if len(order) != 0 {
			t.Errorf("%v overtook a record of 90 bytes", order)
		}
		mu.Unlock()
		first.Release()
		for n, want := range [][]int{{90}, {90, 20}, {90, 20, 85}} {
			synctest.Wait()
			mu.Lock()
			if !slices.Equal(order, want) {
				t.Errorf("served %v after %d s, want %v", order, n, want)
			}
			mu.Unlock()
			time.Sleep(time.Second)
		}
		synctest.Wait()
	})
}

// TestLargeCanceled: a waiter that gives up leaves nothing behind, and lets those behind it go on.
func TestLargeCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1, Area: buffer.NewArea(100)})
		held, _ := p.TryLarge(0, 60)
		cause := errors.New("given up")
		ctx, cancel := context.WithCancelCause(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := p.Large(ctx, 0, 90)
			failed <- err
		}()
		synctest.Wait()
		served := make(chan *buffer.Buffer, 1)
		go func() {
			b, err := p.Large(context.Background(), 0, 40)
			if err != nil {
				t.Error(err)
			}
			served <- b
		}()
		synctest.Wait()
		cancel(cause)
		if err := <-failed; !errors.Is(err, cause) || !errors.Is(err, context.Canceled) {
			t.Errorf("Large: %v, want the context's error and its cause", err)
		}
		(<-served).Release()
		held.Release()
	})
}

func TestInterrupted(t *testing.T) {
	cause := errors.New("cause")
	wrapping := fmt.Errorf("shut down: %w", context.Canceled)
	for _, tt := range []struct {
		name  string
		cause error // nil: of cancel(nil)
		want  string
		is    []error
	}{
		{"no cause", nil, "context canceled", []error{context.Canceled}},
		{"cause", cause, "context canceled: cause", []error{context.Canceled, cause}},
		{"cause that says it all", wrapping, "shut down: context canceled", []error{context.Canceled, wrapping}},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(tt.cause)
		err := buffer.Interrupted(ctx)
		if err.Error() != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, err, tt.want)
		}
		for _, is := range tt.is {
			if !errors.Is(err, is) {
				t.Errorf("%s: %q is not %q", tt.name, err, is)
			}
		}
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 0, cause)
	defer cancel()
	if err := buffer.Interrupted(ctx); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, cause) {
		t.Errorf("deadline: %v", err)
	}
}

// What is guaranteed to one of those that share an area can be had whatever others hold or wait for; the rest is first come, first served.
func TestAreaGuarantee(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		area := buffer.NewArea(100)
		a := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1, Area: area, AreaBytes: 20})
		b := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1, Area: area, AreaBytes: 30})
		pool, err := memory.NewPool(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		if _, err := buffer.NewLocalPool(pool, buffer.Config{Bytes: 8 << 10, Channels: 1, Area: area, AreaBytes: 51}); !errors.Is(err, memory.ErrInsufficient) {
			t.Errorf("51 more of 100 bytes, of which 50 are guaranteed: %v", err)
		}
		if _, ok := a.TryLarge(0, 71); ok {
			t.Error("71 bytes, of 100 of which 30 are another's")
		}
		all, ok := a.TryLarge(0, 70)
		if !ok {
			t.Fatal("70 bytes are not to be had")
		}
		served := make(chan *buffer.Buffer, 1)
		go func() {
			buf, err := a.Large(context.Background(), 0, 10)
			if err != nil {
				t.Error(err)
			}
			served <- buf
		}()
		synctest.Wait()
		own, ok := b.TryLarge(0, 30)
		if !ok {
			t.Fatal("what is guaranteed is not to be had while another one waits")
		}
		if _, ok := b.TryLarge(0, 10); ok {
			t.Error("more than what is guaranteed, while another one waits")
		}
		available(t, b.LocalPool, false)
		ready := b.Ready(0)
		own.Release() // it goes to nobody else
		synctest.Wait()
		if !isClosed(ready) || len(served) > 0 {
			t.Errorf("what is guaranteed has come back: its pool is told %v, %d others have got it", isClosed(ready), len(served))
		}
		for range 3 {
			if own, ok = b.TryLarge(0, 30); !ok {
				t.Fatal("what is guaranteed is not to be had again")
			}
			own.Release()
		}
		b.Close() // it is guaranteed to nobody now
		synctest.Wait()
		if len(served) == 0 {
			t.Fatal("the one that waits has not got what was guaranteed to another one that is closed")
		}
		(<-served).Release()
		all.Release()
		if n := area.Used(); n != 0 {
			t.Errorf("%d bytes are used", n)
		}
		if all, ok = a.TryLarge(0, 100); !ok {
			t.Fatal("the area is not empty again")
		}
		all.Release()
	})
}

// Lanes that share a large record have it in the area once, and each in what it holds until its own part is released.
func TestParts(t *testing.T) {
	area := buffer.NewArea(100)
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 3, Area: area})
	b, ok := p.TryLarge(0, 60)
	if !ok {
		t.Fatal("no room in an empty area")
	}
	copy(b.Bytes(), "shared")
	parts := p.Parts(b, []int{1, 2})
	if p.Held(0) != 0 || p.Held(1) != 60 || p.Held(2) != 60 || area.Used() != 60 || p.Usage().Large != 60 {
		t.Errorf("%d, %d and %d bytes are held, %d of the area, %+v", p.Held(0), p.Held(1), p.Held(2), area.Used(), p.Usage())
	}
	parts[0].Retain(1)
	parts[0].Release()
	parts[0].Release()
	if p.Held(1) != 0 || p.Held(2) != 60 || area.Used() != 60 || string(parts[1].Bytes()[:6]) != "shared" {
		t.Errorf("one is released: %d and %d bytes are held, %d of the area, %q", p.Held(1), p.Held(2), area.Used(), parts[1].Bytes()[:6])
	}
	parts[1].Release()
	if p.Held(2) != 0 || area.Used() != 0 || p.Usage().Large != 0 {
		t.Errorf("both are released: %d bytes are held, %d of the area", p.Held(2), area.Used())
	}
	if b, ok = p.TryLarge(0, 100); !ok {
		t.Fatal("the area is not empty again")
	}
	if parts := p.Parts(b, nil); len(parts) != 0 || area.Used() != 0 {
		t.Errorf("for nobody: %d parts, %d bytes of the area", len(parts), area.Used())
	}
}
