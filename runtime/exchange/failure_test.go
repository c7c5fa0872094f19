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
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

var errTest = errors.New("something went wrong")

func newNoteWriter(t *testing.T, x *exchange.Exchange, p int, opts ...writer.Option) *writer.Writer[note] {
	t.Helper()
	choose := selector.Func(func(v *note, _ int) int { return int(v.Channel) })
	w, err := writer.New(x.Partition(p), noteSerializer{}, append(opts, writer.WithSelector(choose))...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func newNoteReader(t *testing.T, x *exchange.Exchange, consumers ...int) *gate.Reader[note] {
	t.Helper()
	r, err := gate.NewReader(x.Gate(consumers...), noteSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestProducerFails checks that readers get every record before the failure, then the cause, again and again.
func TestProducerFails(t *testing.T) {
	for _, policy := range policies {
		t.Run(policy.name, func(t *testing.T) {
			ctx := context.Background()
			x := newExchange(t, exchange.Config{Producers: 2, Consumers: 1})
			bad, good := newNoteWriter(t, x, 0, policy.opt), newNoteWriter(t, x, 1, policy.opt)
			r := newNoteReader(t, x, 0)
			for i := range 10 {
				n := newNote(0, 0, uint64(i), 100*i)
				if err := bad.Emit(ctx, &n); err != nil {
					t.Fatal(err)
				}
			}
			if err := bad.CloseWithError(errTest); err != nil {
				t.Fatal(err)
			}
			var n note
			for i := range 10 {
				if ok, err := r.Next(ctx, &n); !ok || err != nil || n.Seq != uint64(i) {
					t.Fatalf("record %d: got %v, %v, record %d", i, ok, err, n.Seq)
				}
			}
			for range 2 {
				ok, err := r.Next(ctx, &n)
				var failed *gate.ProducerError
				if ok || !errors.Is(err, errTest) || !errors.As(err, &failed) || failed.Producer != 0 {
					t.Fatalf("got %v, %v, want the cause from producer 0", ok, err)
				}
			}
			if err := bad.Emit(ctx, &n); !errors.Is(err, writer.ErrClosed) {
				t.Errorf("emit after close: %v", err)
			}
			if err := bad.Flush(); !errors.Is(err, writer.ErrClosed) {
				t.Errorf("flush after close: %v", err)
			}
			if err := bad.Close(); err != nil {
				t.Errorf("second close: %v", err)
			}
			_, _ = r.Close(), good.Close()
			mustClose(t, x)
		})
	}
}

// TestReaderLeaves checks that a writer learns on every way through it that a consumer has left, that the other channels go on, and that what was accepted and never
// read is reported.
func TestReaderLeaves(t *testing.T) {
	for _, policy := range policies {
		for _, size := range []int{0, 100, 100 << 10} {
			t.Run(fmt.Sprintf("%s/size=%d", policy.name, size), func(t *testing.T) {
				ctx := context.Background()
				x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 1 << 20})
				w := newNoteWriter(t, x, 0, policy.opt)
				leaving, staying := newNoteReader(t, x, 0), newNoteReader(t, x, 1)
				n := newNote(0, 0, 0, size)
				if err := w.Emit(ctx, &n); err != nil {
					t.Fatal(err)
				}
				if err := leaving.CloseWithError(errTest); err != nil {
					t.Fatal(err)
				}
				err := w.Emit(ctx, &n)
				var gone *partition.ConsumerError
				if !errors.Is(err, writer.ErrConsumerGone) || !errors.Is(err, errTest) || !errors.As(err, &gone) || gone.Channel != 0 {
					t.Fatalf("got %v, want ErrConsumerGone with the cause and channel 0", err)
				}
				n.Channel = 1
				if err := w.Emit(ctx, &n); err != nil {
					t.Errorf("emit to the other channel: %v", err)
				}
				if err := w.Flush(); !errors.Is(err, writer.ErrConsumerGone) {
					t.Errorf("flush: %v, want ErrConsumerGone", err)
				}
				if err := w.Close(); !errors.Is(err, writer.ErrConsumerGone) {
					t.Errorf("close: %v, want ErrConsumerGone: the first record was accepted and not read", err)
				}
				if ok, err := staying.Next(ctx, &n); !ok || err != nil {
					t.Errorf("the other reader: %v, %v", ok, err)
				}
				_ = staying.Close()
				mustClose(t, x)
			})
		}
	}
}

// TestReaderLeavesInsideChunk checks that what a reader had taken but not read when it left counts as dropped, to the byte.
func TestReaderLeavesInsideChunk(t *testing.T) {
	const records = 60
	for taken := range records + 1 {
		ctx := context.Background()
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
		w, r := newNoteWriter(t, x, 0, writer.FlushOnFull()), newNoteReader(t, x, 0)
		n := newNote(0, 0, 0, 50)
		frame := 4 + noteSerializer{}.Size(&n)
		for range records {
			if err := w.Emit(ctx, &n); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for range taken {
			if ok, err := r.Next(ctx, &n); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		_ = r.Close()
		err := w.Close()
		unread := uint64((records - taken) * frame)
		if got := w.Stats().Channels[0].Dropped; got != unread {
			t.Errorf("%d of %d records taken: %d bytes count as dropped, want %d", taken, records, got, unread)
		}
		if errors.Is(err, writer.ErrConsumerGone) != (unread > 0) {
			t.Errorf("%d of %d records taken: close returns %v", taken, records, err)
		}
		mustClose(t, x)
	}
}

// TestReaderLeavesBlockedWriter checks that a writer that waits for a full channel is woken when its consumer leaves.
func TestReaderLeavesBlockedWriter(t *testing.T) {
	for _, size := range []int{100, 3000} {
		synctest.Test(t, func(t *testing.T) {
			ctx := context.Background()
			x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 2 * 2 * memory.MinBlock})
			w := newNoteWriter(t, x, 0)
			r := newNoteReader(t, x, 0)
			var wg sync.WaitGroup
			wg.Go(func() {
				for i := 0; ; i++ {
					n := newNote(0, 0, uint64(i), min(size, 2000))
					if err := w.Emit(ctx, &n); err != nil {
						if !errors.Is(err, writer.ErrConsumerGone) {
							t.Errorf("got %v, want ErrConsumerGone", err)
						}
						break
					}
				}
				if err := w.Close(); !errors.Is(err, writer.ErrConsumerGone) {
					t.Errorf("close: %v, want ErrConsumerGone", err)
				}
			})
			synctest.Wait()
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			wg.Wait()
			mustClose(t, x)
		})
	}
}

// TestReaderLeavesAtTheEnd checks that leaving after the last record is no failure.
func TestReaderLeavesAtTheEnd(t *testing.T) {
	ctx := context.Background()
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
	w := newNoteWriter(t, x, 0)
	r := newNoteReader(t, x, 0)
	n := newNote(0, 0, 0, 10)
	if err := errors.Join(w.Emit(ctx, &n), w.Flush()); err != nil {
		t.Fatal(err)
	}
	if ok, err := r.Next(ctx, &n); !ok || err != nil {
		t.Fatal(ok, err)
	}
	_ = r.Close()
	if err := w.Close(); err != nil {
		t.Errorf("close: %v, but nothing was dropped", err)
	}
	mustClose(t, x)
}

// TestCancel checks that Cancel ends every wait with the cause, and that everything is given back when writers and readers are closed.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		x := newExchange(t, exchange.Config{Producers: 3, Consumers: 3, MemoryBytes: 2 * 3 * 4 * memory.MinBlock})
		var wg sync.WaitGroup
		for p, size := range []int{100, 9000} { // one waits for blocks, one for room for large records
			w := newNoteWriter(t, x, p)
			wg.Go(func() {
				defer w.Close()
				for i := 0; ; i++ {
					n := newNote(p, 0, uint64(i), size)
					if err := w.Emit(ctx, &n); err != nil {
						if !errors.Is(err, writer.ErrCanceled) || !errors.Is(err, errTest) {
							t.Errorf("producer %d: %v", p, err)
						}
						return
					}
				}
			})
		}
		idle := newNoteWriter(t, x, 2)
		r := newNoteReader(t, x, 1, 2) // nothing is ever sent there
		wg.Go(func() {
			defer r.Close()
			var n note
			if ok, err := r.Next(ctx, &n); ok || !errors.Is(err, gate.ErrCanceled) || !errors.Is(err, errTest) {
				t.Errorf("reader: %v, %v", ok, err)
			}
		})
		synctest.Wait() // everybody waits
		x.Cancel(errTest)
		wg.Wait()
		n := newNote(2, 0, 0, 1)
		if err := idle.Emit(ctx, &n); !errors.Is(err, writer.ErrCanceled) {
			t.Errorf("emit after cancel: %v", err)
		}
		if err := idle.Close(); !errors.Is(err, writer.ErrCanceled) {
			t.Errorf("close after cancel: %v", err)
		}
		if _, err := gate.NewReader(x.Gate(0), noteSerializer{}); err == nil {
			t.Error("a reader was made after cancel")
		}
		err := x.Close(ctx)
		if err == nil {
			t.Error("close did not report what consumer 0 never read")
		}
		if u := x.Stats().Pool.Used; u != 0 {
			t.Errorf("%d bytes were not given back", u)
		}
	})
}

// TestCloseWaits checks that Close waits for writers and readers, names those that are missing when its context ends, and succeeds later.
func TestCloseWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(t, exchange.Config{Producers: 2, Consumers: 2})
		w0, w1 := newNoteWriter(t, x, 0), newNoteWriter(t, x, 1)
		r0, r1 := newNoteReader(t, x, 0), newNoteReader(t, x, 1)
		_, _ = w0.Close(), r0.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		start := time.Now()
		err := x.Close(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Fatalf("after %v: %v", time.Since(start), err)
		}
		want := "context deadline exceeded\nexchange: the writer of producer 1 is not closed\nexchange: the reader of consumer 1 is not closed"
		if err.Error() != want {
			t.Errorf("got\n%v\nwant\n%v", err, want)
		}
		var n note
		if _, err := r1.Next(context.Background(), &n); !errors.Is(err, exchange.ErrClosed) {
			t.Errorf("next: %v", err)
		}
		_, _ = w1.Close(), r1.Close()
		mustClose(t, x)
	})
}

// TestCloseReportsUnread checks that records that nobody read are not dropped silently.
func TestCloseReportsUnread(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 2, Consumers: 2})
	w := newNoteWriter(t, x, 0)
	r := newNoteReader(t, x, 0)
	n := newNote(0, 1, 0, 10)
	if err := w.Emit(context.Background(), &n); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- x.Close(context.Background()) }()
	// Producer 1 never had a writer: with Close its readers learn that none will come.
	if _, err := r.Next(context.Background(), &n); !errors.Is(err, exchange.ErrClosed) {
		t.Errorf("next: %v", err)
	}
	_ = r.Close()
	if err := <-done; err == nil || err.Error() != "exchange: consumer 1 was never read: 31 bytes dropped" {
		t.Errorf("close: %v", err)
	}
	if err := x.Close(context.Background()); err == nil || err.Error() != "exchange: consumer 1 was never read: 31 bytes dropped" {
		t.Errorf("close, once more: %v", err)
	}
}

// TestOneWriterOneReader checks that second holders and other schemas are refused.
func TestOneWriterOneReader(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 2, Consumers: 3})
	w := newNoteWriter(t, x, 0)
	r := newNoteReader(t, x, 0)
	if _, err := writer.New(x.Partition(0), noteSerializer{}); !errors.Is(err, writer.ErrInUse) {
		t.Errorf("second writer: %v", err)
	}
	if _, err := gate.NewReader(x.Gate(0), noteSerializer{}); !errors.Is(err, gate.ErrInUse) {
		t.Errorf("second reader: %v", err)
	}
	if _, err := gate.NewReader(x.Gate(1, 0), noteSerializer{}); !errors.Is(err, gate.ErrInUse) {
		t.Errorf("second reader through another gate: %v", err)
	}
	if _, err := writer.New[pair](x.Partition(1), pairSerializer{}); !errors.Is(err, partition.ErrSchema) {
		t.Errorf("writer of another type: %v", err)
	}
	if _, err := gate.NewReader[pair](x.Gate(2), pairSerializer{}); !errors.Is(err, partition.ErrSchema) {
		t.Errorf("reader of another type: %v", err)
	}
	if _, err := writer.New(x.Partition(1), noteSerializer{}, writer.WithSelector(selector.Forward[note]())); !errors.Is(err, selector.ErrTopology) {
		t.Errorf("forward with 2 producers and 3 consumers: %v", err)
	}
	if _, err := writer.New(x.Partition(1), noteSerializer{}, writer.WithSelector(selector.Forward[pair]())); err == nil {
		t.Error("a selector for another type was accepted")
	}
	_, _ = w.Close(), r.Close()
	mustClose(t, x)
}

// TestSelectorOutOfRange checks that a wrong channel is an error and not a panic or a lost record.
func TestSelectorOutOfRange(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2})
	choose := selector.Func(func(v *note, _ int) int { return int(int32(v.Channel)) })
	w, err := writer.New(x.Partition(0), noteSerializer{}, writer.WithSelector(choose))
	if err != nil {
		t.Fatal(err)
	}
	for _, channel := range []int{-1, 2} {
		n := note{Channel: uint32(channel)}
		if err := w.Emit(context.Background(), &n); !errors.Is(err, writer.ErrChannel) {
			t.Errorf("channel %d: %v", channel, err)
		}
	}
	_ = w.Close()
	mustClose(t, x)
}

// TestConfigErrors checks that impossible configurations are refused.
func TestConfigErrors(t *testing.T) {
	for _, c := range []exchange.Config{
		{}, {Producers: 1}, {Consumers: 1}, {Producers: -1, Consumers: 1}, {Producers: 1, Consumers: 1, MemoryBytes: -1},
		{Producers: 1, Consumers: 1, ChannelBytes: -1}, {Producers: 1, Consumers: 1000, MemoryBytes: 1 << 20},
	} {
		if x, err := exchange.New(c); err == nil {
			t.Errorf("%+v was accepted: %v", c, x)
		}
	}
}
