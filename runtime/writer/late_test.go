package writer_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestEmitInterrupted: the error of a context says whether there was no room, or the context was done before that was asked.
func TestEmitInterrupted(t *testing.T) {
	for name, emit := range map[string]func(*writer.Writer[item], context.Context, *item) error{"Emit": (*writer.Writer[item]).Emit, "Broadcast": (*writer.Writer[item]).Broadcast} {
		for _, size := range []int{10, 20_000} { // into a block, and by itself
			synctest.Test(t, func(t *testing.T) {
				x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 1 << 20})
				w := newItemWriter(t, x)
				late, cancel := context.WithCancel(t.Context())
				cancel()
				err := emit(w, late, &item{Size: size})
				if want := "writer: item for channel 0 was not written: context canceled"; err == nil || err.Error() != want || !errors.Is(err, context.Canceled) {
					t.Errorf("%s of %d bytes, done before: %v, want %s", name, size, err, want)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				for err = nil; err == nil; {
					err = emit(w, ctx, &item{Size: size})
				}
				if want := "writer: item for channel 0: no room: context deadline exceeded"; err.Error() != want {
					t.Errorf("%s of %d bytes: %v, want %s", name, size, err, want)
				}
				must(t, w.Close())
			})
		}
	}
}
