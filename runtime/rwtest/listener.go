package rwtest

import (
	"net"
	"os"
	"slices"
	"sync"
	"time"
)

// Listener is a [net.Listener] of a network. All methods may be called from any goroutine.
type Listener struct {
	network *Network
	addr    net.Addr

	mu      sync.Mutex
	waiting []*Conn // for Accept, first come, first served
	closed  bool
	until   time.Duration
	timer   *time.Timer
	changed sync.Cond
}

// What the role of an end is.
const (
	dialed   = "dialed"
	accepted = "accepted"
	waiting  = "waiting for Accept"
)

func newListener(n *Network, addr net.Addr) *Listener {
	l := &Listener{network: n, addr: addr, until: never}
	l.changed.L = &l.mu
	return l
}

// Addr returns the address, with the port that was chosen if none was asked for.
func (l *Listener) Addr() net.Addr { return l.addr }

// offer has a connection wait for Accept. It refuses after Close.
func (l *Listener) offer(c *Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.waiting = append(l.waiting, c)
	l.changed.Broadcast()
	return true
}

// Accept returns the next connection, a [*Conn], which must be closed. It waits for one until the listener is closed.
func (l *Listener) Accept() (net.Conn, error) {
	c, waited, err := l.next()
	if err != nil {
		return nil, opError("accept", nil, l.addr, err)
	}
	lane := c.pair.lane
	lane.mu.Lock()
	defer lane.mu.Unlock()
	c.role = accepted
	if waited {
		c.in.way.late(&c.readWakeups)
	}
	return c, nil
}

// next returns the next connection, and whether it has waited for it.
func (l *Listener) next() (c *Conn, waited bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ; ; waited = true {
		now := l.network.now()
		switch {
		case l.closed:
			return nil, waited, net.ErrClosed
		case l.until <= now:
			return nil, waited, os.ErrDeadlineExceeded
		case len(l.waiting) > 0:
			c = l.waiting[0]
			l.waiting = slices.Delete(l.waiting, 0, 1)
			return c, waited, nil
		}
		if l.until != never {
			l.stopTimer()
			l.timer = time.AfterFunc(l.until-now, func() {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.changed.Broadcast()
			})
		}
		l.changed.Wait()
	}
}

// SetDeadline sets until when Accept waits, also for calls that wait already. They fail with [os.ErrDeadlineExceeded] from then on. Zero is none.
func (l *Listener) SetDeadline(t time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return opError("set", nil, l.addr, net.ErrClosed)
	}
	l.until = l.network.since(t)
	l.changed.Broadcast()
	return nil
}

// Close ends the listener. Connections that were not accepted are reset; those that were are not touched.
func (l *Listener) Close() error {
	conns, err := l.close()
	if err != nil {
		return err
	}
	l.network.forget(l)
	for _, c := range conns {
		c.refuse()
	}
	return nil
}

func (l *Listener) close() ([]*Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, opError("close", nil, l.addr, net.ErrClosed)
	}
	l.closed = true
	l.stopTimer()
	l.changed.Broadcast()
	conns := l.waiting
	l.waiting = nil
	return conns, nil
}

func (l *Listener) stopTimer() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// forget makes the address of a listener free.
func (n *Network) forget(l *Listener) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.listeners, l.addr.String())
}

// refuse closes an end that nobody has accepted.
func (c *Conn) refuse() {
	c.pair.lane.mu.Lock()
	defer c.pair.lane.mu.Unlock()
	c.abort()
}
