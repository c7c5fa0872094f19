package basics

import (
	"context"
	"errors"
	"strings"
	"testing"

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
		read  func(t *testing.T, payload []byte) (bool, error)
		frame []byte
		want  error  // nil: the frame is read
		place string // of the error, as [wire.Error] prints it; "" if it has none
	}{
		{"sample", next(SampleSerializer{}, NewSampleReader), sample, nil, ""},
		{"no bytes", next(SampleSerializer{}, NewSampleReader), nil, wire.ErrTruncated, "ID: offset 0: "},
		{"a byte too few", next(SampleSerializer{}, NewSampleReader), sample[:15], wire.ErrTruncated, "ID: offset 0: "},
		{"a byte too many", next(SampleSerializer{}, NewSampleReader), append(sample, 0), wire.ErrCorrupt, ""},
		{"set", next(OneBoolSerializer{}, NewOneBoolReader), []byte{1}, nil, ""},
		{"neither", next(OneBoolSerializer{}, NewOneBoolReader), []byte{2}, wire.ErrCorrupt, "Set: offset 0: "},
		{"numbers", next(NumbersSerializer{}, NewNumbersReader), make([]byte, 96), nil, ""},
		{"a damaged bool", next(NumbersSerializer{}, NewNumbersReader), append([]byte{2}, make([]byte, 95)...), wire.ErrCorrupt, "Bool: offset 0: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ok, err := tt.read(t, tt.frame)
			if ok != (tt.want == nil) || !errors.Is(err, tt.want) {
				t.Fatalf("Next = %v, %v, want the error %v", ok, err, tt.want)
			}
			if ok {
				return
			}
			if !errors.Is(err, gate.ErrCorrupt) {
				t.Errorf("%v does not say that the stream is damaged", err)
			}
			var e *wire.Error
			switch at := errors.As(err, &e); {
			case at != (tt.place != ""):
				t.Errorf("%v: is there a place in it? %v", err, at)
			case at && !strings.HasPrefix(e.Error(), tt.place):
				t.Errorf("the place is %q, want %q", e, tt.place)
			case !at && !strings.Contains(err.Error(), "left over after the 16 "):
				t.Errorf("%v does not say how long the record is", err)
			}
		})
	}
}

// next returns a function that sends a payload, whatever it is, as a record of type T, and has it read.
func next[T any, R interface {
	Next(context.Context, *T) (bool, error)
	Close() error
}](s record.Serializer[T], newReader func(*gate.Gate, ...gate.Option) (R, error)) func(*testing.T, []byte) (bool, error) {
	return func(t *testing.T, payload []byte) (bool, error) {
		x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
		if err != nil {
			t.Fatal(err)
		}
		w, err := writer.NewCore(x.Partition(0), writer.Spec{Record: "T", Schema: s.Schema(), Selection: selector.KindGlobal})
		if err != nil {
			t.Fatal(err)
		}
		dst, err := w.Room(t.Context(), 0, len(payload))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Place(0, copy(dst, payload)); err != nil {
			t.Fatal(err)
		}
		r, err := newReader(x.Gate(0))
		if err != nil {
			t.Fatal(err)
		}
		var v T
		ok, failed := r.Next(t.Context(), &v)
		w.CloseWithError(failed)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		return ok, failed
	}
}
