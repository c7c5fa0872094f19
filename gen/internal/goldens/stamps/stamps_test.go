package stamps

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/wire"
)

func TestEvent(t *testing.T) { check.Record(t, EventSerializer{}) }
func TestSpan(t *testing.T)  { check.Record(t, SpanSerializer{}) }
func TestWays(t *testing.T) {
	check.Ways(t, 3, check.Random[Event](60), NewEventByIDWriter, NewEventReader)
}

// Times that 64 bits of nanoseconds cannot express are refused, with the place; those at the ends are not.
func TestRange(t *testing.T) {
	first, last := time.Unix(0, math.MinInt64+1), time.Unix(0, math.MaxInt64)
	for _, at := range []time.Time{first, last, {}, time.Unix(0, 0), time.Unix(0, -1)} {
		b, err := EventSerializer{}.Append(nil, &Event{At: at})
		if err != nil {
			t.Fatal(err)
		}
		var back Event
		if _, err := (EventSerializer{}).Consume(b, &back); err != nil || !back.At.Equal(at) || back.At.IsZero() != at.IsZero() {
			t.Errorf("%v came back as %v, %v", at, back.At, err)
		}
	}
	for _, at := range []time.Time{first.Add(-1), last.Add(1), time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)} {
		var e *wire.Error
		_, err := EventSerializer{}.Append(nil, &Event{At: at})
		if !errors.Is(err, wire.ErrRange) || !errors.As(err, &e) || e.Path != "At" || e.Offset != 9 {
			t.Errorf("%v: %v", at, err)
		}
		_, err = SpanSerializer{}.Append(nil, &Span{Events: []Event{{}, {At: at}}})
		if !errors.Is(err, wire.ErrRange) || !errors.As(err, &e) || e.Path != "Events[1].At" {
			t.Errorf("%v in an element: %v", at, err)
		}
	}
}

// All bytes are a time.
func TestAnyBytes(t *testing.T) {
	b, err := EventSerializer{}.Append(nil, &Event{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64} {
		binary.LittleEndian.PutUint64(b[9:], uint64(n))
		var v Event
		if _, err := (EventSerializer{}).Consume(b, &v); err != nil {
			t.Errorf("%d: %v", n, err)
		}
		if again, err := (EventSerializer{}).Append(nil, &v); err != nil || string(again) != string(b) {
			t.Errorf("%d: %x, %v, want %x", n, again, err, b)
		}
	}
}

func TestAllocs(t *testing.T) {
	check.Allocs(t, EventSerializer{}, &Event{At: time.Unix(5, 6)}, 0)
}
