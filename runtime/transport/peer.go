package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// peer is one server, as a client sees it: its channels, and the connection, which is made again when it breaks.
//
//	idle ── first channel ─► dialing ── WELCOME ─► connected ── breaks ─► dialing …
//	                            │                      │
//	                            └── given up, refused ─┴── GOODBYE ─► all channels fail; then idle
//
// Everything that happens to channels happens on its goroutine: what arrives is put into their inlets there.
type peer struct {
	client  *Client
	address string
	wake    chan struct{} // capacity 1: something has changed in what follows

	mu          sync.Mutex
	channels    []*Channel          // that are not done, and until the next sweep those that are
	next        uint32              // number of the next channel
	fresh       []*Channel          // that were added and not asked for
	name        string              // that the server has said
	incarnation message.Incarnation // likewise
	known       bool                // name and incarnation are

	over int // of channels, those that are done; of the goroutine of peer

	creditMu sync.Mutex // a leaf: blocks come back with locks of queues held
	credits  []*Channel // that have to send a CREDIT
	leaving  []*Channel // that have to send a CANCEL
}

func newPeer(c *Client, address string) *peer {
	return &peer{client: c, address: address, wake: make(chan struct{}, 1), next: 1}
}

// reserve returns the number of a new channel.
func (p *peer) reserve() uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	return p.next - 1
}

// add asks for a channel that has its number.
func (p *peer) add(ch *Channel) {
	p.mu.Lock()
	p.channels = append(p.channels, ch)
	p.fresh = append(p.fresh, ch)
	p.mu.Unlock()
	p.kick()
}

// kick makes the goroutine, or that which writes, look.
func (p *peer) kick() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// credit makes a channel send a CREDIT.
func (p *peer) credit(ch *Channel) {
	p.creditMu.Lock()
	first := len(p.credits) == 0
	p.credits = append(p.credits, ch)
	p.creditMu.Unlock()
	if first {
		p.kick()
	}
}

// leave makes a channel send a CANCEL.
func (p *peer) leave(ch *Channel) {
	p.creditMu.Lock()
	p.leaving = append(p.leaving, ch)
	p.creditMu.Unlock()
	p.kick()
}

// again asks once more for a partition that was not found, after a pause, and reports whether there is time for that.
func (p *peer) again(ch *Channel) bool {
	config := &p.client.config
	if ch.patience() < time.Millisecond {
		return false
	}
	if ch.pause == 0 {
		ch.pause = config.Backoff
	}
	ch.requested.Store(false) // the server knows nothing of it
	p.mu.Lock()
	ch.pausing = true
	p.mu.Unlock()
	ch.retry = time.AfterFunc(ch.pause, func() {
		p.mu.Lock()
		if ch.pausing { // and was not asked for on a new connection
			ch.pausing = false
			p.fresh = append(p.fresh, ch)
		}
		p.mu.Unlock()
		p.kick()
	})
	ch.pause = min(2*ch.pause, config.MaxBackoff)
	return true
}

// list returns the channels, perhaps with some that are done.
func (p *peer) list() []*Channel {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.channels)
}

// who returns the server's name, if it is known, and its address.
func (p *peer) who() (name, address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.name, p.address
}

// process returns the incarnation of the server. From the goroutine of peer, which sets it.
func (p *peer) process() message.Incarnation { return p.incarnation }

// remove takes channels that are done out of the list. From the goroutine of peer.
func (p *peer) remove() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sweep()
}

// sweep is remove. REQUIRES: mu held.
func (p *peer) sweep() {
	for _, ch := range p.channels {
		ch.pausing = ch.pausing && !ch.over // the timer may be too late to be stopped
	}
	p.channels = slices.DeleteFunc(p.channels, func(ch *Channel) bool { return ch.over })
	p.fresh = slices.DeleteFunc(p.fresh, func(ch *Channel) bool { return ch.over })
	p.over = 0
}

// drop makes nobody ask for a channel that is done, and returns true if it was the last one. From the goroutine of peer. Very many may be done one after the other, so the list is swept when half of it is. REQUIRES: mu held.
func (p *peer) drop(ch *Channel) (last bool) {
	ch.pausing = false
	p.fresh = slices.DeleteFunc(p.fresh, func(other *Channel) bool { return other == ch })
	if 2*p.over >= len(p.channels) {
		p.sweep()
	}
	return len(p.channels) == 0
}

// run keeps a connection as long as there are channels.
func (p *peer) run() {
	ctx := p.client.ctx
	for {
		if len(p.list()) > 0 && ctx.Err() == nil {
			if err := p.connect(ctx); err != nil {
				p.failAll(err)
			}
			continue
		}
		select {
		case <-p.wake:
		case <-ctx.Done():
			p.failAll(ErrClosed)
			return
		}
	}
}

// failAll fails all channels.
func (p *peer) failAll(cause error) {
	for _, ch := range p.list() {
		ch.fail(cause)
	}
	p.remove()
}

// allEnded reports whether everything that was asked for has arrived.
func (p *peer) allEnded() bool {
	return !slices.ContainsFunc(p.list(), func(ch *Channel) bool { return !ch.ended })
}

// permanent reports whether there is no use in dialing again.
func permanent(err error) bool {
	for _, e := range []error{ErrProtocol, ErrVersion, ErrForbidden, ErrFenced, ErrPeerRestarted, ErrClosed, ErrInsecure} {
		if errors.Is(err, e) {
			return true
		}
	}
	var (
		cert   *tls.CertificateVerificationError
		record tls.RecordHeaderError // it speaks no TLS
	)
	return errors.As(err, &cert) || errors.As(err, &record)
}

// connect dials until it has a connection, uses it until it breaks, and so on. It returns nil when there are no channels any more, and an error if the server is given up.
func (p *peer) connect(ctx context.Context) error {
	config := &p.client.config
	lost := time.Now() // since when the server is not reached
	pause := config.Backoff
	var failed attempts
	for {
		reached, useful, err := p.attempt(ctx, lost.Add(config.GiveUp))
		p.remove()
		switch {
		case ctx.Err() != nil:
			return ErrClosed
		case err == nil:
			return nil
		case permanent(err):
			return err
		}
		now := time.Now()
		if reached {
			lost, failed = now, attempts{reached: true}
		}
		if useful {
			pause = config.Backoff
		}
		failed.add(err)
		// What has arrived as a whole does not need the server. But the server needs to be told, so it is looked for unless its process is gone, or there is no time any more.
		if p.allEnded() && (isRefused(err) && now.Sub(lost) >= config.MaxBackoff || now.Sub(lost) >= config.GiveUp) {
			for _, ch := range p.list() {
				ch.finish(nil)
			}
		}
		p.remove()
		if len(p.list()) == 0 {
			return nil
		}
		if now.Sub(lost) >= config.GiveUp {
			return fmt.Errorf("%w: %w", ErrPeerLost, failed.error(config))
		}
		config.Logger.Debug("transport: no connection", "address", p.address, "error", err, "pause", pause)
		t := time.NewTimer(pause - time.Duration(rand.Int64N(int64(pause)/4+1)))
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
		}
		pause = min(2*pause, config.MaxBackoff)
	}
}

// attempt makes a connection and uses it until it is over. It returns whether the server was reached, which it is when it has answered something after WELCOME; whether the connection was of use, so that the next one may be made at once; and nil when there are no channels any more.
func (p *peer) attempt(ctx context.Context, giveUp time.Time) (reached, useful bool, err error) {
	config := &p.client.config
	deadline := time.Now().Add(config.HandshakeTimeout)
	if giveUp.Before(deadline) {
		deadline = giveUp
	}
	dialing, cancel := context.WithDeadline(ctx, deadline)
	conn, err := config.Dial(dialing, p.address)
	cancel()
	if err != nil {
		return false, false, err
	}
	c := &clientConn{peer: p, conn: conn, channels: make(map[uint32]*Channel), schemas: make(map[uint32]schemaKey)}
	defer func() { _ = c.conn.Close() }()
	if err := config.admits(conn.RemoteAddr()); err != nil {
		return false, false, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := c.handshake(max(time.Until(deadline), time.Millisecond)); err != nil {
		if timeout(err) {
			forgo(conn)
		}
		return false, false, err
	}
	stop() // run sees to it
	err = c.run(ctx)
	return c.reached, c.useful, err
}

// forgo makes Close of a connection on which the server has not answered drop what it has not got yet. HELLO would be sent again by the kernel, also behind Close; if that is when the server has room for connections again, perhaps after it has taken the next one of this process, it counts as the newer of both and fences it.
func forgo(conn net.Conn) {
	if tcp, ok := conn.(interface{ SetLinger(sec int) error }); ok {
		_ = tcp.SetLinger(0)
	}
}

// welcome takes what a server says of itself. That it is another process than before is found out by the channels that are resumed: others do not care.
func (p *peer) welcome(m message.Welcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known && p.incarnation != m.Incarnation {
		p.client.config.Logger.Warn("transport: peer has restarted", "peer", m.Name, "address", p.address)
	}
	p.name, p.incarnation, p.known = m.Name, m.Incarnation, true
}

// reopen makes all channels ask for what they read, on a new connection; those whose readers have left, to be closed.
func (p *peer) reopen() {
	var leaving []*Channel
	p.mu.Lock()
	p.fresh = append(p.fresh[:0], p.channels...)
	for _, ch := range p.channels {
		ch.answered, ch.touched, ch.pausing = false, false, false
		ch.requested.Store(false)
		if ch.left.Load() != nil {
			leaving = append(leaving, ch)
		}
	}
	p.mu.Unlock()
	p.creditMu.Lock()
	p.credits, p.leaving = nil, leaving
	p.creditMu.Unlock()
	p.kick()
}

// tlsClient wraps a connection.
func tlsClient(conn net.Conn, config *tls.Config, address string) *tls.Conn {
	c := config
	if c.ServerName == "" && !c.InsecureSkipVerify {
		c = c.Clone()
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			host = address
		}
		c.ServerName = host
	}
	return tls.Client(newCarrier(conn), c)
}
