package task_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// diamond wires a source, two stages and a join, with the least memory and full blocks only. With inOrder the join reads all of the left side before the right one, which cannot work.
func diamond(t *testing.T, records int, inOrder bool) (g *task.Graph, got *int) {
	g = task.NewGraph()
	source, left, right, join := g.Stage("source", 1), g.Stage("left", 1), g.Stage("right", 1), g.Stage("join", 1)
	toLeft, toRight := connect[item](t, source, left, onFull()), connect[item](t, source, right, onFull())
	fromLeft, fromRight := connect[item](t, left, join, onFull()), connect[item](t, right, join, onFull())
	source.Do(makeItems(records, toLeft, toRight))
	pass := func(from, to *edge[item]) func(context.Context, *task.Instance) error {
		return func(ctx context.Context, in *task.Instance) error {
			return in.Read(ctx, from.Each(func(v *item) error { return to.Writer(in).Emit(ctx, v) }))
		}
	}
	left.Do(pass(toLeft, fromLeft))
	right.Do(pass(toRight, fromRight))
	got = new(int)
	join.Do(func(ctx context.Context, in *task.Instance) error {
		count := func(*item) error { *got++; return nil }
		if !inOrder {
			return in.Read(ctx, fromLeft.Each(count), fromRight.Each(count))
		}
		if err := in.Read(ctx, fromLeft.Each(count)); err != nil {
			return err
		}
		return in.Read(ctx, fromRight.Each(count))
	})
	return g, got
}

// TestStall checks that a program that has stopped for ever is found out, once, that the report names who waits for whom, and that its error ends the program. The same program with
// a join that reads what is ready runs.
func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const records = 3000
		g, _ := diamond(t, records, true)
		var reports []task.Report
		begin := time.Now()
		err := g.Run(t.Context(), task.Config{MemoryBytes: g.LeastMemory(), Quiet: time.Minute, OnStall: func(r task.Report) error {
			reports = append(reports, r)
			return errTest
		}})
		if !errors.Is(err, errTest) || !strings.Contains(err.Error(), "stalled") {
			t.Errorf("got %v", err)
		}
		if took := time.Since(begin); took < time.Minute || took > 3*time.Minute {
			t.Errorf("found out after %v", took)
		}
		if len(reports) != 1 {
			t.Fatalf("%d reports, want 1", len(reports))
		}
		r := reports[0]
		if !r.Stuck() || len(r.Instances) != 4 || r.Ended != 0 {
			t.Errorf("%+v", r)
		}
		want := []string{
			"4 instances at work, 0 have ended; all wait for each other",
			"  source[0] waits for room in channel 0 of source→right, to be read by right[0] (", " bytes)",
			"  left[0]   waits for records of source→left, from source[0]",
			"  right[0]  waits for room in channel 0 of right→join, to be read by join[0] (",
			"  join[0]   waits for records of left→join, from left[0]",
			"circle: source[0] → right[0] → join[0] → left[0] → source[0]",
		}
		text := r.String()
		for _, w := range want {
			i := strings.Index(text, w)
			if i < 0 {
				t.Fatalf("the report lacks %q:\n%s", w, r)
			}
			text = text[i+len(w):]
		}

		g, got := diamond(t, records, false)
		if err := g.Run(t.Context(), task.Config{MemoryBytes: g.LeastMemory()}); err != nil || *got != 2*records {
			t.Errorf("%v, %d records of %d", err, *got, 2*records)
		}
	})
}

// TestQuiet checks that a program whose source makes pauses is not said to be stuck, that it is told of each pause once, and that it goes on.
func TestQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 2)
		e := connect[item](t, a, b)
		a.Do(func(ctx context.Context, in *task.Instance) error {
			for range 3 {
				if err := makeItems(10, e)(ctx, in); err != nil {
					return err
				}
				time.Sleep(time.Hour)
			}
			return nil
		})
		b.Do(drop(e))
		calls := 0
		err := g.Run(t.Context(), task.Config{Quiet: time.Minute, OnStall: func(r task.Report) error {
			calls++
			if r.Stuck() || r.Circle != nil || len(r.Instances) != 3 || r.Instances[0].Doing != task.UserCode || r.Instances[1].Doing != task.Reading {
				t.Errorf("%v", r)
			}
			if now := g.Report(); now.String() != r.String() {
				t.Errorf("another report of the same: %v", now)
			}
			return nil
		}})
		if err != nil || calls != 3 {
			t.Errorf("%v, told %d times, want 3", err, calls)
		}
	})
}

// TestPanickingOnStall checks that a panic of OnStall ends the program with an error.
func TestPanickingOnStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		g.Stage("a", 2).Do(untilDone)
		var p *task.PanicError
		err := g.Run(t.Context(), task.Config{Quiet: time.Second, OnStall: func(task.Report) error { panic(errTest) }})
		if !errors.As(err, &p) || !errors.Is(err, errTest) {
			t.Errorf("got %v, want a PanicError", err)
		}
	})
}

// TestReportBroadcast checks the report on a writer whose channels are full together.
func TestReportBroadcast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 2)
		toAll := task.WithEachWriter(func(int) []writer.Option {
			return []writer.Option{writer.WithSelector(selector.Broadcast[item]())}
		})
		e := connect[item](t, a, b, toAll)
		a.Do(makeItems(100_000, e))
		b.Do(func(ctx context.Context, in *task.Instance) error {
			if in.Index() == 0 {
				return drop(e)(ctx, in)
			}
			time.Sleep(time.Hour) // the other one cannot go on without it
			return drop(e)(ctx, in)
		})
		told := false
		err := g.Run(t.Context(), task.Config{MemoryBytes: g.LeastMemory(), Quiet: time.Minute, OnStall: func(r task.Report) error {
			told = true
			i := slices.IndexFunc(r.Instances, func(a task.Activity) bool { return a.Doing == task.Writing })
			if i < 0 || r.Instances[i].Channel != -1 || len(r.Instances[i].For) != 2 || !strings.Contains(r.String(), "in all channels of a→b, to be read by b[0] (") {
				t.Errorf("%v", r)
			}
			return nil
		}})
		if err != nil || !told {
			t.Errorf("%v, told: %v", err, told)
		}
	})
}

// TestReportOrder checks that a report on a full channel begins with its reader, also if more waits for others.
func TestReportOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 3)
		byNumber := task.WithEachWriter(func(int) []writer.Option {
			return []writer.Option{writer.WithSelector(selector.Func(func(v *item, _ int) int { return int(v.From) }))}
		})
		e := connect[item](t, a, b, byNumber, onFull(), task.WithExchange(exchange.Config{ChannelBytes: 1 << 20}))
		a.Do(func(ctx context.Context, in *task.Instance) error {
			for i := range 200 {
				to := uint32(2)
				if i < 50 {
					to = 1 // more than one block of 1 KiB
				}
				if err := e.Writer(in).Emit(ctx, &item{From: to, Text: "some text that is not very short"}); err != nil {
					return err
				}
			}
			return nil
		})
		b.Do(func(ctx context.Context, in *task.Instance) error {
			time.Sleep(time.Hour)
			return drop(e)(ctx, in)
		})
		told := false
		err := g.Run(t.Context(), task.Config{MemoryBytes: g.LeastMemory(), Quiet: time.Minute, OnStall: func(r task.Report) error {
			told = true
			if a := r.Instances[0]; a.Doing != task.Writing || a.Channel != 2 || len(a.For) != 2 || a.For[0].Instance != 2 || a.For[1].Instance != 1 || a.For[0].Queued >= a.For[1].Queued {
				t.Errorf("%v", r)
			}
			return nil
		}})
		if err != nil || !told {
			t.Errorf("%v, told: %v", err, told)
		}
	})
}
