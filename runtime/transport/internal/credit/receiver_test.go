package credit_test

import (
	"errors"
	"math"
	"testing"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
)

// opened returns a channel that has said that it has so many bytes.
func opened(bytes int) *credit.Receiver {
	r := &credit.Receiver{}
	r.Grant(bytes)
	r.Open()
	return r
}

// Behaviour 68: what is not exactly the next is an error; so is more than was allowed.
func TestReceiverData(t *testing.T) {
	for _, tt := range []struct {
		name string
		at   uint64
		n    int
		want error
	}{
		{"the next bytes", 10, 90, nil},
		{"repeated", 9, 5, credit.ErrSequence},
		{"with a gap", 11, 5, credit.ErrSequence},
		{"beyond the limit", 10, 91, credit.ErrBeyond},
		{"nothing", 10, 0, credit.ErrSequence},
		{"far away", math.MaxUint64, 1, credit.ErrSequence},
		{"very long", 10, math.MaxInt32, credit.ErrBeyond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := opened(100)
			if err := r.Data(0, 10); err != nil {
				t.Fatal(err)
			}
			r.Arrived(10)
			r.Grant(1000) // not said
			if err := r.Data(tt.at, tt.n); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	r := opened(100)
	if err := r.Data(0, 100); err != nil {
		t.Fatal(err)
	}
	r.Arrived(40)
	if received, _ := r.Open(); received != (pos{40, 0}) {
		t.Errorf("received %v: what has arrived of a DATA counts, and nothing else", received)
	}
	if err := r.Data(40, 60); err != nil {
		t.Error(err)
	}
	if !panics(func() { _ = r.Data(40, 60) }) || !panics(func() { r.Arrived(61) }) || !panics(func() { _ = r.Event(pos{40, 0}, 192, false) }) {
		t.Error("a message inside of another")
	}
}

// Behaviour 70: events need no memory that was set aside for records, but there is an end to them too.
func TestReceiverEvent(t *testing.T) {
	const large = credit.Window - credit.EventWeight
	r := opened(0)
	for _, tt := range []struct {
		name   string
		at     pos
		weight uint64
		exempt bool
		want   error
	}{
		{"at another byte", pos{1, 0}, 192, false, credit.ErrSequence},
		{"behind another event", pos{0, 192}, 192, false, credit.ErrSequence},
		{"too light", pos{}, 191, false, credit.ErrSequence},
		{"too heavy", pos{}, credit.Window + 1, false, credit.ErrBeyond},
		{"first", pos{}, 192, false, nil},
		{"repeated", pos{}, 192, false, credit.ErrSequence},
		{"large", pos{0, 192}, large, false, nil},
		{"beyond", pos{0, credit.Window}, 192, false, credit.ErrBeyond},
		{"end of data", pos{0, credit.Window}, 192, true, nil},
		{"end of data again", pos{0, credit.Window + 192}, 193, true, credit.ErrBeyond},
	} {
		if err := r.CheckEvent(tt.at, tt.weight, tt.exempt); !errors.Is(err, tt.want) {
			t.Errorf("check: %s: got %v, want %v", tt.name, err, tt.want)
		}
		if err := r.Event(tt.at, tt.weight, tt.exempt); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
	}
	if err := r.End(pos{0, credit.Window + 192}); err != nil || !r.Ended() {
		t.Errorf("the end: %v", err)
	}
	if err := r.End(r.Received()); !errors.Is(err, credit.ErrSequence) {
		t.Errorf("two ends: %v", err)
	}
	if err := r.Data(0, 1); !errors.Is(err, credit.ErrSequence) {
		t.Errorf("bytes behind the end: %v", err)
	}
	if r.EventRead(credit.Window + 384); !panics(func() { r.EventRead(1) }) {
		t.Error("an event that was not received is read")
	}
}

func TestReceiverDue(t *testing.T) {
	arrive := func(r *credit.Receiver, n int) {
		if err := r.Data(r.Received().Data, n); err != nil {
			panic(err)
		}
		r.Arrived(n)
	}
	event := func(r *credit.Receiver, weight uint64) {
		if err := r.Event(r.Received(), weight, false); err != nil {
			panic(err)
		}
	}
	for _, tt := range []struct {
		name      string
		do        func(r *credit.Receiver)
		due, idle bool
	}{
		{"nothing", func(*credit.Receiver) {}, false, false},
		{"something arrived", func(r *credit.Receiver) { arrive(r, 10) }, false, true},
		{"all arrived that may", func(r *credit.Receiver) { arrive(r, 1000) }, true, true},
		{"said", func(r *credit.Receiver) { arrive(r, 1000); r.Announce() }, false, false},
		{"a little memory", func(r *credit.Receiver) { r.Grant(999) }, false, false},
		{"half of what may be under way", func(r *credit.Receiver) { r.Grant(1000) }, true, true},
		{"a little memory, and little is left", func(r *credit.Receiver) { r.Grant(100); arrive(r, 900) }, true, true},
		{"a little memory, and more is left", func(r *credit.Receiver) { r.Grant(100); arrive(r, 899) }, false, true},
		{"memory after the limit was reached", func(r *credit.Receiver) { arrive(r, 1000); r.Announce(); r.Grant(1) }, true, true},
		{"an event", func(r *credit.Receiver) { event(r, 192) }, false, true},
		{"the only event was read", func(r *credit.Receiver) { event(r, 192); r.Announce(); r.EventRead(192) }, true, true},
		{"one event of two was read", func(r *credit.Receiver) { event(r, 192); event(r, 192); r.Announce(); r.EventRead(192) }, false, false},
		{"half of the window was read", func(r *credit.Receiver) {
			event(r, credit.Window/2)
			event(r, 192)
			r.Announce()
			r.EventRead(credit.Window / 2)
		}, true, true},
		{"the end", func(r *credit.Receiver) { _ = r.End(pos{}) }, true, true},
		{"the end, said", func(r *credit.Receiver) { _ = r.End(pos{}); r.Announce(); r.Grant(5000) }, false, false},
		{"after a break", func(r *credit.Receiver) { arrive(r, 500); r.Grant(1000); r.Open() }, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := opened(1000)
			tt.do(r)
			if due, idle := r.Due(false), r.Due(true); due != tt.due || idle != tt.idle {
				t.Errorf("due %v, when idle %v; want %v and %v", due, idle, tt.due, tt.idle)
			}
			ack, limit := r.Announce()
			if ack != r.Received() || limit != r.Limit() || r.Due(true) {
				t.Errorf("says %v and %v, and something is still due: %v", ack, limit, r.Due(true))
			}
		})
	}
}

func TestReceiverStart(t *testing.T) {
	r := opened(1000)
	r.Start(pos{5000, 384})
	if r.Received() != (pos{5000, 384}) || r.Limit() != (pos{6000, 384 + credit.Window}) {
		t.Errorf("received %v, limit %v", r.Received(), r.Limit())
	}
	if !r.Due(false) {
		t.Error("the server may wait, and is not told")
	}
	if err := r.Data(5000, 1); !errors.Is(err, credit.ErrBeyond) {
		t.Errorf("bytes before the limit was said: %v", err)
	}
	r.Announce()
	if err := r.Data(5000, 1000); err != nil {
		t.Error(err)
	}
	if !panics(func() { r.Start(pos{}) }) {
		t.Error("a channel that has received was started")
	}
}

// Bytes that have landed leave what was set aside: the limit rises by them.
func TestReceiverLanded(t *testing.T) {
	var r credit.Receiver
	r.Grant(100)
	r.Announce()
	if err := r.Data(0, 80); err != nil {
		t.Fatal(err)
	}
	r.Landed(30)
	r.Arrived(50)
	if r.Received().Data != 80 || r.Limit().Data != 130 {
		t.Errorf("received %v, limit %v", r.Received(), r.Limit())
	}
	if err := r.Data(80, 21); err == nil {
		t.Error("beyond the limit that was said")
	}
	if !r.Due(false) {
		t.Error("a limit that has risen by more than what is left of it is not said")
	}
}
