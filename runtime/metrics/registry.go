package metrics

import (
	"slices"
	"strings"
	"sync"
)

// Registry collects the counters of writers that were made with it, so that an exporter can ask for all of them in one place. Writers of
// one name count together, also after they were closed: sums never go back. The zero Registry is ready. It may be used from any goroutine.
type Registry struct {
	mu     sync.Mutex
	open   []*source
	closed []Writer // by name: what closed writers counted
}

type source struct{ stats func() Writer }

// Add adds a writer. stats is called for every snapshot, from any goroutine, and once more by the returned function, which ends the
// connection and keeps what the writer counted, but for what is queued. Further calls of that function do nothing. For implementations of writers; users pass the registry as an option.
func (r *Registry) Add(stats func() Writer) (remove func()) {
	s := &source{stats}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = append(r.open, s)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if i := slices.Index(r.open, s); i >= 0 {
			r.open = slices.Delete(r.open, i, i+1)
			last := s.stats()
			for i := range last.Channels {
				last.Channels[i].Queued = 0 // what readers have not read yet is nobody's any more
			}
			r.closed = sum(r.closed, last)
		}
	}
}

// Writers returns the sums over all writers of each name, closed ones included, in the order of the names. The caller owns the result.
func (r *Registry) Writers() []Writer {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]Writer, 0, len(r.closed)+len(r.open))
	for _, w := range r.closed {
		w.Channels = slices.Clone(w.Channels)
		all = append(all, w)
	}
	for _, s := range r.open {
		all = sum(all, s.stats())
	}
	slices.SortFunc(all, func(a, b Writer) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Writer returns the sums over all writers of one name, and whether there was one.
func (r *Registry) Writer(name string) (Writer, bool) {
	all := r.Writers()
	i := slices.IndexFunc(all, func(w Writer) bool { return w.Name == name })
	if i < 0 {
		return Writer{}, false
	}
	return all[i], true
}

// sum adds w to the element of its name, or as a new one. What w refers to belongs to all afterwards.
func sum(all []Writer, w Writer) []Writer {
	i := slices.IndexFunc(all, func(o Writer) bool { return o.Name == w.Name })
	if i < 0 {
		return append(all, w)
	}
	o := &all[i]
	o.Records += w.Records
	o.Bytes += w.Bytes
	o.Blocks += w.Blocks
	o.Refused += w.Refused
	o.Blocked += w.Blocked
	for cause := range o.Flushes {
		o.Flushes[cause] += w.Flushes[cause]
	}
	for len(o.Channels) < len(w.Channels) {
		o.Channels = append(o.Channels, Channel{})
	}
	for k := range w.Channels {
		o.Channels[k].add(&w.Channels[k])
	}
	return all
}

func (c *Channel) add(o *Channel) {
	c.Records += o.Records
	c.Bytes += o.Bytes
	c.Blocks += o.Blocks
	c.Refused += o.Refused
	for cause := range c.Flushes {
		c.Flushes[cause] += o.Flushes[cause]
	}
	c.Queued += o.Queued
	c.Dropped += o.Dropped
}
