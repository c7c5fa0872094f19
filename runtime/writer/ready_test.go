package writer_test

import (
	"testing"
	"testing/synctest"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestReadyWhileOtherChannelsAreWritten: who waits for one channel may write to others meanwhile; the blocks that this opens do not keep the notice back.
func TestReadyWhileOtherChannelsAreWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 3, MemoryBytes: 8 << 10, ChannelBytes: 1 << 20}) // 4 KiB for blocks, of 1 KiB
		w, r := newItemWriter(t, x, writer.FlushOnFull()), newItemReader(t, x, 0)
		full, err := -1, error(nil)
		for full < 0 {
			if full, err = w.TryEmit(&item{Size: 200}); err != nil {
				t.Fatal(err)
			}
		}
		ready := w.Ready(0)
		var v item
		for c := range uint32(2) {
			for range 6 { // a block and the next one's first record: the block goes back
				if ok, err := r.Next(t.Context(), &v); !ok || err != nil {
					t.Fatal(ok, err)
				}
			}
			if full, err := w.TryEmit(&item{Channel: 1 + c, Size: 20}); full >= 0 || err != nil {
				t.Fatal(full, err)
			}
		}
		readNow(t, r)
		synctest.Wait()
		if !w.Available(0) || !isClosed(ready) {
			t.Errorf("channel 0 was read; available: %v, told: %v", w.Available(0), isClosed(ready))
		}
		_, _ = w.Close(), r.Close()
		for c := 1; c < 3; c++ {
			r := newItemReader(t, x, c)
			_ = r.Close()
		}
	})
}
