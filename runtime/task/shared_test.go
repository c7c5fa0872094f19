package task_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// threeStages is a graph whose last stage counts.
func threeStages(t *testing.T, records int) (g *task.Graph, got *int) {
	g = task.NewGraph()
	a, b, c := g.Stage("a", 2), g.Stage("b", 2), g.Stage("c", 1)
	ab, bc := connect[item](t, a, b, byID(), onFull()), connect[item](t, b, c, onFull())
	a.Do(makeItems(records, ab))
	b.Do(pass(ab, bc))
	got = new(int)
	c.Do(func(ctx context.Context, in *task.Instance) error {
		return in.Read(ctx, bc.Each(func(*item) error { *got++; return nil }))
	})
	return g, got
}

// TestSharedMemory runs graphs, a group and an exchange with one budget, which has just the guarantees of all of them: each ends, and the budget has everything back and stays open. One more is refused.
func TestSharedMemory(t *testing.T) {
	const records, graphs = 3000, 3
	least, _ := threeStages(t, 0)
	const others = 64 << 10
	pool, err := memory.NewPool(graphs*least.LeastMemory() + others)
	if err != nil {
		t.Fatal(err)
	}
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, Memory: pool, LargeBytes: 1 << 10, GuaranteedBytes: 2 << 10})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range graphs {
		g, got := threeStages(t, records)
		wg.Go(func() {
			if err := g.Run(limited(t), task.Config{Memory: pool, MemoryBytes: g.LeastMemory()}); err != nil || *got != 2*records {
				t.Errorf("%v, %d records of %d", err, *got, 2*records)
			}
		})
	}
	wg.Wait()
	g, _ := threeStages(t, records)
	all, err := pool.Reserve(pool.Stats().Limit - pool.Stats().Guaranteed)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Run(t.Context(), task.Config{Memory: pool, MemoryBytes: g.LeastMemory()}); !errors.Is(err, memory.ErrInsufficient) {
		t.Errorf("more than there is: %v", err)
	}
	all.Close()
	g, got := threeStages(t, records)
	if err := g.Run(limited(t), task.Config{Memory: pool}); err != nil || *got != 2*records {
		t.Errorf("by default: %v, %d records of %d", err, *got, 2*records)
	}
	s, sum := serializer[item](t), 0
	group := task.NewGroup(exchange.Config{Producers: 1, Consumers: 1, Memory: pool}, task.WriterOf(s), task.ReaderOf(s))
	group.Produce(func(ctx context.Context, i int, w *writer.Writer[item]) error {
		if pool.Stats().Used == 0 {
			if err := w.Emit(ctx, &item{}); err != nil {
				return err
			}
		}
		if pool.Stats().Used == 0 {
			t.Error("a group does not take its memory from the pool")
		}
		return nil
	})
	group.Work(func(ctx context.Context, i int, r *gate.Reader[item]) error {
		for _, err := range r.All(ctx) {
			if err != nil {
				return err
			}
			sum++
		}
		return nil
	})
	if err := group.Wait(limited(t)); err != nil || sum != 1 {
		t.Errorf("group: %v, %d", err, sum)
	}
	x.Cancel(nil)
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if used := pool.Stats().Used; used != 0 {
		t.Errorf("%d bytes are still used", used)
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	g, _ = threeStages(t, records)
	if err := g.Run(t.Context(), task.Config{Memory: pool}); !errors.Is(err, memory.ErrClosed) {
		t.Errorf("a closed pool: %v", err)
	}
}

// TestSlowHandler: the report on a program that stands still names the function that holds it up, and a graph that has failed does not wait for the rest of a batch of slow handlers. Nothing is lost by that.
func TestSlowHandler(t *testing.T) {
	for name, wait := range map[string]func(context.Context){
		"slow": func(context.Context) { time.Sleep(time.Hour) }, "never returns": func(ctx context.Context) { <-ctx.Done() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := task.NewGraph()
				a, b := g.Stage("a", 1), g.Stage("b", 2)
				e := connect[item](t, a, b, onFull())
				a.Do(makeItems(100_000, e))
				b.Do(func(ctx context.Context, in *task.Instance) error {
					return in.Read(ctx, e.Each(func(*item) error {
						if in.Index() == 1 {
							wait(ctx)
						}
						return nil
					}))
				})
				begin := time.Now()
				err := g.Run(t.Context(), task.Config{MemoryBytes: g.LeastMemory(), Quiet: time.Minute, OnStall: func(r task.Report) error {
					if busy := r.Busy(); len(busy) != 1 || busy[0] != "b[1]" || r.Stuck() {
						t.Errorf("%q is said to hold it up:\n%v", busy, r)
					}
					if !strings.Contains(r.String(), "waited for, and in code of their own: b[1]\n") {
						t.Errorf("%v", r)
					}
					return errTest
				}})
				if !errors.Is(err, errTest) {
					t.Error(err)
				}
				if took := time.Since(begin); took > time.Hour+3*time.Minute {
					t.Errorf("it took %v to end", took)
				}
			})
		})
	}
	// A Read whose context ends leaves the rest for the next one.
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	e := connect[item](t, a, b)
	a.Do(makeItems(1000, e))
	ids := uint64(0)
	b.Do(func(ctx context.Context, in *task.Instance) error {
		for n := 0; ; n++ {
			short, cancel := context.WithCancel(ctx)
			err := in.Read(short, e.Each(func(v *item) error {
				if v.ID != ids {
					t.Errorf("record %d, want %d", v.ID, ids)
				}
				if ids++; ids%7 == 0 {
					cancel()
				}
				return nil
			}))
			cancel()
			if err == nil || ctx.Err() != nil {
				return err
			}
			if !errors.Is(err, context.Canceled) {
				return err
			}
		}
	})
	if err := g.Run(limited(t), task.Config{}); err != nil || ids != 1000 {
		t.Errorf("%v, %d records of 1000", err, ids)
	}
}
