package main

import (
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"testing"
)

// The places of cuts follow from the seed and the number of the process, and lie within the bounds.
func TestCutterSeed(t *testing.T) {
	places := func(seed, number uint64) (all []int) {
		c := &cutter{random: rand.New(rand.NewPCG(seed, number))}
		for range 100 {
			c.draw()
			if c.left < cutAfterLeast || c.left > cutAfterMost {
				t.Errorf("a cut behind %d bytes", c.left)
			}
			all = append(all, c.left)
		}
		return all
	}
	one := places(1, 0)
	if !slices.Equal(one, places(1, 0)) {
		t.Error("the same seed gives other places")
	}
	if slices.Equal(one, places(2, 0)) || slices.Equal(one, places(1, 1)) {
		t.Error("another seed or process has the same places")
	}
}

// A connection is cut behind the number of bytes that was drawn, which pass; the next one is forwarded again. When the process is gone dials are refused.
func TestCutter(t *testing.T) {
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	c, err := newCutter(target.Addr().String(), 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close(io.Discard)
	for range 3 {
		c.mu.Lock()
		left := c.left
		c.mu.Unlock()
		in, err := net.Dial("tcp", c.address())
		if err != nil {
			t.Fatal(err)
		}
		out, err := target.Accept()
		if err != nil {
			t.Fatal(err)
		}
		received := make(chan int64)
		go func() {
			n, _ := io.Copy(io.Discard, out)
			received <- n
		}()
		if _, err := in.Write(make([]byte, left-1)); err != nil {
			t.Error(err)
		}
		_, _ = in.Write(make([]byte, 10))
		if n := <-received; n > int64(left) { // the reset may overtake some
			t.Errorf("%d bytes have passed, want at most %d", n, left)
		}
		if _, err := in.Read(make([]byte, 1)); err == nil || err == io.EOF {
			t.Errorf("the connection goes on, or has ended in order: %v", err)
		}
		_, _ = in.Close(), out.Close()
	}
	c.mu.Lock()
	made := c.cuts
	c.mu.Unlock()
	if made != 3 {
		t.Errorf("%d cuts, want 3", made)
	}
	_ = target.Close()
	for {
		in, err := net.Dial("tcp", c.address())
		if err != nil {
			break // the first one may still have been taken
		}
		_, _ = io.Copy(io.Discard, in)
		_ = in.Close()
	}
}
