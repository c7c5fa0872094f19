package rwtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// Network is a network of hosts inside this process. Hosts exist as soon as they are named; what two of them have to say to each other runs over the [Link] between them.
//
// It owns no goroutines. All times are those of package time, so a network that is made inside a bubble of testing/synctest runs in virtual time.
//
// All methods may be called from any goroutine.
type Network struct {
	seed     uint64
	start    time.Time
	eachLink []func(*Link)

	mu        sync.Mutex // taken before that of a lane, and before that of a listener
	lanes     map[[2]string]*lane
	order     []*lane
	listeners map[string]*Listener
	port      int // the last one that was given to somebody who did not ask for a certain one
	closed    bool
}

// Option is an option of [NewNetwork].
type Option func(*Network)

// Seed sets what all random choices follow from; 0 by default. Each connection, direction and kind of choice has its own, so that what happens to one connection does not depend on others.
func Seed(seed uint64) Option { return func(n *Network) { n.seed = seed } }

// EachLink has f called for each link before it is used for the first time, to set what shall hold for all. f must not use the network, or other links.
func EachLink(f func(*Link)) Option {
	return func(n *Network) { n.eachLink = append(n.eachLink, f) }
}

// NewNetwork returns a network. It should be closed, which is also the check for connections that were left open; see [MustClose].
func NewNetwork(opts ...Option) *Network {
	n := &Network{start: time.Now(), lanes: map[[2]string]*lane{}, listeners: map[string]*Listener{}, port: 49151}
	for _, o := range opts {
		o(n)
	}
	return n
}

// now is the time since the network was made.
func (n *Network) now() time.Duration { return time.Since(n.start) }

// since is a deadline as time since the network was made.
func (n *Network) since(t time.Time) time.Duration {
	if t.IsZero() {
		return never
	}
	return t.Sub(n.start)
}

// Host is a host of a network, as one that dials.
type Host struct {
	network *Network
	name    string
}

// Host returns the host with a name, which may be an IP address.
func (n *Network) Host(name string) *Host { return &Host{n, name} }

// Dial is [Host.Dial] for the host "client".
func (n *Network) Dial(ctx context.Context, address string) (net.Conn, error) {
	return n.Host("client").Dial(ctx, address)
}

// DialContext is Dial in the form of [net.Dialer.DialContext]. The first parameter after the context, which names the kind of network, is not looked at.
func (n *Network) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	return n.Dial(ctx, address)
}

// DialContext is Dial in the form of [net.Dialer.DialContext]. The first parameter after the context, which names the kind of network, is not looked at.
func (h *Host) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	return h.Dial(ctx, address)
}

// Dial connects with the listener at an address. That takes the time there and back again, and does not wait for Accept. If nobody listens, or the link refuses, the error is [syscall.ECONNREFUSED]. While
// the link is dropped, Dial waits until the context ends.
//
// The connection is a [*Conn] and must be closed.
func (h *Host) Dial(ctx context.Context, address string) (net.Conn, error) {
	host, port, err := parseAddr(address)
	if err != nil {
		return nil, opError("dial", nil, nil, err)
	}
	n, remote := h.network, newAddr(host, port)
	l := n.lane(h.name, host)
	c, err := l.dial(ctx, h.name, remote)
	if err != nil {
		return nil, opError("dial", nil, remote, err)
	}
	return c, nil
}

// dial connects a host with an address on the other side of the lane.
func (l *lane) dial(ctx context.Context, from string, remote net.Addr) (*Conn, error) {
	n := l.network
	local := newAddr(from, n.ephemeral(from))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Dials++
	stop := context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.dialing.Broadcast()
	})
	defer stop()
	out, back := l.ways[0], l.ways[1]
	if out.from != from {
		out, back = back, out
	}
	d := newDice(n.seed, []string{from, remote.String()}, uint64(l.stats.Dials), 4)
	if err := l.cross(ctx, out, &d); err != nil {
		return nil, err
	}
	c, refused := l.connect(out, back, local, remote)
	if err := l.cross(ctx, back, &d); err != nil {
		if c != nil {
			c.abort()
		}
		return nil, err
	}
	if refused {
		return nil, errRefused("connect")
	}
	return c, nil
}

// connect makes the connection at the side of the listener, if there is one. REQUIRES: lane.mu held.
func (l *lane) connect(out, back *way, local, remote net.Addr) (c *Conn, refused bool) {
	if out.refuse {
		return nil, true
	}
	l.mu.Unlock()
	listener := l.network.listener(remote.String())
	l.mu.Lock()
	if listener == nil || l.closed {
		return nil, true
	}
	p := newPair(out, back, local, remote)
	if !listener.offer(&p.ends[1]) {
		p.ends[0].closed, p.ends[1].closed = true, true
		p.release()
		return nil, true
	}
	return &p.ends[0], false
}

// cross waits until what is sent now has crossed a way. REQUIRES: lane.mu held.
func (l *lane) cross(ctx context.Context, w *way, d *dice) error {
	var timer *time.Timer
	defer func() {
		if timer != nil {
			timer.Stop()
		}
	}()
	const lost = never
	at := lost
	for waited := false; ; {
		now := l.network.now()
		switch {
		case w.dropped && at > now:
			at = lost
		case at == lost:
			at = w.arrival(now, 0, d)
		}
		switch {
		case l.closed:
			return net.ErrClosed
		case ctx.Err() != nil:
			return ctx.Err()
		case at > now:
			l.wait(&l.dialing, &timer, at)
			waited = true
		case waited && w.late(d):
			waited = false
		default:
			return nil
		}
	}
}

// Listen returns a listener at an address, host and port. Port 0 stands for one that is free.
func (n *Network) Listen(address string) (net.Listener, error) {
	host, port, err := parseAddr(address)
	if err != nil {
		return nil, opError("listen", nil, nil, err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if port == 0 {
		port = n.freePort(host)
	}
	l := newListener(n, newAddr(host, port))
	switch {
	case n.closed:
		return nil, opError("listen", nil, l.addr, net.ErrClosed)
	case n.listeners[l.addr.String()] != nil:
		return nil, opError("listen", nil, l.addr, errInUse("bind"))
	}
	n.listeners[l.addr.String()] = l
	return l, nil
}

// ephemeral returns the port of somebody who dials.
func (n *Network) ephemeral(host string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.freePort(host)
}

// freePort returns the next port at which nobody listens, from 49152 to 65535, and then again. REQUIRES: mu held.
func (n *Network) freePort(host string) int {
	for range 65536 - 49152 {
		n.port++
		if n.port > 65535 {
			n.port = 49152
		}
		if n.listeners[newAddr(host, n.port).String()] == nil {
			break
		}
	}
	return n.port
}

// listener returns who listens at an address, or nil.
func (n *Network) listener(address string) *Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.listeners[address]
}

// lane returns what runs between two hosts.
func (n *Network) lane(a, b string) *lane {
	l := n.findLane(a, b)
	l.setup.Do(func() {
		for _, f := range n.eachLink {
			f(l.link())
		}
	})
	return l
}

func (n *Network) findLane(a, b string) *lane {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := [2]string{min(a, b), max(a, b)}
	l := n.lanes[key]
	if l == nil {
		l = newLane(n, a, b)
		l.closed = n.closed
		n.lanes[key] = l
		n.order = append(n.order, l)
	}
	return l
}

// Link returns the link between two hosts, in both directions. Addresses stand for their hosts. A link may be asked for before anything is connected.
func (n *Network) Link(a, b string) *Link { return n.lane(hostOf(a), hostOf(b)).link() }

// Links returns all links that were used, or asked for, in this order.
func (n *Network) Links() []*Link {
	n.mu.Lock()
	defer n.mu.Unlock()
	links := make([]*Link, len(n.order))
	for i, l := range n.order {
		links[i] = l.link()
	}
	return links
}

// Open returns what is open, for messages: listeners, and the ends of connections that were not closed by those who have dialed or accepted them. A connection that waits for Accept is
// the listener's matter, and not among them.
func (n *Network) Open() []string {
	listeners, lanes := n.parts()
	var open []string
	for _, l := range listeners {
		open = append(open, fmt.Sprintf("listener at %s", l.addr))
	}
	for _, l := range lanes {
		open = append(open, l.open()...)
	}
	return open
}

// open returns the ends that are open.
func (l *lane) open() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var open []string
	for _, c := range l.conns {
		for i := range c.ends {
			if e := &c.ends[i]; !e.closed && e.role != waiting {
				open = append(open, fmt.Sprintf("connection of %s with %s, %s there", e.local, e.remote, e.role))
			}
		}
	}
	return open
}

// parts returns the listeners by their addresses, and the lanes.
func (n *Network) parts() ([]*Listener, []*lane) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var listeners []*Listener
	for _, l := range n.listeners {
		listeners = append(listeners, l)
	}
	slices.SortFunc(listeners, func(a, b *Listener) int { return cmp.Compare(a.addr.String(), b.addr.String()) })
	return listeners, slices.Clone(n.order)
}

// Close ends the network: it closes the listeners, resets all connections, and refuses what comes afterwards with [net.ErrClosed]. It fails if something was left open (see [Network.Open]), and names it.
// A second Close does nothing.
func (n *Network) Close() error {
	if !n.markClosed() {
		return nil
	}
	open := n.Open()
	listeners, lanes := n.parts()
	for _, l := range listeners {
		_ = l.Close() // it may be closed by its owner just now
	}
	for _, l := range lanes {
		l.close()
	}
	if len(open) > 0 {
		return errors.New("rwtest: left open: " + strings.Join(open, "; "))
	}
	return nil
}

func (n *Network) markClosed() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	was := n.closed
	n.closed = true
	return !was
}

// close resets all connections.
func (l *lane) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, c := range l.conns {
		c.reset()
	}
	l.dialing.Broadcast()
}
