package task_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestStopOfOthers: a graph whose context ends because the stage around it has been told to stop was cut off, and has not stopped itself.
func TestStopOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer := task.NewGraph()
		src, dst := outer.Stage("src", 1), outer.Stage("dst", 1)
		connect[item](t, src, dst)
		handled := 0
		src.Do(func(ctx context.Context, in *task.Instance) error {
			g := task.NewGraph()
			a, b := g.Stage("a", 1), g.Stage("b", 1)
			e := connect[item](t, a, b)
			a.Do(func(ctx context.Context, in *task.Instance) error {
				for range 10 {
					if err := makeItems(1, e)(ctx, in); err != nil {
						return err
					}
					select {
					case <-time.After(time.Second):
					case <-ctx.Done():
						return context.Cause(ctx) // ErrStop, of the other graph
					}
				}
				return nil
			})
			b.Do(func(ctx context.Context, in *task.Instance) error {
				return in.Read(ctx, e.Each(func(*item) error { handled++; return nil }))
			})
			err := g.Run(ctx, task.Config{})
			if err == nil || !errors.Is(err, context.Canceled) || handled == 10 {
				t.Errorf("the inner graph: %v, %d records of 10 were handled", err, handled)
			}
			return err
		})
		dst.Do(func(context.Context, *task.Instance) error {
			time.Sleep(3500 * time.Millisecond)
			return task.ErrStop
		})
		if err := outer.Run(t.Context(), task.Config{}); err != nil {
			t.Error(err)
		}
	})
}

// TestCauseIsStop: nothing but the cause of its context would tell a graph without edges that it was told to stop.
func TestCauseIsStop(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(task.ErrStop)
	g := task.NewGraph()
	g.Stage("sink", 3).Do(func(ctx context.Context, in *task.Instance) error { return context.Cause(ctx) })
	if err := g.Run(ctx, task.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestPanicIsNoStop: a panic is a failure, whatever its value is.
func TestPanicIsNoStop(t *testing.T) {
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	e := connect[item](t, a, b)
	a.Do(makeItems(10, e))
	b.Do(func(context.Context, *task.Instance) error { panic(fmt.Errorf("a bug: %w", task.ErrStop)) })
	var panicked *task.PanicError
	if err := g.Run(limited(t), task.Config{}); !errors.As(err, &panicked) {
		t.Errorf("got %v", err)
	}
}

// TestResultsBeforeEnd: what a stage writes when its inputs have ended comes before the end of time of its outputs, and behind the last watermark before it.
func TestResultsBeforeEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b, c := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 1)
		first, second := connect[item](t, a, b), connect[item](t, b, c)
		a.Do(func(ctx context.Context, in *task.Instance) error {
			if err := first.Writer(in).Watermark(time.Unix(5, 0)); err != nil {
				return err
			}
			return makeItems(10, first)(ctx, in)
		})
		b.Do(func(ctx context.Context, in *task.Instance) error {
			if err := drop(first)(ctx, in); err != nil {
				return err
			}
			time.Sleep(time.Second) // sorts, for example
			return makeItems(1, second)(ctx, in)
		})
		var got []string
		c.Do(func(ctx context.Context, in *task.Instance) error {
			in.OnWatermark(func(w time.Time) error {
				got = append(got, fmt.Sprint(w.Unix() == 5))
				return nil
			})
			return in.Read(ctx, second.Each(func(*item) error {
				got = append(got, "record")
				return nil
			}))
		})
		if err := g.Run(t.Context(), task.Config{}); err != nil {
			t.Fatal(err)
		}
		if want := []string{"true", "record", "false"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want the watermark, the record, and the end: %v", got, want)
		}
	})
}

// TestPanicInOnWatermark: a function that recovers from a panic of its OnWatermark and goes on reading gets every record once, and its outputs the watermark.
func TestPanicInOnWatermark(t *testing.T) {
	t.Run("Each", func(t *testing.T) {
		panicInOnWatermark(t, func(e *edge[item], f func()) task.Input { return e.Each(func(*item) error { f(); return nil }) })
	})
	t.Run("EachFrom", func(t *testing.T) {
		panicInOnWatermark(t, func(e *edge[item], f func()) task.Input {
			return e.EachFrom(func(gate.Origin, *item) error { f(); return nil })
		})
	})
}

func panicInOnWatermark(t *testing.T, each func(*edge[item], func()) task.Input) {
	g := task.NewGraph()
	a, b, c := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 1)
	first, second := connect[item](t, a, b), connect[item](t, b, c)
	const n = 200
	a.Do(func(ctx context.Context, in *task.Instance) error {
		for range n / 50 {
			if err := makeItems(50, first)(ctx, in); err != nil {
				return err
			}
			if err := first.Writer(in).Watermark(time.Unix(5, 0)); err != nil {
				return err
			}
		}
		return nil
	})
	got, watermarks := 0, 0
	b.Do(func(ctx context.Context, in *task.Instance) error {
		in.OnWatermark(func(w time.Time) error {
			if watermarks++; watermarks == 1 {
				panic(errTest)
			}
			return nil
		})
		read := func() (err error) {
			defer func() {
				if v := recover(); v != nil {
					err = v.(error)
				}
			}()
			return in.Read(ctx, each(first, func() { got++ }))
		}
		if err := read(); !errors.Is(err, errTest) {
			return fmt.Errorf("the first Read: %w", err)
		}
		return read()
	})
	var told []time.Time
	c.Do(func(ctx context.Context, in *task.Instance) error {
		in.OnWatermark(func(w time.Time) error { told = append(told, w); return nil })
		return drop(second)(ctx, in)
	})
	if err := g.Run(limited(t), task.Config{}); err != nil || got != n {
		t.Errorf("%v, %d records of %d", err, got, n)
	}
	if len(told) != 2 || told[0].Unix() != 5 {
		t.Errorf("the stage behind was told %v, want 5 s and the end", told)
	}
}

// TestReadInHandler: a function given to OnWatermark cannot read other inputs either.
func TestReadInHandler(t *testing.T) {
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	left, right := connect[item](t, a, b, task.WithName("left")), connect[item](t, a, b, task.WithName("right"))
	a.Do(makeItems(100, left, right))
	b.Do(func(ctx context.Context, in *task.Instance) error {
		told := 0
		in.OnWatermark(func(time.Time) error {
			told++
			wantError(t, drop(right)(ctx, in), nil, "b[0] reads within a function given to OnWatermark")
			return nil
		})
		if err := errors.Join(drop(right)(ctx, in), drop(left)(ctx, in)); err != nil {
			return err
		}
		if told == 0 {
			t.Error("there was no watermark")
		}
		return nil
	})
	if err := g.Run(limited(t), task.Config{}); err != nil {
		t.Error(err)
	}
}

// file is what a user gives a tape to write to.
type file func() error

func (f file) Write(b []byte) (int, error) { return len(b), f() }

// TestBadClose: code of the user that is called while an instance closes its writers may panic, end the goroutine or fail: all is closed, and Run tells.
func TestBadClose(t *testing.T) {
	for name, bad := range map[string]file{
		"panics": func() error { panic(errTest) },
		"exits":  func() error { runtime.Goexit(); return nil },
		"fails":  func() error { return errTest },
	} {
		t.Run(name, func(t *testing.T) {
			pool, err := memory.NewPool(1 << 20)
			if err != nil {
				t.Fatal(err)
			}
			s := serializer[item](t)
			g := task.NewGraph()
			a, b := g.Stage("a", 1), g.Stage("b", 2)
			returned := false
			e := task.Connect(a, b, func(o writer.Output, opts ...writer.Option) (*writer.Writer[item], error) {
				return task.WriterOf(s)(tape.NewTee(o, file(func() error {
					if returned {
						return bad()
					}
					return nil
				})), opts...)
			}, task.ReaderOf(s), task.WithName("bad"))
			good := connect[item](t, a, b, task.WithName("good"))
			a.Do(func(ctx context.Context, in *task.Instance) error {
				defer func() { returned = true }()
				return makeItems(30, good, e)(ctx, in)
			})
			b.Do(drop(e, good))
			var failed *task.StageError
			if err := g.Run(limited(t), task.Config{Memory: pool}); !errors.As(err, &failed) || failed.Stage != "a" {
				t.Errorf("got %v", err)
			}
			wantEmpty(t, pool)
		})
	}
}

// wantEmpty checks that nothing of a budget is taken.
func wantEmpty(t *testing.T, pool *memory.Pool) {
	t.Helper()
	if s := pool.Stats(); s.Shares != 0 || s.Used != 0 || s.Guaranteed != 0 || s.Reserved != 0 {
		t.Errorf("left in the pool: %+v", s)
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}

// TestBadConstructor: a constructor that fails when it has taken its end of the edge, panics, or ends the goroutine leaves nothing, and the graph can be run again.
func TestBadConstructor(t *testing.T) {
	fails := map[string]func() error{
		"fails":  func() error { return errTest },
		"panics": func() error { panic(errTest) },
		"exits":  func() error { runtime.Goexit(); return nil },
	}
	for _, end := range []string{"writer", "reader"} {
		for name, bad := range fails {
			t.Run(end+"/"+name, func(t *testing.T) {
				pool, err := memory.NewPool(1 << 20)
				if err != nil {
					t.Fatal(err)
				}
				s := serializer[item](t)
				g := task.NewGraph()
				a, b := g.Stage("a", 2), g.Stage("b", 2)
				calls := 0
				second := func(of string) error {
					if of != end {
						return nil
					}
					if calls++; calls == 2 {
						return bad()
					}
					return nil
				}
				e := task.Connect(a, b, func(o writer.Output, opts ...writer.Option) (*writer.Writer[item], error) {
					w, err := task.WriterOf(s)(o, opts...)
					return w, errors.Join(err, second("writer"))
				}, func(in *gate.Gate, opts ...gate.Option) (*gate.Reader[item], error) {
					r, err := task.ReaderOf(s)(in, opts...)
					if e := second("reader"); e != nil {
						return nil, e // r is lost
					}
					return r, err
				})
				a.Do(makeItems(10, e))
				b.Do(drop(e))
				done := make(chan struct{})
				go func() {
					defer close(done)
					if err := g.Run(limited(t), task.Config{Memory: pool}); !errors.Is(err, errTest) {
						t.Errorf("got %v", err)
					}
				}()
				<-done
				if s := pool.Stats(); s.Shares != 0 || s.Guaranteed != 0 {
					t.Errorf("left in the pool: %+v", s)
				}
				if err := g.Run(limited(t), task.Config{Memory: pool}); err != nil {
					t.Errorf("the second run: %v", err)
				}
				wantEmpty(t, pool)
			})
		}
	}
}

// TestStopWithoutRecords: a source that sends only events, or watermarks, and waits without a context is told that nobody reads; one that has other work is not disturbed by the watermarks that it passes on.
func TestStopWithoutRecords(t *testing.T) {
	words := serializer[word](t)
	for name, say := range map[string]func(w *writer.Writer[item], i int) error{
		"events": func(w *writer.Writer[item], i int) error {
			return writer.SendEventWait(context.Background(), w, words, &word{})
		},
		"watermarks": func(w *writer.Writer[item], i int) error { return w.Watermark(time.Unix(int64(i), 0)) },
		"idleness":   func(w *writer.Writer[item], i int) error { return w.Idle(i%2 == 0) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := task.NewGraph()
				a, b, c := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 1)
				first, second := connect[item](t, a, b, task.WithReader(gate.IgnoreEvents())), connect[item](t, b, c)
				a.Do(func(_ context.Context, in *task.Instance) error {
					for i := range 10 { // these are read
						if err := say(first.Writer(in), i); err != nil {
							return err
						}
						time.Sleep(time.Second)
					}
					return nil
				})
				b.Do(func(ctx context.Context, in *task.Instance) error {
					if err := drop(first)(context.WithoutCancel(ctx), in); err != nil {
						t.Errorf("a Read that is to go on: %v", err)
					}
					for i := range 1000 { // these are not
						if err := say(second.Writer(in), i); err != nil {
							return err
						}
					}
					t.Error("all was accepted, and nobody reads")
					return nil
				})
				c.Do(func(context.Context, *task.Instance) error {
					time.Sleep(time.Second)
					return task.ErrStop
				})
				if err := g.Run(t.Context(), task.Config{}); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestSlowLeftOver: records that a Read has left for the next are handled one by one too when the graph is canceled.
func TestSlowLeftOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 1)
		e := connect[item](t, a, b)
		a.Do(makeItems(32, e))
		calls := 0
		b.Do(func(ctx context.Context, in *task.Instance) error {
			time.Sleep(time.Second) // so that they come together
			each := e.Each(func(*item) error {
				if calls++; calls == 1 {
					return errTest
				}
				time.Sleep(time.Minute)
				return nil
			})
			if err := in.Read(ctx, each); !errors.Is(err, errTest) {
				return err
			}
			over, cancel := context.WithCancel(ctx)
			cancel()
			if err := in.Read(over, each); !errors.Is(err, context.Canceled) || calls != 1 {
				t.Errorf("with a context that is done: %v, %d calls", err, calls-1)
			}
			return in.Read(ctx, each)
		})
		if err := g.Run(ctx, task.Config{}); !errors.Is(err, context.DeadlineExceeded) || calls != 3 {
			t.Errorf("%v after %d calls, want 3", err, calls)
		}
	})
}

// TestSlowIsNoStall: a function that handles a record every second makes progress, although it has taken many at once.
func TestSlowIsNoStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, from := range map[string]bool{"Each": false, "EachFrom": true} {
			g := task.NewGraph()
			a, b := g.Stage("a", 1), g.Stage("b", 1)
			e := connect[item](t, a, b)
			a.Do(makeItems(100, e))
			slow := e.Each(func(*item) error { time.Sleep(time.Second); return nil })
			if from {
				slow = e.EachFrom(func(gate.Origin, *item) error { time.Sleep(time.Second); return nil })
			}
			b.Do(func(ctx context.Context, in *task.Instance) error { return in.Read(ctx, slow) })
			err := g.Run(t.Context(), task.Config{Quiet: 5 * time.Second, OnStall: func(r task.Report) error { return errors.New(r.String()) }})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestSlowOnStall: cancellation reaches those who wait without a context while OnStall takes its time.
func TestSlowOnStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 1)
		full, empty := connect[item](t, a, b, task.WithName("full")), connect[item](t, a, b, task.WithName("empty"))
		start := time.Now()
		var ended [2]time.Duration
		a.Do(func(_ context.Context, in *task.Instance) error {
			defer func() { ended[0] = time.Since(start) }()
			return makeItems(math.MaxInt32, full)(context.Background(), in)
		})
		b.Do(func(_ context.Context, in *task.Instance) error {
			defer func() { ended[1] = time.Since(start) }()
			return drop(empty)(context.Background(), in)
		})
		err := g.Run(ctx, task.Config{Quiet: time.Second, OnStall: func(task.Report) error {
			time.Sleep(time.Hour) // pages somebody
			return nil
		}})
		if want := [2]time.Duration{time.Minute, time.Minute}; ended != want || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("canceled after a minute, they have ended after %v: %v", ended, err)
		}
	})
}

// TestStartAtOnce: of two graphs that start at the same time with a budget that has room for one of them, one runs, wherever the other is.
func TestStartAtOnce(t *testing.T) {
	s := serializer[item](t)
	var pool *memory.Pool
	build := func(during func()) *task.Graph {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 1)
		first := task.Connect(a, b, func(o writer.Output, opts ...writer.Option) (*writer.Writer[item], error) {
			during()
			return task.WriterOf(s)(o, opts...)
		}, task.ReaderOf(s), task.WithName("first"))
		second := connect[item](t, a, b, task.WithName("second"))
		a.Do(makeItems(3, first, second))
		b.Do(drop(first, second))
		return g
	}
	other := build(func() {})
	var refused error
	g := build(func() { refused = other.Run(limited(t), task.Config{Memory: pool, MemoryBytes: other.LeastMemory()}) })
	pool, err := memory.NewPool(g.LeastMemory() * 3 / 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Run(limited(t), task.Config{Memory: pool, MemoryBytes: g.LeastMemory()}); err != nil {
		t.Errorf("the first: %v", err)
	}
	wantError(t, refused, memory.ErrInsufficient, "the guarantees of 2 edges")
	if err := other.Run(limited(t), task.Config{Memory: pool, MemoryBytes: 1 << 40}); err != nil { // of which there is less
		t.Errorf("the second, later: %v", err)
	}
	wantEmpty(t, pool)
}

// TestBusy: a graph that has found its budget busy can be run later, or wait.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool, err := memory.NewPool(64 << 10)
		if err != nil {
			t.Fatal(err)
		}
		var held []memory.Segment
		for range 2 {
			seg, ok := pool.Acquire(32 << 10)
			if !ok {
				t.Fatal("there is no memory")
			}
			held = append(held, seg)
		}
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 1)
		e := connect[item](t, a, b)
		a.Do(makeItems(3, e))
		b.Do(drop(e))
		c := task.Config{Memory: pool}
		if err := g.Run(t.Context(), c); !errors.Is(err, memory.ErrBusy) {
			t.Fatalf("got %v, want ErrBusy", err)
		}
		c.Wait = true
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := g.Run(ctx, c); !errors.Is(err, memory.ErrBusy) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want ErrBusy and the context's error", err)
		}
		time.AfterFunc(time.Minute, func() { pool.Release(held[0]) })
		start := time.Now()
		if err := g.Run(t.Context(), c); err != nil || time.Since(start) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if err := g.Run(t.Context(), c); !errors.Is(err, task.ErrUsed) {
			t.Errorf("once more: %v", err)
		}
		pool.Release(held[1])
		wantEmpty(t, pool)
	})
}

// TestTwoGraphs: an edge between stages of two graphs is a fault of both.
func TestTwoGraphs(t *testing.T) {
	g, h := task.NewGraph(), task.NewGraph()
	a, b := g.Stage("a", 1), h.Stage("b", 1)
	e := connect[item](t, a, b)
	a.Do(makeItems(1, e))
	b.Do(drop(e))
	for _, graph := range []*task.Graph{g, h} {
		if err := graph.Check(); !errors.Is(err, task.ErrGraph) || !strings.Contains(err.Error(), `"a→b" joins stages of two graphs`) {
			t.Errorf("got %v", err)
		}
	}
}
