package task_test

import (
	"context"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// BenchmarkRead carries 16-byte records from one instance to another: with the reader's own NextBatch, by Read of one input, and by Read of two that share the records.
func BenchmarkRead(b *testing.B) {
	type number struct{ A, B uint64 }
	s := serializer[number](b)
	check := func(b *testing.B, err error, sum uint64) {
		if n := uint64(b.N); err != nil || sum != n*(n-1)/2 {
			b.Errorf("%v, sum %d", err, sum)
		}
	}
	b.Run("reader", func(b *testing.B) {
		b.SetBytes(16)
		sum := uint64(0)
		g := task.NewGroup(exchange.Config{Producers: 1, Consumers: 1}, task.WriterOf(s), task.ReaderOf(s))
		g.Produce(func(ctx context.Context, _ int, w *writer.Writer[number]) error {
			var v number
			for v.A = range uint64(b.N) {
				if err := w.Emit(ctx, &v); err != nil {
					return err
				}
			}
			return nil
		})
		g.Work(func(ctx context.Context, _ int, r *gate.Reader[number]) error {
			batch := make([]number, 32)
			for {
				n, err := r.NextBatch(ctx, batch)
				if n == 0 {
					return err
				}
				for i := range batch[:n] {
					sum += batch[i].A
				}
			}
		})
		check(b, g.Wait(b.Context()), sum)
	})
	for _, inputs := range []int{1, 2} {
		b.Run(map[int]string{1: "one input", 2: "two inputs"}[inputs], func(b *testing.B) {
			b.SetBytes(16)
			g := task.NewGraph()
			from, to := g.Stage("from", 1), g.Stage("to", 1)
			var edges []*edge[number]
			for i := range inputs {
				edges = append(edges, connect[number](b, from, to, task.WithName(string(rune('a'+i)))))
			}
			from.Do(func(ctx context.Context, in *task.Instance) error {
				ws := []*writer.Writer[number]{edges[0].Writer(in), edges[inputs-1].Writer(in)}
				var v number
				for v.A = range uint64(b.N) {
					if err := ws[v.A%2].Emit(ctx, &v); err != nil {
						return err
					}
				}
				return nil
			})
			sum := uint64(0)
			to.Do(func(ctx context.Context, in *task.Instance) error {
				add := func(v *number) error { sum += v.A; return nil }
				all := []task.Input{edges[0].Each(add)}
				if inputs == 2 {
					all = append(all, edges[1].Each(add))
				}
				return in.Read(ctx, all...)
			})
			check(b, g.Run(b.Context(), task.Config{}), sum)
		})
	}
}
