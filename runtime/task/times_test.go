package task_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// step is something that a source does to its writer.
type step func(w *writer.Writer[item]) error

func watermark(seconds int64) step {
	return func(w *writer.Writer[item]) error { return w.Core().Watermark(time.Unix(seconds, 0)) }
}

func rest(idle bool) step {
	return func(w *writer.Writer[item]) error { return w.Core().Idle(idle) }
}

// TestWatermarks follows what two sources say of event time through a join to a sink. Each step is in a second of its own.
func TestWatermarks(t *testing.T) {
	for _, policy := range []struct {
		name string
		opt  writer.Option
	}{{"default", nil}, {"full", writer.FlushOnFull()}} {
		t.Run(policy.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := task.NewGraph()
				a, b, join, sink := g.Stage("a", 1), g.Stage("b", 1), g.Stage("join", 1), g.Stage("sink", 1)
				left, right := connect[item](t, a, join), connect[item](t, b, join)
				joined := connect[word](t, join, sink, task.WithWriter(policy.opt))
				own := connect[item](t, join, sink, task.WithName("own"), task.WithOwnWatermarks())
				for s, say := range map[*task.Stage]struct {
					edge  *edge[item]
					steps map[int]step
				}{
					a: {left, map[int]step{1: watermark(10), 3: watermark(30), 5: rest(true), 6: watermark(40)}},
					b: {right, map[int]step{2: watermark(15), 4: rest(true), 7: watermark(35), 9: watermark(50), 10: nil}},
				} {
					s.Do(func(ctx context.Context, in *task.Instance) error {
						last := 0
						for at := range say.steps {
							last = max(last, at)
						}
						for at := range last + 1 {
							if step := say.steps[at]; step != nil {
								if err := step(say.edge.Writer(in)); err != nil {
									return err
								}
							}
							time.Sleep(time.Second)
						}
						return nil
					})
				}
				join.Do(func(ctx context.Context, in *task.Instance) error {
					in.OnWatermark(func(w time.Time) error {
						if now, ok := in.Watermark(); !ok || !now.Equal(w) {
							t.Errorf("watermark %v, %v, want %v", now, ok, w)
						}
						return joined.Writer(in).Emit(ctx, &word{"before " + second(w)})
					})
					if _, ok := in.Watermark(); ok {
						t.Error("there is a watermark before the first")
					}
					return in.Read(ctx, left.Each(func(*item) error { return nil }), right.Each(func(*item) error { return nil }))
				})
				var got []string
				sink.Do(func(ctx context.Context, in *task.Instance) error {
					begin := time.Now()
					note := func(what string) {
						got = append(got, fmt.Sprintf("%v %s", time.Since(begin).Truncate(time.Second), what))
					}
					if err := in.Read(ctx, joined.Each(func(w *word) error { note(w.Text); return nil })); err != nil {
						return err
					}
					in.OnWatermark(func(w time.Time) error { note("at " + second(w)); return nil })
					return in.Read(ctx, own.Each(func(*item) error { return nil }))
				})
				if err := g.Run(t.Context(), task.Config{}); err != nil {
					t.Fatal(err)
				}
				want := []string{"2s before 10", "3s before 15", "4s before 30", "6s before 40", "9s before 50", "11s before end", "11s at end"}
				if !slices.Equal(got, want) {
					t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), strings.Join(want, ", "))
				}
			})
		})
	}
}

func second(w time.Time) string {
	if w.Equal(eventtime.Time(eventtime.End)) {
		return "end"
	}
	return fmt.Sprint(w.Unix())
}

// TestWatermarkArrives checks that a watermark is passed on to all instances of the next stage while everybody waits for records, on full blocks only.
func TestWatermarkArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b, c := g.Stage("a", 1), g.Stage("b", 2), g.Stage("c", 3)
		ab, bc := connect[item](t, a, b), connect[item](t, b, c, onFull())
		a.Do(func(ctx context.Context, in *task.Instance) error {
			if err := watermark(10)(ab.Writer(in)); err != nil {
				return err
			}
			time.Sleep(time.Hour)
			return nil
		})
		b.Do(func(ctx context.Context, in *task.Instance) error {
			return in.Read(ctx, ab.Each(func(v *item) error { return bc.Writer(in).Emit(ctx, v) }))
		})
		seen := make([][]string, 3)
		c.Do(func(ctx context.Context, in *task.Instance) error {
			begin := time.Now()
			in.OnWatermark(func(w time.Time) error {
				if early := time.Since(begin) < time.Minute; early != (second(w) == "10") {
					t.Errorf("watermark %s after %v", second(w), time.Since(begin))
				}
				seen[in.Index()] = append(seen[in.Index()], second(w))
				return nil
			})
			return drop(bc)(ctx, in)
		})
		if err := g.Run(t.Context(), task.Config{}); err != nil {
			t.Fatal(err)
		}
		for i, s := range seen {
			if !slices.Equal(s, []string{"10", "end"}) {
				t.Errorf("instance %d saw %v", i, s)
			}
		}
	})
}

// TestOnWatermarkFails checks that an error of the function ends Read at once, although no record comes, and that the error stays.
func TestOnWatermarkFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 1)
		e := connect[item](t, a, b)
		a.Do(func(ctx context.Context, in *task.Instance) error {
			if err := watermark(10)(e.Writer(in)); err != nil {
				return err
			}
			return untilDone(ctx, in)
		})
		b.Do(func(ctx context.Context, in *task.Instance) error {
			in.OnWatermark(func(time.Time) error { return errTest })
			for range 2 {
				if err := drop(e)(ctx, in); !errors.Is(err, errTest) {
					t.Errorf("got %v", err)
				}
			}
			return nil
		})
		var stage *task.StageError
		if err := g.Run(t.Context(), task.Config{}); !errors.Is(err, errTest) || !errors.As(err, &stage) || stage.Stage != "b" {
			t.Errorf("got %v, want an error of b[0]", err)
		}
	})
}

// TestPanickingOnWatermark checks that a panic of the function, which is called by the reader, becomes an error of the instance.
func TestPanickingOnWatermark(t *testing.T) {
	g := task.NewGraph()
	a, b := g.Stage("a", 2), g.Stage("b", 1)
	e := connect[item](t, a, b)
	a.Do(func(ctx context.Context, in *task.Instance) error { return watermark(10)(e.Writer(in)) })
	b.Do(func(ctx context.Context, in *task.Instance) error {
		in.OnWatermark(func(time.Time) error { panic(errTest) })
		return drop(e)(ctx, in)
	})
	var p *task.PanicError
	if err := g.Run(limited(t), task.Config{}); !errors.As(err, &p) || !errors.Is(err, errTest) {
		t.Errorf("got %v, want a PanicError", err)
	}
}

// TestWatermarkByReader checks that watermarks are passed on, and errors of OnWatermark are not lost, if the function of the stage uses the reader itself.
func TestWatermarkByReader(t *testing.T) {
	for _, fails := range []error{nil, errTest} {
		g := task.NewGraph()
		a, b, c := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 1)
		ab, bc := connect[item](t, a, b), connect[item](t, b, c)
		a.Do(func(ctx context.Context, in *task.Instance) error {
			if err := watermark(10)(ab.Writer(in)); err != nil {
				return err
			}
			return makeItems(10, ab)(ctx, in)
		})
		b.Do(func(ctx context.Context, in *task.Instance) error {
			in.OnWatermark(func(time.Time) error { return fails })
			for v, err := range ab.Reader(in).All(ctx) {
				if err != nil {
					return err
				}
				if err := bc.Writer(in).Emit(ctx, v); err != nil {
					return err
				}
			}
			return nil
		})
		var last time.Time
		c.Do(func(ctx context.Context, in *task.Instance) error {
			in.OnWatermark(func(w time.Time) error { last = w; return nil })
			return drop(bc)(ctx, in)
		})
		if err := g.Run(limited(t), task.Config{}); !errors.Is(err, fails) {
			t.Errorf("got %v, want %v", err, fails)
		} else if fails == nil && second(last) != "end" {
			t.Errorf("the last watermark is %v", last)
		}
	}
}

// TestDrained checks that a source that was stopped before its data ended is known to all stages behind it, and only then.
func TestDrained(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			g := task.NewGraph()
			a, b, c := g.Stage("a", 2), g.Stage("b", 1), g.Stage("c", 1)
			ab, bc := connect[item](t, a, b), connect[item](t, b, c)
			a.Do(func(ctx context.Context, in *task.Instance) error {
				if stopped && in.Index() == 1 {
					return ab.Writer(in).Core().EndOfData(false)
				}
				return makeItems(10, ab)(ctx, in)
			})
			read := func(e *edge[item]) func(ctx context.Context, in *task.Instance) error {
				return func(ctx context.Context, in *task.Instance) error {
					err := drop(e)(ctx, in)
					if in.Drained() == stopped {
						t.Errorf("%s: drained: %v, but stopped: %v", in, in.Drained(), stopped)
					}
					return err
				}
			}
			b.Do(read(ab))
			c.Do(read(bc))
			if err := g.Run(t.Context(), task.Config{}); err != nil {
				t.Fatal(err)
			}
		})
	}
}
