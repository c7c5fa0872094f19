package writer_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestBroadcastPastGoneConsumer: when the reader of one channel has left, a record for all channels reaches all others, whichever channel it is and whatever way the
// record takes, and the error names the channel.
func TestBroadcastPastGoneConsumer(t *testing.T) {
	const channels = 3
	for _, size := range []int{itemHead, 200, 2000, 20000} {
		for gone := range channels {
			t.Run(fmt.Sprintf("size=%d/gone=%d", size, gone), func(t *testing.T) {
				x := newExchange(t, exchange.Config{Producers: 1, Consumers: channels, MemoryBytes: 1 << 20})
				w := newItemWriter(t, x)
				var rs [channels]*gate.Reader[item]
				for c := range rs {
					rs[c] = newItemReader(t, x, c)
				}
				send := func(seq uint32) error { return w.Broadcast(t.Context(), &item{Seq: seq, Size: size}) }
				if err := send(0); err != nil {
					t.Fatal(err)
				}
				_ = rs[gone].Close()
				for seq := uint32(1); seq < 4; seq++ {
					err := send(seq)
					var which *partition.ConsumerError
					if !errors.Is(err, writer.ErrConsumerGone) || !errors.As(err, &which) || which.Channel != gone {
						t.Errorf("record %d: %v, want that the consumer of channel %d is gone", seq, err, gone)
					}
				}
				if err := w.Close(); !errors.Is(err, writer.ErrConsumerGone) {
					t.Errorf("close: %v", err)
				}
				for c, r := range rs {
					if c == gone {
						continue
					}
					items, ended := readNow(t, r)
					if len(items) != 4 || !ended {
						t.Errorf("channel %d: %d records, ended: %v; want 4 and the end", c, len(items), ended)
					}
					_ = r.Close()
				}
				mustClose(t, x)
			})
		}
	}
}
