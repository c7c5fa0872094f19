package writer_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

type text struct{ S string }

func texts(t *testing.T) record.Serializer[text] {
	t.Helper()
	s, err := record.Reflect[text]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// picky refuses to write some records, after it has said how large they are.
type picky struct {
	record.Serializer[text]
	refuse string
}

var errPicky = errors.New("not this one")

func (p picky) Put(dst []byte, v *text) (int, error) {
	if strings.HasPrefix(v.S, p.refuse) {
		return 0, errPicky
	}
	return p.Serializer.Put(dst, v)
}

// TestUndo checks that a record that its serializer refuses costs nothing: neither on the way through a block nor on that of large records.
func TestUndo(t *testing.T) {
	ctx := context.Background()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	w, err := writer.New(x.Partition(0), picky{texts(t), "bad"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := gate.NewReader(x.Gate(0), texts(t))
	if err != nil {
		t.Fatal(err)
	}
	padding := strings.Repeat("x", 120<<10)
	want := []string{"first", "second" + padding, "third"}
	for _, s := range []string{"bad", "first", "bad" + padding, "bad", "second" + padding, "bad" + padding, "third", "bad"} {
		err := w.Emit(ctx, &text{s})
		if strings.HasPrefix(s, "bad") {
			if !errors.Is(err, errPicky) || !strings.Contains(err.Error(), "text for channel 0") {
				t.Errorf("got %v, want the serializer's error with type and channel", err)
			}
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for v, err := range r.All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v.S)
	}
	if len(got) != len(want) {
		t.Fatalf("%d records arrived, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("record %d begins with %.10q, want %.10q", i, got[i], want[i])
		}
	}
	_ = r.Close()
	if err := x.Close(ctx); err != nil {
		t.Error(err)
	}
}

// TestBroadcastSharesBlocks checks that a record for 100 consumers is stored once, and given back when the last one has read it.
func TestBroadcastSharesBlocks(t *testing.T) {
	const consumers, records = 100, 50
	ctx := context.Background()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: consumers, MemoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	w, err := writer.New(x.Partition(0), texts(t), writer.WithSelector(selector.Broadcast[text]()))
	if err != nil {
		t.Fatal(err)
	}
	for range records {
		if err := w.Emit(ctx, &text{strings.Repeat("y", 100)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	used := x.Stats().Pool.Used
	if most := int64(2 * records * 105); used == 0 || used > most {
		t.Errorf("%d bytes in use for %d records, want at most %d", used, records, most)
	}
	for i := range consumers {
		if now := x.Stats().Pool.Used; now != used {
			t.Fatalf("%d bytes in use before consumer %d has read, want %d", now, i, used)
		}
		r, err := gate.NewReader(x.Gate(i), texts(t))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, err := range r.All(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != records {
			t.Errorf("consumer %d got %d records, want %d", i, n, records)
		}
		_ = r.Close()
	}
	if now := x.Stats().Pool.Used; now != 0 {
		t.Errorf("%d bytes in use after the last consumer has read", now)
	}
	if s := w.Stats(); s.Records != records || len(s.Channels) != 1 {
		t.Errorf("%d records in %d lanes, want %d in one", s.Records, len(s.Channels), records)
	}
	if err := x.Close(ctx); err != nil {
		t.Error(err)
	}
}

// TestBlocksGrow checks that a channel starts with the smallest block, and that its blocks double while they fill up.
func TestBlocksGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // or a slow machine would be taken for a slow writer, whose blocks shrink
		ctx := context.Background()
		x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
		if err != nil {
			t.Fatal(err)
		}
		w, err := writer.New(x.Partition(0), texts(t), writer.WithName("growing"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := gate.NewReader(x.Gate(0), texts(t))
		if err != nil {
			t.Fatal(err)
		}
		// Read everything after every record: what the channel holds is then its open block, and for a moment the one before, which the reader
		// gives back with its next call.
		var v text
		held := []int64{}
		for range 2000 {
			if err := errors.Join(w.Emit(ctx, &text{strings.Repeat("z", 95)}), w.Flush()); err != nil {
				t.Fatal(err)
			}
			if ok, err := r.Next(ctx, &v); !ok || err != nil {
				t.Fatal(ok, err)
			}
			if n := w.Stats().Channels[0].Queued; n&(n-1) == 0 && (len(held) == 0 || held[len(held)-1] != n) {
				held = append(held, n)
			}
		}
		if want := []int64{1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10}; !slices.Equal(held, want) {
			t.Errorf("open blocks of %d bytes, want %d", held, want)
		}
		s := w.Stats()
		if s.Name != "growing" || s.Flushes[metrics.Requested] == 0 || s.Flushes[metrics.Full] != s.Blocks {
			t.Errorf("stats: %+v", s)
		}
		_, _ = w.Close(), r.Close()
		if err := x.Close(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestFlushOptions checks that delays that make no sense are refused where they are written.
func TestFlushOptions(t *testing.T) {
	for name, f := range map[string]func(time.Duration) writer.Option{"after": writer.FlushAfter, "idle": writer.FlushWhenIdle} {
		for _, d := range []time.Duration{0, -time.Second} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %v was accepted", name, d)
					}
				}()
				f(d)
			}()
		}
	}
}

// TestBroadcastGoesOnForOthers checks that a record that a broadcast writer has accepted reaches the readers that are left, although the writer gets the
// error of the one that is not, under every policy that shows single records.
func TestBroadcastGoesOnForOthers(t *testing.T) {
	for name, opt := range map[string]writer.Option{"idle": nil, "record": writer.FlushEveryRecord(), "after": writer.FlushAfter(time.Millisecond)} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 2})
			if err != nil {
				t.Fatal(err)
			}
			w, err := writer.New(x.Partition(0), texts(t), writer.WithSelector(selector.Broadcast[text]()), opt)
			if err != nil {
				t.Fatal(err)
			}
			leaving, err := gate.NewReader(x.Gate(0), texts(t))
			if err != nil {
				t.Fatal(err)
			}
			staying, err := gate.NewReader(x.Gate(1), texts(t))
			if err != nil {
				t.Fatal(err)
			}
			var v text
			for _, s := range []string{"one", "two"} {
				err := w.Emit(ctx, &text{s})
				if s == "two" && !errors.Is(err, writer.ErrConsumerGone) || s == "one" && err != nil {
					t.Fatalf("%s: %v", s, err)
				}
				if ok, err := staying.Next(ctx, &v); !ok || err != nil || v.S != s {
					t.Fatalf("got %v, %v, %q, want %q", ok, err, v.S, s)
				}
				_ = leaving.Close()
			}
			_, _ = w.Close(), staying.Close()
			if err := x.Close(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

// panicky panics instead of writing some records.
type panicky struct{ record.Serializer[text] }

func (p panicky) Put(dst []byte, v *text) (int, error) {
	if strings.HasPrefix(v.S, "panic") && len(dst) >= len(v.S) {
		panic(v.S[:5])
	}
	return p.Serializer.Put(dst, v)
}

// TestPanickingSerializer checks that a writer can go on after a serializer has panicked over a large record.
func TestPanickingSerializer(t *testing.T) {
	ctx := context.Background()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	w, err := writer.New(x.Partition(0), panicky{texts(t)})
	if err != nil {
		t.Fatal(err)
	}
	large := strings.Repeat("x", 100<<10)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_ = w.Emit(ctx, &text{"panic" + large})
	}()
	for _, s := range []string{"small", large} { // both fit only if the room of the panicked one was given back
		if err := w.Emit(ctx, &text{s}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := gate.NewReader(x.Gate(0), texts(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for v, err := range r.All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v.S)
	}
	if !slices.Equal(got, []string{"small", large}) {
		t.Errorf("%d records arrived, want the small one and the large one", len(got))
	}
	_ = r.Close()
	if err := x.Close(ctx); err != nil {
		t.Error(err)
	}
}
