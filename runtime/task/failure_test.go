package task_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

var errTest = errors.New("something went wrong")

// chain wires a source, a stage in the middle and a sink that do not end by themselves, and replaces the function of one instance.
func chain(t *testing.T, bad string, f func(ctx context.Context, in *task.Instance) error) *task.Graph {
	g := task.NewGraph()
	source, middle, sink := g.Stage("source", 2), g.Stage("middle", 2), g.Stage("sink", 2)
	first, second := connect[item](t, source, middle, byID()), connect[item](t, middle, sink, byID(), onFull())
	for s, do := range map[*task.Stage]func(context.Context, *task.Instance) error{
		source: func(ctx context.Context, in *task.Instance) error {
			if err := makeItems(5000, first)(ctx, in); err != nil {
				return err
			}
			return untilDone(ctx, in)
		},
		middle: func(ctx context.Context, in *task.Instance) error {
			return in.Read(ctx, first.Each(func(v *item) error { return second.Writer(in).Emit(ctx, v) }))
		},
		sink: drop(second),
	} {
		if s.Name() != bad {
			s.Do(do)
			continue
		}
		s.Do(func(ctx context.Context, in *task.Instance) error {
			if in.Index() == 1 {
				return f(ctx, in)
			}
			return do(ctx, in)
		})
	}
	return g
}

// TestFirstErrorWins checks for every stage that its error ends all others, which otherwise would never end, and that it is the one that Run returns.
func TestFirstErrorWins(t *testing.T) {
	for _, bad := range []string{"source", "middle", "sink"} {
		for name, c := range map[string]struct {
			fail func()
			is   error
			says string
		}{
			"error":        {func() {}, errTest, "something went wrong"},
			"panic":        {func() { panic("at the disco") }, nil, "panic: at the disco"},
			"panic(error)": {func() { panic(fmt.Errorf("wrapped: %w", errTest)) }, errTest, "panic: wrapped"},
			"Goexit":       {runtime.Goexit, task.ErrGoexit, "Goexit"},
		} {
			t.Run(bad+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					g := chain(t, bad, func(context.Context, *task.Instance) error {
						time.Sleep(time.Second) // until the others wait for memory or records
						c.fail()
						return errTest
					})
					err := g.Run(t.Context(), task.Config{MemoryBytes: 1 << 20})
					var stage *task.StageError
					if !errors.As(err, &stage) || stage.Stage != bad || stage.Instance != 1 {
						t.Fatalf("got %v, want an error of %s[1]", err, bad)
					}
					if c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
						t.Errorf("got %v, want %v that says %q", err, c.is, c.says)
					}
					var p *task.PanicError
					if want := strings.HasPrefix(name, "panic"); errors.As(err, &p) != want {
						t.Errorf("a PanicError: %v, want %v", !want, want)
					} else if want && !strings.Contains(string(p.Stack), "failure_test.go") {
						t.Errorf("the stack does not show where: %s", p.Stack)
					}
				})
			})
		}
	}
}

// TestPanickingHandler checks that a function given to Each may panic.
func TestPanickingHandler(t *testing.T) {
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	e := connect[item](t, a, b)
	a.Do(makeItems(10, e))
	b.Do(func(ctx context.Context, in *task.Instance) error {
		return in.Read(ctx, e.Each(func(*item) error { panic(errTest) }))
	})
	var p *task.PanicError
	if err := g.Run(limited(t), task.Config{}); !errors.As(err, &p) || !errors.Is(err, errTest) {
		t.Errorf("got %v, want a PanicError", err)
	}
}

// TestCancel checks that the end of Run's context ends everything, also functions that wait for nothing but a writer or a reader, without a context: a for room on one edge, b for records on the other.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b, c := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 2)
		full, empty := connect[item](t, a, b, task.WithName("full")), connect[item](t, a, b, task.WithName("empty"))
		a.Do(func(ctx context.Context, in *task.Instance) error {
			return makeItems(math.MaxInt, full)(context.Background(), in)
		})
		b.Do(func(ctx context.Context, in *task.Instance) error { return drop(empty)(context.Background(), in) })
		c.Do(untilDone)
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			time.Sleep(time.Minute)
			cancel(errTest)
		}()
		err := g.Run(ctx, task.Config{})
		if !errors.Is(err, context.Canceled) || !errors.Is(err, errTest) {
			t.Errorf("got %v, want that the context was canceled, and why", err)
		}
		if r := g.Report(); r.Ended != 4 {
			t.Errorf("%d instances have ended, want 4", r.Ended)
		}
	})
}

// TestUnread checks that an instance must read its inputs to the end, and that nobody waits for one that does not.
func TestUnread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 2)
		e := connect[item](t, a, b)
		a.Do(makeItems(math.MaxInt, e))
		b.Do(func(ctx context.Context, in *task.Instance) error {
			if in.Index() == 0 {
				return nil
			}
			return drop(e)(ctx, in)
		})
		err := g.Run(t.Context(), task.Config{})
		var stage *task.StageError
		if !errors.Is(err, task.ErrUnread) || !errors.As(err, &stage) || stage.Stage != "b" || stage.Instance != 0 || !strings.Contains(err.Error(), "a→b") {
			t.Errorf("got %v, want ErrUnread of b[0] for a→b", err)
		}
	})
}

// TestConstructorFails checks that nothing is started, and nothing is left, if a writer or a reader cannot be made.
func TestConstructorFails(t *testing.T) {
	for _, what := range []string{"writer", "reader"} {
		t.Run(what, func(t *testing.T) {
			s := serializer[item](t)
			newWriter, newReader := task.WriterOf(s), task.ReaderOf(s)
			made := 0
			g := task.NewGraph()
			a, b := g.Stage("a", 3), g.Stage("b", 3)
			connect[item](t, a, b)
			task.Connect(a, b,
				func(out writer.Output, opts ...writer.Option) (*writer.Writer[item], error) {
					if made++; what == "writer" && made == 2 {
						return nil, errTest
					}
					return newWriter(out, opts...)
				},
				func(in *gate.Gate, opts ...gate.Option) (*gate.Reader[item], error) {
					if made++; what == "reader" && made == 5 {
						return nil, errTest
					}
					return newReader(in, opts...)
				}, task.WithName("second"))
			a.Do(nothing)
			b.Do(nothing)
			err := g.Run(t.Context(), task.Config{})
			if !errors.Is(err, errTest) || !strings.Contains(err.Error(), "second") || !strings.Contains(err.Error(), what+" of "+map[string]string{"writer": "a", "reader": "b"}[what]+"[1]") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestMisuse checks what an instance is told that asks for what is not its own.
func TestMisuse(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(ctx context.Context, e, other *edge[item], in *task.Instance) error
		says string
	}{
		"writer of another stage": {func(_ context.Context, e, _ *edge[item], in *task.Instance) error { e.Writer(in); return nil }, "b[0] does not write to a→b"},
		"reader of another stage": {func(_ context.Context, _, o *edge[item], in *task.Instance) error { o.Reader(in); return nil }, "b[0] does not read a→c"},
		"input of another stage":  {func(ctx context.Context, _, o *edge[item], in *task.Instance) error { return drop(o)(ctx, in) }, "b[0] does not read a→c"},
		"input twice":             {func(ctx context.Context, e, _ *edge[item], in *task.Instance) error { return drop(e, e)(ctx, in) }, "b[0] reads a→b twice"},
	} {
		t.Run(name, func(t *testing.T) {
			g := task.NewGraph()
			a, b, third := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 1)
			e, other := connect[item](t, a, b), connect[item](t, a, third)
			a.Do(nothing)
			b.Do(func(ctx context.Context, in *task.Instance) error { return c.do(ctx, e, other, in) })
			third.Do(drop(other))
			if err := g.Run(limited(t), task.Config{}); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want it to say %q", err, c.says)
			}
		})
	}
}
