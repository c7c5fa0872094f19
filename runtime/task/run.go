package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Config configures [Graph.Run]. The zero Config is ready. It is copied.
type Config struct {
	// Memory is a budget that this graph shares with others, and with exchanges: memory.NewPool makes one. Run takes guarantees from it, those of all edges together, and gives everything back; the pool stays open. It fails with
	// memory.ErrInsufficient if they are not to be had, which is also memory.ErrBusy if others must give back first; see Wait. Nil: the graph has a budget of its own.
	Memory *memory.Pool
	// MemoryBytes bounds the memory for records on their way on all edges together, in bytes. Zero means exchange.DefaultMemoryBytes. Less than [Graph.LeastMemory] is refused.
	//
	// With Memory it is how much of the pool the guarantees of the edges and their room for large records are dealt from: zero means an eighth of the pool, or LeastMemory if that is more; more than the pool has means all of it. Above what it
	// is guaranteed, each edge takes what of the whole pool is guaranteed to nobody.
	//
	// It bounds records too: without LargeBytes in [WithExchange], the largest record of an edge has about 1 KiB and a quarter of an equal part of what MemoryBytes is above LeastMemory.
	MemoryBytes int64
	// Wait makes Run wait, until its context is done, where it would fail with memory.ErrBusy: until others have given back what they hold above their guarantees.
	Wait bool
	// Quiet is how long nothing may move before OnStall is called: no record written or read, no instance ended. Zero: the graph is not watched.
	Quiet time.Duration
	// OnStall is called with a report when nothing has moved for Quiet, once until something moves again. What is read with [Edge.Reader] is seen to move a block at a time. If it returns an error, the graph fails with it. It is called by a goroutine
	// of Run, which waits for it. Nil: nothing is watched.
	OnStall func(Report) error
}

// run is a graph that runs.
type run struct {
	stages    []*Stage
	links     []*link
	config    Config
	outer     context.Context // of Run
	ctx       context.Context // of all instances: outer, or a failure
	cancel    context.CancelCauseFunc
	pool      *memory.Pool // of its own; nil: Config.Memory is used
	demand    *demand
	instances []*Instance
	failed    atomic.Bool
}

// Run makes the writers and readers of all edges, starts all instances, and waits until they have returned. The graph can be run once; if nothing was started, for example because memory does not suffice yet, it can be run again.
//
// It returns nil if all functions have returned nil and read everything, or have stopped early, and otherwise the first error: a [StageError], that of ctx, or that of Config.OnStall. If the graph is faulty
// or memory does not suffice, nothing was started.
func (g *Graph) Run(ctx context.Context, c Config) error {
	if err := g.Check(); err != nil {
		return err
	}
	if c.MemoryBytes < 0 || c.Quiet < 0 {
		return fmt.Errorf("task: %d bytes of memory and %v of quiet: none can be negative", c.MemoryBytes, c.Quiet)
	}
	switch {
	case c.MemoryBytes > 0:
	case c.Memory != nil:
		c.MemoryBytes = max(c.Memory.Stats().Limit/sharedPart, g.LeastMemory())
	default:
		c.MemoryBytes = exchange.DefaultMemoryBytes
	}
	if c.Memory != nil {
		c.MemoryBytes = min(c.MemoryBytes, c.Memory.Stats().Limit)
	}
	r := &run{stages: slices.Clone(g.stages), links: slices.Clone(g.links), config: c, outer: ctx}
	g.mu.Lock()
	used := g.used
	g.used = true
	g.mu.Unlock()
	if used {
		return ErrUsed
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	r.demand = newDemand(r.ctx, r.stages)
	defer r.demand.close()
	started := false
	defer func() {
		if !started {
			g.mu.Lock()
			g.used = false
			g.mu.Unlock()
		}
	}()
	if err := r.prepare(); err != nil {
		return err
	}
	started = true
	g.mu.Lock()
	g.run = r
	g.mu.Unlock()

	var instances, watch sync.WaitGroup
	done := make(chan struct{})
	watch.Go(func() { r.cancelAll(done) })
	watch.Go(func() { r.watch(done) })
	for _, in := range r.instances {
		instances.Go(func() { in.main(in.demand.ctx) })
	}
	instances.Wait()
	close(done)
	watch.Wait()
	return r.result(ctx)
}

// result closes the exchanges and returns what Run returns.
func (r *run) result(ctx context.Context) error {
	closing := r.close()
	if !r.failed.Load() {
		return closing
	}
	cause := context.Cause(r.ctx)
	if ctx.Err() != nil && errors.Is(cause, context.Cause(ctx)) {
		cause = fmt.Errorf("task: %w", buffer.Interrupted(ctx))
	}
	if errors.Is(closing, memory.ErrInUse) {
		return errors.Join(cause, closing)
	}
	return cause
}

// fail makes err the error of the graph, unless there is one, and cancels the rest.
func (r *run) fail(err error) {
	r.failed.Store(true)
	r.cancel(err)
}

// halted reports whether Run's context is done or an instance has failed.
func (r *run) halted() bool { return r.outer.Err() != nil || r.ctx.Err() != nil }

// prepare makes everything that instances need, or nothing.
func (r *run) prepare() (err error) {
	err = ErrGoexit // of a constructor
	defer func() {
		if err != nil {
			err = errors.Join(err, r.abandon(err))
		}
	}()
	return r.open()
}

// open makes everything that instances need. The guarantees of all edges are asked for at once: graphs that start at the same time must not stand in each other's way with half of what they need.
func (r *run) open() error {
	for _, l := range r.links {
		l.exchange, l.outputs, l.members, l.inputs = nil, nil, nil, nil
		l.reset()
	}
	configs, err := budget(r.links, r.config.MemoryBytes)
	if err != nil {
		return err
	}
	pool := r.config.Memory
	if pool == nil {
		if pool, err = memory.NewPool(r.config.MemoryBytes); err != nil {
			return fmt.Errorf("task: %w", err)
		}
		r.pool = pool
	}
	var need int64
	for i, l := range r.links {
		configs[i].Memory = pool
		bytes, err := configs[i].Guarantee()
		if err != nil {
			return fmt.Errorf("task: edge %q: %w", l.name, err)
		}
		need += bytes
	}
	whole, err := r.guarantee(pool, need)
	if err != nil {
		return fmt.Errorf("task: the guarantees of %d edges: %w", len(r.links), err)
	}
	defer whole.Close() // when it is divided
	for i, l := range r.links {
		if err := l.open(whole, configs[i], r.demand.stages[l.from]); err != nil {
			return fmt.Errorf("task: edge %q: %w", l.name, err)
		}
	}
	for _, s := range r.stages {
		for i := range s.instances {
			in := &Instance{stage: s, index: i, run: r, demand: r.demand.stages[s], now: newNoWait(), watermark: eventtime.None, due: eventtime.None, passed: eventtime.None}
			for _, l := range s.outputs {
				in.outputs, in.members = append(in.outputs, l.outputs[i]), append(in.members, l.members[i])
			}
			for _, l := range s.inputs {
				l.inputs[i].own(in)
				in.inputs = append(in.inputs, l.inputs[i])
			}
			if _, err := writer.NewDelegate(in.members...); err != nil {
				return fmt.Errorf("task: %s: %w", in, err)
			}
			r.instances = append(r.instances, in)
		}
	}
	return nil
}

func (r *run) guarantee(pool *memory.Pool, bytes int64) (*memory.Share, error) {
	if r.config.Wait {
		return pool.WaitShare(r.ctx, bytes, bytes, nil)
	}
	return pool.NewShare(bytes, bytes, nil)
}

// open makes the exchange of an edge with all its writers and readers.
func (l *link) open(whole *memory.Share, c exchange.Config, needed *stageDemand) (err error) {
	if l.exchange, err = exchange.Split(whole, c); err != nil {
		return err
	}
	for i := range l.from.instances {
		out := &output{Output: l.exchange.Partition(i), link: l, index: i, needed: needed}
		var w writer.Member
		err := guard(func() (err error) { w, err = l.newWriter(i, out); return })
		if err != nil {
			return fmt.Errorf("the writer of %s: %w", label(l.from.name, i), err)
		}
		if len(l.from.inputs) > 0 && !l.options.ownTimes {
			w.Core().IgnoreEventTimes() // watermarks are those of the inputs
		}
		l.outputs, l.members = append(l.outputs, out), append(l.members, w)
	}
	for i := range l.to.instances {
		var s input
		err := guard(func() (err error) { s, err = l.newReader(i, l.exchange.Gate(i)); return })
		if err != nil {
			return fmt.Errorf("the reader of %s: %w", label(l.to.name, i), err)
		}
		l.inputs = append(l.inputs, s)
	}
	return nil
}

// abandon closes what open has made before it failed.
func (r *run) abandon(cause error) error {
	var steps []func()
	for _, l := range r.links {
		if l.exchange == nil {
			continue
		}
		for _, w := range l.members {
			steps = append(steps, func() { _ = w.Core().CloseWithError(cause) }) // nothing was written
		}
		for _, s := range l.inputs {
			steps = append(steps, func() { s.close(cause) })
		}
		steps = append(steps, func() { _ = l.exchange.Abort(cause) }) // and what is not in these lists, because its constructor has failed
	}
	inTurn(func(error) {}, steps...) // cause is what the caller has to know
	if err := r.close(); errors.Is(err, memory.ErrInUse) {
		return err
	}
	return nil // what was not made cannot be closed
}

// close closes the exchanges, whose writers and readers are closed, and gives the memory back.
func (r *run) close() error {
	now, cancel := context.WithCancel(context.Background())
	cancel() // there is nothing to wait for
	var errs []error
	for _, l := range r.links {
		if l.exchange != nil {
			if err := l.exchange.Close(now); err != nil {
				errs = append(errs, fmt.Errorf("task: edge %q: %w", l.name, err))
			}
		}
	}
	if r.pool != nil {
		if err := r.pool.Close(); err != nil {
			errs = append(errs, fmt.Errorf("task: %w", err))
		}
	}
	return errors.Join(errs...)
}
