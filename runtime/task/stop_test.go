package task_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// take is the function of a stage that stops after n items.
func take(n int, from *edge[item], got *atomic.Int64) func(context.Context, *task.Instance) error {
	return func(ctx context.Context, in *task.Instance) error {
		mine := 0
		return in.Read(ctx, from.Each(func(*item) error {
			got.Add(1)
			if mine++; mine == n {
				return task.ErrStop
			}
			return nil
		}))
	}
}

// pass is the function of a stage that writes what it reads.
func pass(from, to *edge[item]) func(context.Context, *task.Instance) error {
	return func(ctx context.Context, in *task.Instance) error {
		return in.Read(ctx, from.Each(func(v *item) error { return to.Writer(in).Emit(ctx, v) }))
	}
}

func toAll() task.EdgeOption {
	return task.WithEachWriter(func(int) []writer.Option {
		return []writer.Option{writer.WithSelector(selector.Broadcast[item]())}
	})
}

// TestStop: when all instances of the last stage have what they want, sources without an end stop, however they write.
func TestStop(t *testing.T) {
	plain := func(e *edge[item]) func(context.Context, *task.Instance) error { return makeItems(math.MaxInt, e) }
	background := func(e *edge[item]) func(context.Context, *task.Instance) error {
		return func(_ context.Context, in *task.Instance) error {
			return makeItems(math.MaxInt, e)(context.Background(), in)
		}
	}
	try := func(e *edge[item]) func(context.Context, *task.Instance) error {
		return func(_ context.Context, in *task.Instance) error {
			w := e.Writer(in)
			for id := uint64(0); ; {
				full, err := w.TryEmit(&item{ID: id})
				if err != nil {
					return fmt.Errorf("try: %w", err)
				}
				if full < 0 {
					id++
					continue
				}
				<-w.Ready(full)
			}
		}
	}
	large := func(e *edge[item]) func(context.Context, *task.Instance) error {
		return func(_ context.Context, in *task.Instance) error {
			for id := uint64(0); ; id++ {
				if err := e.Writer(in).Emit(context.Background(), &item{ID: id, Text: string(make([]byte, 20_000))}); err != nil {
					return err
				}
			}
		}
	}
	once := func(e *edge[item]) func(context.Context, *task.Instance) error {
		return func(ctx context.Context, in *task.Instance) error {
			if err := makeItems(200, e)(ctx, in); err != nil {
				return err
			}
			if err := in.Flush(); err != nil {
				return err
			}
			<-ctx.Done()
			return nil
		}
	}
	waits := func(e *edge[item]) func(context.Context, *task.Instance) error {
		return func(ctx context.Context, in *task.Instance) error {
			_ = once(e)(ctx, in)
			return ctx.Err()
		}
	}
	for name, source := range map[string]func(*edge[item]) func(context.Context, *task.Instance) error{
		"context": plain, "no context": background, "try": try, "large": large, "returns nil": once, "returns ctx.Err()": waits,
	} {
		for kind, opt := range map[string]task.EdgeOption{"keyed": byID(), "broadcast": toAll(), "on full": onFull()} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					g := task.NewGraph()
					a, b, c := g.Stage("a", 2), g.Stage("b", 2), g.Stage("c", 3)
					first, second := connect[item](t, a, b, opt), connect[item](t, b, c, opt)
					var got atomic.Int64
					a.Do(source(first))
					b.Do(pass(first, second))
					c.Do(take(10, second, &got))
					if err := g.Run(t.Context(), task.Config{MemoryBytes: 1 << 20}); err != nil || got.Load() != 30 {
						t.Errorf("%v, %d items, want 30", err, got.Load())
					}
				})
			})
		}
	}
}

// TestStopOfOne: an instance that stops does not keep anything from the others, at the least memory: they get all of theirs.
func TestStopOfOne(t *testing.T) {
	for kind, opt := range map[string]task.EdgeOption{"keyed": byID(), "broadcast": toAll()} {
		t.Run(kind, func(t *testing.T) {
			const records = 20_000
			counts := make([][3]int, 2)
			for run := range counts {
				g := task.NewGraph()
				a, b := g.Stage("a", 2), g.Stage("b", 3)
				e := connect[item](t, a, b, opt, onFull())
				a.Do(makeItems(records, e))
				b.Do(func(ctx context.Context, in *task.Instance) error {
					return in.Read(ctx, e.Each(func(*item) error {
						if counts[run][in.Index()]++; run == 1 && in.Index() == 1 && counts[run][1] == 50 {
							return fmt.Errorf("enough: %w", task.ErrStop)
						}
						return nil
					}))
				})
				if err := g.Run(limited(t), task.Config{MemoryBytes: g.LeastMemory()}); err != nil {
					t.Fatal(err)
				}
			}
			want := counts[0]
			want[1] = 50
			if counts[1] != want {
				t.Errorf("got %v, want %v", counts[1], want)
			}
		})
	}
}

// TestStopInDiamond stops each stage of a diamond that has a sink beside it: what comes after still gets the end of what was written, the others get everything, and a source goes on as long as somebody reads from it.
func TestStopInDiamond(t *testing.T) {
	const records = 5000
	for _, c := range []struct {
		stops             string
		left, right, side int64 // records that the join gets of each side, and the sink of the source; −1: any number
	}{
		{"nobody", records, records, records},
		{"left", 100, records, records},
		{"join", -1, -1, records}, // left and right are told, and source goes on for the sink
		{"side", records, records, 100},
	} {
		t.Run(c.stops, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := task.NewGraph()
				source, left, right, join, side := g.Stage("source", 1), g.Stage("left", 2), g.Stage("right", 1), g.Stage("join", 1), g.Stage("side", 1)
				toLeft, toRight, toSide := connect[item](t, source, left, byID(), onFull()), connect[item](t, source, right, onFull()), connect[item](t, source, side, onFull())
				fromLeft, fromRight := connect[item](t, left, join, onFull()), connect[item](t, right, join, onFull())
				var l, r, s, j atomic.Int64
				source.Do(makeItems(records, toLeft, toRight, toSide))
				left.Do(func(ctx context.Context, in *task.Instance) error {
					mine := 0
					return in.Read(ctx, toLeft.Each(func(v *item) error {
						if err := fromLeft.Writer(in).Emit(ctx, v); err != nil {
							return err
						}
						if mine++; c.stops == "left" && mine == 50 {
							return task.ErrStop
						}
						return nil
					}))
				})
				right.Do(pass(toRight, fromRight))
				count := func(n *atomic.Int64, stop int64, all *atomic.Int64) func(*item) error {
					return func(*item) error {
						n.Add(1)
						if all.Add(1) == stop {
							return task.ErrStop
						}
						return nil
					}
				}
				join.Do(func(ctx context.Context, in *task.Instance) error {
					stop := int64(-1)
					if c.stops == "join" {
						stop = 500
					}
					return in.Read(ctx, fromLeft.Each(count(&l, stop, &j)), fromRight.Each(count(&r, stop, &j)))
				})
				side.Do(func(ctx context.Context, in *task.Instance) error {
					stop := int64(-1)
					if c.stops == "side" {
						stop = 100
					}
					return in.Read(ctx, toSide.Each(count(&s, stop, new(atomic.Int64))))
				})
				if err := g.Run(t.Context(), task.Config{MemoryBytes: g.LeastMemory()}); err != nil {
					t.Fatal(err)
				}
				if c.left >= 0 && l.Load() != c.left || c.right >= 0 && r.Load() != c.right || s.Load() != c.side {
					t.Errorf("got %d, %d, %d, want %d, %d, %d", l.Load(), r.Load(), s.Load(), c.left, c.right, c.side)
				}
				if c.stops == "join" && j.Load() != 500 {
					t.Errorf("join got %d, want 500", j.Load())
				}
			})
		})
	}
}

// TestStopWithoutWriting: a stage in the middle that writes nothing is told too, and what it says then is not the error of the graph; another error is.
func TestStopWithoutWriting(t *testing.T) {
	for name, c := range map[string]struct {
		says error
		want error
	}{"what Read says": {nil, nil}, "another error": {errTest, errTest}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := task.NewGraph()
				a, b, sink := g.Stage("a", 1), g.Stage("b", 1), g.Stage("c", 1)
				first, second := connect[item](t, a, b), connect[item](t, b, sink)
				a.Do(func(ctx context.Context, in *task.Instance) error {
					for {
						if err := makeItems(1, first)(ctx, in); err != nil {
							return err
						}
						select {
						case <-time.After(time.Second):
						case <-ctx.Done():
							return context.Cause(ctx)
						}
					}
				})
				b.Do(func(ctx context.Context, in *task.Instance) error {
					err := in.Read(ctx, first.Each(func(*item) error { return nil }))
					if !errors.Is(err, task.ErrStop) || !errors.Is(err, context.Canceled) {
						t.Errorf("Read says %v", err)
					}
					if c.says != nil {
						return c.says
					}
					return err
				})
				sink.Do(func(context.Context, *task.Instance) error {
					time.Sleep(time.Minute)
					return task.ErrStop
				})
				_ = second
				if err := g.Run(t.Context(), task.Config{}); !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v", err, c.want)
				}
			})
		})
	}
}

// TestNoStop: who has closed its writers, and whose consumers have read everything, is not told to stop. ErrStop of a source is the end of its data, and one of OnWatermark is that of the function.
func TestNoStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b, stopping := g.Stage("a", 1), g.Stage("b", 2), g.Stage("c", 1)
		e, other := connect[item](t, a, b), connect[item](t, a, stopping)
		a.Do(func(ctx context.Context, in *task.Instance) error {
			if err := makeItems(100, e, other)(ctx, in); err != nil {
				return err
			}
			if err := errors.Join(e.Writer(in).Watermark(time.UnixMicro(5)), other.Writer(in).Watermark(time.UnixMicro(5)), in.Flush()); err != nil {
				return err
			}
			time.Sleep(time.Minute) // c stops
			if err := errors.Join(e.Writer(in).Close(), other.Writer(in).Close()); err != nil {
				return err
			}
			time.Sleep(time.Minute) // b ends
			if ctx.Err() == nil {
				t.Error("c has stopped, b has ended, and a is not told")
			}
			return task.ErrStop
		})
		read := new(atomic.Int64)
		b.Do(func(ctx context.Context, in *task.Instance) error {
			err := in.Read(ctx, e.Each(func(*item) error { read.Add(1); return nil }))
			if !in.Drained() {
				t.Error("not drained")
			}
			return err
		})
		stopping.Do(func(ctx context.Context, in *task.Instance) error {
			in.OnWatermark(func(time.Time) error { return task.ErrStop })
			return in.Read(ctx, other.Each(func(*item) error { return nil }))
		})
		if err := g.Run(t.Context(), task.Config{}); err != nil || read.Load() != 100 {
			t.Errorf("%v, %d items", err, read.Load())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		g := task.NewGraph()
		a, b := g.Stage("a", 1), g.Stage("b", 2)
		e := connect[item](t, a, b)
		a.Do(func(ctx context.Context, in *task.Instance) error {
			if err := errors.Join(makeItems(100, e)(ctx, in), e.Writer(in).Close()); err != nil {
				return err
			}
			time.Sleep(time.Minute) // the others end
			return ctx.Err()
		})
		b.Do(drop(e))
		if err := g.Run(t.Context(), task.Config{}); err != nil {
			t.Errorf("the work of a after its last record: %v", err)
		}
	})
}

// TestStopInGroup: workers that have enough end the producers.
func TestStopInGroup(t *testing.T) {
	s := serializer[item](t)
	g := task.NewGroup(exchange.Config{Producers: 2, Consumers: 3}, task.WriterOf(s), task.ReaderOf(s))
	g.Produce(func(ctx context.Context, i int, w *writer.Writer[item]) error {
		for id := uint64(0); ; id++ {
			if err := w.Emit(ctx, &item{ID: id}); err != nil {
				return err
			}
		}
	})
	g.Work(func(ctx context.Context, i int, r *gate.Reader[item]) error {
		n := 0
		for _, err := range r.All(ctx) {
			if err != nil {
				return err
			}
			if n++; n == 100 {
				return task.ErrStop
			}
		}
		return errors.New("the end")
	})
	if err := g.Wait(limited(t)); err != nil {
		t.Error(err)
	}
}
