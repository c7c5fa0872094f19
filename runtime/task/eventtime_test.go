package task_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// timed is a writer as it is generated with eventtime=ID:s.
type timed struct {
	*writer.Writer[item]
	times eventtime.Monotonic
}

func newTimed(t *testing.T) func(writer.Output, ...writer.Option) (*timed, error) {
	ser := serializer[item](t)
	return func(out writer.Output, opts ...writer.Option) (*timed, error) {
		w, err := writer.New(out, ser, opts...)
		return &timed{Writer: w}, err
	}
}

// Emit writes v and what follows from its event time.
func (w *timed) Emit(ctx context.Context, v *item) error {
	if err := w.Writer.Emit(ctx, v); err != nil {
		return err
	}
	w.times.Hurry()
	if watermark, due := w.times.Observe(int64(v.ID) * 1_000_000); due {
		return w.Core().Advance(watermark)
	}
	return nil
}

// TestEventTimesOfMerged: two sources write records in order, one after the other, and a stage passes them on by a writer with event times of its own. No record is late behind it, since the watermarks are those
// of the sources together; only if the stage says that it knows better are they those of the writer, which has seen the records out of order.
func TestEventTimesOfMerged(t *testing.T) {
	const records = 10
	for _, tt := range []struct {
		name string
		opts []task.EdgeOption
		late int
	}{
		{"passed on", nil, 0},
		{"own", []task.EdgeOption{task.WithOwnWatermarks()}, records - 1}, // all of the second source but the last, before which all is known to have come
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := task.NewGraph()
				source, merge, sink := g.Stage("source", 2), g.Stage("merge", 1), g.Stage("sink", 1)
				in, out := task.Connect(source, merge, newTimed(t), task.ReaderOf(serializer[item](t))), task.Connect(merge, sink, newTimed(t), task.ReaderOf(serializer[item](t)), tt.opts...)
				source.Do(func(ctx context.Context, self *task.Instance) error {
					time.Sleep(time.Duration(self.Index()) * time.Minute)
					for id := range uint64(records) {
						if err := in.Writer(self).Emit(ctx, &item{From: uint32(self.Index()), ID: id}); err != nil {
							return err
						}
					}
					time.Sleep(time.Hour)
					return nil
				})
				merge.Do(func(ctx context.Context, self *task.Instance) error {
					return self.Read(ctx, in.Each(func(v *item) error { return out.Writer(self).Emit(ctx, v) }))
				})
				got, late, last := 0, 0, int64(eventtime.None)
				sink.Do(func(ctx context.Context, self *task.Instance) error {
					self.OnWatermark(func(w time.Time) error {
						if !w.Equal(eventtime.Time(eventtime.End)) {
							last = eventtime.Micros(w)
						}
						return nil
					})
					return self.Read(ctx, out.Each(func(v *item) error {
						got++
						if int64(v.ID)*1_000_000 <= last {
							late++
						}
						return nil
					}))
				})
				if err := g.Run(t.Context(), task.Config{}); err != nil {
					t.Fatal(err)
				}
				if got != 2*records || late != tt.late || last != (records-1)*1_000_000-1 {
					t.Errorf("%d records, %d of them late, the last watermark %d; want %d, %d and %d", got, late, last, 2*records, tt.late, (records-1)*1_000_000-1)
				}
			})
		})
	}
}

// TestEachFrom: a function is told where each record comes from, also if records of several instances come in one batch.
func TestEachFrom(t *testing.T) {
	const records = 3000
	g := task.NewGraph()
	a, b := g.Stage("a", 3), g.Stage("b", 2)
	e := connect[item](t, a, b, task.WithWriter(writer.FlushEveryRecord()), task.WithEachWriter(func(int) []writer.Option { return nil }))
	a.Do(makeItems(records, e))
	got := make([]int, 2)
	b.Do(func(ctx context.Context, in *task.Instance) error {
		next := make([]uint64, 3)
		return in.Read(ctx, e.EachFrom(func(from gate.Origin, v *item) error {
			if from.Producer != int(v.From) || from.Channel != in.Index() || from.Seq != next[v.From] {
				t.Errorf("record %d of a[%d] comes from %v, record %d of it for %v", v.ID, v.From, from, next[v.From], in)
			}
			next[v.From]++
			got[in.Index()]++
			return nil
		}))
	})
	if err := g.Run(limited(t), task.Config{}); err != nil || got[0]+got[1] != 3*records {
		t.Errorf("%v, %d records", err, got)
	}
}

// TestEachFromGoesOn: Read by EachFrom goes on behind a record whose function has failed. Behind a batch of Each it does not: where the rest of that comes from is not known.
func TestEachFromGoesOn(t *testing.T) {
	g := task.NewGraph()
	a, b := g.Stage("a", 1), g.Stage("b", 1)
	e := connect[item](t, a, b)
	a.Do(makeItems(100, e))
	b.Do(func(ctx context.Context, in *task.Instance) error {
		var got []uint64
		once := func(from gate.Origin, v *item) error {
			if got = append(got, from.Seq); len(got) == 3 {
				return errTest
			}
			return nil
		}
		if err := in.Read(ctx, e.EachFrom(once)); err != errTest {
			t.Errorf("got %v, want %v", err, errTest)
		}
		if err := in.Read(ctx, e.Each(func(v *item) error {
			if v.ID != 3 {
				t.Errorf("record %d, want 3", v.ID)
			}
			return errTest
		})); err != errTest {
			t.Errorf("got %v, want %v", err, errTest)
		}
		wantError(t, in.Read(ctx, e.EachFrom(once)), nil, "by EachFrom, but ")
		return in.Read(ctx, e.Each(func(v *item) error {
			got = append(got, v.ID)
			if v.ID != uint64(len(got)) {
				t.Errorf("record %d, want %d", v.ID, len(got))
			}
			return nil
		}))
	})
	if err := g.Run(limited(t), task.Config{}); err != nil {
		t.Error(err)
	}
}
