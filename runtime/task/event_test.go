package task_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestOnEvent: handlers of events have the instance's own state, and what they write, and the events that they send, are readable when the instance waits, on full blocks only.
func TestOnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b, c := g.Stage("a", 1), g.Stage("b", 2), g.Stage("c", 1)
		ab, bc := connect[item](t, a, b, onFull()), connect[item](t, b, c, onFull())
		answers := make(chan string, 10)
		const rounds = 3
		a.Do(func(ctx context.Context, in *task.Instance) error {
			for i := range rounds {
				if err := writer.SendEvent(ab.Writer(in), serializer[word](t), &word{fmt.Sprint("question ", i)}); err != nil {
					return err
				}
				got := []string{<-answers, <-answers, <-answers, <-answers}
				slices.Sort(got)
				want := []string{fmt.Sprintf("question %d for 0, number %d", i, i), fmt.Sprintf("question %d for 1, number %d", i, i), "seen by 0", "seen by 1"}
				if !slices.Equal(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
			}
			return nil
		})
		b.Do(func(ctx context.Context, in *task.Instance) error {
			n := 0
			task.OnEvent(in, ab, serializer[word](t), func(from gate.Origin, v *word) error {
				if from != (gate.Origin{Channel: in.Index()}) {
					t.Errorf("an event for %v from %v", in, from)
				}
				text := fmt.Sprintf("%s for %d, number %d", v.Text, in.Index(), n)
				n++
				if err := bc.Writer(in).Emit(ctx, &item{Text: text}); err != nil {
					return err
				}
				return writer.SendEventWait(ctx, bc.Writer(in), serializer[word](t), &word{fmt.Sprint("seen by ", in.Index())})
			})
			return in.Read(ctx, ab.Each(func(*item) error { return nil }))
		})
		c.Do(func(ctx context.Context, in *task.Instance) error {
			task.OnEvent(in, bc, serializer[word](t), func(_ gate.Origin, v *word) error { answers <- v.Text; return nil })
			return in.Read(ctx, bc.Each(func(v *item) error { answers <- v.Text; return nil }))
		})
		if err := g.Run(t.Context(), task.Config{}); err != nil {
			t.Error(err)
		}
	})
}

// TestOnEventWrites: a record that a handler of events writes, and nothing behind it, is readable while the instance waits, on full blocks only.
func TestOnEventWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b, c := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 1)
		ab, bc := connect[item](t, a, b, onFull()), connect[item](t, b, c, onFull())
		answered := make(chan string)
		a.Do(func(ctx context.Context, in *task.Instance) error {
			synctest.Wait() // all wait for input
			if err := writer.SendEvent(ab.Writer(in), serializer[word](t), &word{"why"}); err != nil {
				return err
			}
			if got := <-answered; got != "because" {
				t.Errorf("got %q", got)
			}
			return nil
		})
		b.Do(func(ctx context.Context, in *task.Instance) error {
			task.OnEvent(in, ab, serializer[word](t), func(gate.Origin, *word) error { return bc.Writer(in).Emit(ctx, &item{Text: "because"}) })
			return in.Read(ctx, ab.Each(func(*item) error { return nil }))
		})
		c.Do(func(ctx context.Context, in *task.Instance) error {
			return in.Read(ctx, bc.Each(func(v *item) error { answered <- v.Text; return nil }))
		})
		if err := g.Run(t.Context(), task.Config{}); err != nil {
			t.Error(err)
		}
	})
}

// TestEventEnds: an event without a handler, and an error of one, end the graph; one that is ignored does not, and neither does ErrStop.
func TestEventEnds(t *testing.T) {
	ignore := task.WithReader(gate.IgnoreEvents())
	for _, tt := range []struct {
		name   string
		opt    task.EdgeOption
		handle error // nil: there is no handler
		want   error // nil: none
	}{
		{"no handler", nil, nil, gate.ErrEvent},
		{"ignored", ignore, nil, nil},
		{"error", ignore, errTest, errTest},
		{"stop", nil, task.ErrStop, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := task.NewGraph()
			a, b := g.Stage("a", 1), g.Stage("b", 1)
			e := connect[item](t, a, b, tt.opt)
			a.Do(func(ctx context.Context, in *task.Instance) error {
				return writer.SendEvent(e.Writer(in), serializer[word](t), &word{"now"})
			})
			b.Do(func(ctx context.Context, in *task.Instance) error {
				if tt.handle != nil {
					task.OnEvent(in, e, serializer[word](t), func(gate.Origin, *word) error { return tt.handle })
				}
				return in.Read(ctx, e.Each(func(*item) error { return nil }))
			})
			if err := g.Run(limited(t), task.Config{}); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

// TestOnEventOfAnother: an instance has no events of edges that it does not read.
func TestOnEventOfAnother(t *testing.T) {
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	e := connect[item](t, a, b)
	a.Do(func(_ context.Context, in *task.Instance) error {
		task.OnEvent(in, e, serializer[word](t), func(gate.Origin, *word) error { return nil })
		return nil
	})
	b.Do(drop(e))
	var panicked *task.PanicError
	if err := g.Run(limited(t), task.Config{}); !errors.As(err, &panicked) || panicked.Value != "task: a[0] does not read a→b, which goes to b" {
		t.Errorf("got %v, want a panic", err)
	}
}
