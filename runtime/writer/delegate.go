package writer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
)

// Member is a writer: any generated one, and [Writer] of any type.
type Member interface{ Core() *Core }

// Delegate is what a task with several output edges does to all of its writers together. One goroutine writes to all of them.
//
// It also links them: before one of the writers waits for memory, or its user is told to, everything written to the others is made readable, whatever their flush
// policies. Without that, two edges that meet again downstream could wait for each other. A writer belongs to one Delegate.
//
// A Delegate without writers is always available, and its other methods do nothing. All methods but Stats are for the goroutine of the writers.
type Delegate struct{ cores []*Core }

// NewDelegate links writers. It fails with [ErrInUse] if one of them belongs to a Delegate already, or is named twice.
func NewDelegate(writers ...Member) (*Delegate, error) {
	d := &Delegate{}
	for i, w := range writers {
		c := w.Core()
		if c.others != nil {
			d.unlink()
			return nil, fmt.Errorf("writer: %w: writer %d of %s belongs to a delegate", ErrInUse, i, c.spec.Record)
		}
		c.others = []*Core{} // taken, also if it stays the only one
		d.cores = append(d.cores, c)
	}
	for i, c := range d.cores {
		c.others = append(append(c.others, d.cores[:i]...), d.cores[i+1:]...)
	}
	return d, nil
}

func (d *Delegate) unlink() {
	for _, c := range d.cores {
		c.others = nil
	}
}

// Edge is one output edge of a task: where its writer writes to, and the options of that writer, which are its own: its selector, its flush policy, its name.
type Edge struct {
	Output  Output
	Options []Option
}

// Build makes one writer for each edge, in the order of the edges, and links them. construct is the constructor of a generated writer, or a function that calls one.
// If one of the writers cannot be made, those before it are closed with the error, which names the edge, by its index in edges and its name.
//
//	writers, task, err := writer.Build(edges, flights.NewFlightWriter)
func Build[W Member](edges []Edge, construct func(Output, ...Option) (W, error)) ([]W, *Delegate, error) {
	writers := make([]W, 0, len(edges))
	members := make([]Member, 0, len(edges))
	fail := func(err error) ([]W, *Delegate, error) {
		for _, m := range members {
			_ = m.Core().CloseWithError(err) // err is what the caller has to know
		}
		return nil, nil, err
	}
	for i, e := range edges {
		if e.Output == nil {
			return fail(edgeError(i, len(edges), gather(e.Options).name, errNoOutput))
		}
		w, err := construct(e.Output, e.Options...)
		if err != nil {
			return fail(edgeError(i, len(edges), gather(e.Options).name, err))
		}
		writers, members = append(writers, w), append(members, w)
	}
	d, err := NewDelegate(members...)
	if err != nil {
		return fail(err)
	}
	return writers, d, nil
}

var errNoOutput = errors.New("there is no output")

// Len returns the number of writers.
func (d *Delegate) Len() int { return len(d.cores) }

// Available reports whether every channel of every writer could take a small record without waiting.
func (d *Delegate) Available() bool { return d.unavailable() == nil }

func (d *Delegate) unavailable() *Core {
	for _, c := range d.cores {
		if !c.Available(-1) {
			return c
		}
	}
	return nil
}

// Ready returns a channel that is closed when the first writer that is not available has become so; it is closed already if all are. Others may not be available
// then: ask Available again. Everything written is made readable first.
func (d *Delegate) Ready() <-chan struct{} {
	if c := d.unavailable(); c != nil {
		return c.Ready(-1)
	}
	ready := make(chan struct{})
	close(ready)
	return ready
}

// Wait waits until all writers are available. It fails with ctx's error.
func (d *Delegate) Wait(ctx context.Context) error {
	for {
		c := d.unavailable()
		if c == nil {
			return nil
		}
		select {
		case <-c.Ready(-1):
		case <-ctx.Done():
			return edgeError(slices.Index(d.cores, c), len(d.cores), c.name, buffer.Interrupted(ctx))
		}
	}
}

// Flush flushes every writer, also when one fails, and returns all errors.
func (d *Delegate) Flush() error { return d.each((*Core).Flush) }

// Close closes every writer in order, also when one fails, and returns all errors.
func (d *Delegate) Close() error { return d.each((*Core).Close) }

// CloseWithError closes every writer with a cause, in order. A nil cause is Close.
func (d *Delegate) CloseWithError(cause error) error {
	return d.each(func(c *Core) error { return c.CloseWithError(cause) })
}

func (d *Delegate) each(f func(*Core) error) error {
	var errs []error
	for i, c := range d.cores {
		if err := f(c); err != nil {
			errs = append(errs, edgeError(i, len(d.cores), c.name, err))
		}
	}
	return errors.Join(errs...)
}

// edgeError says on which edge an error was, by number and name.
func edgeError(i, n int, name string, err error) error {
	if name == "" {
		return fmt.Errorf("writer: edge %d of %d: %w", i, n, err)
	}
	return fmt.Errorf("writer: edge %d of %d, %q: %w", i, n, name, err)
}

// Stats returns the counters of the writers in order. From any goroutine.
func (d *Delegate) Stats() []metrics.Writer {
	stats := make([]metrics.Writer, len(d.cores))
	for i, c := range d.cores {
		stats[i] = c.Stats()
	}
	return stats
}
