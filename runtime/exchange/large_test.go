package exchange_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// sendAll sends notes of the given sizes to consumer 0 and returns what arrived.
func sendAll(t *testing.T, x *exchange.Exchange, sizes []int) (got []int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	w, err := writer.New(x.Partition(0), noteSerializer{}, writer.WithSelector(selector.Global[note]()))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gate.NewReader(x.Gate(0), noteSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i, size := range sizes {
			n := newNote(0, 0, uint64(i), size)
			if err := w.Emit(ctx, &n); err != nil {
				t.Errorf("record %d of %d bytes: %v", i, size, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	for n, err := range r.All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if n.Seq != uint64(len(got)) || !n.valid() {
			t.Fatalf("record %d came at place %d, valid: %v", n.Seq, len(got), n.valid())
		}
		got = append(got, len(n.Data))
	}
	wg.Wait()
	return got
}

// TestLargeRecords sends records larger than blocks, than the share of their channel, and than all blocks together.
func TestLargeRecords(t *testing.T) {
	const memory = 1 << 20
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 4, MemoryBytes: memory})
	share := memory / 2 / 4
	sizes := []int{10, 1 << 10, 8 << 10, 20, 32 << 10, 64 << 10, share, share + 1, 30, memory/2 - 64, 40, memory/2 - 64, 0}
	got := sendAll(t, x, sizes)
	if len(got) != len(sizes) {
		t.Fatalf("%d records arrived, want %d", len(got), len(sizes))
	}
	for i := range got {
		if got[i] != sizes[i] {
			t.Errorf("record %d has %d bytes, want %d", i, got[i], sizes[i])
		}
	}
	mustClose(t, x)
}

// TestEverySize sends records of every size around the places where a record changes its way through the writer.
func TestEverySize(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 256 << 10})
	var sizes []int
	for size := range 2200 {
		sizes = append(sizes, size)
	}
	for _, around := range []int{4 << 10, 8 << 10, 16 << 10, 32 << 10} {
		for size := around - 40; size < around+10; size++ {
			sizes = append(sizes, size)
		}
	}
	if got := sendAll(t, x, sizes); len(got) != len(sizes) {
		t.Fatalf("%d records arrived, want %d", len(got), len(sizes))
	}
	mustClose(t, x)
}

// TestRecordTooLarge checks that a record above the limit is refused with its size and that the writer can go on.
func TestRecordTooLarge(t *testing.T) {
	for _, tt := range []struct {
		name   string
		config exchange.Config
		limit  int
	}{
		{"memory", exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 64 << 10}, 32<<10 - 4},
		{"limits", exchange.Config{Producers: 1, Consumers: 1, Limits: record.Limits{MaxRecordBytes: 1000}}, 1000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newExchange(t, tt.config)
			w, err := writer.New(x.Partition(0), noteSerializer{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := gate.NewReader(x.Gate(0), noteSerializer{})
			if err != nil {
				t.Fatal(err)
			}
			ctx := context.Background()
			overhead := noteSerializer{}.Size(&note{Data: make([]byte, tt.limit-20)}) - (tt.limit - 20)
			fits := newNote(0, 0, 1, tt.limit-overhead)
			over := newNote(0, 0, 0, tt.limit-overhead+1)
			err = w.Emit(ctx, &over)
			var large *writer.RecordTooLargeError
			if !errors.Is(err, writer.ErrRecordTooLarge) || !errors.As(err, &large) {
				t.Fatalf("got %v, want ErrRecordTooLarge", err)
			}
			if large.Size != tt.limit+1 || large.Limit != tt.limit || large.Record != "note" {
				t.Errorf("got %+v, want size %d and limit %d", large, tt.limit+1, tt.limit)
			}
			if err := w.Emit(ctx, &fits); err != nil {
				t.Fatalf("a record at the limit: %v", err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			var n note
			if ok, err := r.Next(ctx, &n); !ok || err != nil || n.Seq != 1 || !n.valid() {
				t.Fatalf("got %v, %v, record %d", ok, err, n.Seq)
			}
			if ok, err := r.Next(ctx, &n); ok || err != nil {
				t.Fatalf("got %v, %v at the end", ok, err)
			}
			_ = r.Close()
			mustClose(t, x)
		})
	}
}
