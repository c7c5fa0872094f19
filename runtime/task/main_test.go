package task_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// item is the record of most tests.
type item struct {
	From uint32 // number of the instance that made it
	ID   uint64 // from 0, for each From
	Text string
}

// word is a record of another type.
type word struct{ Text string }

// edge is what Connect returns for generic writers and readers.
type edge[T any] = task.Edge[*writer.Writer[T], *gate.Reader[T], T]

func serializer[T any](t testing.TB) record.Serializer[T] {
	t.Helper()
	s, err := record.Reflect[T]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// connect adds an edge without generated code.
func connect[T any](t testing.TB, from, to *task.Stage, opts ...task.EdgeOption) *edge[T] {
	t.Helper()
	s := serializer[T](t)
	return task.Connect(from, to, task.WriterOf(s), task.ReaderOf(s), opts...)
}

// byID gives each writer a selector of its own that spreads items by their ID.
func byID() task.EdgeOption {
	return task.WithEachWriter(func(int) []writer.Option {
		return []writer.Option{writer.WithSelector(selector.Key(func(v *item) uint64 { return v.ID * 0x9e3779b97f4a7c15 }))}
	})
}

func onFull() task.EdgeOption { return task.WithWriter(writer.FlushOnFull()) }

// makeItems is the function of a stage that writes n items for each instance to all edges.
func makeItems(n int, edges ...*edge[item]) func(context.Context, *task.Instance) error {
	return func(ctx context.Context, in *task.Instance) error {
		for id := range n {
			for _, e := range edges {
				if err := e.Writer(in).Emit(ctx, &item{From: uint32(in.Index()), ID: uint64(id), Text: "some text"}); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// drop is the function of a stage that reads inputs to the end.
func drop(edges ...*edge[item]) func(context.Context, *task.Instance) error {
	return func(ctx context.Context, in *task.Instance) error {
		inputs := make([]task.Input, len(edges))
		for i, e := range edges {
			inputs[i] = e.Each(func(*item) error { return nil })
		}
		return in.Read(ctx, inputs...)
	}
}

// untilDone is the function of a stage that does nothing until it is canceled.
func untilDone(ctx context.Context, _ *task.Instance) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

// limited returns a context that turns a program that hangs into one that fails.
func limited(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}
