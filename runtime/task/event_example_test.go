package task_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// chapter is a user event: a record of any type, generated or not.
type chapter struct{ Title string }

// Between the words, a source says where a chapter begins, and the stage behind learns of it in the right place. What it answers comes in order, too.
func ExampleOnEvent() {
	words, err := record.Reflect[word]()
	if err != nil {
		fmt.Println(err)
		return
	}
	chapters, err := record.Reflect[chapter]()
	if err != nil {
		fmt.Println(err)
		return
	}
	g := task.NewGraph()
	read, count, show := g.Stage("read", 1), g.Stage("count", 1), g.Stage("show", 1)
	text := task.Connect(read, count, task.WriterOf(words), task.ReaderOf(words))
	lengths := task.Connect(count, show, task.WriterOf(words), task.ReaderOf(words))

	read.Do(func(ctx context.Context, in *task.Instance) error {
		out := text.Writer(in)
		for _, title := range []string{"One", "Two"} {
			// It waits for room if many events wait for the reader. SendEvent never does, and is refused then.
			if err := writer.SendEventWait(ctx, out, chapters, &chapter{title}); err != nil {
				return err
			}
			for range len(title) * 100 {
				if err := out.Emit(ctx, &word{"la"}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	count.Do(func(ctx context.Context, in *task.Instance) error {
		title, n := "", 0
		total := func() error {
			if title == "" {
				return nil
			}
			return lengths.Writer(in).Emit(ctx, &word{fmt.Sprintf("%s has %d words", title, n)})
		}
		task.OnEvent(in, text, chapters, func(_ gate.Origin, c *chapter) error {
			err := total() // of the one before
			title, n = c.Title, 0
			return err
		})
		if err := in.Read(ctx, text.Each(func(*word) error { n++; return nil })); err != nil {
			return err
		}
		return total()
	})
	show.Do(func(ctx context.Context, in *task.Instance) error {
		return in.Read(ctx, lengths.Each(func(w *word) error { fmt.Println(w.Text); return nil }))
	})
	if err := g.Run(context.Background(), task.Config{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// One has 300 words
	// Two has 300 words
}

// An edge is taped by a constructor that puts a recorder between each writer and its output.
func ExampleConnect_tape() {
	ctx := context.Background()
	words, err := record.Reflect[word]()
	if err != nil {
		fmt.Println(err)
		return
	}
	files := make([]bytes.Buffer, 2) // of the producers
	newWriter := func(out writer.Output, opts ...writer.Option) (*writer.Writer[word], error) {
		return writer.New(tape.NewTee(out, &files[out.Topology().Producer]), words, opts...)
	}
	g := task.NewGraph()
	write, drop := g.Stage("write", 2), g.Stage("drop", 3)
	text := task.Connect(write, drop, newWriter, task.ReaderOf(words))
	write.Do(func(ctx context.Context, in *task.Instance) error {
		return text.Writer(in).Emit(ctx, &word{fmt.Sprint("written by ", in)})
	})
	drop.Do(func(ctx context.Context, in *task.Instance) error {
		return in.Read(ctx, text.Each(func(*word) error { return nil }))
	})
	if err := g.Run(ctx, task.Config{}); err != nil {
		fmt.Println(err)
		return
	}
	for i := range files { // the writers have closed the tapes
		b := files[i].Bytes()
		t, err := tape.New(bytes.NewReader(b), int64(len(b)), tape.Config{})
		if err != nil {
			fmt.Println(err)
			return
		}
		r, err := tape.NewReader(t, words)
		if err != nil {
			fmt.Println(err)
			return
		}
		for w, err := range r.All(ctx) {
			fmt.Println(w.Text, err)
		}
	}
	// Output:
	// written by write[0] <nil>
	// written by write[1] <nil>
}
