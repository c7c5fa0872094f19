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

// wantError checks what an error is, unless is is nil, and what it says.
func wantError(t *testing.T, err, is error, says ...string) {
	t.Helper()
	if err == nil || is != nil && !errors.Is(err, is) {
		t.Errorf("got %v, want %v", err, is)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("got %v, want %q in it", err, s)
		}
	}
	if strings.Count(err.Error(), "task: ") > 1 {
		t.Errorf("%v says twice that it is of task", err)
	}
}

// TestMixed: what was read by the Reader of an edge is missed by Read, which says so, wherever it was read.
func TestMixed(t *testing.T) {
	for name, read := range map[string]func(context.Context, *task.Instance, *edge[item]) error{
		"before": func(ctx context.Context, in *task.Instance, e *edge[item]) error {
			if ok, err := e.Reader(in).Next(ctx, new(item)); !ok {
				return err
			}
			return in.Read(ctx, e.Each(func(*item) error { t.Error("it was read"); return nil }))
		},
		"within": func(ctx context.Context, in *task.Instance, e *edge[item]) error {
			return in.Read(ctx, e.Each(func(v *item) error {
				if v.ID == 50 {
					_, err := e.Reader(in).Next(ctx, new(item))
					return err
				}
				return nil
			}))
		},
		"bytes": func(ctx context.Context, in *task.Instance, e *edge[item]) error {
			return in.Read(ctx, e.Each(func(v *item) error {
				if v.ID == 50 {
					_, _, err := e.Reader(in).NextBytes(ctx)
					return err
				}
				return nil
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := task.NewGraph()
			a, b := g.Stage("a", 1), g.Stage("b", 1)
			e := connect[item](t, a, b)
			a.Do(makeItems(1000, e))
			b.Do(func(ctx context.Context, in *task.Instance) error { return read(ctx, in, e) })
			wantError(t, g.Run(limited(t), task.Config{}), task.ErrMixed, "b[0] reads a→b")
		})
	}
}

// TestReadWithin: a handler cannot read what is being read, by whatever it is called, and the Read that goes on is not changed by the attempt.
func TestReadWithin(t *testing.T) {
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	left, right := connect[item](t, a, b, task.WithName("left")), connect[item](t, a, b, task.WithName("right"))
	a.Do(makeItems(100, left, right))
	got := 0
	b.Do(func(ctx context.Context, in *task.Instance) error {
		within := func() {
			for _, e := range []*edge[item]{left, right} {
				err := in.Read(ctx, e.Each(func(*item) error { t.Error("a record for a Read within a Read"); return nil }))
				wantError(t, err, nil, "b[0] reads "+e.Name()+" within a Read of it")
			}
		}
		handle := func(v *item) error {
			if got++; v.ID%10 == 0 {
				within()
			}
			return nil
		}
		return in.Read(ctx, left.Each(handle), right.Each(handle))
	})
	if err := g.Run(limited(t), task.Config{}); err != nil || got != 200 {
		t.Errorf("%v, %d records of 200", err, got)
	}
}

// TestNegativeBytes: options of edges that no exchange takes are refused, and not replaced.
func TestNegativeBytes(t *testing.T) {
	for name, c := range map[string]exchange.Config{
		"LargeBytes of -1":      {LargeBytes: -1},
		"GuaranteedBytes of -1": {GuaranteedBytes: -1},
		"AssemblyBytes of -1":   {AssemblyBytes: -1},
		"ChannelBytes of -1":    {ChannelBytes: -1},
	} {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 1)
		e := connect[item](t, a, b, task.WithExchange(c))
		a.Do(makeItems(1, e))
		b.Do(drop(e))
		wantError(t, g.Run(limited(t), task.Config{}), nil, `edge "a→b"`, name)
	}
}

// TestProcessesOfEdge: an edge does not leave its process.
func TestProcessesOfEdge(t *testing.T) {
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	e := connect[item](t, a, b, task.WithExchange(exchange.Config{Processes: &exchange.Processes{Name: "x", Producers: []string{"p"}, Consumers: []string{"p"}, Self: "p"}}))
	a.Do(makeItems(1, e))
	b.Do(drop(e))
	wantError(t, g.Run(limited(t), task.Config{}), nil, "edge a→b", "Processes is set")
}

// TestAssemblyBytes: what an edge sets aside for records in pieces is part of the least budget.
func TestAssemblyBytes(t *testing.T) {
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	e := connect[item](t, a, b, task.WithExchange(exchange.Config{AssemblyBytes: 5000}))
	a.Do(makeItems(100, e))
	b.Do(drop(e))
	if err := g.Run(limited(t), task.Config{MemoryBytes: g.LeastMemory()}); err != nil {
		t.Error(err)
	}
}

// TestMessages checks that errors say what to do, and each thing once.
func TestMessages(t *testing.T) {
	build := func(f func(context.Context, *task.Instance) error) *task.Graph {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 2)
		e := connect[item](t, a, b)
		a.Do(makeItems(1, e))
		b.Do(f)
		return g
	}
	g := build(func(_ context.Context, in *task.Instance) error {
		if in.Index() == 1 {
			return nil
		}
		return task.ErrStop
	})
	wantError(t, g.Run(limited(t), task.Config{}), task.ErrUnread, "task: b[1]: returned before the end of an input: a→b; return task.ErrStop if that is meant")
	g = build(untilDone)
	wantError(t, g.Run(limited(t), task.Config{MemoryBytes: 2000}), memory.ErrInsufficient, "1 edges need at least 4096 bytes", "Graph.LeastMemory", "Config.MemoryBytes is 2000")
}
