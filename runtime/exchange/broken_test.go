package exchange_test

import (
	"context"
	"errors"
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

// The tests of this file keep what attempts to break the write path have found.

// bombSerializer panics on a record that it has said the size of.
type bombSerializer struct{ noteSerializer }

func (s bombSerializer) Put(dst []byte, v *note) (int, error) {
	if v.Seq == 666 && len(dst) >= s.Size(v) {
		panic("boom")
	}
	return s.noteSerializer.Put(dst, v)
}

// recovered calls f and says whether it panicked.
func recovered(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

// fill writes to a channel until there is no room.
func fill(t *testing.T, w *writer.Writer[note], channel int) {
	t.Helper()
	for seq := uint64(0); ; seq++ {
		n := newNote(0, channel, seq, 100)
		if full, err := w.TryEmit(&n); err != nil {
			t.Fatal(err)
		} else if full >= 0 {
			return
		}
	}
}

// abandon ends an exchange whose records nobody wants any more.
func abandon(t *testing.T, x *exchange.Exchange) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = x.Close(ctx)
}

// TestPanicThenClose: the room of a large record whose serializer panicked comes back with Close and with Flush, not only with the next large record.
func TestPanicThenClose(t *testing.T) {
	for _, broadcast := range []bool{false, true} {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 128 << 10, LargeBytes: 64 << 10})
		w, err := writer.New(x.Partition(0), bombSerializer{}, byNoteChannel())
		if err != nil {
			t.Fatal(err)
		}
		bad := newNote(0, 0, 666, 60<<10)
		for _, end := range []func() error{w.Flush, w.Close} {
			if !recovered(func() {
				if broadcast {
					_ = w.Broadcast(t.Context(), &bad)
				} else {
					_ = w.Emit(t.Context(), &bad)
				}
			}) {
				t.Fatal("no panic")
			}
			if err := end(); err != nil {
				t.Error(err)
			}
			if n := x.Stats().Pool.Large; n != 0 {
				t.Errorf("%d bytes of large records are left", n)
			}
		}
		abandon(t, x)
	}
}

// TestPanicInBatch: the records before a panic in a batch are readable like any others.
func TestPanicInBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2})
		w, err := writer.New(x.Partition(0), bombSerializer{}, byNoteChannel())
		if err != nil {
			t.Fatal(err)
		}
		r, err := gate.NewReader(x.Gate(0), noteSerializer{})
		if err != nil {
			t.Fatal(err)
		}
		if !recovered(func() {
			_, _ = w.EmitBatch(t.Context(), []note{newNote(0, 0, 0, 1), newNote(0, 0, 1, 1), newNote(0, 1, 666, 1)})
		}) {
			t.Fatal("no panic")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 2 {
			var n note
			if ok, err := r.Next(ctx, &n); !ok {
				t.Fatalf("a record of the batch is not readable after a second: %v", err)
			}
		}
		_, _ = w.Close(), r.Close()
		abandon(t, x)
	})
}

// TestAvailableAfterCancel: nobody waits for an output that was canceled, or for a channel whose consumer has left.
func TestAvailableAfterCancel(t *testing.T) {
	for name, end := range map[string]func(*exchange.Exchange, *gate.Reader[note]){
		"cancel": func(x *exchange.Exchange, _ *gate.Reader[note]) { x.Cancel(errors.New("stop")) },
		"leave":  func(_ *exchange.Exchange, r *gate.Reader[note]) { _ = r.Close() },
	} {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 32 << 10})
		w, err := writer.New(x.Partition(0), noteSerializer{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := gate.NewReader(x.Gate(0), noteSerializer{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := writer.NewDelegate(w)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, w, 0)
		if w.Available(0) || w.Available(-1) {
			t.Errorf("%s: available, and full", name)
		}
		end(x, r)
		if !w.Available(0) {
			t.Errorf("%s: channel 0 is not available: the next call does not wait", name)
		}
		if err := d.Wait(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_, _ = w.Close(), r.Close()
		abandon(t, x)
	}
}

// TestLargeWaitConsumerLeaves: a writer that waits for the area is told when the consumer of its record leaves.
func TestLargeWaitConsumerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 128 << 10})
		w, err := writer.New(x.Partition(0), noteSerializer{}, byNoteChannel())
		if err != nil {
			t.Fatal(err)
		}
		r, err := gate.NewReader(x.Gate(0), noteSerializer{})
		if err != nil {
			t.Fatal(err)
		}
		first := newNote(0, 1, 0, 60<<10)
		if err := w.Emit(t.Context(), &first); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			n := newNote(0, 0, 0, 60<<10)
			done <- w.Emit(t.Context(), &n)
		}()
		synctest.Wait()
		if len(done) > 0 {
			t.Fatal("there was room")
		}
		_ = r.CloseWithError(errors.New("gone"))
		synctest.Wait()
		select {
		case err := <-done:
			if !errors.Is(err, writer.ErrConsumerGone) {
				t.Error(err)
			}
		default:
			t.Error("still waiting")
			x.Cancel(nil)
			<-done
		}
		_ = w.Close()
		abandon(t, x)
	})
}

// TestConstructionsAtOnce: of two exchanges of which one fits, one comes about.
func TestConstructionsAtOnce(t *testing.T) {
	for range 50 {
		m := newMemory(t, 1<<20)
		c := exchange.Config{Producers: 100, Consumers: 1, Memory: m, GuaranteedBytes: 6 << 10, LargeBytes: 1 << 10}
		var made sync.WaitGroup
		var xs [2]*exchange.Exchange
		var errs [2]error
		start := make(chan struct{})
		for i := range xs {
			made.Go(func() {
				<-start
				xs[i], errs[i] = exchange.New(c)
			})
		}
		close(start)
		made.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("%v and %v, want one exchange", errs[0], errs[1])
		}
		for i, x := range xs {
			if x != nil {
				mustCloseUnused(t, x)
			} else if !errors.Is(errs[i], memory.ErrInsufficient) {
				t.Error(errs[i])
			}
		}
	}
}

// TestOneSelectorTwoWriters: of two writers that are given one selector at the same time one is made, and one that could not be made leaves the selector to others.
func TestOneSelectorTwoWriters(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 3, Consumers: 2})
	s := selector.Shuffle[note]()
	taken, err := writer.New(x.Partition(2), noteSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.New(x.Partition(2), noteSerializer{}, writer.WithSelector(s)); !errors.Is(err, writer.ErrInUse) {
		t.Errorf("a second writer: %v", err)
	}
	var made sync.WaitGroup
	var errs [2]error
	for i := range 2 {
		made.Go(func() {
			var w *writer.Writer[note]
			if w, errs[i] = writer.New(x.Partition(i), noteSerializer{}, writer.WithSelector(s), writer.WithSeed(uint64(i))); w != nil {
				_ = w.Close()
			}
		})
	}
	made.Wait()
	if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs[:]...), selector.ErrShared) {
		t.Errorf("%v and %v, want one writer", errs[0], errs[1])
	}
	_ = taken.Close()
	abandon(t, x)
}

// TestBroadcastWriterIsOneLane: all channels of a broadcast writer are available, or none.
func TestBroadcastWriterIsOneLane(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 3, MemoryBytes: 64 << 10})
	w, err := writer.New(x.Partition(0), noteSerializer{}, writer.WithSelector(selector.Broadcast[note]()))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		for channel := range 4 {
			if got := w.Available(channel - 1); got != want {
				t.Errorf("channel %d: available: %v, want %v", channel-1, got, want)
			}
		}
		if isReady := w.Ready(2) == w.Ready(0); !isReady && !want {
			t.Error("channels wait for different things")
		}
		fill(t, w, 0)
	}
	_ = w.Close()
	abandon(t, x)
}

// TestStuckChannels: a channel whose reader reads goes on while others, whose readers do not, are full, however much of the memory they hold.
func TestStuckChannels(t *testing.T) {
	for _, c := range []exchange.Config{
		{Producers: 4, Consumers: 2, MemoryBytes: 1 << 20},
		{Producers: 8, Consumers: 2, MemoryBytes: 8 << 20},
		{Producers: 1, Consumers: 4, MemoryBytes: 1 << 20},
		{Producers: 1, Consumers: 2, MemoryBytes: 1 << 20, ChannelBytes: 400 << 10},
	} {
		synctest.Test(t, func(t *testing.T) {
			x := newExchange(t, c)
			w, err := writer.New(x.Partition(0), noteSerializer{}, byNoteChannel())
			if err != nil {
				t.Fatal(err)
			}
			last := c.Consumers - 1
			r, err := gate.NewReader(x.Gate(last), noteSerializer{})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				for _, err := range r.All(ctx) {
					if err != nil {
						return
					}
				}
			}()
			for channel := range last {
				fill(t, w, channel)
			}
			for sent := 0; sent < 5000; {
				n := newNote(0, last, uint64(sent), 100)
				full, err := w.TryEmit(&n)
				if err != nil {
					t.Fatal(err)
				}
				if full < 0 {
					sent++
					continue
				}
				select {
				case <-w.Ready(full):
				case <-time.After(time.Second):
					t.Fatalf("%+v: after %d records nobody says that there is room", c, sent)
				}
			}
			stop()
			_ = w.Close()
			<-done
			_ = r.Close()
			abandon(t, x)
		})
	}
}

// TestTooManyChannels: absurd numbers are errors.
func TestTooManyChannels(t *testing.T) {
	const most = 1<<31 - 1
	for _, c := range []exchange.Config{
		{Producers: 1, Consumers: most}, {Producers: most, Consumers: 1}, {Producers: most, Consumers: most}, {Producers: 1 << 24, Consumers: 1 << 24},
		{Producers: 1, Consumers: 1, MemoryBytes: 1 << 62}, {Producers: 1, Consumers: 1, GuaranteedBytes: 1 << 62},
	} {
		if x, err := exchange.New(c); err == nil {
			t.Errorf("%+v was accepted", c)
			abandon(t, x)
		}
	}
}

// TestRefusedReaderTakesNothing: a reader of several channels that cannot have one of them leaves the others to whoever asks for them.
func TestRefusedReaderTakesNothing(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 2, Consumers: 3})
	taken, err := gate.NewReader(x.Gate(1), noteSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := gate.NewReader(x.Gate(0, 2, 1), noteSerializer{}); !errors.Is(err, partition.ErrInUse) {
			t.Fatalf("got %v, want that a channel is in use", err)
		}
	}
	w, err := writer.New(x.Partition(0), noteSerializer{}, byNoteChannel())
	if err != nil {
		t.Fatal(err)
	}
	for channel := range 3 {
		n := newNote(0, channel, 0, 10)
		if err := w.Emit(t.Context(), &n); err != nil {
			t.Error(err)
		}
	}
	r, err := gate.NewReader(x.Gate(0, 2), noteSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, _ = w.Close(), r.Close(), taken.Close()
	abandon(t, x)
}
