package writer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// newListener returns a reader that notes in *lines what its handlers are told.
func newListener(t *testing.T, x *exchange.Exchange, consumer int, lines *[]string) *gate.Reader[item] {
	t.Helper()
	add := func(format string, args ...any) { *lines = append(*lines, fmt.Sprintf(format, args...)) }
	r, err := gate.NewReader(x.Gate(consumer), itemSerializer{},
		gate.OnWatermark(func(w time.Time) { add("watermark %d", eventtime.Micros(w)) }),
		gate.OnIdle(func(idle bool) { add("idle %v", idle) }),
		gate.OnEndOfData(func(e gate.EndOfData) { add("end of data, drained %v, after %d", e.Drained, e.Origin.Seq) }),
		gate.OnLatency(func(l gate.Latency) { add("latency %v after %d", l.Delay, l.Origin.Seq) }),
		gate.OnEvent(texts(t), func(o gate.Origin, v *text) error {
			add("event %s after %d", v.S, o.Seq)
			return nil
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// take reads what there is and returns what was noted.
func take(t *testing.T, r *gate.Reader[item], lines *[]string) string {
	t.Helper()
	readNow(t, r)
	defer func() { *lines = nil }()
	return strings.Join(*lines, "; ")
}

// TestEvents: what a writer says beside its records reaches every reader, in order with its records. After the end of data there is nothing but Flush and Close.
func TestEvents(t *testing.T) {
	for _, broadcast := range []bool{false, true} {
		t.Run(fmt.Sprintf("broadcast %v", broadcast), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { testEvents(t, broadcast) })
		})
	}
}

func testEvents(t *testing.T, broadcast bool) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2})
	opts := []writer.Option{writer.FlushOnFull()}
	if broadcast {
		opts = append(opts, writer.WithSelector(selector.Broadcast[item]()))
	}
	w := newItemWriter(t, x, opts...)
	var lines [2][]string
	r := [2]*gate.Reader[item]{newListener(t, x, 0, &lines[0]), newListener(t, x, 1, &lines[1])}
	want := func(want ...string) {
		t.Helper()
		for i := range r {
			if got := take(t, r[i], &lines[i]); got != want[min(i, len(want)-1)] {
				t.Errorf("reader %d got  %s\nwant %s", i, got, want[min(i, len(want)-1)])
			}
		}
	}
	must(t, w.Broadcast(t.Context(), &item{Size: 20}))
	must(t, w.Watermark(time.UnixMicro(5).Add(999)))
	must(t, writer.SendEvent(w, texts(t), &text{S: "rule"}))
	want("watermark 5; event rule after 1")
	must(t, w.Idle(true))
	must(t, w.Flush())
	want("idle true")
	must(t, w.Watermark(time.UnixMicro(4)))
	must(t, w.Core().Advance(6))
	must(t, w.Flush())
	want("idle false; watermark 6")
	must(t, w.Mark())
	time.Sleep(time.Millisecond)
	if broadcast {
		want("latency 1ms after 1")
	} else {
		want("latency 1ms after 1", "")
		must(t, w.Mark())
		want("", "latency 0s after 1")
	}
	must(t, w.EndOfData(true))
	want("end of data, drained true, after 1")
	for name, err := range map[string]error{
		"Emit": w.Emit(t.Context(), &item{Size: 20}), "a large record": w.Emit(t.Context(), &item{Size: 100_000}), "Broadcast": w.Broadcast(t.Context(), &item{Size: 20}),
		"Watermark": w.Watermark(time.Now()), "Idle": w.Idle(true), "Mark": w.Mark(), "EndOfData": w.EndOfData(true),
		"SendEvent": writer.SendEvent(w, texts(t), &text{}),
	} {
		if !errors.Is(err, writer.ErrClosed) {
			t.Errorf("%s after the end of data: %v", name, err)
		}
	}
	if _, err := w.TryEmit(&item{Size: 20}); !errors.Is(err, writer.ErrClosed) {
		t.Errorf("TryEmit after the end of data: %v", err)
	}
	if !w.Available(-1) || !isClosed(w.Ready(-1)) || !isClosed(w.Ready(0)) {
		t.Error("a writer that accepts nothing more makes its user wait")
	}
	must(t, w.Flush())
	must(t, w.Close())
	for name, err := range map[string]error{
		"Watermark": w.Watermark(time.Now()), "Idle": w.Idle(true), "Mark": w.Mark(), "SendEvent": writer.SendEvent(w, texts(t), &text{}),
	} {
		if !errors.Is(err, writer.ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
	want(fmt.Sprintf("watermark %d", int64(eventtime.End)))
	_, _ = r[0].Close(), r[1].Close()
	mustClose(t, x)
}

// TestSendEventFails: an event that cannot be encoded, one that is too large, too many of them; none of them ends the writer.
func TestSendEventFails(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2})
	w := newItemWriter(t, x)
	if err := writer.SendEvent(w, picky{texts(t), "bad"}, &text{S: "bad"}); err == nil || !strings.Contains(err.Error(), "event text") {
		t.Errorf("an event that cannot be encoded: %v", err)
	}
	if err := writer.SendEvent(w, texts(t), &text{S: strings.Repeat("x", 2<<20)}); !errors.Is(err, writer.ErrEvents) {
		t.Errorf("an event of 2 MiB: %v", err)
	}
	sent := 0
	for ; ; sent++ {
		if err := writer.SendEvent(w, texts(t), &text{S: strings.Repeat("x", 10_000)}); err != nil {
			if !errors.Is(err, writer.ErrEvents) {
				t.Error(err)
			}
			break
		}
	}
	if sent < 90 || sent > 110 {
		t.Errorf("%d events of 10 KB wait in 1 MiB", sent)
	}
	var lines [2][]string
	for i := range lines {
		r := newListener(t, x, i, &lines[i])
		readNow(t, r)
		if len(lines[i]) != sent {
			t.Errorf("reader %d got %d events of %d", i, len(lines[i]), sent)
		}
		must(t, r.CloseWithError(errors.New("enough")))
	}
	if err := writer.SendEvent(w, texts(t), &text{}); !errors.Is(err, writer.ErrConsumerGone) {
		t.Errorf("an event for readers that have left: %v", err)
	}
	must(t, w.Close())
	mustClose(t, x)
}

// TestWatermarkAfterBrokenBatch: a serializer panics inside a batch, and the user goes on. What was appended before must be readable before a watermark is.
func TestWatermarkAfterBrokenBatch(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
	w, err := writer.New(x.Partition(0), panicky{texts(t)})
	must(t, err)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _ = w.EmitBatch(t.Context(), []text{{S: "fine"}, {S: "panic"}})
	}()
	must(t, w.Core().Advance(7))
	var r *gate.Reader[text]
	told := false
	r, err = gate.NewReader(x.Gate(0), texts(t), gate.OnWatermark(func(time.Time) {
		if told = true; r.Last().Producer < 0 {
			t.Error("the watermark came before the record")
		}
	}))
	must(t, err)
	var v text
	if ok, _, err := r.TryNext(&v); !ok || err != nil || v.S != "fine" {
		t.Errorf("the record is %q, %v, %v", v.S, ok, err)
	}
	if ok, _, err := r.TryNext(&v); ok || err != nil || !told {
		t.Errorf("then %v, %v; watermark told: %v", ok, err, told)
	}
	_, _ = w.Close(), r.Close()
	mustClose(t, x)
}

// TestWatermarkAllocates nothing, however many channels there are and whether anybody is told.
func TestWatermarkAllocates(t *testing.T) {
	for _, policy := range []writer.Option{nil, writer.FlushOnFull(), writer.FlushEveryRecord(), writer.FlushAfter(time.Microsecond)} {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 50})
		w := newItemWriter(t, x, policy)
		readers := make([]*gate.Reader[item], 50)
		for i := range readers {
			readers[i] = newItemReader(t, x, i)
		}
		micros := int64(0)
		round := func() {
			for range 100 {
				micros++
				must(t, w.Core().Advance(micros))
			}
			must(t, w.Flush())
			for _, r := range readers {
				if ok, _, err := r.TryNext(new(item)); ok || err != nil {
					t.Fatal(ok, err)
				}
			}
		}
		for range 5 {
			round() // rings grow
		}
		if n := testing.AllocsPerRun(20, round); n > 50 { // one for each new(item)
			t.Errorf("%v allocations for 100 watermarks to 50 readers", n)
		}
		must(t, w.Close())
		for _, r := range readers {
			_ = r.Close()
		}
		mustClose(t, x)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
