package exchange_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// A large record for all channels that one reader has not read, or has in hand, is in the way of no other channel.
func TestLargeBroadcastBesideStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 1 << 20, ChannelBytes: 8 << 10})
		w, err := writer.New(x.Partition(0), parcels(t), writer.WithSelector(selector.Func(func(v *parcel, _ int) int { return int(v.To) })))
		if err != nil {
			t.Fatal(err)
		}
		readers := [2]*gate.Reader[parcel]{}
		for j := range readers {
			if readers[j], err = gate.NewReader(x.Gate(j), parcels(t)); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan error, 1)
		go func() {
			err := w.Broadcast(ctx, &parcel{Load: make([]byte, 100_000)})
			for k := range 100 {
				if err == nil {
					err = w.Emit(ctx, &parcel{Seq: int64(k), Load: make([]byte, 50_000)})
				}
			}
			_ = w.Close()
			done <- err
		}()
		var v parcel
		for k := range 101 {
			if ok, err := readers[0].Next(ctx, &v); !ok || err != nil {
				t.Fatalf("record %d: %v, %v", k, ok, err)
			}
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if ok, err := readers[1].Next(ctx, &v); !ok || err != nil || len(v.Load) != 100_000 {
			t.Errorf("%v, %v, %d bytes", ok, err, len(v.Load))
		}
		for _, r := range readers {
			if ok, err := r.Next(ctx, &v); ok || err != nil {
				t.Errorf("one record more: %v, %v", ok, err)
			}
			_ = r.Close()
		}
		mustClose(t, x)
	})
}
