package gate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
)

// journal is what a reader's handlers were told, and what it has read.
type journal struct {
	t      *testing.T
	reader *gate.Reader[raw]
	lines  []string
	last   time.Time // watermark
}

func (j *journal) add(format string, args ...any) {
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

// open makes the reader of a gate with all handlers.
func (j *journal) open(g *gate.Gate, opts ...gate.Option) {
	j.t.Helper()
	opts = append([]gate.Option{
		gate.OnWatermark(func(w time.Time) {
			if got, ok := j.reader.Watermark(); !ok || !got.Equal(w) {
				j.t.Errorf("Watermark returns %v, %v in the handler for %v", got, ok, w)
			}
			if !w.After(j.last) {
				j.t.Errorf("watermark %v follows %v", w, j.last)
			}
			j.last = w
			if micros := eventtime.Micros(w); micros != eventtime.End {
				j.add("watermark %d", micros)
			} else {
				j.add("watermark end")
			}
		}),
		gate.OnIdle(func(idle bool) { j.add("idle %v", idle) }),
		gate.OnEndOfData(func(e gate.EndOfData) {
			j.add("end of data %v, drained %v, waiting for %d", e.Origin, e.Drained, e.Waiting)
		}),
		gate.OnLatency(func(l gate.Latency) { j.add("latency %v: %v", l.Origin, l.Delay) }),
		gate.OnEvent(rawSerializer{}, func(o gate.Origin, v *raw) error {
			j.add("event %q %v", v.data, o)
			if string(v.data) == "bad" {
				return errBad
			}
			return nil
		}),
	}, opts...)
	var err error
	if j.reader, err = gate.NewReader(g, rawSerializer{}, opts...); err != nil {
		j.t.Fatal(err)
	}
}

// read reads what there is, and returns the journal since the last time.
func (j *journal) read() string {
	j.t.Helper()
	for {
		var v raw
		ok, ended, err := j.reader.TryNext(&v)
		switch {
		case err != nil:
			j.add("error: %v", err)
		case ended:
			j.add("end")
		case ok:
			j.add("record %q %v", v.data, j.reader.Last())
			continue
		}
		lines := j.lines
		j.lines = nil
		return strings.Join(lines, "; ")
	}
}

func (j *journal) want(want string) {
	j.t.Helper()
	if got := j.read(); got != want {
		j.t.Errorf("got  %s\nwant %s", got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func user(data string) partition.Event {
	return partition.Event{Kind: partition.UserEvent, Record: "raw", Schema: rawSerializer{}.Schema(), Data: []byte(data)}
}

// TestEventOrder: events and watermarks come in order with the records of their channel.
func TestEventOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNet(t, 1, 1)
		f, j := n.feeds[0], &journal{t: t}
		j.open(n.gate(gate.Config{}, 0))
		if _, ok := j.reader.Watermark(); ok {
			t.Error("there is a watermark before the first")
		}
		if o := j.reader.Last(); o.Producer != -1 {
			t.Errorf("before the first record Last returns %v", o)
		}
		f.send(0, frame([]byte("a")), 100)
		must(t, f.part.Event(-1, user("x")))
		must(t, f.part.Watermark(10))
		f.send(0, frame([]byte("b")), 100)
		must(t, f.part.Watermark(20))
		must(t, f.part.Watermark(30))
		must(t, f.part.Event(0, partition.Event{Kind: partition.LatencyMarker, SentMicros: time.Now().UnixMicro()}))
		f.send(0, frame([]byte("c")), 100)
		must(t, f.part.Event(-1, partition.Event{Kind: partition.EndOfData, Drained: true}))
		time.Sleep(time.Second)
		// The watermark 10 is that of the block with b, hence behind b.
		j.want(`record "a" {0 0 0}; event "x" {0 0 1}; record "b" {0 0 1}; watermark 10; watermark 30; latency {0 0 2}: 1s; record "c" {0 0 2}; end of data {0 0 3}, drained true, waiting for 0`)
		must(t, f.part.Finish())
		j.want("watermark end; end")
		j.want("end")
		must(t, j.reader.Close())
		n.close()
	})
}

// TestEndOfData: each channel is reported with how many are still to come; those that end without a word count as well.
func TestEndOfData(t *testing.T) {
	n := newNet(t, 3, 2)
	j := &journal{t: t}
	j.open(n.gate(gate.Config{}, 1))
	must(t, n.feeds[1].part.Event(-1, partition.Event{Kind: partition.EndOfData}))
	j.want("end of data {1 1 0}, drained false, waiting for 2")
	must(t, n.feeds[1].part.Finish())
	must(t, n.feeds[0].part.Finish())
	j.want("")
	must(t, n.feeds[2].part.Event(-1, partition.Event{Kind: partition.EndOfData, Drained: true}))
	j.want("end of data {2 1 0}, drained true, waiting for 0")
	must(t, j.reader.Close())
	discard(n, 0)
	n.close()
}

// discard throws away what is queued for a consumer without a reader.
func discard(n *net, consumer int) {
	for _, f := range n.feeds {
		_ = f.part.Finish()
		f.part.Discard(consumer)
	}
}

// TestEventFailures: events that cannot be handled end the reader, with the place.
func TestEventFailures(t *testing.T) {
	unknown := partition.Event{Kind: partition.UserEvent, Record: "Rule", Schema: record.Schema{Text: "other", Fingerprint: 4}}
	for _, tt := range []struct {
		name  string
		event partition.Event
		want  string
		is    []error
		opts  []gate.Option
	}{
		{
			name: "no handler", event: unknown, is: []error{gate.ErrEvent},
			want: `record "a" {0 0 0}; error: gate: no handler for the event Rule in channel 0 of producer 0 after 1 records`,
		},
		{name: "ignored", event: unknown, opts: []gate.Option{gate.IgnoreEvents()}, want: `record "a" {0 0 0}; record "b" {0 0 1}`},
		{
			name: "the handler fails", event: user("bad"), is: []error{gate.ErrEvent, errBad},
			want: `record "a" {0 0 0}; event "bad" {0 0 1}; error: gate: event raw in channel 0 of producer 0 after 1 records: bad record`,
		},
		{
			name: "corrupt", event: user("\xff"), is: []error{gate.ErrCorrupt, errBad},
			want: `record "a" {0 0 0}; error: gate: channel 0 of producer 0 is corrupt at record 1: bad record`,
		},
		{
			name: "bytes are left over", event: user("\xfe123"), is: []error{gate.ErrCorrupt},
			want: `record "a" {0 0 0}; error: gate: channel 0 of producer 0 is corrupt at record 1: `,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := newNet(t, 1, 1)
			f, j := n.feeds[0], &journal{t: t}
			j.open(n.gate(gate.Config{}, 0), tt.opts...)
			f.send(0, frame([]byte("a")), 100)
			must(t, f.part.Event(0, tt.event))
			f.send(0, frame([]byte("b")), 100)
			if got := j.read(); got != tt.want && !(strings.HasSuffix(tt.want, ": ") && strings.HasPrefix(got, tt.want)) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			for _, is := range tt.is {
				if _, err := j.reader.Next(context.Background(), new(raw)); !errors.Is(err, is) {
					t.Errorf("Next returns %v, want %v", err, is)
				}
			}
			must(t, j.reader.Close())
			n.close()
		})
	}
}

// TestTwoHandlers: which of two would get the event?
func TestTwoHandlers(t *testing.T) {
	n := newNet(t, 1, 1)
	h := gate.OnEvent(rawSerializer{}, func(gate.Origin, *raw) error { return nil })
	if _, err := gate.NewReader(n.gate(gate.Config{}, 0), rawSerializer{}, h, h); !errors.Is(err, gate.ErrInUse) {
		t.Error(err)
	}
	n.close()
}

// TestEventAroundPieces: what is said while a record has arrived in part waits for the rest of it; an event cannot stand inside a record.
func TestEventAroundPieces(t *testing.T) {
	n := newNet(t, 2, 1)
	f, j := n.feeds[0], &journal{t: t}
	must(t, n.feeds[1].part.Watermark(1000))
	j.open(n.gate(gate.Config{}, 0))
	data := frame([]byte("abcdef"))
	f.send(0, data[:7], 7)
	must(t, f.part.Watermark(5))
	must(t, f.part.Flush())
	j.want("")
	f.send(0, data[7:9], 2)
	must(t, f.part.Watermark(6))
	must(t, f.part.Flush())
	j.want("")
	f.send(0, data[9:], 100)
	j.want(`record "abcdef" {0 0 0}; watermark 6`)
	f.send(0, data[:7], 7)
	must(t, f.part.Event(0, user("x")))
	j.want("error: gate: channel 0 of producer 0 is corrupt at record 1: an event inside a record")
	must(t, j.reader.Close())
	n.close()
}

// TestIdleProducers: who is idle is not waited for, who writes is not idle, and when all are idle that is said.
func TestIdleProducers(t *testing.T) {
	n := newNet(t, 2, 1)
	a, b, j := n.feeds[0], n.feeds[1], &journal{t: t}
	j.open(n.gate(gate.Config{}, 0))
	say := func(f *feed, err error) {
		t.Helper()
		must(t, err)
		must(t, f.part.Flush())
	}
	say(a, a.part.Watermark(10))
	j.want("")
	say(b, b.part.Idle(true))
	j.want("watermark 10")
	say(a, a.part.Idle(true))
	j.want("idle true")
	if !j.reader.Core().Idle() {
		t.Error("not idle")
	}
	// b comes back with no more than a record, and leaves again: for a moment the least watermark is its own.
	b.send(0, frame([]byte("x")), 100)
	j.want(`idle false; record "x" {1 0 0}; idle true`)
	say(b, b.part.Watermark(5)) // that ends its idleness, and is lower than what was said
	j.want("idle false")
	say(b, b.part.Watermark(20))
	j.want("watermark 20")
	say(a, a.part.Watermark(15))
	say(b, b.part.Watermark(30))
	j.want("")
	must(t, a.part.Finish())
	j.want("watermark 30")
	say(b, b.part.Idle(true))
	j.want("idle true")
	must(t, b.part.Finish())
	j.want("idle false; watermark end; end")
	must(t, j.reader.Close())
	n.close()
}

// TestNoHandlers: without handlers everything but user events passes unnoticed, and Watermark tells all the same.
func TestNoHandlers(t *testing.T) {
	n := newNet(t, 1, 1)
	f := n.feeds[0]
	r := newReader(t, n.gate(gate.Config{}, 0))
	must(t, f.part.Watermark(7))
	must(t, f.part.Event(0, partition.Event{Kind: partition.LatencyMarker}))
	must(t, f.part.Idle(true))
	must(t, f.part.Event(0, partition.Event{Kind: partition.EndOfData}))
	must(t, f.part.Finish())
	if ok, err := r.Next(context.Background(), new(raw)); ok || err != nil {
		t.Fatal(ok, err)
	}
	if w, ok := r.Watermark(); !ok || eventtime.Micros(w) != eventtime.End {
		t.Errorf("the watermark at the end is %v, %v", w, ok)
	}
	must(t, r.Close())
	n.close()
}

// TestParkedReaderLearns: handlers are called while Next waits for a record.
func TestParkedReaderLearns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNet(t, 1, 1)
		f, j := n.feeds[0], &journal{t: t}
		j.open(n.gate(gate.Config{}, 0))
		done := make(chan error)
		go func() {
			_, err := j.reader.Next(context.Background(), new(raw))
			done <- err
		}()
		var got []string
		step := func() {
			synctest.Wait()
			got = append(got, strings.Join(j.lines, "; "))
			j.lines = nil
		}
		step()
		must(t, f.part.Watermark(1))
		step() // on full: nobody is told
		must(t, f.part.Flush())
		step()
		must(t, f.part.Event(0, user("x")))
		step()
		f.send(0, frame([]byte("a")), 100)
		must(t, <-done)
		if want := []string{"", "", "watermark 1", `event "x" {0 0 0}`}; !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		must(t, j.reader.Close())
		n.close()
	})
}
