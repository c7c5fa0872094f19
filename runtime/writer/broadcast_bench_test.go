package writer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/writer"
)

// BenchmarkBroadcastSelecting measures a record for all channels of a writer that selects, by its size, after one small record for each channel: what an
// open block is in practice. One operation is one broadcast to 100 channels. Records of up to a quarter of the largest block, 8 KiB here, are
// copied, larger ones are shared.
func BenchmarkBroadcastSelecting(b *testing.B) {
	for _, size := range []int{16, 256, 1 << 10, 2 << 10, 3 << 10, 5 << 10, 7 << 10, 16 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			const channels = 100
			x, err := exchange.New(exchange.Config{Producers: 1, Consumers: channels})
			if err != nil {
				b.Fatal(err)
			}
			s, err := record.Reflect[text]()
			if err != nil {
				b.Fatal(err)
			}
			w, err := writer.New(x.Partition(0), s)
			if err != nil {
				b.Fatal(err)
			}
			all := make([]int, channels)
			for i := range all {
				all[i] = i
			}
			r, err := gate.NewReader(x.Gate(all...), s)
			if err != nil {
				b.Fatal(err)
			}
			done := make(chan error)
			go func() {
				var v text
				for {
					if ok, err := r.Next(b.Context(), &v); !ok {
						done <- err
						return
					}
				}
			}()
			small, large := text{"small"}, text{strings.Repeat("x", size)}
			b.SetBytes(int64(size * channels))
			for b.Loop() {
				for range channels {
					if err := w.Emit(b.Context(), &small); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Broadcast(b.Context(), &large); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			_ = w.Close()
			if err := <-done; err != nil {
				b.Error(err)
			}
			_ = r.Close()
			if err := x.Close(b.Context()); err != nil {
				b.Error(err)
			}
		})
	}
}
