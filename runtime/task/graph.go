package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Graph is a program of stages and edges. It is wired by one goroutine with [Graph.Stage], [Connect] and [Stage.Do], and then run once; what is wired after that has no effect. Faults of the wiring are kept, and returned
// by Check and Run, so that wiring reads without error handling. Report may be called from any goroutine.
type Graph struct {
	stages []*Stage
	links  []*link
	faults []error

	mu   sync.Mutex
	used bool
	run  *run // set by Run when everything is made
}

// NewGraph returns a graph without stages.
func NewGraph() *Graph { return &Graph{} }

// Stage is a function that runs as several instances at the same time, each on a goroutine of its own.
type Stage struct {
	graph     *Graph
	name      string
	instances int
	do        func(context.Context, *Instance) error
	outputs   []*link
	inputs    []*link
}

// Stage adds a stage of n instances, at least 1. The name is for errors and reports, and belongs to one stage.
func (g *Graph) Stage(name string, n int) *Stage {
	s := &Stage{graph: g, name: name, instances: n}
	switch {
	case name == "":
		g.fault("a stage has no name")
	case slices.ContainsFunc(g.stages, func(o *Stage) bool { return o.name == name }):
		g.fault("two stages are named %q", name)
	}
	if n < 1 {
		g.fault("stage %q has %d instances, at least 1 is needed", name, n)
	}
	g.stages = append(g.stages, s)
	return s
}

// Do sets the function of the stage. It is called once for each instance, all at the same time, when every writer and reader of the graph has been made. ctx is canceled, with the
// cause, when the graph has failed or Run's context is done, and with [ErrStop] when nobody needs what the stage writes. The inputs must be read to the end, unless f returns ErrStop; the writers and readers of the instance are closed when the function returns.
func (s *Stage) Do(f func(ctx context.Context, in *Instance) error) {
	if s.do != nil {
		s.graph.fault("stage %q was given two functions", s.name)
	}
	s.do = f
}

// Name returns the name.
func (s *Stage) Name() string { return s.name }

// Instances returns the number of instances.
func (s *Stage) Instances() int { return s.instances }

// Check returns what is wrong with the graph, all faults at once; nil if it can be run. The error is [ErrGraph].
func (g *Graph) Check() error {
	faults := slices.Clone(g.faults)
	if len(g.stages) == 0 {
		faults = append(faults, errors.New("task: there are no stages"))
	}
	for _, s := range g.stages {
		if s.do == nil {
			faults = append(faults, fmt.Errorf("task: stage %q has no function", s.name))
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return errors.Join(append([]error{ErrGraph}, faults...)...)
}

func (g *Graph) fault(format string, args ...any) {
	g.faults = append(g.faults, fmt.Errorf("task: "+format, args...))
}

// join adds an edge unless it is faulty. A circle is a fault: records on it could wait for each other for ever, because the memory of an edge is bounded, and its end would never come,
// because every stage on it waits for the end of the one before.
func (g *Graph) join(l *link) {
	switch path := l.to.pathTo(l.from); {
	case l.from.graph != g || l.to.graph != g:
		g.fault("edge %q joins stages of two graphs", l.name)
		if l.to.graph != g {
			l.to.graph.fault("edge %q joins stages of two graphs", l.name)
		}
	case slices.ContainsFunc(g.links, func(o *link) bool { return o.name == l.name }):
		g.fault("two edges are named %q; name one with WithName", l.name)
	case path != nil:
		g.fault("edge %q would close the circle %s → %s", l.name, strings.Join(path, " → "), l.to.name)
	default:
		l.from.outputs = append(l.from.outputs, l)
		l.to.inputs = append(l.to.inputs, l)
	}
	// A faulty edge is kept for the messages about later ones.
	g.links = append(g.links, l)
}

// pathTo returns the names of the stages from s to target along edges, nil if there is no way.
func (s *Stage) pathTo(target *Stage) []string {
	seen := make(map[*Stage]bool)
	var walk func(*Stage) []string
	walk = func(s *Stage) []string {
		if s == target {
			return []string{s.name}
		}
		seen[s] = true
		for _, l := range s.outputs {
			if seen[l.to] {
				continue
			}
			if path := walk(l.to); path != nil {
				return append([]string{s.name}, path...)
			}
		}
		return nil
	}
	return walk(s)
}
