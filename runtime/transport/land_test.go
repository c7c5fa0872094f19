package transport_test

import (
	"errors"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// landing makes records stay where they arrive whenever that is possible.
func landing(_, client *transport.Config) { client.LandAlways() }

// Over TCP, with many channels: what stays where it arrives is what was sent, beside what does not.
func TestLandOverTCP(t *testing.T) {
	for name, config := range map[string]func(server, client *transport.Config){"when busy": nil, "always": landing} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, options{producers: 2, consumers: 20, config: config})
			w.exchange(5000)
			w.close()
		})
	}
}

// A channel whose reader does not read keeps memory in which others' records have arrived, too: less than all, so that the others go on; and it takes no more than what was set aside for it, beside as much again.
func TestLandBesideSlowChannel(t *testing.T) {
	const budget = 8 << 20
	virtual(t, options{producers: 2, config: landing, budget: transport.BudgetConfig{Bytes: budget, ExclusiveBytes: 1 << 10}}, func(t *testing.T, _ *rwtest.Network, w *world) {
		slow, fast := readerOf(t, w.open(0, 0, nil)), readerOf(t, w.open(1, 0, nil))
		done := make(chan error, 1)
		stuck, wr := w.writer(0), w.writer(1)
		go func() { done <- errors.Join(emit(w.ctx, stuck, 0, 500_000), stuck.Close()) }()
		go func() { _ = errors.Join(emit(w.ctx, wr, 0, 500_000), wr.Close()) }()
		if got, err := readAll(w.ctx, fast); got != 500_000 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		select {
		case err := <-done:
			t.Errorf("nobody has read, but everything was taken: %v", err)
		default:
		}
		if n := w.budget.Landings(); n > budget/8 {
			t.Errorf("the slow channel keeps %d bytes of landings", n)
		}
		if s := w.readPool.Stats(); s.Peak > budget {
			t.Errorf("%d bytes at the reader", s.Peak)
		}
		if got, err := readAll(w.ctx, slow); got != 500_000 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// While a connection waits for bytes it holds no memory of the budget: what is not set aside is there for others.
func TestLandHoldsNothingWhileWaiting(t *testing.T) {
	w := newWorld(t, options{config: landing, budget: transport.BudgetConfig{Bytes: 1 << 20, ExclusiveBytes: 1 << 10}})
	r := readerOf(t, w.open(0, 0, nil))
	wr := w.writer(0)
	if err := emit(w.ctx, wr, 0, 1000); err != nil {
		t.Fatal(err)
	}
	if err := wr.Flush(); err != nil {
		t.Fatal(err)
	}
	take(t, w, r, 1000)
	for deadline := time.Now().Add(10 * time.Second); w.budget.Landings() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes are held while nothing comes", w.budget.Landings())
		}
	}
	if err := wr.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := readAll(w.ctx, r); got != 0 || err != nil {
		t.Errorf("%d records, %v", got, err)
	}
	w.close()
}
