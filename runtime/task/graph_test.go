package task_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/task"
)

func nothing(context.Context, *task.Instance) error { return nil }

// TestFaults checks that a faulty graph is refused with all its faults, and that none of its functions is called.
func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		wire func(t *testing.T, g *task.Graph)
		want []string
	}{
		"empty":             {func(*testing.T, *task.Graph) {}, []string{"no stages"}},
		"nameless":          {func(t *testing.T, g *task.Graph) { g.Stage("", 1).Do(nothing) }, []string{"no name"}},
		"no instances":      {func(t *testing.T, g *task.Graph) { g.Stage("a", 0).Do(nothing) }, []string{`"a" has 0 instances`}},
		"same name":         {func(t *testing.T, g *task.Graph) { g.Stage("a", 1).Do(nothing); g.Stage("a", 1).Do(nothing) }, []string{`two stages are named "a"`}},
		"several":           {func(t *testing.T, g *task.Graph) { g.Stage("a", -1); g.Stage("b", 1) }, []string{"-1 instances", `"a" has no function`, `"b" has no function`}},
		"two functions":     {func(t *testing.T, g *task.Graph) { s := g.Stage("a", 1); s.Do(nothing); s.Do(nothing) }, []string{"two functions"}},
		"edge to itself":    {func(t *testing.T, g *task.Graph) { s := g.Stage("a", 1); s.Do(nothing); connect[item](t, s, s) }, []string{"circle a → a"}},
		"edge twice":        {func(t *testing.T, g *task.Graph) { pair(t, g) }, []string{`two edges are named "a→b"`}},
		"circle":            {func(t *testing.T, g *task.Graph) { ring(t, g) }, []string{`edge "c→a" would close the circle a → b → c → a`}},
		"of another graph":  {func(t *testing.T, g *task.Graph) { connect[item](t, stage(g), task.NewGraph().Stage("b", 1)) }, []string{"two graphs"}},
		"one way is enough": {func(t *testing.T, g *task.Graph) { many(t, g) }, []string{"circle s0 → s1"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := task.NewGraph()
			c.wire(t, g)
			checked, ran := g.Check(), g.Run(t.Context(), task.Config{})
			for _, err := range []error{checked, ran} {
				if !errors.Is(err, task.ErrGraph) {
					t.Fatalf("got %v, want ErrGraph", err)
				}
				for _, want := range c.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("got %v, want it to say %q", err, want)
					}
				}
			}
		})
	}
}

func stage(g *task.Graph) *task.Stage {
	s := g.Stage("a", 1)
	s.Do(nothing)
	return s
}

func pair(t *testing.T, g *task.Graph) {
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	a.Do(nothing)
	b.Do(nothing)
	connect[item](t, a, b)
	connect[word](t, a, b)
}

func ring(t *testing.T, g *task.Graph) {
	a, b, c := g.Stage("a", 1), g.Stage("b", 2), g.Stage("c", 1)
	for _, s := range []*task.Stage{a, b, c} {
		s.Do(nothing)
	}
	connect[item](t, a, b)
	connect[item](t, b, c)
	connect[item](t, a, c) // no circle
	connect[item](t, c, a)
}

// many has so many ways from the first stage to the last that nobody can try all of them.
func many(t *testing.T, g *task.Graph) {
	const stages = 30
	var all []*task.Stage
	for i := range stages {
		s := g.Stage("s"+string(rune('0'+i)), 1)
		s.Do(nothing)
		for _, other := range all {
			connect[item](t, other, s)
		}
		all = append(all, s)
	}
	connect[item](t, all[stages-1], all[0])
}

// TestRunOnce checks that a graph runs once, and that its report is empty before that and says who has ended after it.
func TestRunOnce(t *testing.T) {
	g := task.NewGraph()
	g.Stage("a", 3).Do(nothing)
	if r := g.Report(); r.Ended != 0 || r.Instances != nil || r.Stuck() {
		t.Errorf("before: %+v", r)
	}
	if err := g.Run(t.Context(), task.Config{}); err != nil {
		t.Fatal(err)
	}
	if r := g.Report(); r.Ended != 3 || r.Instances != nil || r.Stuck() {
		t.Errorf("after: %+v", r)
	}
	if err := g.Run(t.Context(), task.Config{}); !errors.Is(err, task.ErrUsed) {
		t.Errorf("second run: %v, want ErrUsed", err)
	}
}

// TestMemory checks the least budget: it is enough, and a byte less is refused, as is less than nothing. Options of edges count.
func TestMemory(t *testing.T) {
	build := func(opts ...task.EdgeOption) (*task.Graph, *int) {
		g := task.NewGraph()
		a, b, c := g.Stage("a", 2), g.Stage("b", 3), g.Stage("c", 1)
		ab, bc := connect[item](t, a, b, byID(), onFull()), connect[item](t, b, c, append(opts, onFull())...)
		a.Do(makeItems(2000, ab))
		b.Do(func(ctx context.Context, in *task.Instance) error {
			return in.Read(ctx, ab.Each(func(v *item) error { return bc.Writer(in).Emit(ctx, v) }))
		})
		n := 0
		c.Do(func(ctx context.Context, in *task.Instance) error {
			return in.Read(ctx, bc.Each(func(*item) error { n++; return nil }))
		})
		return g, &n
	}
	g, _ := build()
	// 2 producers of 3 channels, 3 of 1, and 1 KiB for large records on both edges.
	const least = (2*(3+1) + 1 + 3*(1+1) + 1) * memory.MinBlock
	if got := g.LeastMemory(); got != least {
		t.Fatalf("the least budget is %d, want %d", got, least)
	}
	for _, bytes := range []int64{-1, 1, least - 1} {
		err := g.Run(t.Context(), task.Config{MemoryBytes: bytes})
		if err == nil || bytes > 0 && !errors.Is(err, memory.ErrInsufficient) {
			t.Errorf("%d bytes: %v, want ErrInsufficient", bytes, err)
		}
		g, _ = build()
	}
	for _, bytes := range []int64{least, least + 1000, 4 * least, 1 << 20} {
		g, n := build()
		if err := g.Run(limited(t), task.Config{MemoryBytes: bytes}); err != nil || *n != 4000 {
			t.Errorf("%d bytes: %v, %d records of 4000", bytes, err, *n)
		}
	}
	g, n := build(task.WithExchange(exchange.Config{LargeBytes: 5000, GuaranteedBytes: 9000, ChannelBytes: 4096}))
	const more = (2*(3+1) + 1 + 3*9 + 5) * memory.MinBlock
	if got := g.LeastMemory(); got != more {
		t.Fatalf("with options of an edge the least budget is %d, want %d", got, more)
	}
	if err := g.Run(limited(t), task.Config{MemoryBytes: more}); err != nil || *n != 4000 {
		t.Errorf("with options of an edge: %v, %d records of 4000", err, *n)
	}
}
