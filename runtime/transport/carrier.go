package transport

import (
	"crypto/tls"
	"net"
	"sync"
)

// carrier is the connection below TLS. Package crypto/tls makes a call to the kernel for each of its records, which have 16 KiB at most; a carrier sends all that a batch takes with one call, and receives as many as there are.
//
// Its reading side belongs to the goroutine that reads the connection. That goroutine may write too, beside the one that does: TLS answers a peer that wants new keys, and tells it why it fails.
type carrier struct {
	net.Conn
	// wait is called before a call that may wait for bytes: TLS has handed out everything before, unless it looks for an alert. From the goroutine that reads.
	wait func()

	buf  []byte
	r, w int // buf[r:w] was received and not read

	mu      sync.Mutex // held during calls to the kernel, as the lock of TLS is
	held    []byte     // what was written since hold
	holding bool
	err     error // of the first write that has failed: half of a record may have been sent
}

const (
	// carriedBytes is what is received at a time, as far as it is there.
	carriedBytes = 128 << 10
	// heldBytes is the size from which what is held is sent: so much, and a record of TLS, is kept.
	heldBytes = 128 << 10
)

func newCarrier(conn net.Conn) *carrier { return &carrier{Conn: conn, wait: func() {}} }

// carrierOf returns the carrier of a connection; nil if it has none, because there is no TLS.
func carrierOf(conn net.Conn) *carrier {
	t, ok := conn.(*tls.Conn)
	if !ok {
		return nil
	}
	c, _ := t.NetConn().(*carrier)
	return c
}

func (c *carrier) Read(p []byte) (int, error) {
	if c.r == c.w {
		c.wait()
		if len(p) >= carriedBytes {
			return c.Conn.Read(p)
		}
		if c.buf == nil {
			c.buf = make([]byte, carriedBytes)
		}
		n, err := c.Conn.Read(c.buf)
		c.r, c.w = 0, n
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, c.buf[c.r:c.w])
	c.r += n
	return n, nil
}

func (c *carrier) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.err != nil:
		return 0, c.err
	case !c.holding:
		var n int
		n, c.err = c.Conn.Write(p)
		return n, c.err
	}
	c.held = append(c.held, p...)
	if len(c.held) >= heldBytes {
		c.send()
	}
	return len(p), c.err
}

// send sends what is held. REQUIRES: mu held.
func (c *carrier) send() {
	if c.err == nil && len(c.held) > 0 {
		_, c.err = c.Conn.Write(c.held)
	}
	c.held = c.held[:0]
}

// hold keeps what is written from now on until flush, as far as there is room for it.
func (c *carrier) hold() {
	c.mu.Lock()
	c.holding = true
	c.mu.Unlock()
}

// flush sends what was held, and returns the error of the first write that has failed.
func (c *carrier) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holding = false
	c.send()
	return c.err
}
