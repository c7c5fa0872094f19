package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report says what the instances of a graph are doing. It is a snapshot of things that change, taken without stopping them: of a graph that moves it may show what was not true at any one
// moment. Of one that stands still it is exact.
type Report struct {
	// Instances are those that have not ended, in the order of the stages.
	Instances []Activity
	// Ended is the number of instances that have ended.
	Ended int
	// Circle is the names of instances each of which waits for the next, and the last for the first; nil if no such is known. If all that the instances of a circle wait for is in
	// the circle, they wait for ever.
	Circle []string
}

// Activity is what one instance is doing.
type Activity struct {
	Stage    string
	Instance int
	Doing    Doing
	// Edges are the edges on which it waits: all inputs that Read waits for, or the one edge on which there is no room. Empty for user code.
	Edges []string
	// Channel is the channel without room; −1 for a broadcast writer, whose channels are full together, and if it does not wait for room.
	Channel int
	// For are the instances for which it waits: of all inputs, the producers that have not ended; for room, the readers of what the writer has under way, that of Channel first.
	For []Peer
}

// Peer is an instance that another one waits for.
type Peer struct {
	Stage    string
	Instance int
	Queued   int64 // bytes of memory that wait for it, of the writer that waits; 0 for producers
}

// Doing is what an instance is doing, as far as is known.
type Doing int

// What instances do.
const (
	UserCode Doing = iota // the function of the stage, or waiting by its own means
	Reading               // in Instance.Read, waiting for records
	Writing               // in a writer, waiting for room; or, rarely, just taking it
)

// String returns it in words.
func (d Doing) String() string {
	switch d {
	case Reading:
		return "waits for records"
	case Writing:
		return "waits for room"
	}
	return "runs its own code"
}

// Stuck reports whether there are instances, and all of them wait for each other.
func (r Report) Stuck() bool {
	return len(r.Instances) > 0 && !slices.ContainsFunc(r.Instances, func(a Activity) bool { return a.Doing == UserCode })
}

// Busy returns the names of the instances for which others wait and which wait for nobody, as far as is known: they run code of their own. When nothing moves, what holds up the program is there, unless there is a
// circle: a function that does not return, or a slow one.
func (r Report) Busy() (names []string) {
	for _, a := range r.Instances {
		peer := func(p Peer) bool { return p.Stage == a.Stage && p.Instance == a.Instance }
		if a.Doing == UserCode && slices.ContainsFunc(r.Instances, func(b Activity) bool { return slices.ContainsFunc(b.For, peer) }) {
			names = append(names, label(a.Stage, a.Instance))
		}
	}
	return names
}

// String returns a line for each instance, one for those of Busy, and one for the circle.
func (r Report) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d instances at work, %d have ended", len(r.Instances), r.Ended)
	if r.Stuck() {
		out.WriteString("; all wait for each other")
	}
	out.WriteByte('\n')
	tw := tabwriter.NewWriter(&out, 0, 0, 1, ' ', 0)
	for _, a := range r.Instances {
		fmt.Fprintf(tw, "  %s\t%s\n", label(a.Stage, a.Instance), a.what())
	}
	_ = tw.Flush() // to a strings.Builder
	if busy := r.Busy(); len(busy) > 0 {
		fmt.Fprintf(&out, "waited for, and in code of their own: %s\n", strings.Join(busy, ", "))
	}
	if r.Circle != nil {
		fmt.Fprintf(&out, "circle: %s → %s\n", strings.Join(r.Circle, " → "), r.Circle[0])
	}
	return out.String()
}

func (a Activity) what() string {
	peers := make([]string, len(a.For))
	for i, p := range a.For {
		peers[i] = label(p.Stage, p.Instance)
		if a.Doing == Writing {
			peers[i] += fmt.Sprintf(" (%d bytes)", p.Queued)
		}
	}
	who := strings.Join(peers, ", ")
	switch {
	case a.Doing == Reading:
		return fmt.Sprintf("%v of %s, from %s", a.Doing, strings.Join(a.Edges, ", "), who)
	case a.Doing == Writing && a.Channel < 0:
		return fmt.Sprintf("%v in all channels of %s, to be read by %s", a.Doing, a.Edges[0], who)
	case a.Doing == Writing:
		return fmt.Sprintf("%v in channel %d of %s, to be read by %s", a.Doing, a.Channel, a.Edges[0], who)
	}
	return a.Doing.String()
}

// Report returns what the instances are doing and whom they wait for. From any goroutine. It is empty before everything is made.
//
// A function that waits by its own means (for a channel from Ready or room for an event, a lock, the network, or with [Edge.Reader]) is seen as user code.
func (g *Graph) Report() Report {
	g.mu.Lock()
	r := g.run
	g.mu.Unlock()
	if r == nil {
		return Report{}
	}
	return r.report()
}

func (r *run) report() (rep Report) {
	waits := make(map[string][]string)
	for _, in := range r.instances {
		if state(in.state.Load()) == ended {
			rep.Ended++
			continue
		}
		a := r.activity(in)
		rep.Instances = append(rep.Instances, a)
		for _, p := range a.For {
			waits[in.String()] = append(waits[in.String()], label(p.Stage, p.Instance))
		}
	}
	rep.Circle = circle(rep.Instances, waits)
	return rep
}

func (r *run) activity(in *Instance) Activity {
	a := Activity{Stage: in.stage.name, Instance: in.index, Channel: -1}
	if set := in.waiting.Load(); state(in.state.Load()) == reading && set != nil {
		a.Doing = Reading
		for _, s := range set.inputs {
			l := s.edge()
			a.Edges = append(a.Edges, l.name)
			for _, other := range r.instances {
				if other.stage == l.from && state(other.state.Load()) != ended {
					a.For = append(a.For, Peer{Stage: l.from.name, Instance: other.index})
				}
			}
		}
		return a
	}
	for _, o := range in.outputs {
		lane := o.lane()
		if lane < 0 {
			continue
		}
		a.Doing, a.Edges = Writing, []string{o.link.name}
		channels := o.Stats().Channels
		shared := len(channels) < o.link.to.instances // a broadcast writer
		if !shared {
			a.Channel = lane
		}
		for i := range o.link.to.instances {
			queued := channels[min(i, len(channels)-1)].Queued
			if queued > 0 || shared || i == lane {
				a.For = append(a.For, Peer{Stage: o.link.to.name, Instance: i, Queued: queued})
			}
		}
		if !shared {
			slices.SortStableFunc(a.For, func(p, q Peer) int {
				switch {
				case p.Instance == lane:
					return -1
				case q.Instance == lane:
					return 1
				}
				return cmp.Compare(q.Queued, p.Queued)
			})
		}
		return a
	}
	return a
}

// circle returns the names on a circle of waits, nil if there is none.
func circle(instances []Activity, waits map[string][]string) []string {
	done := make(map[string]bool)
	var path, found []string
	var walk func(name string)
	walk = func(name string) {
		if i := slices.Index(path, name); i >= 0 {
			found = slices.Clone(path[i:])
			return
		}
		if done[name] {
			return
		}
		path = append(path, name)
		for _, next := range waits[name] {
			if walk(next); found != nil {
				return
			}
		}
		path = path[:len(path)-1]
		done[name] = true
	}
	for _, a := range instances {
		if walk(label(a.Stage, a.Instance)); found != nil {
			return found
		}
	}
	return nil
}
