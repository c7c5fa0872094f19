package gate

import (
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
)

// Source is a channel that a gate can read.
type Source interface {
	// View makes in the inbox of the channel's one reader.
	View(in *partition.Inbox) (*partition.View, error)
	// Reserve keeps the channel for a reader that is being made, and fails like View; Unreserve undoes it. A reader of several channels that cannot have one of them must not
	// take the others away from their producers.
	Reserve() error
	Unreserve()
}

// Gate joins a set of channels for one reader. It may be used from any goroutine; the reader that it is given to may not.
type Gate struct {
	sources  []Source
	contract *partition.Contract
	limits   record.Limits
	name     string
	inbox    *partition.Inbox
	room     Room

	closed chan struct{}
	once   sync.Once

	mu       sync.Mutex
	claimed  bool
	after    Numbering
	canceled error // of Cancel
	core     *Core
}

// Config configures a [Gate].
type Config struct {
	// Sources are the channels to read, in the order of the reader's own numbers. At least one.
	Sources []Source
	// Contract is shared by all writers and readers of an exchange. Nil accepts every schema, and takes it for that of the reader.
	Contract *partition.Contract
	// Limits bound what the reader accepts. Zero fields mean their defaults.
	Limits record.Limits
	// Name is used in errors, for example "consumer 3".
	Name string
	// Room is the memory for records that arrive in pieces, because an output has cut them: at most one and a half times the size of each, counted in KiB. It is also that for a record of another schema, in
	// the reader's, from 8 KiB on: at most twice its size, and up to 64 KiB are kept for the next one. Nil: each is
	// bounded by Limits.MaxRecordBytes only.
	Room Room
}

// New returns a gate without a reader.
func New(c Config) (*Gate, error) {
	if len(c.Sources) == 0 {
		return nil, fmt.Errorf("gate: %s has no channels", c.Name)
	}
	return &Gate{
		sources:  c.Sources,
		contract: c.Contract,
		limits:   c.Limits.WithDefaults(),
		name:     c.Name,
		inbox:    partition.NewInbox(),
		room:     c.Room,
		closed:   make(chan struct{}),
	}, nil
}

// Channels returns the number of channels.
func (g *Gate) Channels() int { return len(g.sources) }

// Numbering says how records are numbered: how many of the records of a channel stand before the next one when so many have arrived in it. The next one has this number then. It is called by the reader's
// goroutine, with numbers that have arrived.
type Numbering func(producer, channel int, arrived uint64) uint64

// Number sets how the reader numbers records, in [Core.Last], in the origins of events and in errors: an edge that is fed from the middle of something, or with gaps, can go on with the numbers that records had
// there. Nil, as without it: they are numbered as they arrive, from 0. It has no effect when there is a reader already.
func (g *Gate) Number(f Numbering) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.after = f
}

// Cancel makes the reader's operations fail with err, which is not nil; only the first call's error counts. A gate without a reader never gets
// one, and counts as closed.
func (g *Gate) Cancel(err error) {
	g.inbox.Close(err)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.canceled == nil {
		g.canceled = err
	}
	if !g.claimed {
		g.claimed = true
		g.close()
	}
}

// cause returns why the gate was canceled, nil if it was not.
func (g *Gate) cause() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.canceled
}

// Abort closes the reader, if there is one that is not closed, with cause: for whoever has lost it, because its constructor has failed after it had claimed the gate, or its Close has panicked. Nobody may be using it.
func (g *Gate) Abort(cause error) {
	g.mu.Lock()
	c := g.core
	g.mu.Unlock()
	if c != nil {
		_ = c.CloseWithError(cause)
	}
}

// Closed is closed when the reader was closed.
func (g *Gate) Closed() <-chan struct{} { return g.closed }

// Claimed reports whether there is, or was, a reader.
func (g *Gate) Claimed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.claimed
}

// Stats returns the reader's counters, zero without a reader.
func (g *Gate) Stats() metrics.Reader {
	g.mu.Lock()
	c := g.core
	g.mu.Unlock()
	if c == nil {
		return metrics.Reader{}
	}
	return c.Stats()
}

func (g *Gate) close() { g.once.Do(func() { close(g.closed) }) }
