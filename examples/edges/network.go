package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// The edges, by index.
const (
	balances = iota
	audit
	alerts
	edgeCount
)

// edge describes an output edge of the task.
type edge struct {
	name      string
	consumers int
	room      int64 // bytes that may be under way to one consumer; 0: the default of exchanges
	options   []writer.Option
}

// edges returns the edges of the task. Each call makes new selectors, since a selector serves one writer.
func edges() [edgeCount]edge {
	byCard := selector.Key(func(e *Entry) uint64 { return selector.HashString(e.Card) })
	return [edgeCount]edge{
		// The default policy: what is written is readable as soon as a worker has nothing else to do.
		balances: {"balances", 4, 0, []writer.Option{writer.WithSelector(byCard)}},
		// What waits for an auditor waits long anyhow. It is capped, so that it does not fill the memory that the others could use.
		audit: {"audit", 2, 64 << 10, []writer.Option{writer.WithSelector(selector.LeastLoaded[Entry]()), writer.WithSeed(1), writer.FlushOnFull()}},
		// Few, and urgent.
		alerts: {"alerts", 3, 0, []writer.Option{writer.WithSelector(selector.Broadcast[Entry]()), writer.FlushEveryRecord()}},
	}
}

// network is an exchange for each edge, all with one budget.
type network struct {
	pool      *memory.Pool
	edges     [edgeCount]edge
	exchanges []*exchange.Exchange // one for each edge
	counters  metrics.Registry     // of the writers, by the names of the edges
}

// newNetwork returns a network with a budget of so many bytes.
func newNetwork(bytes int64) (*network, error) {
	pool, err := memory.NewPool(bytes)
	if err != nil {
		return nil, err
	}
	n := &network{pool: pool, edges: edges()}
	for _, e := range n.edges {
		x, err := exchange.New(exchange.Config{Producers: 1, Consumers: e.consumers, Memory: pool, ChannelBytes: e.room})
		if err != nil {
			_ = n.close(context.Background()) // there are no writers or readers to wait for, and nothing to lose
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		n.exchanges = append(n.exchanges, x)
	}
	return n, nil
}

// writers returns the writers of the edges, and what does to all of them what a task does to all.
func (n *network) writers() ([]*EntryWriter, *writer.Delegate, error) {
	var all []writer.Edge
	for i, e := range n.edges {
		all = append(all, writer.Edge{
			Output:  n.exchanges[i].Partition(0),
			Options: append([]writer.Option{writer.WithName(e.name), writer.WithMetrics(&n.counters)}, e.options...),
		})
	}
	return writer.Build(all, NewEntryWriter)
}

// oneMore tries to add an exchange that wants to be guaranteed, for blocks, all that is guaranteed to nobody yet. Since every exchange needs room for large
// records as well, that does not fit; the error says by how much.
func (n *network) oneMore() error {
	s := n.pool.Stats()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 8, Memory: n.pool, GuaranteedBytes: s.Limit - s.Guaranteed})
	if err != nil {
		return err
	}
	return errors.Join(errors.New("there was room for one more exchange"), x.Close(context.Background()))
}

// close closes the exchanges, and the pool after them, when all writers and readers are closed.
func (n *network) close(ctx context.Context) error {
	var errs []error
	for i, x := range n.exchanges {
		if err := x.Close(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", n.edges[i].name, err))
		}
	}
	return errors.Join(append(errs, n.pool.Close())...)
}
