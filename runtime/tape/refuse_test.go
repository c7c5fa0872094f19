package tape_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/writer"
)

// raw records payloads as they are, in one lane, as records of a schema.
func raw(t *testing.T, schema record.Schema, payloads ...string) *tape.Tape {
	t.Helper()
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Claim(partition.Claim{Record: "item", Schema: schema}); err != nil {
		t.Fatal(err)
	}
	for _, p := range payloads {
		buf, err := rec.Large(t.Context(), 0, buffer.FrameHeader+len(p))
		if err != nil {
			t.Fatal(err)
		}
		binary.BigEndian.PutUint32(buf.Bytes(), uint32(len(p)))
		copy(buf.Bytes()[buffer.FrameHeader:], p)
		if err := rec.AppendAll(buf, len(buf.Bytes())); err != nil {
			t.Fatal(err)
		}
	}
	if err := rec.Finish(); err != nil {
		t.Fatal(err)
	}
	return open(t, file.Bytes())
}

// TestUndecodable checks that a record that is whole, but is none of its type, is an error with its place.
func TestUndecodable(t *testing.T) {
	good, err := items(t).Append(nil, &item{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, payload := range []string{"", "short", string(good) + "x"} {
		r, err := tape.NewReader(raw(t, items(t).Schema(), string(good), string(good), payload, string(good)), items(t))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		var last error
		for v, err := range r.All(t.Context()) {
			if last = err; err != nil && v != nil {
				t.Error("a record with an error")
			}
			n++
		}
		var bad *gate.CorruptError
		if n != 3 || !errors.As(last, &bad) || bad.Channel != 0 || bad.Record != 2 {
			t.Errorf("%q: %d, then %v", payload, n, last)
		}
		var v item
		if _, err := r.Next(t.Context(), &v); err != last {
			t.Errorf("%q: again: %v", payload, err)
		}
	}
}

// TestHeaderLimits checks what the format cannot express.
func TestHeaderLimits(t *testing.T) {
	for _, tt := range []struct {
		c     partition.Claim
		lanes int
		want  string
	}{
		{partition.Claim{Schema: record.Schema{Text: strings.Repeat("x", 1<<20)}}, 1, "the schema takes 1048576 bytes"},
		{partition.Claim{Selection: 300}, 1, "selection Kind(300)"},
		{partition.Claim{}, 1<<17 + 1, "131073 lanes"},
	} {
		rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: tt.lanes}}, discard{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rec.Claim(tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	if math.MaxInt == math.MaxInt32 {
		return // there are no such numbers
	}
	big := int64(1) << 40
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: int(big), Consumers: 1}}, discard{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Claim(partition.Claim{}); !errors.Is(err, selector.ErrTopology) {
		t.Errorf("%d producers: %v", big, err)
	}
}

// TestWithoutAWriter checks that a recorder that gets no writer can be closed, and takes none then.
func TestWithoutAWriter(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	if !rec.Available(0) || rec.Ready(0) == nil {
		t.Error("not available")
	}
	if err := errors.Join(rec.Finish(), rec.Fail(errors.New("late"))); err != nil {
		t.Error(err)
	}
	<-rec.Ready(0)
	if _, err := rec.Claim(partition.Claim{}); !errors.Is(err, partition.ErrClosed) || file.Len() > 0 {
		t.Errorf("%v, %d bytes", err, file.Len())
	}
	for name, err := range map[string]error{"acquire": rec.Acquire(t.Context(), 0, 1024), "flush": rec.Flush()} {
		if !errors.Is(err, partition.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFeedErrors checks that an output that does not fit is refused, and that an error of the user's handler reaches the readers.
func TestFeedErrors(t *testing.T) {
	file, _ := small(t)
	tp := open(t, file)
	newExchange := func(consumers int) *exchange.Exchange {
		x, err := exchange.New(exchange.Config{Producers: 1, Consumers: consumers, MemoryBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x := newExchange(2)
	if err := tape.Feed(t.Context(), tp, x.Partition(0)); !errors.Is(err, selector.ErrTopology) {
		t.Errorf("two channels for three: %v", err)
	}
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
	enough := errors.New("enough")
	x = newExchange(3)
	if err := tape.Feed(t.Context(), tp, x.Partition(0), tape.OnEvent(func(int, *partition.Event) error { return enough })); !errors.Is(err, enough) {
		t.Errorf("a handler that fails: %v", err)
	}
	if err := tape.Feed(t.Context(), tp, x.Partition(0)); !errors.Is(err, partition.ErrInUse) {
		t.Errorf("a second writer: %v", err)
	}
	if _, err := drain(t.Context(), t, 3, x.Gate); !errors.Is(err, enough) {
		t.Errorf("the readers get %v", err)
	}
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestFeedManyEvents feeds more events than can wait for a reader: the feeder waits for it, until its context ends.
func TestFeedManyEvents(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	const n = 20
	for i := range uint32(n) {
		if err := writer.SendEvent(w, items(t), &item{Number: i, Pad: make([]byte, 200<<10)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	config := tape.ReplayConfig{Tapes: []*tape.Tape{open(t, file.Bytes())}}
	r, err := tape.NewReplay(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	got := uint32(0)
	reader, err := gate.NewReader(r.Gate(0), items(t), gate.OnEvent(items(t), func(_ gate.Origin, v *item) error {
		if v.Number != got {
			t.Errorf("event %d, want %d", v.Number, got)
		}
		got++
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	var v item
	if ok, err := reader.Next(t.Context(), &v); ok || err != nil || got != n {
		t.Errorf("%d events, then %v, %v", got, ok, err)
	}
	if err := errors.Join(reader.Close(), r.Close(t.Context())); err != nil {
		t.Error(err)
	}

	if r, err = tape.NewReplay(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(t.Context()); err != nil { // while it waits
		t.Error(err)
	}
}

// TestErrorTexts checks that errors say where.
func TestErrorTexts(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&tape.CorruptError{Offset: 12, Cause: tape.ErrTruncated}, "tape: corrupt at offset 12: tape: the file ends before the tape"},
		{&tape.MissingError{Lane: 3, First: 10, Records: 2}, "2 records of lane 3 are missing from record 10 on"},
		{&tape.WriteError{Op: "sync", Offset: 7, Cause: context.Canceled}, "tape: sync at offset 7: context canceled"},
	} {
		if tt.err.Error() != tt.want {
			t.Errorf("%q, want %q", tt.err, tt.want)
		}
	}
}

// TestEveryRecordPolicy checks that a recorder announces like any output, and that flushing policies make no difference to a tape.
func TestEveryRecordPolicy(t *testing.T) {
	for _, policy := range policies() {
		var file bytes.Buffer
		rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, &file)
		if err != nil {
			t.Fatal(err)
		}
		w := newWriter(t, rec, policy)
		for n := range uint32(1000) {
			if err := w.Emit(t.Context(), &item{Number: n}); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Core().Mark(), w.Core().Watermark(time.UnixMicro(1)), w.Close()); err != nil {
			t.Fatal(err)
		}
		if by, err := contents(t.Context(), t, open(t, file.Bytes())); err != nil || total(by) != 1000 {
			t.Errorf("%d records, then %v", total(by), err)
		}
	}
}
