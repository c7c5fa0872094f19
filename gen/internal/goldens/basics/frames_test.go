package basics

import (
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/wire"
	"github.com/rwgen/rwgen/runtime/writer"
)

// A reader of records of a fixed size gets frames of another size, and damaged ones. Its errors name the field and the offset.
func TestFrames(t *testing.T) {
	sample := make([]byte, 16)
	tests := []struct {
		name  string
		read  func(t *testing.T, way string, payload []byte) (bool, error)
		frame []byte
		want  error  // nil: the frame is read
		place string // of the error, as [wire.Error] prints it; "" if it has none
	}{
		{"sample", next(SampleSerializer{}, NewSampleReader), sample, nil, ""},
		{"no bytes", next(SampleSerializer{}, NewSampleReader), nil, wire.ErrTruncated, "ID: offset 0: "},
		{"a byte too few", next(SampleSerializer{}, NewSampleReader), sample[:15], wire.ErrTruncated, "ID: offset 0: "},
		{"a byte too many", next(SampleSerializer{}, NewSampleReader), append(sample, 0), wire.ErrCorrupt, ""},
		{"set", next(OneBoolSerializer{}, NewOneBoolReader), []byte{1}, nil, ""},
		{"neither", next(OneBoolSerializer{}, NewOneBoolReader), []byte{2}, wire.ErrCorrupt, "offset 0: presence bits 0x02 for 1 fields: "},
		{"numbers", next(NumbersSerializer{}, NewNumbersReader), make([]byte, 96), nil, ""},
		{"a damaged bool", next(NumbersSerializer{}, NewNumbersReader), append([]byte{2}, make([]byte, 95)...), wire.ErrCorrupt, "offset 0: presence bits 0x02 for 1 fields: "},
	}
	for _, tt := range tests {
		for _, way := range []string{"Next", "TryNext", "NextBatch", "NextBatch again"} {
			t.Run(tt.name+" by "+way, func(t *testing.T) {
				ok, err := tt.read(t, way, tt.frame)
				if ok != (tt.want == nil) || !errors.Is(err, tt.want) {
					t.Fatalf("%s = %v, %v, want the error %v", way, ok, err, tt.want)
				}
				if !ok {
					damaged(t, err, tt.place)
				}
			})
		}
	}
}

// damaged tests what the error says of a damaged frame.
func damaged(t *testing.T, err error, place string) {
	if !errors.Is(err, gate.ErrCorrupt) {
		t.Errorf("%v does not say that the stream is damaged", err)
	}
	var e *wire.Error
	switch at := errors.As(err, &e); {
	case at != (place != ""):
		t.Errorf("%v: is there a place in it? %v", err, at)
	case at && !strings.HasPrefix(e.Error(), place):
		t.Errorf("the place is %q, want %q", e, place)
	case !at && !strings.Contains(err.Error(), "left over after the 16 "):
		t.Errorf("%v does not say how long the record is", err)
	}
}

// next returns a function that sends a payload, whatever it is, as a record of type T, and has it read in a way. The way "NextBatch again" has a good record before it, and returns what the call after
// the one that reads that returns.
func next[T any, R check.Reader[T]](s record.Serializer[T], newReader func(*gate.Gate, ...gate.Option) (R, error)) func(*testing.T, string, []byte) (bool, error) {
	return func(t *testing.T, way string, payload []byte) (bool, error) {
		x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
		if err != nil {
			t.Fatal(err)
		}
		w, err := writer.NewCore(x.Partition(0), writer.Spec{Record: "T", Schema: s.Schema(), Selection: selector.KindGlobal})
		if err != nil {
			t.Fatal(err)
		}
		payloads := [][]byte{payload}
		if way == "NextBatch again" {
			payloads = [][]byte{make([]byte, s.Size(new(T))), payload}
		}
		for _, p := range payloads {
			dst, err := w.Room(t.Context(), 0, len(p))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Place(0, copy(dst, p)); err != nil {
				t.Fatal(err)
			}
		}
		r, err := newReader(x.Gate(0))
		if err != nil {
			t.Fatal(err)
		}
		var v [3]T
		var ok bool
		var failed error
		switch way {
		case "Next":
			ok, failed = r.Next(t.Context(), &v[0])
		case "TryNext":
			ok, _, failed = r.TryNext(&v[0])
		default:
			n, err := r.NextBatch(t.Context(), v[:])
			if len(payloads) == 2 {
				if n < 1 || err != nil {
					t.Fatalf("a batch with a good record: %d, %v", n, err)
				}
				if n == 1 { // a second one that is good is read at once
					n, err = r.NextBatch(t.Context(), v[1:])
				}
			}
			if n > 0 && err != nil {
				t.Errorf("%d records and the error %v", n, err)
			}
			ok, failed = n > 0, err
		}
		_ = w.CloseWithError(failed)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		return ok, failed
	}
}
