package transport

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// Registry holds the partitions that a process has published, by id. Any number of servers may have one. Its methods may be called from any goroutine. A zero Registry is empty.
type Registry struct {
	mu        sync.Mutex
	published map[string]*Publication
	changed   chan struct{} // closed when something is published; nil: nobody waits
}

// Publication is a partition that was published. Its methods may be called from any goroutine.
type Publication struct {
	registry    *Registry
	id          string
	partition   *partition.Partition
	incarnation message.Incarnation
	offered     []int

	done chan struct{} // closed when nothing is left of pending, and by Withdraw

	mu        sync.Mutex
	pending   int
	outlets   map[int]*outlet // by subpartition, those that have, or had, a reader in another process
	errs      []error
	withdrawn bool
}

// Publish makes subpartitions of p readable for other processes under id, each for one; without any it is all of them. The others are for readers of this process. It fails if something is published under id already, or if the id is not 1 to 255 bytes of UTF-8. p stays the caller's,
// who calls Withdraw, and keeps it until then.
func (r *Registry) Publish(id string, p *partition.Partition, subpartitions ...int) (*Publication, error) {
	if id == "" || len(id) > message.MaxName || !utf8.ValidString(id) {
		return nil, fmt.Errorf("transport: partition id %q: 1 to %d bytes of UTF-8 are needed", id, message.MaxName)
	}
	n := p.Topology().Consumers
	for _, s := range subpartitions {
		if s < 0 || s >= n {
			return nil, fmt.Errorf("transport: subpartition %d of %d of %q", s, n, id)
		}
	}
	if len(subpartitions) == 0 {
		for i := range n {
			subpartitions = append(subpartitions, i)
		}
	}
	offered := slices.Compact(slices.Sorted(slices.Values(subpartitions)))
	pub := &Publication{
		registry: r, id: id, partition: p, incarnation: newIncarnation(), offered: offered, pending: len(offered), done: make(chan struct{}), outlets: make(map[int]*outlet),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.published[id] != nil {
		return nil, fmt.Errorf("transport: %w: a partition is published as %q already", partition.ErrInUse, id)
	}
	if r.published == nil {
		r.published = make(map[string]*Publication)
	}
	r.published[id] = pub
	if r.changed != nil {
		close(r.changed)
		r.changed = nil
	}
	return pub, nil
}

// newIncarnation returns 128 random bits.
func newIncarnation() (i message.Incarnation) {
	_, _ = rand.Read(i[:]) // never fails
	return i
}

// find returns what is published under id, and waits for it until ctx is done.
func (r *Registry) find(ctx context.Context, id string) *Publication {
	for {
		r.mu.Lock()
		if p := r.published[id]; p != nil {
			r.mu.Unlock()
			return p
		}
		if r.changed == nil {
			r.changed = make(chan struct{})
		}
		changed := r.changed
		r.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// ID returns the id.
func (p *Publication) ID() string { return p.id }

// Wait returns when every subpartition that was published has been read to its end by another process, which has it all in its memory, or will not be: because its reader has left, or is lost. It returns the errors of the latter, and ctx's error if
// that is done before.
func (p *Publication) Wait(ctx context.Context) error {
	select {
	case <-p.done:
	default:
		select {
		case <-p.done:
		case <-ctx.Done():
			p.mu.Lock()
			defer p.mu.Unlock()
			return fmt.Errorf("transport: %d of %d subpartitions of %q were not read to the end: %w", p.pending, len(p.offered), p.id, context.Cause(ctx))
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending > 0 {
		return fmt.Errorf("transport: %q was withdrawn before %d of %d subpartitions were read: %w", p.id, p.pending, len(p.offered), ErrClosed)
	}
	return joinErrors(p.errs)
}

// Withdraw ends the publication: processes that read from it lose their channels with [ErrClosed], unless they have everything. A second call does nothing.
func (p *Publication) Withdraw() {
	p.registry.mu.Lock()
	if p.registry.published[p.id] == p {
		delete(p.registry.published, p.id)
	}
	p.registry.mu.Unlock()
	p.mu.Lock()
	if p.withdrawn {
		p.mu.Unlock()
		return
	}
	p.withdrawn = true
	if p.pending > 0 {
		close(p.done)
	}
	outlets := make([]*outlet, 0, len(p.outlets))
	for _, o := range p.outlets {
		outlets = append(outlets, o)
	}
	p.mu.Unlock()
	for _, o := range outlets {
		o.session.withdraw(o)
	}
}

// finished says that a subpartition was read to the end, or will not be because of err.
func (p *Publication) finished(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.errs = append(p.errs, err)
	}
	if p.pending--; p.pending == 0 && !p.withdrawn {
		close(p.done)
	}
}
