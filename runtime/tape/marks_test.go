package tape_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
)

// TestCursorWatermark compares the watermark of a cursor with what was said when its records were handed over, for all lanes, for some, and for none.
func TestCursorWatermark(t *testing.T) {
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		lanes := 1 + rnd.IntN(9)
		var file bytes.Buffer
		rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: lanes}}, &file)
		if err != nil {
			t.Fatal(err)
		}
		w := newWriter(t, rec)
		var said []int64 // by record: the watermark behind which it is, at most
		now := int64(math.MinInt64)
		for n := range uint32(60) {
			if err := w.Emit(t.Context(), &item{Lane: rnd.Uint32N(uint32(lanes)), Number: n}); err != nil {
				t.Fatal(err)
			}
			said = append(said, now)
			switch rnd.IntN(4) {
			case 0:
				now = max(now, int64(n))
				err = w.Watermark(time.UnixMicro(now))
			case 1:
				err = w.Flush()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var some []int
		for lane := range lanes {
			if rnd.IntN(2) == 0 {
				some = append(some, lane)
			}
		}
		for _, opts := range [][]tape.ReadOption{nil, {tape.Lanes(some...)}} {
			r, err := tape.NewReader(open(t, file.Bytes()), items(t), opts...)
			if err != nil {
				t.Fatal(err)
			}
			var v item
			last, read := int64(math.MinInt64), 0
			for {
				ok, err := r.Next(t.Context(), &v)
				if err != nil {
					t.Fatal(err)
				}
				got, has := r.Watermark()
				if has != (got != math.MinInt64) || got < last {
					t.Fatalf("seed %d: watermark %d, %v, after %d", seed, got, has, last)
				}
				if last = got; !ok {
					break
				}
				if read++; got > said[v.Number] {
					t.Fatalf("seed %d: record %d is behind the watermark %d, and was written behind %d", seed, v.Number, got, said[v.Number])
				}
			}
			want := now
			if opts != nil && len(some) == 0 {
				want = math.MinInt64
			}
			if last != want {
				t.Errorf("seed %d, %d options: the watermark at the end is %d, want %d, after %d records", seed, len(opts), last, want, read)
			}
		}
	}
}

// TestNoLanes: who names no lane gets none.
func TestNoLanes(t *testing.T) {
	b, _ := small(t)
	for _, lanes := range [][]int{nil, {}} {
		if by, err := contents(t.Context(), t, open(t, b), tape.Lanes(lanes...)); err != nil || total(by) != 0 {
			t.Errorf("%v, %d records", err, total(by))
		}
	}
	if by, err := contents(t.Context(), t, open(t, b), tape.Lanes(), tape.Lanes(1)); err != nil || total(by) != len(by[1]) || total(by) == 0 {
		t.Errorf("%v, %d records of lane 1, %d of all", err, len(by[1]), total(by))
	}
}

// TestIdleFromTheMiddle: who reads from where the producer is idle learns that it is, and who reads from where it is not does not.
func TestIdleFromTheMiddle(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	const records = 30
	for n := range uint32(records) {
		switch n {
		case 5:
			err = errors.Join(w.Watermark(time.UnixMicro(5)), w.Idle(true))
		case 15:
			err = w.Idle(false)
		case 20:
			err = w.Idle(true)
		case 25:
			err = w.Watermark(time.UnixMicro(25)) // ends idleness
		}
		if err := errors.Join(err, w.Emit(t.Context(), &item{Number: n}), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"index": file.Bytes(), "no index": file.Bytes()[:file.Len()-1]} {
		checkIdle(t, name, open(t, b), records)
	}
}

// noted is a recorder that notes what its writer says of idleness.
type noted struct {
	*tape.Recorder
	idle []bool
}

func (n *noted) Idle(idle bool) error {
	n.idle = append(n.idle, idle)
	return n.Recorder.Idle(idle)
}

// checkIdle checks that an output that is fed from each record on is told of idleness if the producer was idle there or later.
func checkIdle(t *testing.T, name string, tp *tape.Tape, records uint64) {
	t.Helper()
	for from := range records {
		rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		out := &noted{Recorder: rec}
		if err := tape.Feed(t.Context(), tp, out, tape.From(0, from)); err != nil {
			t.Fatal(err)
		}
		// Behind record 24 it ends before anything follows: only who knows of it already is told.
		if want := from < 25; from != 24 && slices.Contains(out.idle, true) != want {
			t.Errorf("%s: from record %d on the output was told of idleness %v, want some: %v", name, from, out.idle, want)
		}
		if n := len(out.idle); n > 0 && out.idle[n-1] {
			t.Errorf("%s: from record %d on the producer is idle in the end", name, from)
		}
	}
}
