package buffer_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"weak"

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

// A block that is handed over in many parts goes back with the last one, whatever comes first, and parts that were released are nowhere any more.
func TestRest(t *testing.T) {
	const parts, size = 8, 1 << 10
	for _, order := range [][parts]int{{0, 1, 2, 3, 4, 5, 6, 7}, {7, 6, 5, 4, 3, 2, 1, 0}, {3, 7, 0, 5, 1, 6, 4, 2}} {
		p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
		all := []*buffer.Buffer{mustAcquire(t, p.LocalPool, 0, size)}
		for i := range parts - 1 {
			all = append(all, all[i].Rest(size/parts))
		}
		for i, b := range all {
			if len(b.Bytes()) != size-i*size/parts {
				t.Errorf("part %d has %d bytes", i, len(b.Bytes()))
			}
			b.Bytes()[0] = byte(i)
		}
		for k, i := range order {
			for _, j := range order[k:] {
				if got := all[j].Bytes()[0]; got != byte(j) {
					t.Errorf("part %d begins with %d after %v were released", j, got, order[:k])
				}
			}
			if u := p.Usage(); u.Used != size {
				t.Errorf("%+v after %v were released", u, order[:k])
			}
			all[i].Release()
		}
		if u := p.Usage(); u.Used != 0 {
			t.Errorf("%+v after %v were released", u, order)
		}
	}
}

func TestRestKeepsNoParts(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	b := mustAcquire(t, p.LocalPool, 0, 1<<10)
	var parts []weak.Pointer[buffer.Buffer]
	for range 10 {
		next := b.Rest(1)
		b.Release()
		b = next
		parts = append(parts, weak.Make(b))
	}
	runtime.GC()
	for i, part := range parts[:len(parts)-1] {
		if part.Value() != nil {
			t.Errorf("part %d is kept", i)
		}
	}
	b.Release()
	if u := p.Usage(); u.Used != 0 {
		t.Errorf("%+v after the last part", u)
	}
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
