package transport

import (
	"context"
	"time"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// write sends what there is to send, until the connection is over. It is the only reader of the session's inbox.
//
// All that is ready goes into one batch, hence to the connection with one call. When nothing is, it waits in the inbox, which makes the open blocks of its channels readable as for any reader that has nothing else to do.
func (c *serverConn) write() error {
	s := c.session
	keepAlive := time.AfterFunc(c.alive, func() { s.inbox.Poke() })
	defer keepAlive.Stop()
	c.sent = time.Now()
	if c.out.tries() {
		c.out.lend(s.inbox.Poke)
		s.inbox.StandIn(c.standIn)
		defer func() {
			s.inbox.StandIn(nil)
			c.out.lend(nil)
		}()
	}
	for {
		if err := c.gather(); err != nil {
			return err
		}
		c.cutUnsendable()
		if c.out.empty() {
			if since := time.Since(c.sent); since >= c.alive {
				c.out.add(func(dst []byte) []byte { return message.Ping{}.Append(dst, 0) })
			} else {
				s.settle()
				keepAlive.Reset(c.alive - since)
				v, err := s.inbox.Next(c.ctx)
				if err != nil {
					return context.Cause(c.ctx)
				}
				if v != nil {
					c.ready(v)
				}
				if c.out.empty() {
					continue
				}
			}
		}
		err := c.out.write()
		s.settle()
		if err != nil {
			return err
		}
		c.sent = time.Now()
	}
}

// standIn sends what is ready, if that is little and needs no waiting, while write waits in the inbox: on the goroutine of who has written it. It returns false if write must go on.
func (c *serverConn) standIn() bool {
	if err := c.gather(); err != nil {
		return false // write gets it too
	}
	if !c.out.empty() {
		if !c.out.try() {
			return false
		}
		c.sent = time.Now()
	}
	c.session.settle()
	return true
}

// gather fills the batch with what is ready, in turn: what was waiting for credit, and what the inbox has.
func (c *serverConn) gather() error {
	s := c.session
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	s.mu.Lock()
	s.writing = true
	if len(s.control) > 0 {
		control := s.control
		c.out.add(func(dst []byte) []byte { return append(dst, control...) })
		s.control = s.control[:0]
		s.drained.Broadcast()
	}
	runnable := s.runnable
	s.runnable = nil
	for i, o := range runnable {
		o.queued = false
		if o.conn != c || o.closed {
			continue
		}
		if o.send(c.out) {
			o.queued = true
			s.runnable = append(append(s.runnable, runnable[i+1:]...), o) // it has had its turn
			break
		}
	}
	s.mu.Unlock()
	for !c.out.full() {
		v, err := s.inbox.Try(false)
		if err != nil {
			return err
		}
		if v == nil {
			return nil
		}
		c.ready(v)
	}
	return nil
}

// ready takes what a channel has, which its view says may be something, and sends it.
func (c *serverConn) ready(v *partition.View) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing = true
	o := s.outlets[v.Index]
	if o == nil || o.view != v || o.closed {
		return
	}
	if o.conn != c {
		o.more = true // when it is opened
		return
	}
	o.poll()
	if o.send(c.out) {
		s.run(o)
	}
}
