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

// Large records that one producer has written for a reader that does not read, as many as there is room for, keep no other producer from his.
func TestLargeRecordsBesideStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		const size, records = 100_000, 100
		c := exchange.Config{Producers: 2, Consumers: 2, MemoryBytes: 4 << 20, ChannelBytes: 4 << 20, LargeBytes: 2 * 2 * 3 * (size + 1<<10)}
		c.Limits.MaxRecordBytes = size + 100
		x := newExchange(t, c)
		readers := [2]*gate.Reader[parcel]{}
		done := make(chan error, 2)
		for i := range readers {
			var err error
			if readers[i], err = gate.NewReader(x.Gate(i), parcels(t)); err != nil {
				t.Fatal(err)
			}
			w, err := writer.New(x.Partition(i), parcels(t), writer.WithSelector(selector.Func(func(v *parcel, _ int) int { return int(v.To) })))
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				var err error
				for k := range records {
					if err == nil {
						err = w.Emit(ctx, &parcel{From: int32(i), To: int32(i), Seq: int64(k), Load: make([]byte, size)})
					}
				}
				_ = w.Close()
				done <- err
			}()
			time.Sleep(time.Second) // until the area is full
		}
		var v parcel
		for _, i := range []int{1, 0} { // the first reader waits for the other one
			for k := range records {
				if ok, err := readers[i].Next(ctx, &v); !ok || err != nil || v.Seq != int64(k) || int(v.From) != i {
					t.Fatalf("record %d of producer %d: %v, %v, %d of producer %d", k, i, ok, err, v.Seq, v.From)
				}
			}
		}
		for i, r := range readers {
			if err := <-done; err != nil {
				t.Error(err)
			}
			if ok, err := r.Next(ctx, &v); ok || err != nil {
				t.Errorf("reader %d: one record more: %v, %v", i, ok, err)
			}
			_ = r.Close()
		}
		mustClose(t, x)
	})
}
