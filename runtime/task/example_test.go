package task_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Two stages count words. With generated code, task.WriterOf, task.ReaderOf and the selector are NewWordByTextWriter and NewWordReader.
func Example() {
	words, err := record.Reflect[word]()
	if err != nil {
		fmt.Println(err)
		return
	}
	lines := []string{"to be or not to be", "that is the question"}
	byText := func(int) []writer.Option {
		return []writer.Option{writer.WithSelector(selector.Key(func(w *word) uint64 { return selector.HashString(w.Text) }))}
	}

	g := task.NewGraph()
	split, count := g.Stage("split", 2), g.Stage("count", 3)
	edge := task.Connect(split, count, task.WriterOf(words), task.ReaderOf(words), task.WithEachWriter(byText))

	split.Do(func(ctx context.Context, in *task.Instance) error {
		out := edge.Writer(in)
		for text := range strings.FieldsSeq(lines[in.Index()]) {
			if err := out.Emit(ctx, &word{text}); err != nil {
				return err
			}
		}
		return nil
	})
	counts := make([]map[string]int, count.Instances())
	count.Do(func(ctx context.Context, in *task.Instance) error {
		mine := make(map[string]int)
		counts[in.Index()] = mine
		return in.Read(ctx, edge.Each(func(w *word) error {
			mine[w.Text]++
			return nil
		}))
	})
	if err := g.Run(context.Background(), task.Config{}); err != nil {
		fmt.Println(err)
		return
	}
	all := make(map[string]int)
	for _, c := range counts {
		maps.Copy(all, c) // a word is with one instance only
	}
	for _, text := range slices.Sorted(maps.Keys(all)) {
		fmt.Println(text, all[text])
	}
	// Output:
	// be 2
	// is 1
	// not 1
	// or 1
	// question 1
	// that 1
	// the 1
	// to 2
}

// One producer and two workers.
func ExampleGroup() {
	words, err := record.Reflect[word]()
	if err != nil {
		fmt.Println(err)
		return
	}
	var mu sync.Mutex
	length := 0
	g := task.NewGroup(exchange.Config{Producers: 1, Consumers: 2}, task.WriterOf(words), task.ReaderOf(words))
	g.Produce(func(ctx context.Context, i int, w *writer.Writer[word]) error {
		for _, text := range []string{"one", "two", "three"} {
			if err := w.Emit(ctx, &word{text}); err != nil {
				return err
			}
		}
		return nil
	})
	g.Work(func(ctx context.Context, i int, r *gate.Reader[word]) error {
		for v, err := range r.All(ctx) {
			if err != nil {
				return err
			}
			mu.Lock()
			length += len(v.Text)
			mu.Unlock()
		}
		return nil
	})
	fmt.Println(g.Wait(context.Background()), length)
	// Output: <nil> 11
}
