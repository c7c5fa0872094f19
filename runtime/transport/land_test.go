package transport_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// landing makes records stay where they arrive whenever that is possible.
func landing(_, client *transport.Config) { client.LandAlways() }

// sealed is landing, over TLS.
func sealed(t *testing.T) func(server, client *transport.Config) {
	t.Helper()
	a := newAuthority(t)
	s, c := a.config(t, "", "writer"), a.config(t, "", "reader")
	now := time.Now() // in virtual time it is another year
	s.Time = func() time.Time { return now }
	c.Time = s.Time
	return func(server, client *transport.Config) {
		server.TLS, client.TLS = s, c
		client.LandAlways()
	}
}

// Over TCP, with many channels: what stays where it arrives is what was sent, beside what does not.
func TestLandOverTCP(t *testing.T) {
	for name, config := range map[string]func(server, client *transport.Config){"when busy": nil, "always": landing, "TLS": sealed(t)} {
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
	for name, config := range map[string]func(server, client *transport.Config){"plain": landing, "TLS": sealed(t)} {
		t.Run(name, func(t *testing.T) { holdsNothingWhileWaiting(t, config) })
	}
}

func holdsNothingWhileWaiting(t *testing.T, config func(server, client *transport.Config)) {
	w := newWorld(t, options{config: config, budget: transport.BudgetConfig{Bytes: 1 << 20, ExclusiveBytes: 1 << 10}})
	r := readerOf(t, w.open(0, 0, nil))
	wr := w.writer(0)
	if err := emit(w.ctx, wr, 0, 1000); err != nil {
		t.Fatal(err)
	}
	if err := wr.Flush(); err != nil {
		t.Fatal(err)
	}
	take(t, w, r, 1000)
	if ok, _, err := r.TryNext(new(trade)); ok || err != nil { // it gives back what it had last
		t.Fatal(ok, err)
	}
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

// Channels of two budgets on one connection that is cut, with records of all sizes: each gets its own, and a budget whose channels are done has nothing in the hands of the connection, which is busy with the other one's.
func TestLandOfTwoBudgets(t *testing.T) {
	const producers, consumers = 2, 4
	note := func(seq int64, consumer int32) string {
		n := int(seq*7919+int64(consumer)*31) % 50
		switch {
		case seq%101 == 100:
			n = 200_000
		case seq%23 == 22:
			n *= 500
		}
		return strings.Repeat(string(rune('a'+seq%26)), n)
	}
	records := func(consumer int) int64 { return 150 + int64(consumer)*150 }
	over := sealed(t)
	for seed := range runs(t, 8) {
		synctest.Test(t, func(t *testing.T) {
			land := landing
			if seed%4 > 1 {
				land = over
			}
			n := rwtest.NewNetwork(rwtest.Seed(seed), rwtest.EachLink(func(l *rwtest.Link) {
				l.Latency(0, time.Millisecond)
				if seed%2 == 1 {
					l.CutEvery(1<<15, 1<<20)
				}
			}))
			config := transport.BudgetConfig{Bytes: 256<<10 + int64(seed%4)<<18, ExclusiveBytes: 1 << 10}
			w := newWorld(t, network(n, options{producers: producers, consumers: consumers, memory: 8 << 20, config: land, budget: config}))
			pool, err := memory.NewPool(config.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			other, err := transport.NewBudget(pool, config)
			if err != nil {
				t.Fatal(err)
			}
			var wg, first sync.WaitGroup
			for i := range producers {
				wr := w.writer(i, writer.FlushWhenIdle(time.Millisecond))
				wg.Go(func() {
					for seq := range records(consumers - 1) {
						for j := range int32(consumers) {
							if seq >= records(int(j)) {
								continue
							}
							if err := wr.Emit(w.ctx, &trade{Producer: int32(i), Channel: j, Seq: seq, Note: note(seq, j)}); err != nil {
								t.Error(errors.Join(err, wr.CloseWithError(err)))
								return
							}
						}
					}
					if err := wr.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			read := func(j int, r *gate.Reader[trade]) {
				defer r.Close()
				var next [producers]int64
				want := [producers]int64{records(j), records(j)}
				for tr, err := range r.All(w.ctx) {
					if err != nil {
						t.Errorf("consumer %d: %v", j, err)
						return
					}
					if tr.Seq != next[tr.Producer] || int(tr.Channel) != j || tr.Note != note(tr.Seq, tr.Channel) {
						t.Errorf("consumer %d: record %d of producer %d is %d of %d, %d bytes", j, next[tr.Producer], tr.Producer, tr.Seq, tr.Channel, len(tr.Note))
						return
					}
					next[tr.Producer]++
					if tr.Seq%20 == 0 {
						time.Sleep(time.Duration(seed%3) * time.Millisecond)
					}
					if j < 2 && next == want { // it leaves while there is more to come for others
						_ = r.CloseWithError(partition.ErrEnough)
						return
					}
				}
				if next != want {
					t.Errorf("consumer %d: %d records, want %d", j, next, want)
				}
			}
			for j := range consumers {
				if j >= 2 {
					r := w.reader(j)
					wg.Go(func() { read(j, r) })
					continue
				}
				own := func(c *transport.ChannelConfig) { c.Budget = other }
				a, b := w.open(0, j, own), w.open(1, j, own)
				r := readerOf(t, a, b)
				first.Go(func() {
					read(j, r)
					if err := errors.Join(a.Wait(w.ctx), b.Wait(w.ctx)); err != nil {
						t.Errorf("consumer %d: %v", j, err)
					}
				})
			}
			first.Wait()
			other.Close()
			if err := pool.Close(); err != nil {
				t.Errorf("memory of channels that are done: %v", err)
			}
			wg.Wait()
			w.close()
			rwtest.MustClose(t, n)
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
