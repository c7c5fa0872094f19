package exchange_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Consumers of one process that wait for each other go on, whoever begins last: those that are full and do not read cannot keep from a gate that is made later what is its own.
func TestConsumerThatBeginsLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := rwtest.NewNetwork()
		rwtest.MustClose(t, n)
		const parts, records = 3, 20_000
		s := newSpread(t, n, exchange.Config{Producers: parts, Consumers: parts, MemoryBytes: 1 << 20}, []string{"a:1", "a:1", "a:1"}, []string{"b", "b", "b"})
		var wg sync.WaitGroup
		for i := range parts { // producer i writes for consumer i only
			w, err := writer.New(s.exchanges["a:1"].Partition(i), parcels(t), writer.WithSelector(selector.Func(func(p *parcel, _ int) int { return int(p.To) })))
			if err != nil {
				t.Fatal(err)
			}
			wg.Go(func() {
				for k := range records {
					if err := w.Emit(s.ctx, &parcel{To: int32(i), Seq: int64(k), Load: make([]byte, 100)}); err != nil {
						t.Errorf("producer %d: %v", i, err)
						break
					}
				}
				if err := w.Close(); err != nil {
					t.Errorf("producer %d: %v", i, err)
				}
			})
		}
		// read gets all records, and the end only afterwards: other producers, which have nothing for this consumer, are not done before their own is.
		read := func(r *gate.Reader[parcel]) {
			for k := range records {
				if ok, err := r.Next(s.ctx, new(parcel)); !ok || err != nil {
					t.Fatalf("record %d: %v, %v", k, ok, err)
				}
			}
		}
		var readers [parts]*gate.Reader[parcel]
		for j := range parts {
			var err error
			if readers[j], err = gate.NewReader(s.exchanges["b"].Gate(j), parcels(t)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second) // until it is full
		}
		for j := parts - 1; j >= 0; j-- { // each waits for the one that was made after it
			read(readers[j])
		}
		for _, r := range readers {
			if ok, err := r.Next(s.ctx, new(parcel)); ok || err != nil {
				t.Errorf("one record more: %v, %v", ok, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		wg.Wait()
		s.close()
	})
}
