package writer_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestReaderHasEnough: a reader that leaves with ErrEnough is no error for its producer, whatever that writes to the channel, then or before; the other reader gets everything, and no memory is left.
func TestReaderHasEnough(t *testing.T) {
	for _, late := range []bool{false, true} { // whether there is something in the channel already, also in an open block
		for name, policy := range map[string]writer.Option{"default": nil, "on full": writer.FlushOnFull(), "every record": writer.FlushEveryRecord()} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 64 << 10})
					w := newItemWriter(t, x, policy)
					var lines [2][]string
					leaves, stays := newListener(t, x, 0, &lines[0]), newListener(t, x, 1, &lines[1])
					if late {
						must(t, w.Broadcast(t.Context(), &item{Size: 20}))
						must(t, w.Broadcast(t.Context(), &item{Size: 5000}))
						must(t, writer.SendEvent(w, texts(t), &text{S: "before"}))
						must(t, w.Broadcast(t.Context(), &item{Size: 20}))
					}
					must(t, leaves.CloseWithError(partition.ErrEnough))
					read := make(chan int)
					go func() {
						n := 0
						var v item
						for {
							ok, err := stays.Next(t.Context(), &v)
							if err != nil {
								t.Error(err)
							}
							if !ok {
								read <- n
								return
							}
							n++
						}
					}()
					const n = 2000
					for i := range n {
						must(t, w.Broadcast(t.Context(), &item{Size: 20}))
						must(t, w.Emit(t.Context(), &item{Channel: 0, Size: 20}))
						switch i % 100 {
						case 3:
							must(t, w.Broadcast(t.Context(), &item{Size: 10_000}))
						case 4:
							must(t, w.Emit(t.Context(), &item{Channel: 0, Size: 10_000}))
						case 5:
							must(t, writer.SendEventWait(t.Context(), w, texts(t), &text{S: "event"}))
						case 6:
							must(t, w.Core().Advance(int64(i)))
							must(t, w.Flush())
							time.Sleep(time.Second)
						case 7:
							must(t, w.Core().Mark())
						}
					}
					must(t, w.EndOfData(true))
					must(t, w.Close())
					want := n + n/100
					if late {
						want += 3
					}
					if got := <-read; got != want {
						t.Errorf("the other reader got %d records, want %d", got, want)
					}
					if s := w.Core().Stats(); s.Channels[0].Dropped < uint64(2*n*20) || s.Channels[1].Dropped > 0 {
						t.Errorf("%d and %d bytes were dropped", s.Channels[0].Dropped, s.Channels[1].Dropped)
					}
					must(t, stays.Close())
					mustClose(t, x)
				})
			})
		}
	}
	// Other causes are errors, also beside it.
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
	w := newItemWriter(t, x)
	var lines []string
	must(t, newListener(t, x, 0, &lines).CloseWithError(errors.New("why")))
	if err := w.Emit(t.Context(), &item{Size: 20}); !errors.Is(err, writer.ErrConsumerGone) {
		t.Errorf("another cause: %v", err)
	}
	_ = w.Close()
	mustClose(t, x)
}
