package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// cutter forwards connections to a producer, and cuts them all every few milliseconds.
type cutter struct {
	l      net.Listener
	target string
	stop   chan struct{}
	wg     sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
	cuts  int
}

func newCutter(target string) (*cutter, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &cutter{l: l, target: target, stop: make(chan struct{}), conns: make(map[net.Conn]bool)}
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
			continue
		}
		c.mu.Lock()
		c.conns[in], c.conns[out] = true, true
		c.mu.Unlock()
		for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
			c.wg.Go(func() {
				_, _ = io.Copy(way[0], way[1])
				c.mu.Lock()
				delete(c.conns, way[1])
				c.mu.Unlock()
				_ = way[0].Close()
				_ = way[1].Close()
			})
		}
	}
}

// cut cuts all connections now and then.
func (c *cutter) cut() {
	for {
		select {
		case <-time.After(time.Duration(5+rand.IntN(40)) * time.Millisecond):
		case <-c.stop:
			return
		}
		c.mu.Lock()
		for conn := range c.conns {
			if t, ok := conn.(*net.TCPConn); ok {
				_ = t.SetLinger(0) // a reset: what is under way is lost
			}
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
	c.mu.Unlock()
	c.wg.Wait()
	fmt.Fprintf(stderr, "before %s %d ends of connections were cut\n", c.target, c.cuts)
}
