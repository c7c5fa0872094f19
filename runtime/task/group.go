package task

import (
	"context"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Group runs n producers and m workers with one exchange between them: a graph of two stages in the form of an errgroup. It is made by [NewGroup] and used by one goroutine.
//
//	g := task.NewGroup(exchange.Config{Producers: 2, Consumers: 4}, NewFlightByOriginWriter, NewFlightReader)
//	g.Produce(func(ctx context.Context, i int, w *FlightByOriginWriter) error { … })
//	g.Work(func(ctx context.Context, i int, r *FlightReader) error { … })
//	err := g.Wait(ctx)
type Group[W writer.Member, R Reader[T], T any] struct {
	graph  *Graph
	edge   *Edge[W, R, T]
	config Config
}

// NewGroup returns a group of c.Producers producers and c.Consumers workers. c.Memory and c.MemoryBytes are the budget, as in [Config]; the rest of c is as in exchanges. newWriter and newReader
// are as in [Connect]. Nothing is started before Wait.
func NewGroup[W writer.Member, R Reader[T], T any](
	c exchange.Config,
	newWriter func(writer.Output, ...writer.Option) (W, error),
	newReader func(*gate.Gate, ...gate.Option) (R, error),
	opts ...EdgeOption,
) *Group[W, R, T] {
	g := NewGraph()
	from, to := g.Stage("producers", c.Producers), g.Stage("workers", c.Consumers)
	edge := Connect(from, to, newWriter, newReader, append([]EdgeOption{WithExchange(c)}, opts...)...)
	return &Group[W, R, T]{graph: g, edge: edge, config: Config{Memory: c.Memory, MemoryBytes: c.MemoryBytes}}
}

// Produce sets the function of the producers, of which i is the index. The writer is closed when it returns, with its error if there is one.
func (g *Group[W, R, T]) Produce(f func(ctx context.Context, i int, w W) error) {
	g.edge.link.from.Do(func(ctx context.Context, in *Instance) error { return f(ctx, in.index, g.edge.Writer(in)) })
}

// Work sets the function of the workers, of which i is the index. It must read to the end, or return [ErrStop]; the reader is closed when it returns.
func (g *Group[W, R, T]) Work(f func(ctx context.Context, i int, r R) error) {
	g.edge.link.to.Do(func(ctx context.Context, in *Instance) error { return f(ctx, in.index, g.edge.Reader(in)) })
}

// Wait runs all of them, and returns when all have returned: the first error, or nil. It is [Graph.Run], and can be called once.
func (g *Group[W, R, T]) Wait(ctx context.Context) error {
	return g.graph.Run(ctx, g.config)
}
