package task_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestFair checks that inputs that all have records are read in turn, a few of each.
func TestFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const records, turn = 1000, 64
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 1)
		var edges []*edge[item]
		for _, name := range []string{"first", "second", "third"} {
			edges = append(edges, connect[item](t, a, b, task.WithName(name)))
		}
		a.Do(makeItems(records, edges...))
		b.Do(func(ctx context.Context, in *task.Instance) error {
			time.Sleep(time.Second) // everything has been written
			read := make([]int, len(edges))
			inputs := make([]task.Input, len(edges))
			for i, e := range edges {
				inputs[i] = e.Each(func(v *item) error {
					if v.ID != uint64(read[i]) {
						t.Errorf("record %d of %s, want %d", v.ID, e.Name(), read[i])
					}
					read[i]++
					for _, n := range read {
						if read[i]-n > turn {
							t.Errorf("%d records of %s were read, %d of another", read[i], e.Name(), n)
						}
					}
					return nil
				})
			}
			err := in.Read(ctx, inputs...)
			for i, n := range read {
				if n != records {
					t.Errorf("%d records of %s, want %d", n, edges[i].Name(), records)
				}
			}
			return err
		})
		if err := g.Run(t.Context(), task.Config{}); err != nil {
			t.Error(err)
		}
	})
}

// TestReadAgain checks that Read goes on where it was after a handler has failed and after a context of its own, on one input and on several, that inputs that have ended are no
// obstacle, and that the zero Input is none.
func TestReadAgain(t *testing.T) {
	for _, inputs := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			const records = 100
			g := task.NewGraph()
			a, b, c := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 1)
			slow, quick := connect[item](t, a, c, task.WithWriter(writer.FlushEveryRecord())), connect[word](t, b, c)
			a.Do(func(ctx context.Context, in *task.Instance) error {
				for id := range records {
					time.Sleep(time.Second)
					if err := slow.Writer(in).Emit(ctx, &item{ID: uint64(id)}); err != nil {
						return err
					}
				}
				return nil
			})
			b.Do(func(ctx context.Context, in *task.Instance) error { return quick.Writer(in).Emit(ctx, &word{"one"}) })
			c.Do(func(ctx context.Context, in *task.Instance) error {
				next, words := uint64(0), 0
				items := slow.Each(func(v *item) error {
					if v.ID != next {
						t.Errorf("record %d, want %d", v.ID, next)
					}
					if next++; next%10 == 0 {
						return errTest
					}
					return nil
				})
				all := []task.Input{items, {}}
				if inputs == 2 {
					all = append(all, quick.Each(func(*word) error { words++; return nil }))
				}
				failed, late := 0, 0
				for {
					soon, cancel := context.WithTimeout(ctx, 700*time.Millisecond)
					err := in.Read(soon, all...)
					cancel()
					switch {
					case err == nil:
						if next != records || failed != records/10 || late < records/2 {
							t.Errorf("%d records of %d, failed %d times, late %d times", next, records, failed, late)
						}
						if err := in.Read(ctx, quick.Each(func(*word) error { words++; return nil })); err != nil || words != 1 {
							t.Errorf("%v, %d words, want 1", err, words)
						}
						return in.Read(ctx, all...) // all have ended
					case errors.Is(err, errTest):
						failed++
					case errors.Is(err, context.DeadlineExceeded):
						late++
					default:
						return err
					}
				}
			})
			if err := g.Run(t.Context(), task.Config{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReadAgainInBatch checks the same for records that are all there, of which more have been read than handled when a handler fails, and that an instance must not leave such records behind.
func TestReadAgainInBatch(t *testing.T) {
	const records = 1000
	for _, stop := range []int{records, records - 10} {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 1)
		e := connect[item](t, a, b)
		a.Do(makeItems(records, e))
		b.Do(func(ctx context.Context, in *task.Instance) error {
			next := 0
			for {
				err := in.Read(ctx, e.Each(func(v *item) error {
					if v.ID != uint64(next) {
						t.Errorf("record %d, want %d", v.ID, next)
					}
					if next++; next%7 == 0 || next == stop {
						return errTest
					}
					return nil
				}))
				if next == stop && (stop < records || err == nil) {
					return nil
				}
				if !errors.Is(err, errTest) {
					return err
				}
			}
		})
		if err := g.Run(limited(t), task.Config{}); errors.Is(err, task.ErrUnread) != (stop < records) || stop == records && err != nil {
			t.Errorf("%d records of %d: %v", stop, records, err)
		}
	}
}

// TestReadDoesNotAllocate checks that records of a fixed size are read and handled without an allocation for each.
func TestReadDoesNotAllocate(t *testing.T) {
	type number struct{ A, B uint64 }
	const records = 20_000
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	first, second := connect[number](t, a, b, task.WithName("first")), connect[number](t, a, b, task.WithName("second"))
	written := make(chan struct{})
	a.Do(func(ctx context.Context, in *task.Instance) error {
		defer close(written)
		var v number
		for v.A = range records {
			for _, e := range []*edge[number]{first, second} {
				if err := e.Writer(in).Emit(ctx, &v); err != nil {
					return err
				}
			}
		}
		return in.Flush()
	})
	b.Do(func(ctx context.Context, in *task.Instance) error {
		<-written
		n := 0
		count := func(*number) error { n++; return nil }
		inputs := []task.Input{first.Each(count), second.Each(count)}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := in.Read(ctx, inputs...)
		runtime.ReadMemStats(&after)
		if made := after.Mallocs - before.Mallocs; n != 2*records || made > records/10 {
			t.Errorf("%d allocations for %d records", made, n)
		}
		return err
	})
	if err := g.Run(limited(t), task.Config{}); err != nil {
		t.Error(err)
	}
}

// TestFlushBeforeWait checks that what an instance has written on full blocks only is readable while it waits for more: here the question comes on one edge and the answer on another,
// and the next question is asked when the answer has come.
func TestFlushBeforeWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rounds = 20
		g := task.NewGraph()
		ask, work, check := g.Stage("ask", 1), g.Stage("work", 1), g.Stage("check", 1)
		questions, answers := connect[word](t, ask, work, onFull()), connect[word](t, work, check, onFull())
		answered := make(chan string)
		ask.Do(func(ctx context.Context, in *task.Instance) error {
			for range rounds {
				if err := questions.Writer(in).Emit(ctx, &word{"why"}); err != nil {
					return err
				}
				if err := in.Flush(); err != nil { // before it waits for something else than input
					return err
				}
				if got := <-answered; got != "WHY" {
					t.Errorf("got %q", got)
				}
			}
			return nil
		})
		work.Do(func(ctx context.Context, in *task.Instance) error {
			return in.Read(ctx, questions.Each(func(q *word) error {
				return answers.Writer(in).Emit(ctx, &word{strings.ToUpper(q.Text)})
			}))
		})
		check.Do(func(ctx context.Context, in *task.Instance) error {
			return in.Read(ctx, answers.Each(func(a *word) error { answered <- a.Text; return nil }))
		})
		if err := g.Run(t.Context(), task.Config{}); err != nil {
			t.Error(err)
		}
	})
}

// TestInstance checks what an instance knows of itself.
func TestInstance(t *testing.T) {
	g := task.NewGraph()
	s := g.Stage("s", 3)
	seen := make([]string, 3)
	s.Do(func(ctx context.Context, in *task.Instance) error {
		if in.Stage() != "s" || in.Instances() != 3 || s.Instances() != 3 || s.Name() != "s" {
			t.Errorf("%s, %d instances", in.Stage(), in.Instances())
		}
		seen[in.Index()] = in.String()
		return in.Read(ctx) // nothing
	})
	if err := g.Run(t.Context(), task.Config{}); err != nil {
		t.Error(err)
	}
	if got := strings.Join(seen, " "); got != "s[0] s[1] s[2]" {
		t.Errorf("got %s", got)
	}
}

// TestCloseEarly checks that an instance may close one of its writers and go on, and that the stage behind it gets all that was written, and the end.
func TestCloseEarly(t *testing.T) {
	g := task.NewGraph()
	a, b, c := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 1)
	ab, first, rest := connect[item](t, a, b), connect[item](t, b, c, task.WithName("first")), connect[item](t, b, c, task.WithName("rest"))
	const records, some = 5000, 10
	a.Do(makeItems(records, ab))
	b.Do(func(ctx context.Context, in *task.Instance) error {
		n := 0
		return in.Read(ctx, ab.Each(func(v *item) error {
			n++
			switch {
			case n < some:
				return first.Writer(in).Emit(ctx, v)
			case n == some:
				return first.Writer(in).Close()
			}
			return rest.Writer(in).Emit(ctx, v)
		}))
	})
	got := 0
	c.Do(func(ctx context.Context, in *task.Instance) error {
		count := func(*item) error { got++; return nil }
		if err := in.Read(ctx, first.Each(count)); err != nil || got != some-1 {
			t.Errorf("%v, %d records, want %d", err, got, some-1)
		}
		return in.Read(ctx, rest.Each(count))
	})
	if err := g.Run(limited(t), task.Config{}); err != nil || got != records-1 {
		t.Errorf("%v, %d records, want %d", err, got, records-1)
	}
}

// TestReadInside checks that a handler may read another input to its end.
func TestReadInside(t *testing.T) {
	g := task.NewGraph()
	a, b, c := g.Stage("a", 2), g.Stage("b", 2), g.Stage("c", 2)
	rules, items := connect[item](t, a, c), connect[item](t, b, c)
	a.Do(makeItems(100, rules))
	b.Do(makeItems(1000, items))
	read := make([]int, 2)
	known := make([]int, 2)
	c.Do(func(ctx context.Context, in *task.Instance) error {
		i := in.Index()
		return in.Read(ctx, items.Each(func(*item) error {
			read[i]++
			if read[i] > 1 {
				return nil
			}
			return in.Read(ctx, rules.Each(func(*item) error { known[i]++; return nil }))
		}))
	})
	if err := g.Run(limited(t), task.Config{}); err != nil || read[0]+read[1] != 2000 || known[0]+known[1] != 200 {
		t.Errorf("%v, %d items, %d rules", err, read, known)
	}
}
