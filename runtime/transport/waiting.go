package transport

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rwgen/rwgen/runtime/partition"
)

// What a producer is told of readers that do not come: a subpartition that nobody asks for within the patience of the servers ends as if its reader had left, and the error says whom it was for and why the last one who has asked was refused. A refusal alone does not end it: whoever was refused may be
// a stray process, and not the one that is waited for.

// refusal is why somebody was not let in, or has not got a channel.
type refusal struct {
	name, address string
	reader        string // what the lists of the exchange call it, if it has said so; often its name
	at            time.Time
	err           error // nil: nobody was refused
}

// who returns the name, if it is known, and the address.
func (f refusal) who() string {
	if f.name == "" {
		return f.address
	}
	return fmt.Sprintf("%q (%s)", f.name, f.address)
}

// serve notes that a server with this patience lets others read what is published.
func (r *Registry) serve(patience time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if patience <= r.patience {
		return
	}
	first := r.patience == 0
	r.patience = patience
	for _, p := range r.published {
		if first { // nobody could ask before
			p.since = time.Now()
		}
		p.await(patience)
	}
}

// refuse notes that a connection was refused.
func (r *Registry) refuse(f refusal) {
	r.mu.Lock()
	r.refused = f
	r.mu.Unlock()
}

// lastRefusal returns the last connection that was refused.
func (r *Registry) lastRefusal() refusal {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refused
}

// await waits for readers until so long after they could ask first. Zero: there is no server yet. REQUIRES: Registry.mu held.
func (p *Publication) await(patience time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if patience == 0 || p.withdrawn {
		return
	}
	if p.waiting != nil {
		p.waiting.Stop()
	}
	p.waiting = time.AfterFunc(time.Until(p.since.Add(patience)), func() { p.expire(patience) })
}

// refuse notes why somebody has not got a subpartition.
func (p *Publication) refuse(sub int, f refusal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuseReader(f)
	if p.outlets[sub] == nil && slices.Contains(p.offered, sub) {
		p.refused[sub] = f
	}
}

// refuseReader notes why one that a subpartition is for has not got what it has asked for. REQUIRES: mu held.
func (p *Publication) refuseReader(f refusal) {
	who := cmp.Or(f.reader, f.name)
	for _, name := range p.readers {
		if name != "" && name == who {
			p.refusedBy[name] = f
			break
		}
	}
}

// misses notes that a process has asked for what is not published here: perhaps its lists differ, and it is waited for elsewhere.
func (r *Registry) misses(f refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.published {
		p.mu.Lock()
		p.refuseReader(f)
		p.mu.Unlock()
	}
}

// expire ends the subpartitions that nobody has asked for.
func (p *Publication) expire(patience time.Duration) {
	last := p.registry.lastRefusal()
	type end struct {
		view *partition.View
		err  error
	}
	var ends []end
	p.mu.Lock()
	for _, sub := range p.offered {
		if p.withdrawn || p.outlets[sub] != nil || p.missing[sub] != nil {
			continue
		}
		why := fmt.Errorf("%w: nobody has asked for it for %v (Config.ReaderPatience)", ErrPeerLost, patience)
		if f := p.refusal(sub, last); f.err != nil {
			why = fmt.Errorf("%w; %s was refused: %w", why, f.who(), f.err)
		} else if last.err != nil {
			why = fmt.Errorf("%w; the last connection that was refused is that of %s: %v", why, last.who(), last.err)
		}
		err := &PeerError{Peer: p.readers[sub], Partition: p.id, Subpartition: sub, Err: why}
		p.missing[sub] = fmt.Errorf("%w: %q: nobody had asked for subpartition %d for %v, its producer was told so", ErrPeerLost, p.id, sub, patience)
		v, viewErr := p.partition.Subpartition(sub).View(partition.NewInbox())
		if viewErr != nil { // somebody reads it here
			v = nil
		}
		ends = append(ends, end{v, err})
	}
	p.mu.Unlock()
	for _, e := range ends {
		if e.view != nil {
			e.view.Release(e.err)
		}
		p.finished(e.err)
	}
}

// refusal returns why the process that a subpartition is for has not got it, if that is known: it was refused when it has asked for it, or, as its lists are others, for another one, or when it has connected. If it has not asked for any, it is why somebody else has not got it.
// REQUIRES: mu held.
func (p *Publication) refusal(sub int, last refusal) refusal {
	if f := p.refusedBy[p.readers[sub]]; f.err != nil {
		return f
	}
	if name := p.readers[sub]; name != "" && name == last.name {
		return last
	}
	return p.refused[sub]
}

// mostTold is how many subpartitions an error tells of.
const mostTold = 4

// stall says what is not read to the end, and how far each of that is.
func (p *Publication) stall() error {
	last := p.registry.lastRefusal()
	p.mu.Lock()
	var open []*outlet // by turns with subs, nil: nobody has asked
	var subs []int
	for _, sub := range p.offered {
		if o := p.outlets[sub]; p.missing[sub] == nil {
			open, subs = append(open, o), append(subs, sub)
		}
	}
	pending, all := p.pending, len(p.offered)
	refusals := make(map[int]refusal)
	for _, sub := range subs {
		refusals[sub] = p.refusal(sub, last)
	}
	p.mu.Unlock()
	var told []string
	var causes []error
	more, unknown := 0, false
	for i, sub := range subs {
		var s string
		switch o := open[i]; {
		case o == nil:
			s = fmt.Sprintf("%d%s was not asked for", sub, reader(p.readers[sub]))
			if f := refusals[sub]; f.err != nil {
				s += fmt.Sprintf("; %s was refused %v ago: %v", f.who(), time.Since(f.at).Round(time.Millisecond), f.err)
				causes = append(causes, f.err)
			} else {
				unknown = true
			}
		default:
			if s = o.session.progress(o); s == "" {
				continue // it is closed
			}
		}
		if len(told) == mostTold {
			more++
			continue
		}
		told = append(told, s)
	}
	if more > 0 {
		told = append(told, fmt.Sprintf("%d more", more))
	}
	if unknown && last.err != nil {
		told = append(told, fmt.Sprintf("the last connection that was refused is that of %s, %v ago: %v", last.who(), time.Since(last.at).Round(time.Millisecond), last.err))
	}
	return &stallError{fmt.Sprintf("%d of %d subpartitions of %q were not read to the end: %s", pending, all, p.id, strings.Join(told, "; ")), errors.Join(causes...)}
}

// reader names the process that a subpartition is for, if that is known.
func reader(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(", for %q,", name)
}

// stallError says who is waited for. It unwraps to why others were refused.
type stallError struct {
	text  string
	cause error
}

func (e *stallError) Error() string { return e.text }

func (e *stallError) Unwrap() error { return e.cause }

// progress says how far the reader of a channel is, nothing if it is closed.
func (s *session) progress(o *outlet) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case o.closed:
		return ""
	case o.conn == nil:
		return fmt.Sprintf("%d: %q (%s) is away since it has acknowledged %d bytes of records", o.subpart, s.name, s.address, o.flow.Acked().Data)
	}
	return fmt.Sprintf("%d: %q (%s) has acknowledged %d bytes of records; it is still connected, give Close more time", o.subpart, s.name, s.address, o.flow.Acked().Data)
}
