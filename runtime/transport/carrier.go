package transport

import (
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"syscall"
)

// carrier is the connection below TLS. Package crypto/tls makes a call to the kernel for each of its records, which have 16 KiB at most; a carrier sends all that a batch takes with one call, and receives as many as there are.
//
// Its reading side belongs to the goroutine that reads the connection. That goroutine may write too, beside the one that does: TLS answers a peer that wants new keys, and tells it why it fails.
type carrier struct {
	net.Conn
	// wait is called before a call that may wait for bytes: TLS has handed out everything before, unless it looks for an alert. From the goroutine that reads.
	wait func()

	some  func(p []byte) int // reads without waiting; see tryOf
	hasty bool               // Read does not wait, and fails with errNothing instead
	buf   []byte
	r, w  int // buf[r:w] was received and not read

	mu      sync.Mutex // held during calls to the kernel, as the lock of TLS is
	held    []byte     // what was written since hold, or is owed
	holding bool
	owed    func() // see postpone
	err     error  // of the first write that has failed: half of a record may have been sent
}

const (
	// carriedBytes is what is received at a time, as far as it is there.
	carriedBytes = 128 << 10
	// heldBytes is the size from which what is held is sent: so much, and a record of TLS, is kept.
	heldBytes = 128 << 10
	// owedBytes bounds what TLS says by itself while it is postponed, to a peer that asks for it and does not read.
	owedBytes = 16 << 10
)

// errOwed ends a connection whose peer makes TLS say very much, and does not read.
var errOwed = errors.New("the peer does not read what TLS answers")

// errNothing says that nothing is there. It is a timeout, for after that a connection of package crypto/tls goes on reading where it was, in the middle of a record too.
var errNothing net.Error = nothing{}

type nothing struct{}

func (nothing) Error() string   { return "nothing is there" }
func (nothing) Timeout() bool   { return true }
func (nothing) Temporary() bool { return true }

func newCarrier(conn net.Conn) *carrier {
	return &carrier{Conn: conn, wait: func() {}, some: tryOf(conn)}
}

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
		if !c.hasty {
			c.wait()
		}
		if len(p) >= carriedBytes {
			return c.receive(p)
		}
		switch {
		case c.buf == nil: // for a peer of whom nothing is known
			c.buf = make([]byte, handshakeBytes)
		case c.w == len(c.buf) && c.w < carriedBytes: // there is more
			c.buf = make([]byte, carriedBytes)
		}
		n, err := c.receive(c.buf)
		c.r, c.w = 0, n
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, c.buf[c.r:c.w])
	c.r += n
	return n, nil
}

// receive reads from the connection.
func (c *carrier) receive(p []byte) (int, error) {
	if !c.hasty {
		return c.Conn.Read(p)
	}
	if n := c.some(p); n > 0 {
		return n, nil
	}
	return 0, errNothing
}

// tryOver returns what reads through TLS without waiting, as much as is there: what is wrong with the connection, or with TLS, the next Read tells.
func (c *carrier) tryOver(conn *tls.Conn) func(p []byte) int {
	if c == nil || c.some == nil {
		return nil
	}
	return func(p []byte) (n int) {
		c.hasty = true
		for n < len(p) {
			k, err := conn.Read(p[n:])
			n += k
			if err != nil || k == 0 {
				break
			}
		}
		c.hasty = false
		return n
	}
}

// received returns how many bytes were received, and not read by TLS. A nil carrier has none.
func (c *carrier) received() int {
	if c == nil {
		return 0
	}
	return c.w - c.r
}

func (c *carrier) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	if !c.holding && c.owed == nil && len(c.held) == 0 {
		var n int
		n, c.err = c.Conn.Write(p)
		return n, c.err
	}
	c.held = append(c.held, p...)
	switch {
	case c.holding && len(c.held) < heldBytes:
	case c.holding || c.owed == nil:
		c.send()
	case len(c.held) > owedBytes:
		c.err = errOwed
	default:
		c.owed()
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

// postpone makes what is written beside batches wait for the next flush, which owed asks for: whoever writes with the lock of TLS does not wait for the connection then, but in a batch. Nil ends that.
func (c *carrier) postpone(owed func()) {
	c.mu.Lock()
	c.owed = owed
	c.mu.Unlock()
}

// owes reports whether a flush is needed.
func (c *carrier) owes() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.held) > 0
}

// try sends what is held, as much as the connection takes without waiting, and ends hold. It returns false if something is owed then.
func (c *carrier) try(raw syscall.RawConn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holding = false
	if c.err != nil {
		return false
	}
	n := writeSome(raw, c.held)
	c.held = c.held[:copy(c.held, c.held[n:])]
	return len(c.held) == 0
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
