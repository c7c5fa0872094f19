package tape

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// ReplayConfig configures a [Replay].
type ReplayConfig struct {
	// Tapes are those of the producers of one edge, in the order of their numbers, or some of them: they become producers 0, 1, … of the replay. At least one. They must
	// have the same number of consumers. Their schemas may differ, as long as the readers can read them all. They stay the caller's.
	Tapes []*Tape
	// Read returns the options for reading tape i. Nil: everything is read.
	Read func(i int) []ReadOption
	// Writer are options for the writers that feed the edge, for example a flush policy.
	Writer []writer.Option
	// Exchange bounds memory and records. Producers and Consumers are set by the tapes.
	Exchange exchange.Config
}

// Replay is an edge whose producers are tapes. Readers are made from its gates as from those of an exchange.
//
// One goroutine for each tape runs from [NewReplay] until it was fed, or until [Replay.Close].
type Replay struct {
	exchange *exchange.Exchange
	cancel   context.CancelCauseFunc
	wg       sync.WaitGroup
	feeders  []*Feeder // by tape
	errs     []error   // by tape; after wg.Wait
}

// NewReplay starts to feed an edge from tapes. Canceling ctx fails its readers. It fails with selector.ErrTopology and partition.ErrSchema if the tapes do not fit together, with [ErrPosition] if reading is to begin at a
// place that there is not and the tape has an index that tells (without one, readers get the error), and as exchange.New does. A replay must be closed.
func NewReplay(ctx context.Context, c ReplayConfig) (*Replay, error) {
	if len(c.Tapes) == 0 {
		return nil, fmt.Errorf("tape: no tapes: %w", selector.ErrTopology)
	}
	x := c.Exchange
	x.Producers, x.Consumers = len(c.Tapes), c.Tapes[0].header.Topology.Consumers
	e, err := exchange.New(x)
	if err != nil {
		return nil, fmt.Errorf("tape: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r := &Replay{exchange: e, cancel: cancel, errs: make([]error, len(c.Tapes))}
	feeders := make([]*Feeder, 0, len(c.Tapes))
	for i, t := range c.Tapes {
		var opts []ReadOption
		if c.Read != nil {
			opts = c.Read(i)
		}
		f, err := NewFeeder(t, e.Partition(i), c.Writer, opts...)
		if err != nil {
			err = fmt.Errorf("tape %d: %w", i, err)
			cancel(err)
			for _, f := range feeders {
				_ = f.Run(ctx) // it closes the output
			}
			_ = e.Close(ctx) // nobody reads
			return nil, err
		}
		feeders = append(feeders, f)
	}
	r.feeders = feeders
	for i, f := range feeders {
		r.wg.Go(func() { r.errs[i] = f.Run(ctx) })
	}
	return r, nil
}

// Gate returns a gate over all channels of one or more consumers. See exchange.Exchange.Gate. Consumers that are not read need no gate if their records are not fed ([Lanes]); else they hold up the others.
//
// Readers number records as the tapes do, in their Last and everywhere: so From(o.Channel, o.Seq+1) begins behind the record that came from o, for the tape o.Producer, in this replay and in every later one,
// wherever this one has begun and whatever was lost on the way.
func (r *Replay) Gate(consumers ...int) *gate.Gate {
	g := r.exchange.Gate(consumers...)
	g.Number(func(producer, channel int, fed uint64) uint64 { return r.feeders[producer].Record(channel, fed) })
	return g
}

// Stats returns a snapshot of the edge.
func (r *Replay) Stats() exchange.Stats { return r.exchange.Stats() }

// Close stops feeding and frees everything. Readers must be closed before; it waits for them, at most until ctx ends. It returns the errors of the tapes, which readers have seen as those of their producers, unless feeding was
// stopped by it.
func (r *Replay) Close(ctx context.Context) error {
	r.cancel(errStopped)
	r.wg.Wait()
	var errs []error
	for i, err := range r.errs {
		if err != nil && !errors.Is(err, errStopped) {
			errs = append(errs, fmt.Errorf("tape %d: %w", i, err))
		}
	}
	return errors.Join(append(errs, r.exchange.Close(ctx))...)
}

// errStopped is why feeding ends when a replay is closed.
var errStopped = errors.New("tape: the replay was closed")
