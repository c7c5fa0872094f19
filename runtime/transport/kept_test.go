package transport_test

import (
	"errors"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// stop fills what a channel may hold, and does not read it. The function that it returns reads everything.
func stop(t *testing.T, w *world, producers ...int) (read func()) {
	t.Helper()
	done := make(chan error, len(producers))
	var reads []func()
	for _, i := range producers {
		r, wr := readerOf(t, w.open(i, 0, nil)), w.writer(i)
		go func() { done <- errors.Join(emit(w.ctx, wr, 0, 300_000), wr.Close()) }()
		reads = append(reads, func() {
			if got, err := readAll(w.ctx, r); got != 300_000 || err != nil {
				t.Errorf("producer %d: %d records, %v", i, got, err)
			}
		})
	}
	time.Sleep(time.Second)
	if len(done) > 0 {
		t.Fatal("nobody has read, but everything was taken")
	}
	return func() {
		t.Helper()
		for _, read := range reads {
			read()
		}
		for range producers {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
}

// What is guaranteed to a channel is there for it also if it is opened when others are full and do not read: a program whose readers wait for each other would never go on.
func TestOpenedBesideStopped(t *testing.T) {
	virtual(t, options{producers: 3, budget: transport.BudgetConfig{Bytes: 64 << 10, ExclusiveBytes: 1 << 10}}, func(t *testing.T, _ *rwtest.Network, w *world) {
		read := stop(t, w, 0, 1)
		late, wr := readerOf(t, w.open(2, 0, nil)), w.writer(2)
		done := make(chan error, 1)
		go func() { done <- errors.Join(emit(w.ctx, wr, 0, 10_000), wr.Close()) }()
		if got, err := readAll(w.ctx, late); got != 10_000 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		read()
	})
}

// So it is if the share of the budget has become smaller than what those hold.
func TestSmallerShareBesideStopped(t *testing.T) {
	virtual(t, options{producers: 3, budget: transport.BudgetConfig{Bytes: 8 << 10, MaxBytes: 256 << 10, ExclusiveBytes: 1 << 10}}, func(t *testing.T, _ *rwtest.Network, w *world) {
		share := func() *memory.Share {
			s, err := w.readPool.NewShare(1<<10, 256<<10, nil)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		defer share().Close()
		healthy, wr := readerOf(t, w.open(2, 0, nil)), w.writer(2)
		read := stop(t, w, 0, 1)
		used := w.budget.Used()
		defer share().Close()
		defer share().Close()
		if size := w.readPool.Stats().Limit / 3; used < size {
			t.Fatalf("%d bytes are used, the share may have %d", used, size)
		}
		done := make(chan error, 1)
		go func() { done <- errors.Join(emit(w.ctx, wr, 0, 10_000), wr.Close()) }()
		if got, err := readAll(w.ctx, healthy); got != 10_000 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		read()
	})
}
