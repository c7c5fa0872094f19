package rwtest

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Conn is one end of a connection: a [net.Conn] that behaves like one of TCP over Linux. All methods may be called from any goroutine.
//
//   - Read returns what has arrived, then [io.EOF] if the other end was closed, then an error that is [syscall.ECONNRESET] if there is no connection any more. What had arrived before a reset can
//     still be read.
//   - Write returns when all bytes are on their way, not when they have arrived. It waits while as many bytes as the window allows are unread. Concurrent writes do not mix.
//   - Close does not wait. The other end reads everything, then io.EOF; but if this end has not read all that has arrived, what is still under way from it is lost, and the other end is reset.
//   - What is written to an end that is closed is answered with a reset: the next Write fails with [syscall.EPIPE].
type Conn struct {
	pair          *pair
	in, out       *pipe
	local, remote net.Addr
	role          string // dialed, accepted or waiting

	closed, noMoreWrites bool
	reset                bool
	readUntil            time.Duration // deadlines
	writeUntil           time.Duration

	readers, writers         sync.Cond
	readTimer, writeTimer    *time.Timer
	readWakeups, writeWakeup dice
}

// pair is a connection.
type pair struct {
	lane   *lane
	number int
	cut    bool
	ends   [2]Conn // that which has dialed first
	pipes  [2]pipe // pipes[i] is written by ends[i]
}

// newPair returns a connection that ends[0] has dialed along a way. REQUIRES: lane.mu held.
func newPair(out, back *way, local, remote net.Addr) *pair {
	l := out.lane
	c := &pair{lane: l, number: l.stats.Conns}
	l.stats.Conns++
	l.stats.Open++
	seed := l.network.seed
	for i, w := range []*way{out, back} {
		names, number := []string{w.from, w.to}, uint64(c.number)<<1|uint64(i)
		e, p := &c.ends[i], &c.pipes[i]
		*e = Conn{
			pair: c, out: p, in: &c.pipes[1-i], readUntil: never, writeUntil: never, local: local, remote: remote, role: dialed,
			readWakeups: newDice(seed, names, number, 0), writeWakeup: newDice(seed, names, number, 1),
		}
		e.readers.L, e.writers.L = &l.mu, &l.mu
		*p = pipe{
			way: w, sender: e, receiver: &c.ends[1-i], finAt: never, rstAt: never, cutAt: -1,
			dice: newDice(seed, names, number, 2), splits: newDice(seed, names, number, 3),
		}
	}
	c.ends[1].local, c.ends[1].remote, c.ends[1].role = remote, local, waiting
	l.conns = append(l.conns, c)
	return c
}

// Read reads what has arrived, at least one byte unless b is empty. It waits for that.
func (c *Conn) Read(b []byte) (int, error) {
	l := c.pair.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	for waited := false; ; {
		n, until, err := c.readable()
		if len(b) == 0 && (err == nil || err == io.EOF) {
			return 0, nil
		}
		switch {
		case n == 0 && err == nil:
			l.wait(&c.readers, &c.readTimer, until)
			waited = true
		case waited && c.in.way.late(&c.readWakeups):
			waited = false
		case err == io.EOF:
			return 0, err
		case err != nil:
			return 0, opError("read", c.local, c.remote, err)
		default:
			n = c.in.take(b, n)
			c.in.sender.writers.Broadcast()
			return n, nil
		}
	}
}

// TryRead is Read without waiting: it returns 0 and no error if nothing has arrived.
func (c *Conn) TryRead(b []byte) (int, error) {
	l := c.pair.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	n, _, err := c.readable()
	switch {
	case err == io.EOF:
		return 0, err
	case err != nil:
		return 0, opError("read", c.local, c.remote, err)
	case n == 0 || len(b) == 0:
		return 0, nil
	}
	n = c.in.take(b, n)
	c.in.sender.writers.Broadcast()
	return n, nil
}

// readable returns how many bytes can be read, or why there will be none; otherwise until when that cannot change by itself. REQUIRES: lane.mu held.
func (c *Conn) readable() (n int, until time.Duration, err error) {
	now, p := c.now(), c.in
	if c.closed {
		return 0, 0, net.ErrClosed
	}
	if c.readUntil <= now {
		return 0, 0, os.ErrDeadlineExceeded
	}
	n, next := p.arrived(now)
	switch {
	case n > 0:
		return n, 0, nil
	case p.finAt <= now:
		return 0, 0, io.EOF
	case c.reset || p.rstAt <= now:
		return 0, 0, errReset("read")
	}
	return 0, min(c.readUntil, next, p.finAt, p.rstAt), nil
}

// Write sends b. It returns how many bytes were taken; an error if not all of them were. Bytes behind a cut count as taken: as with a real connection, nobody knows yet.
func (c *Conn) Write(b []byte) (int, error) {
	l, p := c.pair.lane, c.out
	l.mu.Lock()
	defer l.mu.Unlock()
	for p.writing && c.writable() == nil {
		l.wait(&c.writers, &c.writeTimer, min(c.writeUntil, c.in.rstAt))
	}
	if err := c.writable(); err != nil {
		return 0, opError("write", c.local, c.remote, err)
	}
	p.writing = true
	defer func() {
		p.writing = false
		c.writers.Broadcast()
	}()
	p.scan(b)
	n := 0
	for waited := false; n < len(b); {
		err := c.writable()
		room := p.room()
		switch {
		case err == nil && room <= 0:
			l.wait(&c.writers, &c.writeTimer, min(c.writeUntil, c.in.rstAt))
			waited = true
		case waited && p.way.late(&c.writeWakeup):
			waited = false
		case err != nil:
			return n, opError("write", c.local, c.remote, err)
		default:
			k, cut := p.allow(min(room, len(b)-n))
			p.enter(b[n:n+k], c.now())
			l.stats.Bytes += int64(k)
			p.receiver.readers.Broadcast()
			n += k
			if cut {
				c.cutHere()
				return len(b), nil
			}
		}
	}
	return n, nil
}

// allow says how many of n > 0 bytes pass, and whether the connection is cut behind them. REQUIRES: lane.mu held.
func (p *pipe) allow(n int) (passed int, cut bool) {
	chosen := p.cutAt >= 0 && p.cutAt <= p.entered+int64(n)
	if chosen {
		n = int(max(p.cutAt-p.entered, 0))
	}
	if n > 0 {
		n, cut = p.way.cutter.pass(n)
	}
	return n, cut || chosen
}

// writable returns why nothing can be written. REQUIRES: lane.mu held.
func (c *Conn) writable() error {
	now := c.now()
	switch {
	case c.closed:
		return net.ErrClosed
	case c.writeUntil <= now:
		return os.ErrDeadlineExceeded
	case c.noMoreWrites, c.in.rstAt <= now && c.in.finAt <= now:
		return errBroken("write")
	case c.reset || c.in.rstAt <= now:
		return errReset("write")
	}
	return nil
}

// Close closes this end. What waits in Read or Write returns with [net.ErrClosed], and so does everything afterwards, a second Close too.
func (c *Conn) Close() error {
	l := c.pair.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.closed {
		return opError("close", c.local, c.remote, net.ErrClosed)
	}
	c.closed = true
	c.stopTimers()
	if !c.reset {
		now := c.now()
		if unread, _ := c.in.arrived(now); unread > 0 {
			c.out.lose(now)
			c.out.sendReset(now)
		} else {
			c.out.sendFin(now)
		}
		c.in.abandon(now)
	}
	c.wake()
	c.pair.release()
	return nil
}

// abort closes an end that nobody has got. REQUIRES: lane.mu held.
func (c *Conn) abort() {
	if c.closed {
		return
	}
	c.closed = true
	if !c.reset {
		c.out.sendReset(c.now())
		c.in.abandon(c.now())
	}
	c.pair.release()
}

// CloseWrite says that this end sends nothing more: the other end reads everything, then [io.EOF], and may still write.
func (c *Conn) CloseWrite() error {
	l := c.pair.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.closed {
		return opError("close", c.local, c.remote, net.ErrClosed)
	}
	if !c.noMoreWrites && !c.reset {
		c.noMoreWrites = true
		c.out.sendFin(c.now())
		c.wake()
	}
	return nil
}

// Cut resets both ends at once. What is under way is lost, what has arrived can be read. The ends have still to be closed.
func (c *Conn) Cut() {
	l := c.pair.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	c.pair.reset()
}

// CutHere resets this end alone. The other never learns: it can read what has arrived, then waits for ever, and what it writes stays in the window. So it is when a machine has
// lost its power, or a firewall its memory.
func (c *Conn) CutHere() {
	l := c.pair.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	c.vanish()
}

// vanish is CutHere. REQUIRES: lane.mu held.
func (c *Conn) vanish() {
	if c.closed || c.reset {
		return
	}
	now := c.now()
	c.out.lose(now)
	c.out.severed = true
	c.in.severed = true
	c.fail(now)
	c.pair.countCut()
}

// cutHere resets the connection behind what this end has written: this end at once, the other when it has got that. REQUIRES: lane.mu held.
func (c *Conn) cutHere() {
	if c.reset || c.closed {
		return
	}
	now := c.now()
	c.out.sendReset(now)
	c.fail(now)
	c.pair.countCut()
}

// fail makes this end unusable from now on; what has arrived can be read. REQUIRES: lane.mu held.
func (c *Conn) fail(now time.Duration) {
	c.reset = true
	c.in.leave(now) // what the other end sends until it knows goes nowhere
	c.wake()
}

// reset is Cut. REQUIRES: lane.mu held.
func (c *pair) reset() {
	now := c.lane.network.now()
	for i := range c.ends {
		if e := &c.ends[i]; !e.closed && !e.reset {
			e.fail(now)
			c.countCut()
		}
	}
}

// countCut counts a connection that was cut, once. REQUIRES: lane.mu held.
func (c *pair) countCut() {
	if !c.cut {
		c.cut = true
		c.lane.stats.Cuts++
	}
}

// release forgets a connection whose ends are closed. REQUIRES: lane.mu held.
func (c *pair) release() {
	if !c.ends[0].closed || !c.ends[1].closed {
		return
	}
	l := c.lane
	l.stats.Open--
	for i, other := range l.conns {
		if other == c {
			last := len(l.conns) - 1
			copy(l.conns[i:], l.conns[i+1:])
			l.conns[last] = nil
			l.conns = l.conns[:last]
			return
		}
	}
}

// wake makes all who wait look again. REQUIRES: lane.mu held.
func (c *Conn) wake() {
	c.readers.Broadcast()
	c.writers.Broadcast()
}

// stopTimers keeps the timers of a closed end from firing.
func (c *Conn) stopTimers() {
	for _, t := range []*time.Timer{c.readTimer, c.writeTimer} {
		if t != nil {
			t.Stop()
		}
	}
}

func (c *Conn) now() time.Duration { return c.pair.lane.network.now() }

// LocalAddr returns the address of this end.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr returns the address of the other end.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// Number returns how many connections there were between the two hosts before this one.
func (c *Conn) Number() int { return c.pair.number }

// SetDeadline sets the deadlines of Read and Write, also for those that wait already. They fail with [os.ErrDeadlineExceeded] from then on. Zero is none.
func (c *Conn) SetDeadline(t time.Time) error { return c.setDeadlines(t, &c.readUntil, &c.writeUntil) }

// SetReadDeadline is SetDeadline for Read.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.setDeadlines(t, &c.readUntil) }

// SetWriteDeadline is SetDeadline for Write. A Write that has taken a part returns how much.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.setDeadlines(t, &c.writeUntil) }

func (c *Conn) setDeadlines(t time.Time, deadlines ...*time.Duration) error {
	l := c.pair.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.closed {
		return opError("set", nil, c.local, net.ErrClosed)
	}
	for _, d := range deadlines {
		*d = l.network.since(t)
	}
	c.wake()
	return nil
}
