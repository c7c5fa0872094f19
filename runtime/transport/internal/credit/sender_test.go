package credit_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"pgregory.net/rapid"
)

type pos = credit.Position

// panics reports whether f does.
func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func TestEventWeight(t *testing.T) {
	if got := partition.MaxEventBytes - partition.MaxEventData; got != credit.EventWeight {
		t.Errorf("an event takes %d bytes of a queue, and weighs %d: the limits of both would differ", got, credit.EventWeight)
	}
}

func TestPosition(t *testing.T) {
	for _, tt := range []struct {
		p, q           pos
		atMost, before bool
	}{
		{pos{}, pos{}, true, false},
		{pos{1, 0}, pos{1, 192}, true, true},
		{pos{1, 0}, pos{2, 0}, true, true},
		{pos{2, 0}, pos{1, 192}, false, false},
		{pos{1, 192}, pos{2, 0}, false, false},
		{pos{2, 192}, pos{1, 0}, false, false},
	} {
		if got := tt.p.AtMost(tt.q); got != tt.atMost {
			t.Errorf("%v is at most %v: %v", tt.p, tt.q, got)
		}
		if got := tt.p.Before(tt.q); got != tt.before {
			t.Errorf("%v is before %v: %v", tt.p, tt.q, got)
		}
	}
	if got, want := (pos{4096, 384}).String(), "4096 bytes and 384 of events"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Behaviour 70: events may be sent without credit for records, records not.
func TestSenderRoom(t *testing.T) {
	var s credit.Sender
	s.Start(pos{}, pos{0, credit.Window})
	if s.Room() != 0 || !s.EventRoom(credit.EventWeight, false) {
		t.Fatalf("without credit for records there is room for %d bytes", s.Room())
	}
	if !panics(func() { s.SendData(1) }) {
		t.Error("bytes without room were sent")
	}
	s.SendEvent(credit.EventWeight, false)
	if s.EventRoom(credit.Window, false) || !s.EventRoom(credit.Window-credit.EventWeight, false) || !s.EventRoom(credit.EventWeight, true) {
		t.Error("wrong room for events")
	}
	s.SendEvent(credit.Window-credit.EventWeight, false)
	if s.EventRoom(credit.EventWeight, false) || !panics(func() { s.SendEvent(credit.EventWeight, false) }) {
		t.Error("an event above the limit")
	}
	s.SendEvent(credit.EventWeight, true)
	s.SendEnd()
	if s.Room() != 0 || s.EventRoom(credit.EventWeight, true) || !panics(s.SendEnd) {
		t.Error("there is room behind the end")
	}
}

func TestSenderCredit(t *testing.T) {
	// 100 bytes, an event, 50 bytes, an event, an event, the end
	sent := func() *credit.Sender {
		s := &credit.Sender{}
		s.Start(pos{}, pos{150, credit.Window})
		s.SendData(100)
		s.SendEvent(200, false)
		s.SendData(50)
		s.SendEvent(300, false)
		s.SendEvent(192, false)
		s.SendEnd()
		return s
	}
	for _, tt := range []struct {
		name           string
		ack, limit     pos
		more, released bool
		err            error
		acked          pos
	}{
		{"nothing new", pos{}, pos{}, false, false, nil, pos{}},
		{"only a limit", pos{}, pos{151, 0}, true, false, nil, pos{}},
		{"only a limit for events", pos{}, pos{0, credit.Window + 1}, true, false, nil, pos{}},
		{"inside of records", pos{37, 0}, pos{}, false, true, nil, pos{37, 0}},
		{"before an event", pos{100, 0}, pos{}, false, true, nil, pos{100, 0}},
		{"behind it", pos{100, 200}, pos{}, false, true, nil, pos{100, 200}},
		{"between two", pos{150, 500}, pos{}, false, true, nil, pos{150, 500}},
		{"all", pos{150, 884}, pos{300, 0}, true, true, nil, pos{150, 884}},
		{"inside of an event", pos{100, 199}, pos{}, false, false, credit.ErrAck, pos{}},
		{"bytes behind an event without it", pos{101, 0}, pos{300, 0}, false, false, credit.ErrAck, pos{}},
		{"an event without the bytes before it", pos{99, 200}, pos{}, false, false, credit.ErrAck, pos{}},
		{"more bytes than were sent", pos{151, 884}, pos{}, false, false, credit.ErrAck, pos{}},
		{"more events than were sent", pos{150, 885}, pos{}, false, false, credit.ErrAck, pos{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sent()
			before := s.Limit()
			more, released, err := s.Credit(tt.ack, tt.limit)
			if more != tt.more || released != tt.released || !errors.Is(err, tt.err) {
				t.Errorf("more %v, released %v, %v", more, released, err)
			}
			if s.Acked() != tt.acked {
				t.Errorf("acknowledged %v, want %v", s.Acked(), tt.acked)
			}
			if err != nil && s.Limit() != before {
				t.Errorf("the limit is %v after %v", s.Limit(), err)
			}
			if want := tt.acked == s.Sent(); s.Done() != want {
				t.Errorf("done: %v", s.Done())
			}
		})
	}
	t.Run("what was said before is ignored", func(t *testing.T) {
		s := sent()
		for _, ack := range []pos{{100, 200}, {50, 0}, {150, 0}} { // the last one is a field above and a field below: 150 bytes, with the event
			if _, _, err := s.Credit(ack, pos{}); err != nil {
				t.Fatal(err)
			}
		}
		if want := (pos{150, 200}); s.Acked() != want {
			t.Errorf("acknowledged %v, want %v", s.Acked(), want)
		}
	})
}

func TestSenderResume(t *testing.T) {
	for _, tt := range []struct {
		name     string
		received pos
		err      error
		done     bool
	}{
		{"before what is acknowledged", pos{99, 0}, credit.ErrPosition, false},
		{"at it", pos{100, 0}, nil, false},
		{"before the event", pos{120, 0}, nil, false},
		{"behind it", pos{120, 200}, nil, false},
		{"all but the end", pos{150, 200}, nil, false},
		{"all", pos{150, 392}, nil, true},
		{"no place", pos{121, 0}, credit.ErrPosition, false},
		{"behind what was sent", pos{150, 393}, credit.ErrPosition, false},
		{"another field of it", pos{151, 392}, credit.ErrPosition, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s credit.Sender
			s.Start(pos{}, pos{200, credit.Window})
			s.SendData(120)
			s.SendEvent(200, false)
			s.SendData(30)
			s.SendEnd()
			if _, _, err := s.Credit(pos{100, 0}, pos{}); err != nil {
				t.Fatal(err)
			}
			sent, limit := s.Sent(), s.Limit()
			err := s.Resume(tt.received, pos{300, 0})
			if !errors.Is(err, tt.err) {
				t.Fatalf("got %v, want %v", err, tt.err)
			}
			if err != nil {
				if s.Sent() != sent || s.Limit() != limit {
					t.Errorf("%v has changed it", err)
				}
				return
			}
			if s.Sent() != tt.received || s.Acked() != tt.received || s.Ended() != tt.done || s.Done() != tt.done {
				t.Errorf("sent %v, acknowledged %v, ended %v, done %v", s.Sent(), s.Acked(), s.Ended(), s.Done())
			}
			if want := (pos{300, credit.Window}); s.Limit() != want {
				t.Errorf("the limit is %v, want %v", s.Limit(), want)
			}
		})
	}
}

func TestSenderStart(t *testing.T) {
	var s credit.Sender
	s.Start(pos{1000, 384}, pos{400, credit.Window})
	if s.Room() != 0 || s.Acked() != (pos{1000, 384}) || s.EventRoom(credit.Window, false) {
		t.Errorf("room for %d, acknowledged %v", s.Room(), s.Acked())
	}
	if more, _, err := s.Credit(pos{1000, 384}, pos{1400, 384 + credit.Window}); err != nil || !more || s.Room() != 400 {
		t.Errorf("room for %d, %v", s.Room(), err)
	}
	s.SendData(1)
	if !panics(func() { s.Start(pos{}, pos{}) }) {
		t.Error("a channel that has sent was started")
	}
}

// TestSenderModel compares acknowledgements and resumptions with a list of all places of the stream.
func TestSenderModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s credit.Sender
		s.Start(pos{}, pos{1 << 30, 1 << 30})
		places := []pos{{}} // not acknowledged, in order
		draw := func() pos {
			if rapid.Bool().Draw(t, "place") {
				return rapid.SampledFrom(places).Draw(t, "at")
			}
			last := places[len(places)-1]
			return pos{rapid.Uint64Range(0, last.Data+1).Draw(t, "data"), rapid.Uint64Range(0, last.Events/192+1).Draw(t, "events") * 192}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			last := places[len(places)-1]
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0, 1:
				n := rapid.Uint64Range(1, 5).Draw(t, "bytes")
				s.SendData(n)
				for i := uint64(1); i <= n; i++ {
					places = append(places, pos{last.Data + i, last.Events})
				}
			case 2, 3:
				s.SendEvent(credit.EventWeight, false)
				places = append(places, pos{last.Data, last.Events + credit.EventWeight})
			case 4:
				ack := draw()
				merged := pos{max(ack.Data, places[0].Data), max(ack.Events, places[0].Events)}
				k := slices.Index(places, merged)
				_, released, err := s.Credit(ack, pos{})
				if (err == nil) != (k >= 0) || released != (k > 0) {
					t.Fatalf("acknowledged %v of %v: released %v, %v", ack, places, released, err)
				}
				if k > 0 {
					places = places[k:]
				}
			case 5:
				at := draw()
				k := slices.Index(places, at)
				if err := s.Resume(at, pos{}); (err == nil) != (k >= 0) {
					t.Fatalf("resume at %v of %v: %v", at, places, err)
				}
				if k >= 0 {
					places = places[k : k+1]
				}
			}
			if diff := cmp.Diff([]pos{places[0], places[len(places)-1]}, []pos{s.Acked(), s.Sent()}); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}
