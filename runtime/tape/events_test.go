package tape_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/writer"
)

// timed records a program whose records have event times, which are their numbers in microseconds, out of order by up to 20, with watermarks, events for one lane and for all, and idle times. It returns what each lane
// has, in order, with the events as "!number".
func timed(t *testing.T, out *tape.Recorder, lanes int, seed uint64) [][]string {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	want := make([][]string, lanes)
	w := newWriter(t, out)
	for n := uint32(100); n < 3000; n++ {
		v := item{Lane: uint32(rnd.IntN(lanes)), Number: n - uint32(rnd.IntN(20)), Pad: make([]byte, rnd.IntN(60))}
		err := w.Emit(t.Context(), &v)
		want[v.Lane] = append(want[v.Lane], v.String())
		switch rnd.IntN(60) {
		case 0, 1, 2, 3:
			err = errors.Join(err, w.Core().Watermark(time.UnixMicro(int64(n)-20)))
		case 4:
			err = errors.Join(err, writer.SendEvent(w, items(t), &item{Number: n}))
			for lane := range want {
				want[lane] = append(want[lane], fmt.Sprintf("!%d", n))
			}
		case 5:
			data, e := items(t).Append(nil, &item{Number: n})
			lane := rnd.IntN(lanes)
			err = errors.Join(err, e, out.Event(lane, partition.Event{Kind: partition.UserEvent, Record: "item", Schema: items(t).Schema(), Data: data}))
			want[lane] = append(want[lane], fmt.Sprintf("!%d", n))
		case 6:
			err = errors.Join(err, w.Core().Idle(rnd.IntN(2) == 0))
		case 7:
			err = errors.Join(err, w.Flush())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Core().Watermark(time.UnixMicro(5000)), out.Event(-1, partition.Event{Kind: partition.LatencyMarker, SentMicros: 77}), w.Core().EndOfData(true)); err != nil {
		t.Fatal(err)
	}
	if err := w.Emit(t.Context(), &item{}); !errors.Is(err, partition.ErrClosed) {
		t.Errorf("a record after the end of data: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return want
}

// TestEventTime checks that events come at their places, that no record comes whose time a watermark has passed, and that the last watermark is there at the end.
func TestEventTime(t *testing.T) {
	for seed := range uint64(30) {
		lanes := 1 + int(seed)%4
		var file bytes.Buffer
		rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: lanes}}, &file)
		if err != nil {
			t.Fatal(err)
		}
		want := timed(t, rec, lanes, seed)
		got := make([][]string, lanes)
		var marker, drained bool
		r, err := tape.NewReader(open(t, file.Bytes()), items(t), tape.OnEvent(func(lane int, e *partition.Event) error {
			switch e.Kind {
			case partition.LatencyMarker:
				marker = lane == -1 && e.SentMicros == 77
				return nil
			case partition.EndOfData:
				drained = lane == -1 && e.Drained
				return nil
			}
			var v item
			if _, err := items(t).Consume(e.Data, &v); err != nil {
				return err
			}
			for l := range got {
				if lane == -1 || lane == l {
					got[l] = append(got[l], fmt.Sprintf("!%d", v.Number))
				}
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		var v item
		passed, last := 0, int64(0)
		for {
			ok, err := r.Next(t.Context(), &v)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			lane, _ := r.Last()
			got[lane] = append(got[lane], v.String())
			if w, ok := r.Watermark(); ok {
				if w >= int64(v.Number) || w < last {
					t.Fatalf("seed %d: record %v after watermark %d, which comes after %d", seed, v, w, last)
				}
				last = w
				passed++
			}
		}
		if w, ok := r.Watermark(); !ok || w != 5000 || passed < 100 {
			t.Errorf("seed %d: at the end the watermark is %d, %v; %d records had one", seed, w, ok, passed)
		}
		if !marker || !drained {
			t.Errorf("seed %d: latency marker %v, end of data %v", seed, marker, drained)
		}
		for lane := range want {
			if !slices.Equal(got[lane], want[lane]) {
				i := 0
				for i < min(len(got[lane]), len(want[lane])) && got[lane][i] == want[lane][i] {
					i++
				}
				t.Fatalf("seed %d: lane %d has %d of %d, and differs from number %d on", seed, lane, len(got[lane]), len(want[lane]), i)
			}
		}
	}
}

// TestFeedEventTime checks that a gate gets what a tape holds beside records.
func TestFeedEventTime(t *testing.T) {
	for seed := range uint64(10) {
		var file bytes.Buffer
		rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 2}}, &file)
		if err != nil {
			t.Fatal(err)
		}
		want := timed(t, rec, 2, seed)
		r, err := tape.NewReplay(t.Context(), tape.ReplayConfig{Tapes: []*tape.Tape{open(t, file.Bytes())}, Exchange: exchange.Config{MemoryBytes: 64 << 10}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var passed []int64
		ended := false
		reader, err := gate.NewReader(r.Gate(1), items(t),
			gate.OnEvent(items(t), func(_ gate.Origin, v *item) error {
				got = append(got, fmt.Sprintf("!%d", v.Number))
				return nil
			}),
			gate.OnWatermark(func(w time.Time) { passed = append(passed, w.UnixMicro()) }),
			gate.OnEndOfData(func(e gate.EndOfData) { ended = e.Drained }),
			gate.OnLatency(func(gate.Latency) { t.Error("a latency marker was fed") }))
		if err != nil {
			t.Fatal(err)
		}
		other, err := gate.NewReader(r.Gate(0), items(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		for v, err := range reader.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if n := len(passed); n > 0 && passed[n-1] >= int64(v.Number) {
				t.Fatalf("seed %d: record %v after watermark %d", seed, v, passed[n-1])
			}
			got = append(got, v.String())
		}
		if err := errors.Join(reader.Close(), r.Close(t.Context())); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want[1]) || !ended || !slices.Contains(passed, 5000) || !slices.IsSorted(passed) {
			t.Errorf("seed %d: %d of %d, end of data %v, watermarks %v", seed, len(got), len(want[1]), ended, passed)
		}
	}
}

// TestQuietLane checks that the watermark of a lane without records comes along with the traffic of others.
func TestQuietLane(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 2}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	for n := range uint32(8000) {
		if err := errors.Join(w.Emit(t.Context(), &item{Number: n, Pad: make([]byte, 1000)}), w.Core().Watermark(time.UnixMicro(int64(n)))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := tape.NewReader(open(t, file.Bytes()), items(t))
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[int64]bool)
	for v, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if w, ok := r.Watermark(); ok {
			if int64(v.Number)-w > 3000 {
				t.Fatalf("at record %d the watermark is %d", v.Number, w)
			}
			seen[w] = true
		}
	}
	if len(seen) < 4 {
		t.Errorf("%d watermarks", len(seen))
	}
}

// TestEventErrors checks that an error of a handler ends reading, and what a recorder refuses.
func TestEventErrors(t *testing.T) {
	file, _ := small(t)
	enough := errors.New("enough")
	c := open(t, file).Cursor(tape.OnEvent(func(int, *partition.Event) error { return enough }))
	var err error
	for ok := true; ok; {
		_, ok, err = c.Next(t.Context())
	}
	if err != enough {
		t.Errorf("%v", err)
	}
	if _, _, err := c.Next(context.Background()); err != enough {
		t.Errorf("again: %v", err)
	}
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, discard{})
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	if err := rec.Event(0, partition.Event{Kind: 99}); err == nil || !strings.Contains(err.Error(), "event 99") {
		t.Errorf("an event of no kind: %v", err)
	}
	if err := rec.Event(0, partition.Event{Kind: partition.UserEvent, Data: make([]byte, partition.MaxEventData+1)}); !errors.Is(err, partition.ErrEventTooLarge) {
		t.Errorf("a large event: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(rec.Watermark(1), rec.Idle(true), rec.Event(0, partition.Event{Kind: partition.EndOfData})); !errors.Is(err, partition.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}
