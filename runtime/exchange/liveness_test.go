package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestMinimumMemory checks that the smallest budget that is accepted is enough for every schedule of channels when only full blocks are flushed: the writer
// always finds more to write to than what its own open blocks hold. Under synctest a deadlock is a failure.
func TestMinimumMemory(t *testing.T) {
	const consumers = 5
	least := int64(2 * (consumers + 1) * memory.MinBlock)
	if _, err := exchange.New(exchange.Config{Producers: 1, Consumers: consumers, MemoryBytes: least - 1}); !errors.Is(err, memory.ErrInsufficient) {
		t.Fatalf("below the minimum: %v, want ErrInsufficient", err)
	}
	for name, next := range map[string]func(i int) int{
		"in turn":       func(i int) int { return i % consumers },
		"in bursts":     func(i int) int { return i / 40 % consumers },
		"mostly one":    func(i int) int { return map[bool]int{true: i / 7 % consumers, false: 2}[i%7 == 0] },
		"touch, then 0": func(i int) int { return map[bool]int{true: i, false: 0}[i < consumers] },
	} {
		for _, size := range []int{0, 100, 239, 240, 900, 3000} {
			t.Run(fmt.Sprintf("%s/size=%d", name, size), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx := context.Background()
					x := newExchange(t, exchange.Config{Producers: 1, Consumers: consumers, MemoryBytes: least})
					choose := selector.Func(func(v *note, _ int) int { return int(v.Channel) })
					w, err := writer.New(x.Partition(0), noteSerializer{}, writer.WithSelector(choose), writer.FlushOnFull())
					if err != nil {
						t.Fatal(err)
					}
					const records = 1000
					var wg sync.WaitGroup
					arrived := make([]int, consumers)
					for c := range consumers {
						r, err := gate.NewReader(x.Gate(c), noteSerializer{})
						if err != nil {
							t.Fatal(err)
						}
						wg.Go(func() {
							defer r.Close()
							for _, err := range r.All(ctx) {
								if err != nil {
									t.Error(err)
									return
								}
								arrived[c]++
								if c == 1 {
									time.Sleep(time.Millisecond) // one slow channel
								}
							}
						})
					}
					for i := range records {
						n := newNote(0, next(i), uint64(i), size)
						if err := w.Emit(ctx, &n); err != nil {
							t.Fatal(err)
						}
					}
					if err := w.Close(); err != nil {
						t.Fatal(err)
					}
					wg.Wait()
					total := 0
					for _, n := range arrived {
						total += n
					}
					if total != records {
						t.Errorf("%d records arrived, want %d", total, records)
					}
					mustClose(t, x)
				})
			})
		}
	}
}

// TestBlockedWriterShowsEverything checks rule 1 of runtime/DESIGN.md §3: a writer that waits because one channel is full has made readable what
// it wrote to the others, although its policy flushes only full blocks.
func TestBlockedWriterShowsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 64 << 10})
		choose := selector.Func(func(v *note, _ int) int { return int(v.Channel) })
		w, err := writer.New(x.Partition(0), noteSerializer{}, writer.WithSelector(choose), writer.FlushOnFull())
		if err != nil {
			t.Fatal(err)
		}
		slow, err := gate.NewReader(x.Gate(0), noteSerializer{})
		if err != nil {
			t.Fatal(err)
		}
		other, err := gate.NewReader(x.Gate(1), noteSerializer{})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		sent := 0
		wg.Go(func() {
			n := newNote(0, 1, 7, 10)
			if err := w.Emit(ctx, &n); err != nil {
				t.Error(err)
			}
			for i := range 1000 {
				n := newNote(0, 0, uint64(i), 100)
				if err := w.Emit(ctx, &n); err != nil {
					t.Error(err)
				}
				sent++
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait() // nobody reads channel 0: the writer is blocked
		if sent == 1000 {
			t.Fatal("the writer did not block")
		}
		var n note
		if ok, err := other.Next(ctx, &n); !ok || err != nil || n.Seq != 7 {
			t.Fatalf("got %v, %v, record %d", ok, err, n.Seq)
		}
		got := 0
		for _, err := range slow.All(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			got++
		}
		wg.Wait()
		if got != 1000 {
			t.Errorf("%d records arrived, want 1000", got)
		}
		if s := w.Stats(); s.Blocked < 0 || s.Records != 1001 {
			t.Errorf("stats: %+v", s)
		}
		_, _ = slow.Close(), other.Close()
		mustClose(t, x)
	})
}

// TestDiamond has two producers that write to two exchanges in turn, each with the smallest budget, and two consumers that read both. With
// more records than memory it ends only if a writer that waits on one edge does not hide what it wrote to the other.
func TestDiamond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		const consumers, records = 2, 3000
		least := int64(2 * 2 * (consumers + 1) * memory.MinBlock)
		var xs [2]*exchange.Exchange
		for i := range xs {
			xs[i] = newExchange(t, exchange.Config{Producers: 2, Consumers: consumers, MemoryBytes: least})
		}
		var wg sync.WaitGroup
		for p := range 2 {
			wg.Go(func() {
				var ws [2]*writer.Writer[note]
				for i := range ws {
					var err error
					ws[i], err = writer.New(xs[i].Partition(p), noteSerializer{}, writer.WithSelector(selector.RoundRobin[note]()), writer.FlushWhenIdle(time.Second))
					if err != nil {
						t.Error(err)
						return
					}
				}
				for i := range records {
					n := newNote(p, 0, uint64(i), 50)
					if err := ws[(i+p)%2].Emit(ctx, &n); err != nil {
						t.Error(err)
					}
				}
				for _, w := range ws {
					if err := w.Close(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		var mu sync.Mutex
		total := 0
		for c := range consumers {
			for i := range xs {
				r, err := gate.NewReader(xs[(i+c)%2].Gate(c), noteSerializer{})
				if err != nil {
					t.Fatal(err)
				}
				wg.Go(func() {
					defer r.Close()
					for _, err := range r.All(ctx) {
						if err != nil {
							t.Error(err)
							return
						}
						mu.Lock()
						total++
						mu.Unlock()
					}
				})
			}
		}
		wg.Wait()
		if total != 2*records {
			t.Errorf("%d records arrived, want %d", total, 2*records)
		}
		for _, x := range xs {
			mustClose(t, x)
		}
	})
}
