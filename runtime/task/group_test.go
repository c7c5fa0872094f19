package task_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestGroup checks that all records of all producers come to the workers, and that the first error ends the others.
func TestGroup(t *testing.T) {
	const producers, workers, records = 3, 4, 5000
	for _, fails := range []bool{false, true} {
		s := serializer[item](t)
		var started, read atomic.Int64
		g := task.NewGroup(exchange.Config{Producers: producers, Consumers: workers, MemoryBytes: 1 << 20}, task.WriterOf(s), task.ReaderOf(s), byID())
		g.Produce(func(ctx context.Context, i int, w *writer.Writer[item]) error {
			started.Add(int64(i))
			for id := 0; id < records || fails; id++ {
				if err := w.Emit(ctx, &item{From: uint32(i), ID: uint64(id)}); err != nil {
					return err
				}
			}
			return nil
		})
		g.Work(func(ctx context.Context, i int, r *gate.Reader[item]) error {
			started.Add(int64(i))
			for v, err := range r.All(ctx) {
				if err != nil {
					return err
				}
				if fails && v.ID > records && i == 2 {
					return errTest
				}
				read.Add(1)
			}
			return nil
		})
		if started.Load() != 0 {
			t.Error("something was started before Wait")
		}
		err := g.Wait(limited(t))
		if want := int64(0 + 1 + 2 + 0 + 1 + 2 + 3); started.Load() != want {
			t.Errorf("the sum of all indices is %d, want %d", started.Load(), want)
		}
		var stage *task.StageError
		switch {
		case !fails && (err != nil || read.Load() != producers*records):
			t.Errorf("%v, %d records of %d", err, read.Load(), producers*records)
		case fails && (!errors.Is(err, errTest) || !errors.As(err, &stage) || stage.Stage != "workers" || stage.Instance != 2):
			t.Errorf("got %v, want an error of workers[2]", err)
		}
	}
	s := serializer[item](t)
	g := task.NewGroup(exchange.Config{}, task.WriterOf(s), task.ReaderOf(s))
	if err := g.Wait(t.Context()); !errors.Is(err, task.ErrGraph) {
		t.Errorf("a group of nobody: %v, want ErrGraph", err)
	}
}
