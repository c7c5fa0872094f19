package writer_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestNothingFollows: every call that is refused after EndOfData or Close says which of them it was, of which writer.
func TestNothingFollows(t *testing.T) {
	for _, end := range []struct {
		name string
		call func(*writer.Writer[item]) error
		want string
	}{
		{"EndOfData", func(w *writer.Writer[item]) error { return w.EndOfData(true) }, "writer: item: nothing can be written after EndOfData"},
		{"Close", func(w *writer.Writer[item]) error { return w.Close() }, "writer: item: the writer was closed"},
	} {
		for name, call := range map[string]func(context.Context, *writer.Writer[item]) error{
			"Emit": func(ctx context.Context, w *writer.Writer[item]) error { return w.Emit(ctx, &item{Size: 20}) },
			"EmitBatch": func(ctx context.Context, w *writer.Writer[item]) error {
				_, err := w.EmitBatch(ctx, []item{{Size: 20}})
				return err
			},
			"TryEmit": func(_ context.Context, w *writer.Writer[item]) error {
				_, err := w.TryEmit(&item{Size: 20})
				return err
			},
			"Broadcast": func(ctx context.Context, w *writer.Writer[item]) error { return w.Broadcast(ctx, &item{Size: 20}) },
			"Watermark": func(_ context.Context, w *writer.Writer[item]) error { return w.Watermark(time.Unix(1, 0)) },
			"Idle":      func(_ context.Context, w *writer.Writer[item]) error { return w.Idle(true) },
			"EndOfData": func(_ context.Context, w *writer.Writer[item]) error { return w.EndOfData(true) },
			"Mark":      func(_ context.Context, w *writer.Writer[item]) error { return w.Mark() },
			"SendEvent": func(_ context.Context, w *writer.Writer[item]) error {
				return writer.SendEvent(w, texts(t), &text{S: "a"})
			},
		} {
			t.Run(name+" after "+end.name, func(t *testing.T) {
				x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2})
				w := newItemWriter(t, x)
				must(t, w.Emit(t.Context(), &item{Size: 20}))
				must(t, end.call(w))
				if err := call(t.Context(), w); !errors.Is(err, writer.ErrClosed) || !strings.Contains(err.Error(), end.want) {
					t.Errorf("got %v, want ErrClosed and %q", err, end.want)
				}
				must(t, w.Close())
			})
		}
	}
}

// TestEventErrors: errors of events name the event and the record of the writer, and what was waited for.
func TestEventErrors(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
	w := newItemWriter(t, x)
	fill(t, w)
	err := writer.SendEvent(w, texts(t), &text{S: strings.Repeat("x", 100_000)})
	if want := "writer: event text of a writer of item: "; !errors.Is(err, writer.ErrEvents) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want ErrEvents and %q", err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = writer.SendEventWait(ctx, w, texts(t), &text{S: strings.Repeat("x", 100_000)})
	if want := "writer: event text of a writer of item: no room: "; !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want the error of the context and %q", err, want)
	}
	must(t, w.Close())
}

// TestIgnoreEventTimes: what generated writers make of event times is dropped, what is said by hand is not.
func TestIgnoreEventTimes(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
	w := newItemWriter(t, x)
	var lines []string
	r := newListener(t, x, 0, &lines)
	must(t, errors.Join(w.Core().Advance(1), w.Flush()))
	if got := take(t, r, &lines); got != "watermark 1" {
		t.Errorf("told %q, want watermark 1", got)
	}
	w.Core().IgnoreEventTimes()
	must(t, errors.Join(w.Core().Advance(3), w.Flush()))
	if got := take(t, r, &lines); got != "" {
		t.Errorf("told %q, want nothing", got)
	}
	must(t, errors.Join(w.Watermark(time.UnixMicro(2)), w.Flush()))
	if got := take(t, r, &lines); got != "watermark 2" {
		t.Errorf("told %q, want watermark 2", got)
	}
	must(t, w.Close())
	must(t, r.Close())
	mustClose(t, x)
}
