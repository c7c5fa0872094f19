package buffer_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/buffer"
)

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
			t.Errorf("panic %q, want one with %q", got, want)
		}
	}()
	f()
}

func TestReleaseTooOften(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	b := mustAcquire(t, p.LocalPool, 0, 1<<10)
	b.Release()
	mustPanic(t, "released 1 times too often", b.Release)
	mustPanic(t, "released 2 times too often", b.Release)
	if u := p.Usage(); u.Used != 0 {
		t.Errorf("%+v after too many releases", u)
	}
	// The Buffer is used again, with a count of its own.
	c := mustAcquire(t, p.LocalPool, 0, 1<<10)
	c.Release()

	large, err := p.Large(t.Context(), 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	large.Release()
	mustPanic(t, "too often", large.Release)
}

// TestSharedIsGivenBackOnce is the lesson of FLINK-17780: memory that several channels share is not used again while one of them has it.
func TestSharedIsGivenBackOnce(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 4})
	b := mustAcquire(t, p.LocalPool, 0, 1<<10)
	b.Retain(3)
	b.Retain(0)
	for i := range 4 {
		if u := p.Usage(); u.Used != 1<<10 {
			t.Fatalf("%+v with %d of 4 references left", u, 4-i)
		}
		b.Release()
	}
	if u := p.Usage(); u.Used != 0 {
		t.Fatalf("%+v after the last reference", u)
	}
	mustPanic(t, "too often", b.Release)
}

func TestSharedConcurrent(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 64 << 10, Channels: 3, Area: buffer.NewArea(1 << 10)})
	readers := make([]chan *buffer.Buffer, 3)
	var wg sync.WaitGroup
	for i := range readers {
		readers[i] = make(chan *buffer.Buffer, i*8)
		wg.Go(func() {
			for b := range readers[i] {
				for j, got := range b.Bytes() {
					if got != b.Bytes()[0] {
						t.Errorf("byte %d is %d, the first is %d", j, got, b.Bytes()[0])
						break
					}
				}
				b.Release()
			}
		})
	}
	for i := range 3000 {
		var b *buffer.Buffer
		if i%5 == 0 {
			var err error
			if b, err = p.Large(context.Background(), 0, 1+i%1000); err != nil {
				t.Fatal(err)
			}
		} else {
			for ok := false; !ok; {
				if b, ok = p.TryAcquire(0, 1<<10); !ok {
					if err := p.Wait(context.Background(), 0); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for j := range b.Bytes() {
			b.Bytes()[j] = byte(i)
		}
		b.Retain(len(readers) - 1)
		for _, r := range readers {
			r <- b
		}
	}
	for _, r := range readers {
		close(r)
	}
	wg.Wait()
}
