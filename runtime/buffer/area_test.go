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
