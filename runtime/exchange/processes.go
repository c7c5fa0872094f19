package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport"
)

// Processes spreads an exchange over several processes. All of them have the same lists, in the same order: one whose lists differ is refused by the others with transport.ErrTopology. Each has its own Self and Node. Processes may start in any order, and those that only produce or only consume need not know more than the lists.
type Processes struct {
	// Name tells exchanges of the same processes apart: the partition of producer i is published as "Name/i". 1 to 240 bytes.
	Name string
	// Producers has, for each producer, the address at which the others reach its process, a host and a port unless the Node has a Config.Dial of its own; Consumers, for each consumer, the name of its process: its address, or any other name for one that does not listen.
	Producers, Consumers []string
	// Self is what the lists call this process.
	Self string
	// Node is the process's end of the network. Required if the lists name any other process. It stays the caller's, and is closed after the exchange.
	Node *transport.Node
}

// network is what an exchange has of other processes.
type network struct {
	*Processes
	consumers    []int // that are read here
	away         []int // consumers that are not
	here         []int // producers that are; without Processes all are, and this is empty
	remote       int   // producers that are not
	budget       *transport.Budget
	events       *memory.Share // room for events from other processes
	forget       func()        // of the Registry, where producers are; nil: it was not told
	agreement    transport.Agreement
	publications []*transport.Publication
	channels     map[[2]int]*transport.Channel // by producer and consumer
	drained      bool                          // drain has returned
	undone       []error                       // what it has returned
}

// processes resolves c.Processes, and the numbers that follow from it. Without it everything is here.
func (c *Config) processes() (*network, error) {
	n := &network{Processes: c.Processes, channels: make(map[[2]int]*transport.Channel)}
	p := c.Processes
	if p == nil {
		return n, nil
	}
	if c.Producers == 0 {
		c.Producers = len(p.Producers)
	}
	if c.Consumers == 0 {
		c.Consumers = len(p.Consumers)
	}
	switch {
	case c.Producers != len(p.Producers) || c.Consumers != len(p.Consumers):
		return nil, fmt.Errorf("exchange: %d producers and %d consumers, Processes lists %d and %d", c.Producers, c.Consumers, len(p.Producers), len(p.Consumers))
	case p.Name == "" || len(p.Name) > 240:
		return nil, fmt.Errorf("exchange: Processes.Name %q: 1 to 240 bytes are needed", p.Name)
	case p.Self == "":
		return nil, errors.New("exchange: Processes.Self is empty")
	}
	for i, at := range p.Producers {
		switch at {
		case p.Self:
			n.here = append(n.here, i)
		case "":
			return nil, fmt.Errorf("exchange: producer %d has no address", i)
		default:
			n.remote++
		}
	}
	for j, at := range p.Consumers {
		if at == p.Self {
			n.consumers = append(n.consumers, j)
		} else {
			n.away = append(n.away, j)
		}
	}
	switch {
	case len(n.here) == 0 && len(n.consumers) == 0:
		return nil, fmt.Errorf("exchange: process %q is neither among the producers %q nor among the consumers %q of %q", p.Self, p.Producers, p.Consumers, p.Name)
	case p.Node == nil && n.spread():
		return nil, errors.New("exchange: Processes names other processes, and has no Node")
	case len(n.here) > 0 && len(n.away) > 0 && p.Node.Server() == nil:
		return nil, fmt.Errorf("exchange: consumers %v are in other processes, and the Node does not listen", n.away)
	}
	if n.spread() {
		for i, at := range p.Producers {
			if err := p.Node.Client().CheckAddress(at); err != nil {
				return nil, fmt.Errorf("exchange: producer %d: %w", i, err)
			}
		}
	}
	return n, nil
}

// spread reports whether something of the exchange goes to or comes from other processes.
func (n *network) spread() bool {
	return len(n.here) > 0 && len(n.away) > 0 || n.incoming() > 0
}

// incoming returns how many channels come from other processes.
func (n *network) incoming() int64 { return int64(n.remote) * int64(len(n.consumers)) }

// producers returns how many producers of c are in this process.
func (n *network) producers(c *Config) int {
	if n.Processes == nil {
		return c.Producers
	}
	return len(n.here)
}

// has reports whether producer i is in this process.
func (n *network) has(i int) bool { return n.Processes == nil || n.Producers[i] == n.Self }

// id is what the partition of producer i is published under.
func (n *network) id(i int) string { return n.Name + "/" + strconv.Itoa(i) }

// isHere reports whether consumer j is read in this process.
func (n *network) isHere(j int) bool { return n.Processes == nil || n.Consumers[j] == n.Self }

// publish makes the partitions of this process readable for the others.
func (x *Exchange) publish() error {
	n := x.network
	if n.Processes == nil || n.Node == nil {
		return nil
	}
	n.forget = n.Node.Registry().Elsewhere(n.elsewhere)
	if len(n.away) == 0 {
		return nil
	}
	readers := make(map[int]string, len(n.away))
	for _, j := range n.away {
		readers[j] = n.Consumers[j]
	}
	for _, i := range n.here {
		pub, err := n.Node.Registry().PublishTo(n.id(i), x.partitions[i], readers)
		if err != nil {
			return fmt.Errorf("exchange: producer %d: %w", i, err)
		}
		n.publications = append(n.publications, pub)
	}
	return nil
}

// elsewhere returns the process of a producer that is not here, by what its partition is published under; nothing if it is no producer of this exchange, or here.
func (n *network) elsewhere(id string) string {
	number, ok := strings.CutPrefix(id, n.Name+"/")
	i, err := strconv.Atoi(number)
	if !ok || err != nil || i < 0 || i >= len(n.Producers) || n.id(i) != id || n.has(i) {
		return ""
	}
	return n.Producers[i]
}

// receive takes the memory for what comes from other processes.
func (x *Exchange) receive(whole *memory.Share, p plan) (err error) {
	if p.receive == 0 {
		return nil
	}
	if x.network.events, err = whole.SplitReserve(p.eventRoom()); err != nil {
		return err
	}
	most := x.config.ChannelBytes
	if most == 0 {
		most = underWay(x.network.incoming())
	}
	x.network.budget, err = transport.SplitBudget(whole, transport.BudgetConfig{Bytes: p.receive, MaxBytes: p.most, Channels: int(p.incoming), ExclusiveBytes: p.exclusive, ChannelBytes: most, EventBytes: int(p.events)})
	return err
}

// source returns the channel of a producer to a consumer that is read here. REQUIRES: mu held.
func (x *Exchange) source(i, j int) (gate.Source, error) {
	if p := x.partitions[i]; p != nil {
		return p.Subpartition(j), nil
	}
	n := x.network
	if ch := n.channels[[2]int{i, j}]; ch != nil {
		return ch, nil
	}
	ch, err := n.Node.Client().Channel(transport.ChannelConfig{
		Address: n.Producers[i], Partition: n.id(i), Subpartition: j,
		Topology: selector.Topology{Producers: x.config.Producers, Consumers: x.config.Consumers, Producer: i, MaxParallelism: x.config.MaxParallelism},
		Reader:   n.Self,
		Budget:   n.budget, Contract: x.contract, Peers: &n.agreement,
	})
	if err != nil {
		return nil, fmt.Errorf("exchange: channel of producer %d to consumer %d: %w", i, j, err)
	}
	n.channels[[2]int{i, j}] = ch
	return ch, nil
}

// errNoTime is what readers in other processes are told that have not got everything when the context of Close ends.
var errNoTime = fmt.Errorf("%w: the producer did not wait any longer: the context of its Exchange.Close ended before everything was sent", transport.ErrClosed)

// drain waits until other processes have got everything from this one, and know that this one has got everything from them. If ctx is done before, they lose what they read with canceled, if the exchange was. A second call returns what the first one has. REQUIRES: all writers and readers are closed.
func (x *Exchange) drain(ctx context.Context, canceled error) (errs []error) {
	n := x.network
	if n.drained {
		return n.undone // nothing can be done about it any more
	}
	for key, ch := range x.incoming() {
		if ch.Discard() {
			errs = append(errs, fmt.Errorf("exchange: consumer %d was never read, records of producer %d are dropped", key[1], key[0]))
		}
	}
	for _, p := range n.publications {
		cause := canceled
		if err := p.Wait(ctx); err != nil {
			errs = append(errs, fmt.Errorf("exchange: %w", err))
			if cause == nil && ctx.Err() != nil { // nothing to those who have everything, or are told more already
				cause = errNoTime
			}
		}
		p.WithdrawWithError(cause)
	}
	for _, ch := range x.incoming() {
		if err := ch.Wait(ctx); err != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			errs = append(errs, fmt.Errorf("exchange: %w", err)) // other errors were the reader's
		}
	}
	n.leave()
	n.publications = nil
	n.drained, n.undone = true, errs
	x.mu.Lock()
	clear(n.channels)
	x.mu.Unlock()
	return errs
}

// leave gives back what the exchange has for other processes beside its partitions and channels.
func (n *network) leave() {
	if n.budget != nil {
		n.budget.Close()
	}
	if n.events != nil {
		n.events.Close()
	}
	if n.forget != nil {
		n.forget()
	}
}

// incoming returns the channels from other processes, by producer and consumer.
func (x *Exchange) incoming() map[[2]int]*transport.Channel {
	x.mu.Lock()
	defer x.mu.Unlock()
	return maps.Clone(x.network.channels)
}
