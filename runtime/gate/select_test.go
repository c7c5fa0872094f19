package gate_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
)

// two returns two readers, each of one channel of a feed of its own.
func two(t *testing.T) (n *net, a, b *gate.Reader[raw]) {
	t.Helper()
	n = newNet(t, 1, 2)
	return n, newReader(t, n.gate(gate.Config{}, 0)), newReader(t, n.gate(gate.Config{}, 1))
}

// mustSelect selects among readers of which one is ready.
func mustSelect(t *testing.T, want int, readers ...gate.Input) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if i, err := gate.Select(ctx, readers...); i != want || err != nil {
		t.Fatalf("Select returns %d, %v; want %d", i, err, want)
	}
}

// TestSelectTurns: readers that are ready get their turns one after the other, also if one of them has much more.
func TestSelectTurns(t *testing.T) {
	n, a, b := two(t)
	for range 5 {
		n.feeds[0].send(0, frame([]byte("a")), 100)
	}
	n.feeds[0].send(1, append(frame([]byte("b")), frame([]byte("b"))...), 100)
	got := ""
	for range 7 {
		i, err := gate.Select(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		var v raw
		if ok, _, err := []*gate.Reader[raw]{a, b}[i].TryNext(&v); !ok || err != nil {
			t.Fatalf("reader %d was said to be ready: %v, %v", i, ok, err)
		}
		got += string(v.data)
	}
	if got != "ababaaa" {
		t.Errorf("the turns are %s", got)
	}
	_, _ = a.Close(), b.Close()
	n.close()
}

// TestSelectEnds: the end of a reader is something to read; after it was read the reader is passed over.
func TestSelectEnds(t *testing.T) {
	n, a, b := two(t)
	n.feeds[0].send(1, frame([]byte("b")), 100)
	_ = n.feeds[0].part.Finish()
	mustSelect(t, 0, a, b)
	if ok, ended, err := a.TryNext(new(raw)); ok || !ended || err != nil {
		t.Fatalf("the end is %v, %v, %v", ok, ended, err)
	}
	mustSelect(t, 1, a, b)
	if n, err := b.NextBatch(t.Context(), make([]raw, 5)); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	mustSelect(t, 1, a, b)
	if n, err := b.NextBatch(t.Context(), make([]raw, 5)); n != 0 || err != nil {
		t.Fatal(n, err)
	}
	mustSelect(t, -1, a, b)
	mustSelect(t, -1)
	_ = a.Close()
	mustSelect(t, -1, a, b)
	_ = b.Close()
	mustSelect(t, -1, a, b)
	n.close()
}

// TestSelectClosed: a reader that was closed before its end has an error to read.
func TestSelectClosed(t *testing.T) {
	n, a, b := two(t)
	_, _ = a.Close(), b.Close()
	for i := range 2 {
		mustSelect(t, i, a, b)
	}
	if _, _, err := a.TryNext(new(raw)); !errors.Is(err, gate.ErrClosed) {
		t.Error(err)
	}
	n.close()
}

// TestSelectErrors: an error is something to read too, and stays.
func TestSelectErrors(t *testing.T) {
	n, a, b := two(t)
	n.feeds[0].send(1, []byte{0xff, 0, 0, 0}, 4)
	for range 2 {
		mustSelect(t, 1, a, b)
		if _, _, err := b.TryNext(new(raw)); !errors.Is(err, gate.ErrCorrupt) {
			t.Error(err)
		}
	}
	_ = n.feeds[0].part.Fail(errBad)
	mustSelect(t, 0, a)
	if ok, err := a.Next(t.Context(), new(raw)); ok || !errors.Is(err, errBad) {
		t.Error(ok, err)
	}
	_, _ = a.Close(), b.Close()
	n.close()
}

// TestSelectPieces: a record that is complete only with the last of its pieces is ready, and is read once, by whatever method.
func TestSelectPieces(t *testing.T) {
	n := newNet(t, 1, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	f := n.feeds[0]
	data := append(frame([]byte("abc")), frame([]byte("d"))...)
	f.send(0, data[:5], 5)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if i, err := gate.Select(ctx, r); i != -1 || !errors.Is(err, context.Canceled) {
		t.Fatalf("with half of a record Select returns %d, %v", i, err)
	}
	f.send(0, data[5:], 100)
	mustSelect(t, 0, r)
	mustSelect(t, 0, r)
	if last := r.Last(); last.Producer != -1 {
		t.Errorf("before the first record was returned Last is %v", last)
	}
	if got := r.Backlog(); got != int64(len(data)) {
		t.Errorf("the backlog is %d bytes, want %d", got, len(data))
	}
	for i, want := range []string{"abc", "d"} {
		var v raw
		if ok, err := r.Next(t.Context(), &v); !ok || err != nil || string(v.data) != want || r.Last().Seq != uint64(i) {
			t.Errorf("Next gives %q, %v, %v, number %d; want %q, %d", v.data, ok, err, r.Last().Seq, want, i)
		}
	}
	f.send(0, data[:5], 5)
	f.send(0, data[5:], 100)
	mustSelect(t, 0, r)
	_ = r.Close() // with a record that was put together and nobody read: all bytes of it count as dropped
	if err := f.part.Finish(); !errors.Is(err, partition.ErrConsumerGone) {
		t.Error(err)
	}
	if got, want := f.part.Stats().Channels[0].Dropped, uint64(len(data)); got != want {
		t.Errorf("%d bytes were dropped, want %d", got, want)
	}
	n.close()
}

// TestSelectWaits: whatever happens at one of several readers wakes the goroutine that waits for all of them.
func TestSelectWaits(t *testing.T) {
	type world struct {
		n      *net
		gates  [2]*gate.Gate
		cancel context.CancelCauseFunc
	}
	for _, tt := range []struct {
		name  string
		wake  func(w *world)
		index int
		err   error
	}{
		{"a record of the first", func(w *world) { w.n.feeds[0].send(0, frame([]byte("a")), 100) }, 0, nil},
		{"a record of the last", func(w *world) { w.n.feeds[0].send(1, frame([]byte("b")), 100) }, 1, nil},
		{"the end", func(w *world) { _ = w.n.feeds[0].part.Finish() }, 0, nil},
		{"a failure", func(w *world) { _ = w.n.feeds[0].part.Fail(errBad) }, 0, nil},
		{"cancel", func(w *world) { w.gates[1].Cancel(errBad) }, 1, nil},
		{"the context", func(w *world) { w.cancel(errBad) }, -1, errBad},
		{"only then a record", func(w *world) {
			_ = w.n.feeds[0].part.Watermark(5)
			_ = w.n.feeds[0].part.Flush() // wakes, for nothing that can be read
			synctest.Wait()
			time.Sleep(time.Second)
			w.n.feeds[0].send(1, frame([]byte("b")), 100)
		}, 1, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &world{n: newNet(t, 1, 2)}
				w.gates = [2]*gate.Gate{w.n.gate(gate.Config{}, 0), w.n.gate(gate.Config{}, 1)}
				a, b := newReader(t, w.gates[0]), newReader(t, w.gates[1])
				var ctx context.Context
				ctx, w.cancel = context.WithCancelCause(context.Background())
				defer w.cancel(nil)
				got := make(chan string, 1)
				go func() {
					i, err := gate.Select(ctx, a, b)
					got <- fmt.Sprint(i, errors.Is(err, tt.err))
				}()
				synctest.Wait()
				select {
				case s := <-got:
					t.Fatalf("Select returns %s without waiting", s)
				default:
				}
				tt.wake(w)
				if s, want := <-got, fmt.Sprint(tt.index, true); s != want {
					t.Errorf("Select returns %s, want %s", s, want)
				}
				_, _ = a.Close(), b.Close()
				w.n.close()
			})
		})
	}
}

// TestSelectIdleLooks: records that become readable when the reader has nothing else to do are found when none of the readers has; a busy one looks at its deadline.
func TestSelectIdleLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := two(t)
		other := newNetOf(t, 1, 1, partition.WhenIdle(100*time.Millisecond))
		c, err := gate.NewReader(other.gate(gate.Config{}, 0), rawSerializer{})
		must(t, err)
		mustSelectNone(t, a, b, c)
		other.feeds[0].emit(0, []byte("c"))
		n.feeds[0].send(0, frame([]byte("a")), 100)
		mustSelect(t, 0, a, b, c)
		mustSelect(t, 0, a, b, c) // still busy with that
		time.Sleep(100 * time.Millisecond)
		mustSelect(t, 2, a, b, c)
		if ok, _, err := c.TryNext(new(raw)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		other.feeds[0].emit(0, []byte("c"))
		if ok, _, err := a.TryNext(new(raw)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		mustSelect(t, 2, a, b, c)
		_, _, _ = a.Close(), b.Close(), c.Close()
		other.close()
		n.close()
	})
}

// TestSelectWaitsPastEnd: what stands in the inbox of a reader that has ended does not keep Select from waiting for the others.
func TestSelectWaitsPastEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const delay = 10 * time.Millisecond
		ending := newNetOf(t, 1, 1, partition.After(delay))
		a := newReader(t, ending.gate(gate.Config{}, 0))
		n := newNet(t, 1, 1)
		b := newReader(t, n.gate(gate.Config{}, 0))
		mustSelectNone(t, a, b)
		ending.feeds[0].emit(0, []byte("a")) // announced, with a deadline
		_ = ending.feeds[0].part.Finish()
		for _, ended := range []bool{false, true} {
			mustSelect(t, 0, a, b)
			if ok, end, err := a.TryNext(new(raw)); ok == ended || end != ended || err != nil {
				t.Fatal(ok, end, err)
			}
		}
		time.Sleep(2 * delay)
		got := make(chan int, 1)
		go func() {
			i, err := gate.Select(t.Context(), a, b)
			if err != nil {
				t.Error(err)
			}
			got <- i
		}()
		synctest.Wait() // for ever, if Select does not wait
		n.feeds[0].send(0, frame([]byte("b")), 100)
		if i := <-got; i != 1 {
			t.Errorf("reader %d is ready, want 1", i)
		}
		_, _ = a.Close(), b.Close()
		ending.close()
		n.close()
	})
}

// TestSelectOtherSets: a reader may be selected with others, and alone, and read by its own methods.
func TestSelectOtherSets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := two(t)
		for round := range 6 {
			got := make(chan string, 1)
			go func() {
				var v raw
				var err error
				switch round % 3 {
				case 0:
					_, err = gate.Select(t.Context(), a, b)
				case 1:
					_, err = gate.Select(t.Context(), b)
				}
				if err != nil {
					got <- err.Error()
					return
				}
				ok, err := b.Next(t.Context(), &v)
				got <- fmt.Sprint(string(v.data), ok, err)
			}()
			synctest.Wait()
			n.feeds[0].send(1, frame([]byte("b")), 100)
			if s := <-got; s != "btrue <nil>" {
				t.Errorf("round %d: %s", round, s)
			}
		}
		_, _ = a.Close(), b.Close()
		n.close()
	})
}

// TestSelectAllocates nothing, after the first time.
func TestSelectAllocates(t *testing.T) {
	n, a, b := two(t)
	var records []byte
	for range 2000 {
		records = append(records, frame([]byte("r"))...)
	}
	n.feeds[0].send(0, records, len(records))
	n.feeds[0].send(1, records, len(records))
	var v raw
	allocs := testing.AllocsPerRun(1000, func() {
		i, err := gate.Select(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		r := a
		if i == 1 {
			r = b
		}
		if ok, _, err := r.TryNext(&v); !ok || err != nil {
			t.Fatal(ok, err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations for each record", allocs)
	}
	_, _ = a.Close(), b.Close()
	n.close()
}

// mustSelectNone checks that no reader is ready.
func mustSelectNone(t *testing.T, readers ...gate.Input) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if i, err := gate.Select(ctx, readers...); i != -1 || !errors.Is(err, context.Canceled) {
		t.Fatalf("Select returns %d, %v; want an error of the context", i, err)
	}
}
