package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"syscall"
	"time"
)

// cutter forwards connections to a process, and cuts them all every few milliseconds.
type cutter struct {
	l      net.Listener
	target string
	random *rand.Rand // of cut
	stop   chan struct{}
	wg     sync.WaitGroup

	mu    sync.Mutex
	conns map[*net.TCPConn]bool // both sides; nil when it is over
	cuts  int
}

// newCutter returns the cutter before a process, which must be closed. The times between cuts follow from the seed and the number; what is under way then does not.
func newCutter(target string, seed, number uint64) (*cutter, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &cutter{l: l, target: target, random: rand.New(rand.NewPCG(seed, number)), stop: make(chan struct{}), conns: make(map[*net.TCPConn]bool)}
	c.wg.Go(c.accept)
	c.wg.Go(c.cut)
	return c, nil
}

func (c *cutter) address() string { return c.l.Addr().String() }

// accept forwards connections until the listener is closed.
func (c *cutter) accept() {
	for {
		in, err := c.l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", c.target)
		if err != nil {
			_ = in.Close()
			if errors.Is(err, syscall.ECONNREFUSED) { // the process is gone, and who dials shall see that
				_ = c.l.Close()
			}
			continue
		}
		c.forward(in.(*net.TCPConn), out.(*net.TCPConn))
	}
}

// forward forwards both directions until one of them ends.
func (c *cutter) forward(in, out *net.TCPConn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conns == nil {
		_, _ = in.Close(), out.Close()
		return
	}
	c.conns[in], c.conns[out] = true, true
	for _, way := range [][2]*net.TCPConn{{in, out}, {out, in}} {
		c.wg.Go(func() {
			_, _ = io.Copy(way[0], way[1])
			c.mu.Lock()
			delete(c.conns, way[1])
			c.mu.Unlock()
			_, _ = way[0].Close(), way[1].Close()
		})
	}
}

// cut cuts all connections now and then.
func (c *cutter) cut() {
	for {
		select {
		case <-time.After(time.Duration(5+c.random.IntN(40)) * time.Millisecond):
		case <-c.stop:
			return
		}
		c.mu.Lock()
		for conn := range c.conns {
			_ = conn.SetLinger(0) // a reset: what is under way is lost
			_ = conn.Close()
			c.cuts++
		}
		clear(c.conns)
		c.mu.Unlock()
	}
}

// close ends the cutter and says what it has done.
func (c *cutter) close(stderr io.Writer) {
	close(c.stop)
	_ = c.l.Close()
	c.mu.Lock()
	for conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
	c.mu.Unlock()
	c.wg.Wait()
	fmt.Fprintf(stderr, "before %s %d ends of connections were cut\n", c.target, c.cuts)
}
