package writer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// The tests of this file hold behaviours of Flink's record writers; the numbers are those of the table in runtime/DESIGN.md.

// smallBlocks is a budget with which four channels have blocks of 1 KiB only.
const smallBlocks = 64 << 10

// TestFlink06BroadcastBlockCount: records for all channels take as many blocks as they fill on a broadcast writer, and that many for each channel on a writer that
// selects. Every channel gets all of them.
func TestFlink06BroadcastBlockCount(t *testing.T) {
	const channels, records, perBlock = 4, 32, 8
	for _, tt := range []struct {
		name string
		opt  writer.Option
		want uint64
	}{
		{"broadcast", writer.WithSelector(selector.Broadcast[item]()), records / perBlock},
		{"selecting", byChannel(), channels * records / perBlock},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newExchange(t, exchange.Config{Producers: 1, Consumers: channels, MemoryBytes: smallBlocks})
			w := newItemWriter(t, x, tt.opt)
			for i := range records {
				if err := w.Broadcast(t.Context(), &item{Seq: uint32(i), Size: memory.MinBlock/perBlock - 4}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if s := w.Stats(); s.Blocks != tt.want {
				t.Errorf("%d blocks, want %d", s.Blocks, tt.want)
			}
			for c := range channels {
				r := newItemReader(t, x, c)
				got, ended := readNow(t, r)
				if len(got) != records || !ended {
					t.Errorf("channel %d: %d records, ended: %v; want %d and the end", c, len(got), ended, records)
				}
				for i, v := range got {
					if v.Seq != uint32(i) {
						t.Fatalf("channel %d: record %d at place %d", c, v.Seq, i)
					}
				}
				_ = r.Close()
			}
			mustClose(t, x)
		})
	}
}

// TestFlink07Availability: with the least memory a writer is unavailable while all of it is in use, and available again when a reader gives some back.
func TestFlink07Availability(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 4 << 10})
		w, r := newItemWriter(t, x, writer.FlushOnFull()), newItemReader(t, x, 0)
		for round := range uint32(3) {
			if !w.Available(0) || !w.Available(-1) || !isClosed(w.Ready(-1)) {
				t.Fatalf("round %d: not available at the beginning", round)
			}
			sent := 0
			for full := -1; full < 0; sent++ {
				var err error
				if full, err = w.TryEmit(&item{Seq: round, Size: 100}); err != nil {
					t.Fatal(err)
				}
			}
			sent--
			if w.Available(0) || w.Available(-1) {
				t.Errorf("round %d: available when full", round)
			}
			one, all := w.Ready(0), w.Ready(-1)
			if isClosed(one) || isClosed(all) {
				t.Errorf("round %d: ready when full", round)
			}
			got, _ := readNow(t, r)
			if len(got) != sent {
				t.Errorf("round %d: %d records are readable, %d were accepted", round, len(got), sent)
			}
			synctest.Wait()
			if !isClosed(one) || !isClosed(all) {
				t.Errorf("round %d: nobody was told that there is room", round)
			}
		}
		_, _ = w.Close(), r.Close()
		mustClose(t, x)
	})
}

// TestFlink08AlternatingBroadcast: records for one channel and records for all, in turn. Each channel gets its own in order, and the change costs no block (Flink: two
// buffers a pair).
func TestFlink08AlternatingBroadcast(t *testing.T) {
	const channels, pairs = 2, 8
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: channels, MemoryBytes: smallBlocks})
	w := newItemWriter(t, x)
	var want [channels][]uint32
	for i := range uint32(pairs) {
		c := i % channels
		emit(t, w, item{Channel: c, Seq: 2 * i, Size: itemHead})
		want[c] = append(want[c], 2*i)
		if err := w.Broadcast(t.Context(), &item{Seq: 2*i + 1, Size: itemHead}); err != nil {
			t.Fatal(err)
		}
		for c := range want {
			want[c] = append(want[c], 2*i+1)
		}
	}
	if s := w.Stats(); s.Blocks != 0 || x.Stats().Pool.Used != channels*memory.MinBlock {
		t.Errorf("%d blocks were handed over, %d bytes are in use; want one open block for each channel", s.Blocks, x.Stats().Pool.Used)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for c := range channels {
		r := newItemReader(t, x, c)
		items, _ := readNow(t, r)
		var got []uint32
		for _, v := range items {
			got = append(got, v.Seq)
		}
		if !slices.Equal(got, want[c]) {
			t.Errorf("channel %d: %d, want %d", c, got, want[c])
		}
		_ = r.Close()
	}
	mustClose(t, x)
}

// edges returns the edges to some exchanges, for producer 0, with selectors by item.Channel and the other options.
func edges(xs []*exchange.Exchange, opts ...writer.Option) []writer.Edge {
	var es []writer.Edge
	for i, x := range xs {
		o := append([]writer.Option{byChannel(), writer.WithName(fmt.Sprintf("edge %d", i))}, opts...)
		es = append(es, writer.Edge{Output: x.Partition(0), Options: o})
	}
	return es
}

func newItems(out writer.Output, opts ...writer.Option) (*writer.Writer[item], error) {
	return writer.New(out, itemSerializer{}, opts...)
}

// TestFlink10Delegate: no writer, one, and several: in the order of the edges, available when all are, and ended together.
func TestFlink10Delegate(t *testing.T) {
	for n := range 4 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var xs []*exchange.Exchange
				for range n {
					xs = append(xs, newExchange(t, exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 4 << 10}))
				}
				ws, d, err := writer.Build(edges(xs, writer.FlushOnFull()), newItems)
				if err != nil {
					t.Fatal(err)
				}
				if len(ws) != n || d.Len() != n || len(d.Stats()) != n {
					t.Fatalf("%d writers, %d in the delegate, want %d", len(ws), d.Len(), n)
				}
				if !d.Available() || !isClosed(d.Ready()) || d.Wait(t.Context()) != nil {
					t.Error("not available at the beginning")
				}
				var rs []*gate.Reader[item]
				for i := range n {
					if got, want := d.Stats()[i].Name, fmt.Sprintf("edge %d", i); got != want {
						t.Errorf("writer %d is %q, want %q", i, got, want)
					}
					rs = append(rs, newItemReader(t, xs[i], 0))
				}
				for i, w := range ws { // each in turn makes all of them unavailable
					for full := -1; full < 0; {
						if full, err = w.TryEmit(&item{Seq: uint32(i), Size: 100}); err != nil {
							t.Fatal(err)
						}
					}
					ready := d.Ready()
					if d.Available() || isClosed(ready) {
						t.Errorf("available while writer %d is not", i)
					}
					for j := range rs {
						if j != i && !ws[j].Available(-1) {
							t.Errorf("writer %d is not available because writer %d is not", j, i)
						}
					}
					if items, _ := readNow(t, rs[i]); len(items) == 0 {
						t.Errorf("nothing can be read from writer %d", i)
					}
					synctest.Wait()
					if !d.Available() || !isClosed(ready) {
						t.Errorf("not available although writer %d is again", i)
					}
				}
				for i, w := range ws {
					emit(t, w, item{Seq: 7, Size: 100})
					if items, _ := readNow(t, rs[i]); len(items) != 0 {
						t.Errorf("writer %d has shown a record before Flush", i)
					}
				}
				if err := d.Flush(); err != nil {
					t.Fatal(err)
				}
				for i, r := range rs {
					if items, _ := readNow(t, r); len(items) != 1 {
						t.Errorf("writer %d: %d records after Flush, want 1", i, len(items))
					}
				}
				if err := d.CloseWithError(errPicky); err != nil {
					t.Fatal(err)
				}
				for i, r := range rs {
					var v item
					if _, err := r.Next(t.Context(), &v); !errors.Is(err, errPicky) {
						t.Errorf("reader %d got %v, want the cause", i, err)
					}
					_ = r.Close()
				}
				for _, x := range xs {
					mustClose(t, x)
				}
			})
		})
	}
}

// TestFlink10DelegateErrors: every writer is closed although one fails, and the error says which; a writer belongs to one delegate; an edge that cannot be made
// ends those before it.
func TestFlink10DelegateErrors(t *testing.T) {
	config := exchange.Config{Producers: 1, Consumers: 1}
	xs := []*exchange.Exchange{newExchange(t, config), newExchange(t, config), newExchange(t, config)}
	ws, d, err := writer.Build(edges(xs), newItems)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.NewDelegate(ws[1]); !errors.Is(err, writer.ErrInUse) {
		t.Errorf("a second delegate: %v", err)
	}
	var rs []*gate.Reader[item]
	for i, w := range ws {
		rs = append(rs, newItemReader(t, xs[i], 0))
		emit(t, w, item{Seq: uint32(i), Size: itemHead})
	}
	_ = rs[1].Close()
	if err := d.Flush(); !errors.Is(err, writer.ErrConsumerGone) || !strings.Contains(err.Error(), "edge 1 of 3") {
		t.Errorf("flush: %v", err)
	}
	if err := d.Close(); !errors.Is(err, writer.ErrConsumerGone) || !strings.Contains(err.Error(), "edge 1 of 3") {
		t.Errorf("close: %v", err)
	}
	for _, i := range []int{0, 2} {
		if items, ended := readNow(t, rs[i]); len(items) != 1 || !ended {
			t.Errorf("reader %d: %d records, ended: %v", i, len(items), ended)
		}
		_ = rs[i].Close()
	}
	for _, x := range xs {
		mustClose(t, x)
	}

	xs = []*exchange.Exchange{newExchange(t, config), newExchange(t, config)}
	last := newItemWriter(t, xs[1])
	_, _, err = writer.Build(edges(xs), newItems)
	if !errors.Is(err, writer.ErrInUse) || !strings.Contains(err.Error(), "edge 1 of 2") {
		t.Errorf("build: %v", err)
	}
	first := newItemReader(t, xs[0], 0)
	var v item
	if _, err := first.Next(t.Context(), &v); !errors.Is(err, writer.ErrInUse) {
		t.Errorf("the reader of the edge that was made got %v, want why its task could not start", err)
	}
	_, _, r := first.Close(), last.Close(), newItemReader(t, xs[1], 0)
	_, _ = r.Next(t.Context(), &v)
	_ = r.Close()
	for _, x := range xs {
		mustClose(t, x)
	}
}

// TestFlink13TaskWaitsForOutput: a task that asks its delegate between two records takes no input while one of its outputs is full, and goes on when there is room.
func TestFlink13TaskWaitsForOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 4 << 10}
		xs := []*exchange.Exchange{newExchange(t, config), newExchange(t, config)}
		ws, d, err := writer.Build(edges(xs, writer.FlushOnFull()), newItems)
		if err != nil {
			t.Fatal(err)
		}
		fast, slow := newItemReader(t, xs[0], 0), newItemReader(t, xs[1], 0)
		const records = 100
		input := make(chan uint32, records)
		for i := range uint32(records) {
			input <- i
		}
		close(input)
		done := make(chan error, 1)
		go func() {
			defer d.Close()
			for i := range input {
				for _, w := range ws {
					if err := w.Emit(t.Context(), &item{Seq: i, Size: 100}); err != nil {
						done <- err
						return
					}
				}
				if err := d.Wait(t.Context()); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
		go func() {
			var v item
			for {
				if ok, _ := fast.Next(t.Context(), &v); !ok {
					return
				}
			}
		}()
		synctest.Wait()
		waiting := len(input)
		if waiting == 0 {
			t.Fatal("the task has taken all of its input, and an output is full")
		}
		time.Sleep(time.Hour)
		if len(input) != waiting {
			t.Fatalf("the task took %d records while an output was full", waiting-len(input))
		}
		for i, s := range d.Stats() {
			if s.Blocked != 0 {
				t.Errorf("writer %d was blocked inside a record for %v", i, s.Blocked)
			}
		}
		var v item
		for i := range uint32(records) {
			if ok, err := slow.Next(t.Context(), &v); !ok || err != nil || v.Seq != i {
				t.Fatalf("record %d: %v, %v, %d", i, ok, err, v.Seq)
			}
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		_, _ = fast.Close(), slow.Close()
		for _, x := range xs {
			mustClose(t, x)
		}
	})
}

// TestFlink20Batch: records of a batch are readable after it, and each channel's reader is told once, whatever the policy. A reader that has not been told finds nothing.
func TestFlink20Batch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2})
		var r *gate.Reader[item]
		early := 0
		choose := selector.Func(func(v *item, _ int) int {
			items, _ := readNow(t, r) // while the batch is under way
			early += len(items)
			return int(v.Channel)
		})
		w := newItemWriter(t, x, writer.WithSelector(choose), writer.FlushEveryRecord())
		r = newItemReader(t, x, 0)
		other := newItemReader(t, x, 1)
		for c := range uint32(2) { // opens the blocks: a record that opens one is shown like a single one
			emit(t, w, item{Channel: c, Size: 20})
		}
		if items, _ := readNow(t, r); early+len(items) != 1 {
			t.Fatalf("%d records of channel 0 were read, want 1", early+len(items))
		}
		batch := make([]item, 10)
		for i := range batch {
			batch[i] = item{Channel: uint32(i % 2), Seq: uint32(i), Size: 20}
		}
		for range 3 {
			early = 0
			before := w.Stats()
			if n, err := w.EmitBatch(t.Context(), batch); n != len(batch) || err != nil {
				t.Fatal(n, err)
			}
			if early != 0 {
				t.Errorf("%d records were read before the end of their batch", early)
			}
			if items, _ := readNow(t, r); len(items) != 5 {
				t.Errorf("%d records of channel 0 were read, want 5", len(items))
			}
			after := w.Stats()
			for c := range 2 {
				notices := 0
				for cause := range after.Channels[c].Flushes {
					notices += int(after.Channels[c].Flushes[cause] - before.Channels[c].Flushes[cause])
				}
				if notices != 1 {
					t.Errorf("channel %d: %d notices for a batch, want 1", c, notices)
				}
			}
		}
		if items, _ := readNow(t, other); len(items) != 16 {
			t.Errorf("%d records of channel 1 were read, want 16", len(items))
		}
		_, _, _ = w.Close(), r.Close(), other.Close()
		mustClose(t, x)
	})
}

// TestFlink54SmallerBlock: when only a block is to be had that is smaller than the record, the record is not cut: it goes to the area whole.
func TestFlink54SmallerBlock(t *testing.T) {
	// One channel with 40 KiB has blocks of up to 8 KiB, for frames of up to 2 KiB. These blocks leave 1 KiB.
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 80 << 10, ChannelBytes: 1 << 20})
	w := newItemWriter(t, x, writer.FlushOnFull())
	sent := uint32(0)
	send := func(size int) {
		t.Helper()
		full, err := w.TryEmit(&item{Seq: sent, Size: size - 4})
		if full >= 0 || err != nil {
			t.Fatalf("record %d of %d bytes: %d, %v", sent, size, full, err)
		}
		sent++
	}
	used := func() int64 { return x.Partition(0).Usage().Used }
	share := x.Partition(0).Usage().Share
	for send(1 << 10 / 4); used()+1<<10 < share; {
		send(2 << 10)
	}
	if used() != share-1<<10 {
		t.Fatalf("%d of %d bytes are in use, want all but 1 KiB", used(), share)
	}
	for w.Core().Builder(0).Free() >= 2<<10 {
		send(2 << 10)
	}
	send(2 << 10)
	if used() != share || x.Partition(0).Usage().Large != 2<<10 {
		t.Errorf("%+v: the smaller block was not opened, or the record is not among the large ones", x.Partition(0).Usage())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := newItemReader(t, x, 0)
	items, ended := readNow(t, r)
	if len(items) != int(sent) || !ended {
		t.Errorf("%d records, ended: %v; want %d and the end", len(items), ended, sent)
	}
	_ = r.Close()
	mustClose(t, x)
}

// TestFlink56Backlog: what is queued for a channel is counted to the byte: records of the open block, whole blocks behind it, large records.
func TestFlink56Backlog(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 1 << 20})
	w, r := newItemWriter(t, x, writer.FlushOnFull()), newItemReader(t, x, 0)
	check := func(when string, want int64) {
		t.Helper()
		if got := w.Core().Backlog(0); got != want {
			t.Errorf("%s: a backlog of %d bytes, want %d", when, got, want)
		}
		if got := w.Core().Backlog(1); got != 0 {
			t.Errorf("%s: a backlog of %d bytes of the other channel", when, got)
		}
	}
	check("at the beginning", 0)
	for i := range int64(3) {
		emit(t, w, item{Seq: uint32(i), Size: 96})
		check("records in the open block", 100*(i+1))
	}
	emit(t, w, item{Seq: 3, Size: 100 << 10})
	check("a block that was handed over and a large record", memory.MinBlock+4+100<<10)
	emit(t, w, item{Seq: 4, Size: 46})
	check("and a record behind them", memory.MinBlock+4+100<<10+50)
	var v item
	for i := range 5 {
		if i == 4 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if ok, err := r.Next(t.Context(), &v); !ok || err != nil || v.Seq != uint32(i) {
			t.Fatal(ok, err, v.Seq)
		}
	}
	check("all but the open block was given back", 50)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if items, ended := readNow(t, r); len(items) != 0 || !ended {
		t.Errorf("%d records, ended: %v", len(items), ended)
	}
	check("at the end", 0)
	other := newItemReader(t, x, 1)
	_, _ = readNow(t, other)
	_, _ = r.Close(), other.Close()
	mustClose(t, x)
}

// TestFlink8948FinishAfterFailure: a writer can be closed, twice, after every kind of failure; what was accepted before is read, and all memory comes back.
func TestFlink8948FinishAfterFailure(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tt := range []struct {
		name string
		fail func(t *testing.T, x *exchange.Exchange, w *writer.Writer[item], other *gate.Reader[item])
		gone bool // for all
	}{
		{"canceled context", func(t *testing.T, _ *exchange.Exchange, w *writer.Writer[item], _ *gate.Reader[item]) {
			for i := 0; ; i++ {
				if err := w.Emit(canceled, &item{Seq: 1, Channel: 1, Size: 200}); err != nil {
					if !errors.Is(err, context.Canceled) || i == 0 {
						t.Fatalf("record %d: %v", i, err)
					}
					return
				}
				if i == 0 {
					continue
				}
			}
		}, false},
		{"selector", func(t *testing.T, _ *exchange.Exchange, w *writer.Writer[item], _ *gate.Reader[item]) {
			if err := w.Emit(t.Context(), &item{Channel: 9, Size: 20}); !errors.Is(err, writer.ErrChannel) {
				t.Fatal(err)
			}
		}, false},
		{"too large", func(t *testing.T, _ *exchange.Exchange, w *writer.Writer[item], _ *gate.Reader[item]) {
			for _, f := range []func(context.Context, *item) error{w.Emit, w.Broadcast} {
				if err := f(t.Context(), &item{Size: smallBlocks}); !errors.Is(err, writer.ErrRecordTooLarge) {
					t.Fatal(err)
				}
			}
		}, false},
		{"consumer gone", func(t *testing.T, _ *exchange.Exchange, w *writer.Writer[item], other *gate.Reader[item]) {
			_ = other.Close()
			if err := w.Emit(t.Context(), &item{Channel: 1, Size: 20}); !errors.Is(err, writer.ErrConsumerGone) {
				t.Fatal(err)
			}
		}, false},
		{"canceled exchange", func(t *testing.T, x *exchange.Exchange, w *writer.Writer[item], _ *gate.Reader[item]) {
			x.Cancel(errPicky)
			if err := w.Flush(); !errors.Is(err, errPicky) {
				t.Fatal(err)
			}
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: smallBlocks})
			w, r, other := newItemWriter(t, x), newItemReader(t, x, 0), newItemReader(t, x, 1)
			emit(t, w, item{Seq: 5, Size: 20})
			emit(t, w, item{Channel: 1, Seq: 5, Size: 20})
			if items, _ := readNow(t, other); len(items) != 1 {
				t.Fatal("the other reader has nothing")
			}
			tt.fail(t, x, w, other)
			first := w.Close()
			if again := w.Close(); again != first {
				t.Errorf("Close returned %v, then %v", first, again)
			}
			if errors.Is(first, errPicky) != tt.gone {
				t.Errorf("Close returned %v", first)
			}
			if err := w.Emit(t.Context(), &item{Size: 20}); err == nil {
				t.Error("a closed writer accepts records")
			}
			if !tt.gone {
				if items, ended := readNow(t, r); len(items) != 1 || !ended {
					t.Errorf("%d records, ended: %v", len(items), ended)
				}
			}
			_, _ = r.Close(), other.Close()
			mustClose(t, x)
		})
	}
}

// TestFlink14087OwnSelectors: the writers of several edges have selectors, flush policies and names of their own. With a shared position of round robin each
// of two edges would see every other channel only.
func TestFlink14087OwnSelectors(t *testing.T) {
	const channels, records = 2, 10
	config := exchange.Config{Producers: 1, Consumers: channels}
	xs := []*exchange.Exchange{newExchange(t, config), newExchange(t, config)}
	shared := writer.WithSelector(selector.RoundRobin[item]())
	if _, _, err := writer.Build([]writer.Edge{{xs[0].Partition(0), []writer.Option{shared}}, {xs[1].Partition(0), []writer.Option{shared}}}, newItems); err == nil {
		t.Fatal("one selector serves two edges")
	}
	xs[0] = newExchange(t, config) // its edge was closed with the other one
	ws, d, err := writer.Build([]writer.Edge{
		{xs[0].Partition(0), []writer.Option{writer.WithSelector(selector.RoundRobin[item]()), writer.WithName("one")}},
		{xs[1].Partition(0), []writer.Option{writer.WithSelector(selector.RoundRobin[item]()), writer.WithName("two"), writer.FlushEveryRecord()}},
	}, newItems)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint32(records) {
		for _, w := range ws {
			emit(t, w, item{Seq: i, Size: itemHead})
		}
	}
	for e, s := range d.Stats() {
		if want := []string{"one", "two"}[e]; s.Name != want {
			t.Errorf("edge %d is called %q, want %q", e, s.Name, want)
		}
		for c, n := range s.Channels {
			if n.Records != records/channels {
				t.Errorf("edge %d: %d records for channel %d, want %d", e, n.Records, c, records/channels)
			}
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for _, x := range xs {
		for c := range channels {
			r := newItemReader(t, x, c)
			_, _ = readNow(t, r)
			_ = r.Close()
		}
		mustClose(t, x)
	}
}

// TestFlink27522ChannelCap: a channel at its cap is not available, and so the writer as a whole is not; the other channel is, and is served.
func TestFlink27522ChannelCap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: smallBlocks, ChannelBytes: 4 << 10})
		w := newItemWriter(t, x, writer.FlushOnFull())
		full, err := -1, error(nil)
		for full < 0 {
			if full, err = w.TryEmit(&item{Size: 200}); err != nil {
				t.Fatal(err)
			}
		}
		if full != 0 || w.Available(0) || w.Available(-1) || !w.Available(1) {
			t.Errorf("channel %d is full; available: channel 0 %v, channel 1 %v, all %v", full, w.Available(0), w.Available(1), w.Available(-1))
		}
		for range 4 {
			if full, err := w.TryEmit(&item{Channel: 1, Size: 200}); full >= 0 || err != nil {
				t.Fatalf("channel 1 is not served: %d, %v", full, err)
			}
		}
		all := w.Ready(-1)
		r := newItemReader(t, x, 0)
		_, _ = readNow(t, r)
		synctest.Wait()
		if !w.Available(0) || !w.Available(-1) || !isClosed(all) {
			t.Errorf("channel 0 was read; available: %v, all: %v", w.Available(0), w.Available(-1))
		}
		other := newItemReader(t, x, 1)
		_, _, _ = w.Close(), r.Close(), other.Close()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := x.Close(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestFlink33076BroadcastEncodesOnce: a record for all channels of a writer that selects is encoded once, however many channels there are and whatever way it takes.
func TestFlink33076BroadcastEncodesOnce(t *testing.T) {
	const channels = 5
	for _, size := range []int{itemHead, 200, 2000, 20000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			x := newExchange(t, exchange.Config{Producers: 1, Consumers: channels, MemoryBytes: 1 << 20})
			puts := 0
			w, err := writer.New(x.Partition(0), itemSerializer{&puts}, byChannel())
			if err != nil {
				t.Fatal(err)
			}
			for i := range uint32(4) {
				if err := w.Broadcast(t.Context(), &item{Seq: i, Size: size}); err != nil {
					t.Fatal(err)
				}
				if puts != int(i)+1 {
					t.Fatalf("%d records were encoded %d times", i+1, puts)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			for c := range channels {
				r := newItemReader(t, x, c)
				if items, ended := readNow(t, r); len(items) != 4 || !ended {
					t.Errorf("channel %d: %d records, ended: %v", c, len(items), ended)
				}
				_ = r.Close()
			}
			mustClose(t, x)
		})
	}
}
