package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// Client reads partitions of other processes. It has one connection to each server, which all channels share. Its methods may be called from any goroutine.
//
// A client has a goroutine for each server that has channels of it, and while there is a connection one more, which writes. Close ends all of them.
type Client struct {
	config      Config
	dials       bool // with a Dial of the user
	incarnation message.Incarnation
	ctx         context.Context
	cancel      context.CancelCauseFunc
	wg          sync.WaitGroup // of peers

	mu      sync.Mutex
	peers   map[string]*peer // by address
	closing bool
}

// NewClient returns a client. It fails if c cannot be used. The client must be closed.
func NewClient(c Config) (*Client, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	dials := c.Dial != nil
	if !dials {
		var d net.Dialer
		c.Dial = func(ctx context.Context, address string) (net.Conn, error) { return d.DialContext(ctx, "tcp", address) }
	}
	cl := &Client{config: c, dials: dials, incarnation: newIncarnation(), peers: make(map[string]*peer)}
	cl.ctx, cl.cancel = context.WithCancelCause(context.Background())
	return cl, nil
}

// Channel starts to read a subpartition, and returns at once; what goes wrong later ends the channel. It fails if c cannot be used, if the budget has no room for another channel (memory.ErrInsufficient), and with [ErrClosed]. The channel is to be given to a gate whose reader is closed in the end, or
// discarded.
func (c *Client) Channel(cc ChannelConfig) (*Channel, error) {
	t := cc.Topology
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	if cc.Subpartition < 0 || cc.Subpartition >= t.Consumers {
		return nil, fmt.Errorf("transport: subpartition %d of %d", cc.Subpartition, t.Consumers)
	}
	ch := &Channel{client: c, config: cc, closed: make(chan struct{})}
	if err := ch.openCheck(); err != nil {
		return nil, err
	}
	ch.flow.EventRoom = uint64(cc.Budget.eventBytes)
	ch.inlet = partition.NewInlet(partition.InletConfig{Producer: t.Producer, Channel: cc.Subpartition, EventRead: ch.eventRead, Left: ch.readerLeft})
	c.mu.Lock()
	if c.closing {
		c.mu.Unlock()
		return nil, ErrClosed
	}
	p := c.peers[cc.Address]
	if p == nil {
		p = newPeer(c, cc.Address)
		c.peers[cc.Address] = p
		c.wg.Go(p.run)
	}
	c.mu.Unlock()
	ch.peer = p
	ch.number = p.reserve()
	if err := cc.Budget.open(ch); err != nil {
		return nil, err
	}
	c.mu.Lock()
	closing := c.closing
	if !closing { // with the lock: Close sees all channels, or they see Close
		p.add(ch)
	}
	c.mu.Unlock()
	if closing {
		cc.Budget.close(ch)
		return nil, ErrClosed
	}
	return ch, nil
}

// CheckAddress returns an error for an address that cannot be dialed, whoever listens: one without a port. It knows nothing of addresses if there is a Config.Dial, and returns nil then.
func (c *Client) CheckAddress(address string) error {
	if c.dials {
		return nil
	}
	if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return fmt.Errorf("transport: %q is no address that can be dialed: a host and a port are needed, as in 10.1.1.1:7001", address)
	}
	return nil
}

// openCheck checks what a server could not read.
func (ch *Channel) openCheck() error {
	c := &ch.config
	if c.Budget == nil {
		return errors.New("transport: ChannelConfig has no Budget")
	}
	m := message.Open{Partition: c.Partition, Selection: c.Selection, Reader: c.Reader, Resume: true}
	if err := m.Check(); err != nil {
		return fmt.Errorf("transport: %w", err)
	}
	return nil
}

// Close waits until all channels are done (see [Channel.Wait]) or ctx is done; those that are not then fail with [ErrClosed]. Then it closes all connections and returns when all goroutines have ended. It returns the errors of channels that were not done. A second call returns nil.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	if c.closing {
		c.mu.Unlock()
		return nil
	}
	c.closing = true
	peers := make([]*peer, 0, len(c.peers))
	for _, p := range c.peers {
		peers = append(peers, p)
	}
	c.mu.Unlock()
	var errs []error
	for _, p := range peers {
		for _, ch := range p.list() {
			if err := ch.Wait(ctx); err != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
				errs = append(errs, err)
			}
		}
	}
	c.cancel(ErrClosed)
	c.wg.Wait()
	return errors.Join(errs...)
}
