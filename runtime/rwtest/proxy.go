package rwtest

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// Proxy is a TCP proxy on the loopback interface that does harm: for tests of real processes over real sockets. What it does holds for both directions of all connections.
//
// All methods may be called from any goroutine. Its goroutines end with Close.
type Proxy struct {
	listener net.Listener
	target   string
	ctx      context.Context // ends with Close
	end      context.CancelFunc
	running  sync.WaitGroup

	mu        sync.Mutex
	dice      dice
	seed      uint64
	conns     map[*proxied]bool
	cutter    *cutter
	low, high time.Duration
	refuse    bool
	stalled   chan struct{} // closed by Resume; nil if not stalled
	stats     ProxyStats
}

// ProxyStats says what a proxy has done.
type ProxyStats struct {
	Conns int   // that were forwarded
	Open  int   // still
	Cuts  int   // that were reset by the proxy
	Bytes int64 // that were forwarded
}

// proxied is a connection that is forwarded, or will be.
type proxied struct {
	proxy    *Proxy
	client   *net.TCPConn
	upstream *net.TCPConn // nil until it was dialed
	ended    bool
}

// NewProxy starts a proxy on a free port of 127.0.0.1. It forwards each connection to a target, host and port, which it dials when the connection comes; if that fails, the connection is reset. Random choices follow from the seed, though the pieces in which
// the kernel hands out bytes do not.
func NewProxy(target string, seed uint64) (*Proxy, error) {
	if _, _, err := net.SplitHostPort(target); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: l, target: target, seed: seed, dice: newDice(seed, []string{"proxy"}), conns: map[*proxied]bool{}}
	p.ctx, p.end = context.WithCancel(context.Background())
	p.running.Go(p.accept)
	return p, nil
}

// Addr returns the address to dial.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Stats returns a snapshot.
func (p *Proxy) Stats() ProxyStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Open = len(p.conns)
	return s
}

// Cut resets all connections. Those to come are forwarded.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.cut()
	}
}

// CutAfter resets, once, the connection that carries the n-th byte from now on, right behind that byte. It takes the place of what CutAfter and CutEvery have set before. Bytes behind the cut are not forwarded; those before it have been given to the
// kernel, which may drop them because of the reset.
func (p *Proxy) CutAfter(n int64) { p.setCutter(once(n)) }

// CutEvery is CutAfter again and again, at random distances from low to high bytes. It ends if high is 0.
func (p *Proxy) CutEvery(low, high int64) {
	var c *cutter
	if high > 0 {
		c = every(low, high, newDice(p.seed, []string{"proxy", "cut"}))
	}
	p.setCutter(c)
}

func (p *Proxy) setCutter(c *cutter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cutter = c
}

// Delay makes every piece of up to 32 KiB wait for a time from low to high before it is forwarded. The pieces of one direction wait one after the other, so this limits the throughput too.
func (p *Proxy) Delay(low, high time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.low, p.high = max(low, 0), max(low, high, 0)
}

// Refuse has connections to come reset at once, or forwarded again.
func (p *Proxy) Refuse(refuse bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = refuse
}

// Stall forwards nothing any more, without a word: connections stay open, and those to come are accepted. Resume ends it, and nothing is lost.
func (p *Proxy) Stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stalled == nil {
		p.stalled = make(chan struct{})
	}
}

// Resume ends Stall.
func (p *Proxy) Resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stalled != nil {
		close(p.stalled)
		p.stalled = nil
	}
}

// Close ends the proxy: it resets all connections and waits until its goroutines have ended. A second Close does nothing.
func (p *Proxy) Close() error {
	p.end()
	err := p.listener.Close()
	p.Cut()
	p.running.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// accept takes connections until Close.
func (p *Proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files: the next one may do better
			select {
			case <-p.ctx.Done():
			case <-time.After(10 * time.Millisecond):
			}
			continue
		}
		p.running.Go(func() { p.forward(c.(*net.TCPConn)) })
	}
}

// forward connects a client with the target until both directions have ended.
func (p *Proxy) forward(client *net.TCPConn) {
	if p.refuses() || p.pause(0) != nil {
		reset(client)
		return
	}
	c := &proxied{proxy: p, client: client}
	p.add(c)
	defer p.remove(c)
	var dialer net.Dialer
	upstream, err := dialer.DialContext(p.ctx, "tcp", p.target)
	if err != nil {
		c.end((*proxied).reset)
		return
	}
	c.connected(upstream.(*net.TCPConn))
	var back sync.WaitGroup
	back.Go(func() { c.copy(c.client, c.upstream) })
	c.copy(c.upstream, c.client)
	back.Wait()
}

// copy forwards one direction until it ends, and tells the end on.
func (c *proxied) copy(to, from *net.TCPConn) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		if n > 0 && !c.pass(to, b[:n]) {
			return
		}
		if err == io.EOF && c.proxy.pause(0) == nil && to.CloseWrite() == nil {
			return
		}
		if err != nil {
			c.end((*proxied).reset)
			return
		}
	}
}

// pass forwards a piece. It returns false if the connection has ended.
func (c *proxied) pass(to *net.TCPConn, b []byte) bool {
	p := c.proxy
	err := p.pause(p.delay())
	n, cut := p.count(len(b))
	if err == nil {
		_, err = to.Write(b[:n])
	}
	switch {
	case cut:
		c.end((*proxied).cut)
	case err != nil:
		c.end((*proxied).reset)
	}
	return !cut && err == nil
}

// pause waits for a time, and while the proxy is stalled. It fails when the proxy ends.
func (p *Proxy) pause(d time.Duration) error {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-p.ctx.Done():
		case <-timer.C:
		}
	}
	for p.ctx.Err() == nil {
		stalled := p.stall()
		if stalled == nil {
			return nil
		}
		select {
		case <-p.ctx.Done():
		case <-stalled:
		}
	}
	return p.ctx.Err()
}

func (p *Proxy) stall() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stalled
}

func (p *Proxy) refuses() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refuse
}

func (p *Proxy) delay() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dice.duration(p.low, p.high)
}

// count says how many of n > 0 bytes pass, and whether the connection is cut behind them.
func (p *Proxy) count(n int) (passed int, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, cut = p.cutter.pass(n)
	p.stats.Bytes += int64(n)
	return n, cut
}

func (p *Proxy) add(c *proxied) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[c] = true
	if p.ctx.Err() != nil { // Close has not seen it
		c.reset()
	}
}

// connected adds the side of the target, which is reset at once if the connection has ended meanwhile.
func (c *proxied) connected(upstream *net.TCPConn) {
	c.proxy.mu.Lock()
	defer c.proxy.mu.Unlock()
	c.proxy.stats.Conns++
	c.upstream = upstream
	if c.ended {
		reset(upstream)
	}
}

func (p *Proxy) remove(c *proxied) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
	_ = c.client.Close() // it may be closed already
	if c.upstream != nil {
		_ = c.upstream.Close()
	}
}

// end ends the connection in one of the ways below.
func (c *proxied) end(how func(*proxied)) {
	c.proxy.mu.Lock()
	defer c.proxy.mu.Unlock()
	how(c)
}

// cut resets both sides, because the proxy was told to. REQUIRES: proxy.mu held.
func (c *proxied) cut() {
	if !c.ended {
		c.proxy.stats.Cuts++
	}
	c.reset()
}

// reset resets both sides. REQUIRES: proxy.mu held.
func (c *proxied) reset() {
	if !c.ended {
		c.ended = true
		reset(c.client)
		if c.upstream != nil {
			reset(c.upstream)
		}
	}
}

// reset closes a socket so that the other side sees a reset.
func reset(c *net.TCPConn) {
	_ = c.SetLinger(0) // it fails only on sockets that are closed
	_ = c.Close()
}
