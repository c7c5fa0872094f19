package eventtimes

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

const second = int64(1_000_000) // in microseconds

// reading returns a reading of so many seconds after the epoch, by each of its clocks.
func reading(seconds int64) Reading {
	return Reading{
		Sensor: uint16(seconds), Seconds: uint32(seconds), Stamp: time.Unix(seconds, 0),
		Clock: Clock{Millis: Millis(seconds * 1e3), Micros: seconds * 1e6, Nanos: seconds * 1e9},
	}
}

func open(t testing.TB, producers, consumers int) *exchange.Exchange {
	t.Helper()
	x, err := exchange.New(exchange.Config{Producers: producers, Consumers: consumers})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// read reads everything that there is to read now.
func read[T any, R check.Reader[T]](t *testing.T, r R) (n int, ended bool) {
	t.Helper()
	for {
		var v T
		ok, ended, err := r.TryNext(&v)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return n, ended
		}
		n++
	}
}

// told tests what a reader that has read everything knows of event time.
func told(t *testing.T, what string, r interface{ Watermark() (time.Time, bool) }, want int64) {
	t.Helper()
	at, ok := r.Watermark()
	if got := eventtime.Micros(at); ok != (want != eventtime.None) || ok && got != want {
		t.Errorf("%s: the watermark is %v, %t, want %v", what, at.UTC(), ok, eventtime.Time(want))
	}
}

// readings is a test of a writer of readings: records are written in pairs, of which the second is a tenth of a second, or more, older where the generator allows for that.
func readings[W check.Writer[Reading]](t *testing.T, newWriter func(writer.Output, ...writer.Option) (W, error), behind int64) {
	for _, way := range []struct {
		name string
		emit func(W, *Reading) error
	}{
		{"Emit", func(w W, v *Reading) error { return w.Emit(t.Context(), v) }},
		{"EmitBatch", func(w W, v *Reading) error {
			n, err := w.EmitBatch(t.Context(), []Reading{*v})
			if n != 1 {
				err = errors.Join(err, fmt.Errorf("%d records accepted", n))
			}
			return err
		}},
		{"TryEmit", func(w W, v *Reading) error {
			full, err := w.TryEmit(v)
			if full >= 0 {
				err = fmt.Errorf("channel %d is full", full)
			}
			return err
		}},
		{"Broadcast", func(w W, v *Reading) error { return w.Broadcast(t.Context(), v) }},
	} {
		t.Run(way.name, func(t *testing.T) {
			x := open(t, 1, 1)
			w, err := newWriter(x.Partition(0), writer.FlushEveryRecord())
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewReadingReader(x.Gate(0))
			if err != nil {
				t.Fatal(err)
			}
			told(t, "before the first record", r, eventtime.None)
			for _, s := range []int64{100, 200, 150, 300} { // one goes back, and is late or within the bound
				v := reading(s)
				if err := way.emit(w, &v); err != nil {
					t.Fatal(err)
				}
				if n, _ := read[Reading](t, r); n != 1 {
					t.Fatalf("%d records instead of 1", n)
				}
				want := max(s, 200) * second // of the newest
				if s == 100 {
					want = 100 * second
				}
				told(t, fmt.Sprint("after ", s, " s"), r, want-behind)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if n, ended := read[Reading](t, r); n != 0 || !ended {
				t.Errorf("%d records, ended %t", n, ended)
			}
			told(t, "at the end", r, eventtime.End)
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if err := x.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// When readers are told of single records, the watermark comes with each, whatever method writes it and whatever its time counts.
func TestEachRecord(t *testing.T) {
	t.Run("seconds", func(t *testing.T) { readings(t, NewReadingBySecondsWriter, 1) })
	t.Run("milliseconds", func(t *testing.T) { readings(t, NewReadingByMillisWriter, 1) })
	t.Run("microseconds", func(t *testing.T) { readings(t, NewReadingByMicrosWriter, second/4+1) })
	t.Run("time", func(t *testing.T) { readings(t, NewReadingByTimeWriter, 1) })
}

// A reading of a fraction of a microsecond counts downwards, also before the epoch; a punctuation is a watermark of its own time, and other records are none.
func TestPunctuated(t *testing.T) {
	for _, tt := range []struct {
		nanos int64
		want  int64
	}{{1_999, 1}, {2_000, 2}, {0, 0}, {-1, -1}, {-1_000, -1}, {-1_001, -2}} {
		for _, batch := range []bool{false, true} {
			x := open(t, 1, 2)
			w, err := NewReadingByNanosWriter(x.Partition(0), writer.FlushEveryRecord())
			if err != nil {
				t.Fatal(err)
			}
			list := []Reading{
				{Clock: Clock{Nanos: tt.nanos - 5_000}, Last: true},
				{Clock: Clock{Nanos: tt.nanos}, Last: true},
				{Clock: Clock{Nanos: tt.nanos - 5_000}, Last: true}, // lower than the last one
				{Clock: Clock{Nanos: tt.nanos + 5_000}},
			}
			if batch {
				_, err = w.EmitBatch(t.Context(), list)
			} else {
				for i := range list {
					err = errors.Join(err, w.Emit(t.Context(), &list[i]))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			for channel := range 2 {
				r, err := NewReadingReader(x.Gate(channel))
				if err != nil {
					t.Fatal(err)
				}
				if n, _ := read[Reading](t, r); n != len(list) {
					t.Fatalf("%d records", n)
				}
				told(t, fmt.Sprintf("%d ns, batch %t", tt.nanos, batch), r, tt.want)
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
			_ = w.CloseWithError(errors.New("enough")) // the readers are gone
		}
	}
}

// notes returns notes whose times go back by two minutes at most, but mostly forth; every hundredth is larger than a block, and some are final.
func notes(n int) []Note {
	list := make([]Note, n)
	for i := range list {
		list[i] = Note{
			Author: fmt.Sprint("author ", i%7),
			At:     time.UnixMicro(int64(i)*second/10 - int64(i*i%1200)*second/10),
			Text:   strings.Repeat("x", i%50),
		}
		if i%100 == 99 {
			list[i].Text = strings.Repeat("long ", 10_000)
		}
	}
	return list
}

// A watermark never comes too early: no record that a reader gets after one is as old as it, or older, if the records keep to what the directive says. It does come, and never goes back.
func TestNeverEarly(t *testing.T) {
	const records, batch = 3000, 17
	list := notes(records)
	ways := map[string]func(ctx context.Context, w check.Writer[Note]) error{
		"Emit": func(ctx context.Context, w check.Writer[Note]) error {
			for i := range list {
				if err := w.Emit(ctx, &list[i]); err != nil {
					return err
				}
			}
			return nil
		},
		"EmitBatch": func(ctx context.Context, w check.Writer[Note]) error {
			for i := 0; i < len(list); i += batch {
				if _, err := w.EmitBatch(ctx, list[i:min(i+batch, len(list))]); err != nil {
					return err
				}
			}
			return nil
		},
		"TryEmit": func(ctx context.Context, w check.Writer[Note]) error {
			for i := 0; i < len(list); {
				full, err := w.TryEmit(&list[i])
				if err != nil {
					return err
				}
				if full < 0 {
					i++
					continue
				}
				select {
				case <-w.Ready(full):
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		},
	}
	// Two minutes are more than the bound of ByAuthor, so its list is made to fit.
	for i := range list {
		if oldest := time.UnixMicro(int64(i)*second/10 - 90*second); list[i].At.Before(oldest) {
			list[i].At = oldest
		}
	}
	for name, write := range ways {
		for _, policy := range []writer.Option{writer.FlushWhenIdle(100 * time.Millisecond), writer.FlushEveryRecord(), writer.FlushOnFull()} {
			x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 3, MemoryBytes: 256 << 10})
			if err != nil {
				t.Fatal(err)
			}
			w, err := NewNoteByAuthorWriter(x.Partition(0), policy)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			results := make(chan int, 3)
			for i := range 3 {
				var at time.Time
				marks := 0
				r, err := NewNoteReader(x.Gate(i), gate.OnWatermark(func(w time.Time) {
					if marks > 0 && !w.After(at) {
						cancel(fmt.Errorf("the watermark %v after %v", w, at))
					}
					at = w
					marks++
				}))
				if err != nil {
					t.Fatal(err)
				}
				go func() {
					n := 0
					for v, err := range r.All(ctx) {
						if err != nil {
							cancel(err)
							break
						}
						if marks > 0 && !v.At.After(at) {
							cancel(fmt.Errorf("a note of %v after the watermark %v", v.At, at))
							break
						}
						n++
					}
					if marks < 2 { // the end, and at least another one
						cancel(fmt.Errorf("%d watermarks with %d records", marks, n))
					}
					_ = r.Close()
					results <- n
				}()
			}
			if err := errors.Join(write(ctx, w), w.Close()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			total := 0
			for range 3 {
				total += <-results
			}
			if err := context.Cause(ctx); err != nil || total != records {
				t.Errorf("%s: %d of %d records, %v", name, total, records, err)
			}
			cancel(nil)
			if err := x.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

// A record that was not accepted does not count.
func TestRefused(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewNoteToAllWriter(x.Partition(0), writer.FlushEveryRecord())
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewNoteReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Emit(t.Context(), &Note{At: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	large := Note{At: time.Unix(9, 0), Text: strings.Repeat("x", 1<<20)}
	for name, err := range map[string]error{
		"Emit":      w.Emit(t.Context(), &large),
		"Broadcast": w.Broadcast(t.Context(), &large),
	} {
		if !errors.Is(err, writer.ErrRecordTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n, err := w.EmitBatch(t.Context(), []Note{{At: time.Unix(2, 0)}, large, {At: time.Unix(8, 0)}}); n != 1 || !errors.Is(err, writer.ErrRecordTooLarge) {
		t.Errorf("EmitBatch: %d, %v", n, err)
	}
	if full, err := w.TryEmit(&large); full >= 0 || !errors.Is(err, writer.ErrRecordTooLarge) {
		t.Errorf("TryEmit: %d, %v", full, err)
	}
	// Until there is no room: what TryEmit refuses does not count either.
	sent := 2
	for s := int64(3); ; s++ {
		full, err := w.TryEmit(&Note{At: time.Unix(s, 0), Text: strings.Repeat("x", 1000)})
		if err != nil {
			t.Fatal(err)
		}
		if full >= 0 {
			break
		}
		sent++
	}
	if n, _ := read[Note](t, r); n != sent {
		t.Errorf("%d of %d records", n, sent)
	}
	told(t, "at the end", r, int64(sent)*second-1)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// Watermarks by hand, idleness, the end of data and latency markers go through the writer to the handlers of the reader.
func TestEvents(t *testing.T) {
	x := open(t, 2, 1)
	var log []string
	note := func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }
	r, err := NewReadingReader(x.Gate(0),
		gate.OnWatermark(func(w time.Time) {
			if eventtime.Micros(w) == eventtime.End {
				note("all ended")
				return
			}
			note("watermark %d", w.Unix())
		}),
		gate.OnIdle(func(idle bool) { note("idle %t", idle) }),
		gate.OnEndOfData(func(e gate.EndOfData) { note("end of data from %d, drained %t", e.Origin.Producer, e.Drained) }),
		gate.OnLatency(func(l gate.Latency) { note("marker from %d after %d records", l.Origin.Producer, l.Origin.Seq) }),
	)
	if err != nil {
		t.Fatal(err)
	}
	var writers [2]*ReadingUntimedWriter
	for i := range writers {
		if writers[i], err = NewReadingUntimedWriter(x.Partition(i), writer.FlushEveryRecord()); err != nil {
			t.Fatal(err)
		}
	}
	v := reading(1)
	for i, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return writers[0].Watermark(time.Unix(5, 0)) }, ""},
		{func() error { return writers[1].Watermark(time.Unix(3, 0)) }, "watermark 3"},
		{func() error { return writers[1].Idle(true) }, "watermark 5"},
		{func() error { return writers[0].Idle(true) }, "idle true"},
		{func() error { return writers[0].Watermark(time.Unix(7, 0)) }, "idle false, watermark 7"},
		{func() error { return errors.Join(writers[1].Emit(t.Context(), &v), writers[1].Mark()) }, "marker from 1 after 1 records"},
		{func() error { return writers[0].EndOfData(false) }, "end of data from 0, drained false"},
		{func() error { return writers[0].Close() }, "idle true"},
		{func() error { return errors.Join(writers[1].EndOfData(true), writers[1].Close()) }, "end of data from 1, drained true, idle false, all ended"},
	} {
		log = nil
		if err := step.do(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		read[Reading](t, r)
		if got := strings.Join(log, ", "); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
	if err := writers[1].Watermark(time.Unix(9, 0)); !errors.Is(err, writer.ErrClosed) {
		t.Errorf("a watermark after the end: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
