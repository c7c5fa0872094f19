package tape_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// item is the record of the tests. It goes to the lane that it names.
type item struct {
	Lane   uint32
	Number uint32
	Pad    []byte
}

func (v item) String() string { return fmt.Sprintf("%d/%d+%d", v.Lane, v.Number, len(v.Pad)) }

func items(t testing.TB) record.Serializer[item] {
	t.Helper()
	ser, err := record.Reflect[item]()
	if err != nil {
		t.Fatal(err)
	}
	return ser
}

func byLane() writer.Option {
	return writer.WithSelector(selector.Func(func(v *item, _ int) int { return int(v.Lane) }))
}

func newWriter(t testing.TB, out partition.Output, opts ...writer.Option) *writer.Writer[item] {
	t.Helper()
	w, err := writer.New(out, items(t), append([]writer.Option{byLane()}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// small returns a tape of 3 lanes with a few segments each, one of them for all lanes, one with a large record, and a state and an event, and what is in it by lane.
func small(t testing.TB) ([]byte, [][]string) {
	t.Helper()
	var file bytes.Buffer
	want := make([][]string, 3)
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 2, Consumers: 3, Producer: 1}, MemoryBytes: 4 << 10}, &file, tape.WithID(0x0123456789abcdef))
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	for n := range uint32(12) {
		v := item{Lane: n % 3, Number: n, Pad: make([]byte, n%5)}
		if n == 7 {
			v.Pad = bytes.Repeat([]byte("x"), 600) // too large for a quarter of a block
		}
		if err := w.Emit(t.Context(), &v); err != nil {
			t.Fatal(err)
		}
		want[v.Lane] = append(want[v.Lane], v.String())
		if n%4 == 3 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if n == 8 {
			at := time.UnixMicro(1_000_000)
			if err := errors.Join(w.Core().Watermark(at), writer.SendEvent(w, items(t), &item{Number: n})); err != nil {
				t.Fatal(err)
			}
		}
		if n == 5 {
			v := item{Lane: 9, Number: n, Pad: bytes.Repeat([]byte("y"), 700)}
			if err := w.Broadcast(t.Context(), &v); err != nil {
				t.Fatal(err)
			}
			for lane := range want {
				want[lane] = append(want[lane], v.String())
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), want
}

func open(t testing.TB, b []byte) *tape.Tape {
	t.Helper()
	tp, err := tape.New(bytes.NewReader(b), int64(len(b)), tape.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return tp
}

// contents reads a tape to its end, by lane, and checks the numbers of its records unless some are lost. The lists begin with the first record that is read.
func contents(ctx context.Context, t testing.TB, tp *tape.Tape, opts ...tape.ReadOption) (by [][]string, err error) {
	t.Helper()
	r, err := tape.NewReader(tp, items(t), opts...)
	if err != nil {
		t.Fatal(err)
	}
	by = make([][]string, tp.Header().Lanes)
	last := make([]uint64, len(by))
	var v item
	for {
		ok, err := r.Next(ctx, &v)
		if !ok {
			return by, err
		}
		lane, number := r.Last()
		if len(by[lane]) > 0 && number <= last[lane] {
			t.Fatalf("lane %d: record %d after %d", lane, number, last[lane])
		}
		last[lane] = number
		by[lane] = append(by[lane], v.String())
	}
}

func total(by [][]string) (n int) {
	for _, l := range by {
		n += len(l)
	}
	return n
}

// drop reads a gate to its end and keeps nothing.
func drop(t testing.TB, g *gate.Gate) error {
	r, err := gate.NewReader(g, items(t))
	if err != nil {
		return err
	}
	var v item
	for {
		if ok, err := r.Next(context.Background(), &v); !ok {
			return errors.Join(err, r.Close())
		}
	}
}
