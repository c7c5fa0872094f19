package exchange_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// sized is a record of 100 bytes in its frame for the channel it names.
type sized struct {
	Channel uint32
	Rest    [92]byte
}

func byNumber() writer.Option {
	return writer.WithSelector(selector.Func(func(v *sized, _ int) int { return int(v.Channel) }))
}

// TestQuietChannels: 1,000 channels with little traffic each need 1 KiB for their open blocks, not what busy ones would grow to, under the default budget.
func TestQuietChannels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const channels = 1000
		x, w, r := sizedPair(t, channels)
		ctx := t.Context()
		done := make(chan error, 1)
		go func() {
			var v sized
			for {
				if ok, err := r.Next(ctx, &v); !ok {
					done <- err
					return
				}
			}
		}()
		// Every channel fills a block of 1 KiB in a second, all of them at the same time, so that each holds two for a moment.
		for range 100 {
			for i := range uint32(channels) {
				if err := w.Emit(ctx, &sized{Channel: i}); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(100 * time.Millisecond)
		}
		stats := w.Stats()
		if most := int64(5 << 19); x.Stats().Pool.Peak > most {
			t.Errorf("%d bytes at most, want no more than %d", x.Stats().Pool.Peak, most)
		}
		if c := stats.Channels[0]; c.Blocks < 8 {
			t.Errorf("%d blocks for %d bytes: the channel was to fill blocks of 1 KiB", c.Blocks, c.Bytes)
		}
		_ = w.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		_ = r.Close()
		mustClose(t, x)
	})
}

// TestBlocksFollowTraffic: the one busy channel of a skewed edge gets blocks above the size that even traffic would give, and small ones again when it becomes quiet.
func TestBlocksFollowTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const channels = 100 // blocks of 8 KiB with even traffic
		x, w, r := sizedPair(t, channels)
		ctx := t.Context()
		var v sized
		// send writes records to a channel at a pace and reads all of them; it returns the average size of the blocks handed over meanwhile.
		send := func(channel, records int, every time.Duration) uint64 {
			before := w.Stats().Channels[channel]
			for range records {
				if err := w.Emit(ctx, &sized{Channel: uint32(channel)}); err != nil {
					t.Fatal(err)
				}
				time.Sleep(every)
				for {
					// Emit flushed nothing: read what is there.
					c, cancel := context.WithCancel(ctx)
					cancel()
					if ok, _ := r.Next(c, &v); !ok {
						break
					}
				}
			}
			after := w.Stats().Channels[channel]
			return (after.Bytes - before.Bytes) / max(after.Blocks-before.Blocks, 1)
		}
		for i := range channels {
			send(i, 1, 0)
		}
		busy := send(0, 10_000, 0)
		if busy < 16<<10 {
			t.Errorf("the blocks of the busy channel have %d bytes on average, want 16 KiB or more", busy)
		}
		send(0, 1000, 10*time.Millisecond)
		if quiet := send(0, 100, 10*time.Millisecond); quiet > 1200 {
			t.Errorf("the blocks of the channel have %d bytes on average when it is quiet, want 1 KiB", quiet)
		}
		_, _ = w.Close(), r.Close()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = x.Close(ctx)
	})
}

func sizedPair(t *testing.T, channels int) (*exchange.Exchange, *writer.Writer[sized], *gate.Reader[sized]) {
	t.Helper()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: channels})
	if err != nil {
		t.Fatal(err)
	}
	w, err := writer.New(x.Partition(0), reflective[sized](t), byNumber())
	if err != nil {
		t.Fatal(err)
	}
	all := make([]int, channels)
	for i := range all {
		all[i] = i
	}
	r, err := gate.NewReader(x.Gate(all...), reflective[sized](t))
	if err != nil {
		t.Fatal(err)
	}
	return x, w, r
}

func reflective[T any](t *testing.T) record.Serializer[T] {
	t.Helper()
	s, err := record.Reflect[T]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}
