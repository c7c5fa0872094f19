package transport

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// Registry holds the partitions that a process has published, by id. Any number of servers may have one. Its methods may be called from any goroutine. A zero Registry is empty.
type Registry struct {
	mu        sync.Mutex
	published map[string]*Publication
	elsewhere []*func(id string) (process string)
	waiting   map[string]map[*request]struct{} // OPENs for what is not published, by id
	patience  time.Duration                    // the longest of those of its servers; 0: it has had none
	refused   refusal                          // of a connection, the last one
}

// Publication is a partition that was published. Its methods may be called from any goroutine.
type Publication struct {
	registry    *Registry
	id          string
	partition   *partition.Partition
	incarnation message.Incarnation
	offered     []int
	readers     map[int]string // by subpartition, what is known of them
	since       time.Time      // when it was published, or got its first server if that is later; guarded by Registry.mu

	done chan struct{} // closed when nothing is left of pending, and by Withdraw

	mu        sync.Mutex
	pending   int
	outlets   map[int]*outlet // by subpartition, those that have, or had, a reader in another process
	errs      []error
	withdrawn bool
	waiting   *time.Timer        // for those of which nobody has asked for yet; nil: there is no server
	refused   map[int]refusal    // by subpartition, the last one of each; those that have no outlet
	refusedBy map[string]refusal // by process, the last one of each that readers has
	missing   map[int]error      // by subpartition: nobody has asked for it in time
}

// Publish makes subpartitions of p readable for other processes under id, each for one; without any it is all of them. The others are for readers of this process. It fails if something is published under id already, or if the id is not 1 to 255 bytes of UTF-8. p stays the caller's,
// who calls Withdraw, and keeps it until then. A subpartition that nobody asks for within Config.ReaderPatience of a server, from when there is one, fails the producer with [ErrPeerLost], which says why the last one was refused who has asked.
func (r *Registry) Publish(id string, p *partition.Partition, subpartitions ...int) (*Publication, error) {
	return r.publish(id, p, subpartitions, nil)
}

// PublishTo is Publish of the subpartitions that readers has, each for the process that it names: one whose ChannelConfig.Reader is another name is refused with [ErrTopology]. An empty name stands for any process. readers is copied; it may not be empty.
func (r *Registry) PublishTo(id string, p *partition.Partition, readers map[int]string) (*Publication, error) {
	if len(readers) == 0 {
		return nil, fmt.Errorf("transport: %q is published to nobody", id)
	}
	return r.publish(id, p, slices.Collect(maps.Keys(readers)), maps.Clone(readers))
}

func (r *Registry) publish(id string, p *partition.Partition, subpartitions []int, readers map[int]string) (*Publication, error) {
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
		registry: r, id: id, partition: p, incarnation: newIncarnation(), offered: offered, readers: readers, since: time.Now(), pending: len(offered), done: make(chan struct{}),
		outlets: make(map[int]*outlet), refused: make(map[int]refusal), refusedBy: make(map[string]refusal), missing: make(map[int]error),
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
	pub.await(r.patience)
	for w := range r.waiting[id] {
		w.notice()
	}
	return pub, nil
}

// Elsewhere makes servers refuse at once who asks here for a partition that another process publishes, instead of waiting until it is published: process returns the name of that process, and nothing for ids that it knows nothing of. It is called from any goroutine and must not wait. forget ends that.
func (r *Registry) Elsewhere(process func(id string) string) (forget func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &process // functions cannot be compared
	r.elsewhere = append(r.elsewhere, p)
	for id, all := range r.waiting {
		if process(id) == "" {
			continue
		}
		for w := range all {
			w.notice()
		}
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.elsewhere = slices.DeleteFunc(r.elsewhere, func(q *func(string) string) bool { return q == p })
	}
}

// newIncarnation returns 128 random bits.
func newIncarnation() (i message.Incarnation) {
	_, _ = rand.Read(i[:]) // never fails
	return i
}

// find returns what is published under id, or the process in which it is known to be; neither if nothing is known of it.
func (r *Registry) find(id string) (_ *Publication, elsewhere string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.look(id)
}

// look is find. REQUIRES: mu held.
func (r *Registry) look(id string) (_ *Publication, elsewhere string) {
	if p := r.published[id]; p != nil {
		return p, ""
	}
	for _, process := range r.elsewhere {
		if at := (*process)(id); at != "" {
			return nil, at
		}
	}
	return nil, ""
}

// await is find for what w asks for. If nothing is known of it, w waits: it is noticed when that changes, until forget. One that resumes does not: what was there does not come again.
func (r *Registry) await(w *request) (_ *Publication, elsewhere string, waits bool) {
	id := w.open.Partition
	r.mu.Lock()
	defer r.mu.Unlock()
	p, elsewhere := r.look(id)
	if p != nil || elsewhere != "" || w.open.Resume {
		return p, elsewhere, false
	}
	if r.waiting == nil {
		r.waiting = make(map[string]map[*request]struct{})
	}
	if r.waiting[id] == nil {
		r.waiting[id] = make(map[*request]struct{})
	}
	r.waiting[id][w] = struct{}{}
	return nil, "", true
}

// forget ends await.
func (r *Registry) forget(w *request) {
	id := w.open.Partition
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting[id], w)
	if len(r.waiting[id]) == 0 {
		delete(r.waiting, id)
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
			return fmt.Errorf("transport: %w: %w", p.stall(), context.Cause(ctx))
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
func (p *Publication) Withdraw() { p.WithdrawWithError(nil) }

// WithdrawWithError is Withdraw; the other processes are told cause instead, unless it is nil.
func (p *Publication) WithdrawWithError(cause error) {
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
	if p.waiting != nil {
		p.waiting.Stop()
	}
	if p.pending > 0 {
		close(p.done)
	}
	outlets := make([]*outlet, 0, len(p.outlets))
	for _, o := range p.outlets {
		outlets = append(outlets, o)
	}
	p.mu.Unlock()
	for _, o := range outlets {
		o.session.withdraw(o, cause)
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
