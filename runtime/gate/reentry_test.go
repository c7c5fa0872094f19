package gate_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
)

// TestReentry: a handler that reads from its reader gets an error, and so does the call that it was called by, whatever the handler does with its own.
func TestReentry(t *testing.T) {
	reads := map[string]func(*gate.Reader[raw]) error{
		"Next": func(r *gate.Reader[raw]) error {
			_, err := r.Next(context.Background(), new(raw))
			return err
		},
		"TryNext": func(r *gate.Reader[raw]) error {
			_, _, err := r.TryNext(new(raw))
			return err
		},
		"NextBytes": func(r *gate.Reader[raw]) error {
			_, _, err := r.NextBytes(context.Background())
			return err
		},
		"NextBatch": func(r *gate.Reader[raw]) error {
			_, err := r.NextBatch(context.Background(), make([]raw, 2))
			return err
		},
		"Select": func(r *gate.Reader[raw]) error {
			if i, err := gate.Select(context.Background(), r); i != 0 || err != nil {
				return err
			}
			_, _, err := r.TryNext(new(raw))
			return err
		},
	}
	for name, read := range reads {
		for _, handler := range []string{"watermark", "idle", "event", "end of data", "latency", "resumed"} {
			t.Run(name+" in "+handler, func(t *testing.T) {
				n := newNet(t, 1, 1)
				defer n.close()
				var r *gate.Reader[raw]
				called, inner := 0, error(nil)
				handle := func(which string) {
					if which == handler {
						called++
						inner = read(r)
					}
				}
				var err error
				r, err = gate.NewReader(n.gate(gate.Config{Name: "consumer 0"}, 0), rawSerializer{},
					gate.OnWatermark(func(time.Time) { handle("watermark") }),
					gate.OnIdle(func(idle bool) {
						if idle {
							handle("idle")
						} else {
							handle("resumed")
						}
					}),
					gate.OnEndOfData(func(gate.EndOfData) { handle("end of data") }),
					gate.OnLatency(func(gate.Latency) { handle("latency") }),
					gate.OnEvent(rawSerializer{}, func(gate.Origin, *raw) error { handle("event"); return nil }))
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				f := n.feeds[0]
				f.send(0, frame([]byte("first")), 100)
				for _, err := range []error{
					f.part.Event(0, partition.Event{Kind: partition.UserEvent, Schema: rawSerializer{}.Schema()}),
					f.part.Event(0, partition.Event{Kind: partition.LatencyMarker}),
					f.part.Watermark(10),
					f.part.Idle(true),
				} {
					if err != nil {
						t.Fatal(err)
					}
				}
				var v raw
				for ok := true; ok && err == nil; {
					ok, _, err = r.TryNext(&v)
				}
				if err == nil {
					f.send(0, frame([]byte("second")), 100)
					if err := f.part.Event(0, partition.Event{Kind: partition.EndOfData}); err != nil {
						t.Fatal(err)
					}
					for ok := true; ok && err == nil; {
						ok, _, err = r.TryNext(&v)
					}
				}
				if called != 1 || !errors.Is(inner, gate.ErrReentry) {
					t.Errorf("the handler was called %d times and got %v, want once and ErrReentry", called, inner)
				}
				if !errors.Is(err, gate.ErrReentry) {
					t.Errorf("the call that has called the handler got %v, want ErrReentry", err)
				}
				if ok, _, err := r.TryNext(&v); ok || !errors.Is(err, gate.ErrReentry) {
					t.Errorf("the next call got %v, %v, want ErrReentry", ok, err)
				}
			})
		}
	}
}

// TestHandlerReadsAnother: a handler may read from another reader of its goroutine.
func TestHandlerReadsAnother(t *testing.T) {
	n := newNet(t, 1, 2)
	defer n.close()
	other := newReader(t, n.gate(gate.Config{}, 1))
	defer other.Close()
	n.feeds[0].send(1, frame([]byte("rule")), 100)
	got := ""
	r, err := gate.NewReader(n.gate(gate.Config{}, 0), rawSerializer{}, gate.OnWatermark(func(time.Time) {
		var v raw
		if ok, _, err := other.TryNext(&v); !ok || err != nil {
			t.Errorf("the other reader: %v, %v", ok, err)
		}
		got = string(v.data)
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := n.feeds[0].part.Watermark(1); err != nil {
		t.Fatal(err)
	}
	if ok, _, err := r.TryNext(new(raw)); ok || err != nil || got != "rule" {
		t.Errorf("%v, %v, and the handler has read %q", ok, err, got)
	}
}

// TestHandlerPanics: after a panic of a handler that the user recovers from, the reader can be read.
func TestHandlerPanics(t *testing.T) {
	n := newNet(t, 1, 1)
	defer n.close()
	r, err := gate.NewReader(n.gate(gate.Config{}, 0), rawSerializer{}, gate.OnWatermark(func(time.Time) { panic("told") }))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := n.feeds[0].part.Watermark(1); err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if v := recover(); v != "told" {
				t.Errorf("recovered %v", v)
			}
		}()
		_, _, _ = r.TryNext(new(raw)) // it panics
	}()
	n.feeds[0].send(0, frame([]byte("a")), 100)
	var v raw
	if ok, _, err := r.TryNext(&v); !ok || err != nil || string(v.data) != "a" {
		t.Errorf("got %v, %v, %q", ok, err, v.data)
	}
}

// TestHandlerCloses: a handler that closes its reader ends the call that it was called by.
func TestHandlerCloses(t *testing.T) {
	for name, say := range map[string]func(*feed) error{
		"event": func(f *feed) error {
			return f.part.Event(0, partition.Event{Kind: partition.UserEvent, Schema: rawSerializer{}.Schema()})
		},
		"watermark": func(f *feed) error { return f.part.Watermark(1) },
		"idle":      func(f *feed) error { return f.part.Idle(true) },
		"end":       func(f *feed) error { return f.part.Finish() },
	} {
		for call, read := range map[string]func(*gate.Reader[raw]) error{
			"Next": func(r *gate.Reader[raw]) error {
				_, err := r.Next(context.Background(), new(raw))
				return err
			},
			"TryNext": func(r *gate.Reader[raw]) error {
				_, _, err := r.TryNext(new(raw))
				return err
			},
			"Select": func(r *gate.Reader[raw]) error {
				if i, err := gate.Select(context.Background(), r); i != 0 || err != nil {
					return fmt.Errorf("Select: %d, %w", i, err)
				}
				_, _, err := r.TryNext(new(raw))
				return err
			},
		} {
			t.Run(call+" and "+name, func(t *testing.T) {
				n := newNet(t, 1, 1)
				defer n.close()
				var r *gate.Reader[raw]
				r, err := gate.NewReader(n.gate(gate.Config{}, 0), rawSerializer{},
					gate.OnWatermark(func(time.Time) { _ = r.Close() }), gate.OnIdle(func(bool) { _ = r.Close() }),
					gate.OnEvent(rawSerializer{}, func(gate.Origin, *raw) error { return r.Close() }))
				if err != nil {
					t.Fatal(err)
				}
				if err := say(n.feeds[0]); err != nil {
					t.Fatal(err)
				}
				if err := n.feeds[0].part.Flush(); err != nil && name != "end" {
					t.Fatal(err)
				}
				if err := read(r); !errors.Is(err, gate.ErrClosed) {
					t.Errorf("got %v, want ErrClosed", err)
				}
			})
		}
	}
}

// TestIdlePanics: a panic of OnIdle does not take the watermark that came with it, nor the records.
func TestIdlePanics(t *testing.T) {
	for _, last := range []string{"watermark", "record"} {
		n := newNet(t, 2, 1)
		panics, told := false, int64(-1)
		r, err := gate.NewReader(n.gate(gate.Config{}, 0), rawSerializer{}, gate.OnIdle(func(bool) {
			if panics {
				panics = false
				panic("idle")
			}
		}), gate.OnWatermark(func(w time.Time) { told = w.UnixMicro() }))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		try := func() {
			defer func() {
				if v := recover(); v != nil && v != "idle" {
					t.Error(v)
				}
			}()
			for {
				var v raw
				ok, _, err := r.TryNext(&v)
				if err != nil {
					t.Error(err)
				}
				if !ok {
					return
				}
				got += string(v.data)
			}
		}
		for _, f := range n.feeds {
			if err := errors.Join(f.part.Idle(true), f.part.Flush()); err != nil {
				t.Fatal(err)
			}
		}
		try()
		panics = true
		if last == "record" {
			n.feeds[0].send(0, append(frame([]byte("a")), frame([]byte("b"))...), 100)
			try()
			panics = true
		}
		if err := errors.Join(n.feeds[0].part.Watermark(7), n.feeds[0].part.Flush()); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			try()
		}
		if want := map[string]string{"record": "ab"}[last]; told != 7 || got != want {
			t.Errorf("%s: told %d, read %q; want 7 and %q", last, told, got, want)
		}
		_ = r.Close()
		n.close()
	}
}

// TestHandle: a handler that is set later takes the place of the one for the same events, and of no other.
func TestHandle(t *testing.T) {
	n := newNet(t, 1, 1)
	defer n.close()
	var got []string
	note := func(who string) func(gate.Origin, *raw) error {
		return func(gate.Origin, *raw) error {
			got = append(got, who)
			return nil
		}
	}
	r, err := gate.NewReader(n.gate(gate.Config{}, 0), rawSerializer{}, gate.OnEvent(rawSerializer{}, note("option")))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	other := record.Schema{Text: "other", Fingerprint: 4}
	send := func(s record.Schema) {
		t.Helper()
		if err := n.feeds[0].part.Event(0, partition.Event{Kind: partition.UserEvent, Schema: s}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.TryNext(new(raw)); err != nil {
			t.Fatal(err)
		}
	}
	send(rawSerializer{}.Schema())
	gate.Handle(r, rawSerializer{}, note("set"))
	gate.Handle(r, record.Raw(other), func(gate.Origin, *[]byte) error {
		got = append(got, "other")
		return nil
	})
	send(rawSerializer{}.Schema())
	send(other)
	if len(got) != 3 || got[0] != "option" || got[1] != "set" || got[2] != "other" {
		t.Errorf("called %v, want option, set, other", got)
	}
}

// TestNumber: the gate's numbering is that of origins and of errors, for each channel by itself.
func TestNumber(t *testing.T) {
	n := newNet(t, 2, 1)
	defer n.close()
	g := n.gate(gate.Config{}, 0)
	g.Number(func(producer, channel int, arrived uint64) uint64 {
		if arrived > 1 {
			arrived += 1000 // some are missing behind the first
		}
		return uint64(100*(producer+1)+channel) + arrived
	})
	var event gate.Origin
	r, err := gate.NewReader(g, rawSerializer{}, gate.OnEvent(rawSerializer{}, func(o gate.Origin, _ *raw) error { event = o; return nil }))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	g.Number(nil) // too late
	next := func(want gate.Origin) {
		t.Helper()
		if ok, _, err := r.TryNext(new(raw)); !ok || err != nil || r.Last() != want {
			t.Errorf("got %v, %v from %v, want %v", ok, err, r.Last(), want)
		}
	}
	for range 2 {
		n.feeds[1].send(0, frame([]byte("a")), 100)
	}
	next(gate.Origin{Producer: 1, Seq: 200})
	next(gate.Origin{Producer: 1, Seq: 1201})
	n.feeds[0].send(0, frame([]byte("a")), 100)
	next(gate.Origin{Producer: 0, Seq: 100})
	if err := n.feeds[1].part.Event(0, partition.Event{Kind: partition.UserEvent, Schema: rawSerializer{}.Schema()}); err != nil {
		t.Fatal(err)
	}
	n.feeds[1].send(0, frame([]byte{0xff}), 100)
	_, _, err = r.TryNext(new(raw))
	var bad *gate.CorruptError
	if !errors.As(err, &bad) || bad.Producer != 1 || bad.Record != 1202 {
		t.Errorf("got %v, want a CorruptError at record 1202 of producer 1", err)
	}
	if want := (gate.Origin{Producer: 1, Seq: 1202}); event != want {
		t.Errorf("the event came from %v, want %v", event, want)
	}
}

func TestSelectNil(t *testing.T) {
	n := newNet(t, 1, 1)
	defer n.close()
	r := newReader(t, n.gate(gate.Config{}, 0))
	defer r.Close()
	for i, inputs := range [][]gate.Input{{nil, r}, {r, nil}} {
		func() {
			defer func() {
				if v, want := recover(), []any{"gate: input 0 of Select is nil", "gate: input 1 of Select is nil"}[i]; v != want {
					t.Errorf("recovered %v, want %v", v, want)
				}
			}()
			_, _ = gate.Select(context.Background(), inputs...) // it panics
		}()
	}
}
