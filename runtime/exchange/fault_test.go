package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/writer"
)

// pointContext is done from the n-th time on that somebody consults it. Every place where the runtime looks at a context is a fault point, and counting them
// visits each one, without sleeping.
type pointContext struct {
	context.Context
	left atomic.Int64
	done chan struct{}
	once sync.Once
}

func newPointContext(n int) *pointContext {
	c := &pointContext{Context: context.Background(), done: make(chan struct{})}
	c.left.Store(int64(n))
	return c
}

func (c *pointContext) consult() {
	if c.left.Add(-1) < 0 {
		c.once.Do(func() { close(c.done) })
	}
}

func (c *pointContext) Done() <-chan struct{} { c.consult(); return c.done }

func (c *pointContext) Err() error {
	c.consult()
	select {
	case <-c.done:
		return context.Canceled
	default:
		return nil
	}
}

// reached reports whether the fault happened.
func (c *pointContext) reached() bool { return c.left.Load() < 0 }

// TestEmitCanceledAtEveryPoint cancels the writer's context at its first, second, … consultation, in programs that wait for blocks, for a full channel and
// inside large records, then repeats the call with another context: every record arrives once and whole, whatever Emit returned first.
func TestEmitCanceledAtEveryPoint(t *testing.T) {
	for _, policy := range policies {
		for _, size := range []int{100, 700, 5000} {
			t.Run(fmt.Sprintf("%s/size=%d", policy.name, size), func(t *testing.T) {
				t.Parallel()
				faults := 0
				for n := 0; ; n++ {
					ctx := newPointContext(n)
					canceled := emitWithFault(t, ctx, policy.opt, size)
					if canceled {
						faults++
					}
					if !ctx.reached() || t.Failed() || n > 500 {
						break
					}
				}
				if faults == 0 {
					t.Error("no call was ever canceled")
				}
			})
		}
	}
}

func emitWithFault(t *testing.T, ctx *pointContext, policy writer.Option, size int) (canceled bool) {
	const records = 60
	good, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 2 * 3 * memory.MinBlock * 3})
	w := newNoteWriter(t, x, 0, policy)
	var wg sync.WaitGroup
	for c := range 2 {
		r := newNoteReader(t, x, c)
		wg.Go(func() {
			defer r.Close()
			want := uint64(0)
			for n, err := range r.All(good) {
				if err != nil {
					t.Error(err)
					return
				}
				if n.Seq != want || !n.valid() || int(n.Channel) != c {
					t.Errorf("consumer %d got record %d of channel %d, valid: %v; want record %d", c, n.Seq, n.Channel, n.valid(), want)
				}
				want++
			}
			if want != records/2 {
				t.Errorf("consumer %d got %d records, want %d", c, want, records/2)
			}
		})
	}
	for i := range records {
		n := newNote(0, i%2, uint64(i/2), size)
		err := w.Emit(ctx, &n)
		if errors.Is(err, context.Canceled) {
			canceled = true
			err = w.Emit(good, &n) // nothing of it was published: it may be repeated
		}
		if err != nil {
			t.Errorf("record %d: %v", i, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	mustClose(t, x)
	return canceled
}

// TestNextCanceledAtEveryPoint does the same to the reader: after an error of its context it goes on where it was.
func TestNextCanceledAtEveryPoint(t *testing.T) {
	for _, policy := range policies {
		t.Run(policy.name, func(t *testing.T) {
			t.Parallel()
			for n := 0; n < 200; n++ {
				ctx := newPointContext(n)
				good, stop := context.WithTimeout(context.Background(), time.Minute)
				x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 64 << 10})
				w, r := newNoteWriter(t, x, 0, policy.opt), newNoteReader(t, x, 0)
				var wg sync.WaitGroup
				wg.Go(func() {
					for i := range 300 {
						n := newNote(0, 0, uint64(i), 10*i)
						if err := w.Emit(good, &n); err != nil {
							t.Error(err)
						}
					}
					if err := w.Close(); err != nil {
						t.Error(err)
					}
				})
				want := uint64(0)
				for {
					var n note
					ok, err := r.Next(ctx, &n)
					if errors.Is(err, context.Canceled) {
						ok, err = r.Next(good, &n)
					}
					if err != nil {
						t.Fatal(err)
					}
					if !ok {
						break
					}
					if n.Seq != want || !n.valid() {
						t.Fatalf("got record %d, want %d", n.Seq, want)
					}
					want++
				}
				if want != 300 {
					t.Errorf("%d records arrived, want 300", want)
				}
				wg.Wait()
				_ = r.Close()
				mustClose(t, x)
				stop()
				if !ctx.reached() {
					break
				}
			}
		})
	}
}

// TestStopAtEveryRecord ends the run in every way after every number of records: the producer fails or closes, the reader leaves, or the
// exchange is canceled. Nothing may be left over, neither goroutines (see TestMain) nor memory.
func TestStopAtEveryRecord(t *testing.T) {
	for _, how := range []string{"producer fails", "producer closes", "reader leaves", "canceled"} {
		for _, size := range []int{100, 3000} {
			t.Run(fmt.Sprintf("%s/size=%d", how, size), func(t *testing.T) {
				t.Parallel()
				for at := range 80 {
					ctx, stop := context.WithTimeout(context.Background(), time.Minute)
					x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 2 * 3 * memory.MinBlock * 2})
					w := newNoteWriter(t, x, 0)
					var wg sync.WaitGroup
					for c := range 2 {
						r := newNoteReader(t, x, c)
						wg.Go(func() {
							defer r.Close()
							var n note
							for i := 0; ; i++ {
								if how == "reader leaves" && c == 0 && i == at/2 {
									return
								}
								if ok, _ := r.Next(ctx, &n); !ok {
									return
								}
							}
						})
					}
					for i := range 80 {
						if i == at {
							switch how {
							case "producer fails":
								_ = w.CloseWithError(errTest)
							case "producer closes":
								_ = w.Close()
							case "canceled":
								x.Cancel(errTest)
							}
						}
						n := newNote(0, i%2, uint64(i), size)
						if err := w.Emit(ctx, &n); err != nil && (ctx.Err() != nil || how != "reader leaves" && i < at) {
							t.Errorf("record %d: %v", i, err)
						}
					}
					_ = w.Close()
					wg.Wait()
					mustClose(t, x)
					stop()
				}
			})
		}
	}
}
