package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"sync"
	"syscall"
)

// cutter forwards connections to a process. Behind a number of bytes, counted in both directions, it cuts all of them, and so on with another number. So a slow machine is not cut more often for what it does.
type cutter struct {
	l      net.Listener
	target string
	wg     sync.WaitGroup

	mu     sync.Mutex
	random *rand.Rand
	left   int                   // bytes until the next cut
	conns  map[*net.TCPConn]bool // both sides; nil when it is over
	cuts   int
}

// Bytes between two cuts: any order of magnitude is as likely as another, so handshakes are cut as well as long batches.
const (
	cutAfterLeast = 1 << 10
	cutAfterMost  = 1 << 20
)

// newCutter returns the cutter before a process, which must be closed. The numbers of bytes follow from the seed and the number.
func newCutter(target string, seed, number uint64) (*cutter, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &cutter{l: l, target: target, random: rand.New(rand.NewPCG(seed, number)), conns: make(map[*net.TCPConn]bool)}
	c.draw()
	c.wg.Go(c.accept)
	return c, nil
}

func (c *cutter) address() string { return c.l.Addr().String() }

// draw draws the number of bytes until the next cut. REQUIRES: mu held, or nobody else has c.
func (c *cutter) draw() {
	c.left = int(cutAfterLeast * math.Pow(cutAfterMost/cutAfterLeast, c.random.Float64()))
}

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
			_, _ = io.Copy(counted{c, way[0]}, way[1])
			c.mu.Lock()
			delete(c.conns, way[1])
			c.mu.Unlock()
			_, _ = way[0].Close(), way[1].Close()
		})
	}
}

// counted is one direction of a connection that is forwarded.
type counted struct {
	cutter *cutter
	to     *net.TCPConn
}

// Write writes as much as comes before the next cut, and makes that.
func (w counted) Write(p []byte) (int, error) {
	n, cut := w.cutter.pass(len(p))
	if _, err := w.to.Write(p[:n]); err != nil {
		return 0, err
	}
	if cut {
		w.cutter.cut()
		return n, net.ErrClosed
	}
	return n, nil
}

// pass counts n bytes. It returns how many of them come before a cut, and whether there is one.
func (c *cutter) pass(n int) (before int, cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n < c.left {
		c.left -= n
		return n, false
	}
	before = c.left
	c.draw()
	return before, true
}

// cut cuts all connections.
func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.conns {
		_ = conn.SetLinger(0) // a reset: what is under way is lost
		_ = conn.Close()
	}
	c.cuts += len(c.conns) / 2
	clear(c.conns)
}

// close ends the cutter and says what it has done.
func (c *cutter) close(stderr io.Writer) {
	_ = c.l.Close()
	c.mu.Lock()
	for conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
	c.mu.Unlock()
	c.wg.Wait()
	fmt.Fprintf(stderr, "before %s %d connections were cut\n", c.target, c.cuts)
}
