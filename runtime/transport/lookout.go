package transport

import (
	"sync"
	"time"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// An OPEN for a partition that is not there waits until it is published, its patience is over, or the client cancels it. Very many may wait at a time, as clients may start before their servers: each is a request, with a timer and a place in
// the registry, and one goroutine of the connection, the lookout, answers them. It also answers those about which Config.Authorize is asked, so that the reading goroutine need not wait for that.

// request is an OPEN that was received, and is not answered.
type request struct {
	conn   *serverConn
	number uint32
	open   message.Open

	// Guarded by session.mu.
	canceled bool  // CANCEL was received
	cause    error // with canceled

	// Guarded by lookout.mu.
	timer *time.Timer // of its patience
	due   bool        // it is, or was, in lookout.due
}

// lookout is where requests that wait are brought to notice.
type lookout struct {
	running bool          // of the reading goroutine
	signal  chan struct{} // one is in it if something is due
	mu      sync.Mutex    // the leaf: it is taken with Registry.mu and session.mu held
	due     []*request    // those that are to be answered now
}

// notice makes the lookout answer w. From any goroutine, with any locks; a second call does nothing.
func (w *request) notice() {
	l := &w.conn.lookout
	l.mu.Lock()
	if !w.due {
		w.due = true
		l.due = append(l.due, w)
	}
	l.mu.Unlock()
	select {
	case l.signal <- struct{}{}:
	default:
	}
}

// await lets w wait for its partition. From the reading goroutine.
func (c *serverConn) await(w *request, patience time.Duration) {
	l := &c.lookout
	l.mu.Lock()
	if !w.due {
		w.timer = time.AfterFunc(patience, w.notice)
	}
	l.mu.Unlock()
	c.watch()
}

// watch starts the lookout. From the reading goroutine.
func (c *serverConn) watch() {
	if !c.lookout.running {
		c.lookout.running = true
		c.wg.Go(c.look)
	}
}

// look answers requests until the connection is over.
func (c *serverConn) look() {
	for {
		select {
		case <-c.lookout.signal:
		case <-c.ctx.Done():
			return
		}
		c.lookout.mu.Lock()
		due := c.lookout.due
		c.lookout.due = nil
		c.lookout.mu.Unlock()
		for _, w := range due {
			if c.ctx.Err() != nil { // nobody hears the answer, and the next connection waits for this one
				return
			}
			w.end()
			p, elsewhere := c.server.registry.find(w.open.Partition)
			c.tell(w.number, p, c.answerTo(w.open, p, elsewhere))
		}
	}
}

// end makes sure that nobody notices w any more.
func (w *request) end() {
	w.conn.server.registry.forget(w)
	w.conn.lookout.mu.Lock()
	defer w.conn.lookout.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
}

// dismiss ends the requests that were not answered. REQUIRES: the connection is over.
func (c *serverConn) dismiss() {
	c.session.mu.Lock()
	all := c.waiting
	c.waiting = nil
	c.session.mu.Unlock()
	for _, w := range all {
		w.end()
	}
}
