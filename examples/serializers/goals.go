package main

import (
	"strings"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
)

// The goals: within these factors of the fastest peer of the same class, and of the limit.
const (
	toPeers = 1.05
	toLimit = 1.3
)

// A goal is one cell that generated code is to win.
type goal struct {
	shape string
	op    operation
	view  bool
	// elsewhere is the best figure, in multiples of the limit there, of the peers that cannot be built here: bebop, benc and gencode, which
	// the module proxy does not have. 0 if there is none.
	elsewhere float64
}

// goals are all cells. Records without strings are as fast in either class: sensor has copies only.
func goals() []goal {
	return []goal{
		{"small", marshal, false, 25. / 11},
		{"small", unmarshal, false, 153. / 101},
		{"small", unmarshal, true, 14. / 12},
		{"sensor", marshal, false, 10.5 / 6.5},
		{"sensor", unmarshal, false, 7.7 / 5},
		{"order", marshal, false, 577. / 326},
		{"order", unmarshal, false, 0},
		{"order", unmarshal, true, 0},
		{"text", marshal, false, 73. / 65},
		{"text", unmarshal, false, 0},
		{"text", unmarshal, true, 27. / 8},
	}
}

// A verdict is how generated code stands in a cell.
type verdict struct {
	goal
	own   float64 // nanoseconds
	peer  result  // the fastest of the same class
	limit float64
	ours  float64 // by hand for the same bytes; 0 if it was not measured
}

// peers says whether the fastest peer is beaten.
func (v verdict) peers() bool { return v.own <= toPeers*v.peer.nanos[v.op] }

// limits says whether generated code is near enough to the limit.
func (v verdict) limits() bool { return v.own <= toLimit*v.limit }

// others says whether the peers that are not here are beaten.
func (v verdict) others() bool { return v.elsewhere == 0 || v.own <= v.elsewhere*v.limit }

// judge compares in the cells of a shape for which all is there. In marshalling, where nothing is decoded, all peers are of one class.
func judge(shape string, results []result) []verdict {
	var all []verdict
	for _, g := range goals() {
		if g.shape != shape {
			continue
		}
		v := verdict{goal: g}
		for _, r := range results {
			same := g.op == marshal || r.view == g.view
			switch {
			case r.name == own(g.view):
				v.own = r.nanos[g.op]
			case r.name == harness.Limit && !g.view, r.name == harness.LimitView && g.view:
				v.limit = r.nanos[g.op]
			case r.name == harness.Ours && !g.view, r.name == harness.OursView && g.view:
				v.ours = r.nanos[g.op]
			case same && !ours(r.name) && (v.peer.loops == nil || r.nanos[g.op] < v.peer.nanos[g.op]):
				v.peer = r
			}
		}
		if v.own > 0 && v.limit > 0 && v.peer.loops != nil {
			all = append(all, v)
		}
	}
	return all
}

// own is the row of generated code.
func own(view bool) string {
	if view {
		return "rwgen, views"
	}
	return "rwgen"
}

// ours says whether a row is no peer's.
func ours(name string) bool {
	switch name {
	case harness.Limit, harness.LimitView, harness.Ours, harness.OursView:
		return true
	}
	return strings.HasPrefix(name, "rwgen")
}
