package writers

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Emit, EmitBatch and TryEmit choose the same channels and write the same, and Broadcast writes to all, whatever the writer selects by.
func TestWays(t *testing.T) {
	list := events(1)[0]
	tests := []struct {
		name string
		run  func(t *testing.T)
	}{
		{"key", func(t *testing.T) { check.Ways(t, consumers, list, NewEventByUserWriter, NewEventReader) }},
		{"composite key", func(t *testing.T) { check.Ways(t, consumers, list, NewEventByUserAndKindWriter, NewEventReader) }},
		{"broadcast", func(t *testing.T) { check.Ways(t, consumers, list, NewEventToAllWriter, NewEventReader) }},
		{"rebalance", func(t *testing.T) { check.Ways(t, consumers, list, NewEventSpreadWriter, NewEventReader) }},
		{"rescale", func(t *testing.T) { check.Ways(t, consumers, list, NewEventNearWriter, NewEventReader) }},
		{"shuffle", func(t *testing.T) { check.Ways(t, consumers, list, NewEventRandomWriter, NewEventReader) }},
		{"global", func(t *testing.T) { check.Ways(t, consumers, list, NewEventOneWriter, NewEventReader) }},
		{"forward", func(t *testing.T) { check.Ways(t, 1, list, NewEventStraightWriter, NewEventReader) }},
		{"custom", func(t *testing.T) { check.Ways(t, consumers, list, NewEventRoutedWriter, NewEventReader) }},
		{"custom with error", func(t *testing.T) { check.Ways(t, consumers, list, NewEventTriedWriter, NewEventReader) }},
		{"general", func(t *testing.T) { check.Ways(t, consumers, list, NewEventWriter, NewEventReader) }},
		{"general broadcast", func(t *testing.T) {
			check.Ways(t, consumers, list, func(out writer.Output, opts ...writer.Option) (*EventWriter, error) {
				return NewEventWriter(out, append(opts, writer.WithSelector(selector.Broadcast[Event]()))...)
			}, NewEventReader)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

// Writers that choose by load reach every channel, and nothing is lost.
func TestLoadWriters(t *testing.T) {
	for channel, records := range streamed(t, producers, NewEventLightestWriter, anywhere) {
		if len(records) == 0 {
			t.Errorf("load: nothing in channel %d", channel)
		}
	}
	for name, got := range map[string][][]*Event{
		"either":        streamed(t, producers, NewEventEitherWriter, anywhere),
		"either of two": streamed(t, producers, NewEventEitherOfTwoWriter, anywhere),
	} {
		channels := map[string]map[int]bool{}
		split := 0
		for channel, records := range got {
			for _, e := range records {
				key := e.User
				hash := selector.HashString(e.User)
				if name == "either of two" {
					key += string(rune('0' + e.Kind))
					hash = selector.HashBytes(selector.Append8(selector.AppendString(nil, e.User), e.Kind))
				}
				if a, b := selector.TwoOf(hash, consumers); channel != a && channel != b {
					t.Fatalf("%s: an event with the channels %d and %d in channel %d", name, a, b, channel)
				}
				if channels[key] == nil {
					channels[key] = map[int]bool{}
				}
				channels[key][channel] = true
				if len(channels[key]) == 2 {
					split++
				}
			}
		}
		if split == 0 {
			t.Errorf("%s: no key went to both of its channels", name)
		}
	}
}

// TryEmit accepts a record whole or not at all, also if the exchange is full, and Ready tells when there is room again.
func TestTryEmitWhenFull(t *testing.T) {
	const total = 3000
	ctx := t.Context()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewEventOneWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewEventReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	event := func(id int) Event {
		e := Event{ID: uint64(id), User: "somebody"}
		if id%10 == 9 {
			e.Text = strings.Repeat("long ", 2_000) // more than a block
		}
		return e
	}
	result := make(chan error, 1)
	read := func() { // exactly the events that were accepted, in order
		id := 0
		for v, err := range r.All(ctx) {
			if err != nil {
				result <- err
				return
			}
			if *v != event(id) {
				result <- fmt.Errorf("event %d came in the place of event %d", v.ID, id)
				return
			}
			id++
		}
		if id != total {
			result <- fmt.Errorf("%d of %d events arrived", id, total)
			return
		}
		result <- nil
	}
	reading := false
	for id := 0; id < total; {
		e := event(id)
		full, err := w.TryEmit(&e)
		switch {
		case err != nil:
			t.Fatal(err)
		case full == -1:
			id++
			continue
		case full != 0:
			t.Fatalf("channel %d is full, but records go to channel 0", full)
		}
		if !reading { // so that the exchange was full at least once
			reading = true
			go read()
		}
		select {
		case <-w.Ready(full):
		case err := <-result:
			t.Fatalf("the reader has ended: %v", err)
		}
	}
	if !reading {
		t.Fatal("the exchange was never full")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err != nil {
		t.Error(err)
	}
}

// A channel is available until it is full, and again when it was read.
func TestAvailable(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewSampleByIDWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewSampleReader(x.Gate(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, channel := range []int{0, 1, -1} {
		if !w.Available(channel) {
			t.Errorf("channel %d of an empty exchange is not available", channel)
		}
	}
	full, sent := -1, 0
	for ; full < 0; sent++ {
		if full, err = w.TryEmit(&Sample{ID: uint64(sent)}); err != nil {
			t.Fatal(err)
		}
	}
	if w.Available(full) || w.Available(-1) {
		t.Errorf("channel %d is full: available %v, all %v", full, w.Available(full), w.Available(-1))
	}
	ready := w.Ready(-1)
	for range sent - 1 {
		if ok, err := r.Next(t.Context(), new(Sample)); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	select {
	case <-ready:
	default:
		t.Error("everything was read, and the writer is not ready")
	}
	if got := w.Core().Stats().Records; got != w.Stats().Records || got == 0 {
		t.Errorf("the core counts %d records, its writer %d", got, w.Stats().Records)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// What goes wrong in a user's function becomes an error that names the record; nothing of it is written, and the writer goes on.
func TestSelectionFails(t *testing.T) {
	ctx := t.Context()
	good := Event{ID: 1}
	tests := []struct {
		name string
		kind uint8
		want func(error) bool
	}{
		{"error", 100, func(err error) bool { return errors.Is(err, errLost) && errors.Is(err, writer.ErrSelector) }},
		{"panic", 101, func(err error) bool {
			return errors.Is(err, writer.ErrSelector) && strings.Contains(err.Error(), "no idea")
		}},
		{"no such channel", 102, func(err error) bool { return errors.Is(err, writer.ErrChannel) }},
	}
	x := open(t, 1, 2)
	w, err := NewEventTriedWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, tt := range tests {
		bad := Event{Kind: tt.kind}
		check := func(method string, err error) {
			t.Helper()
			if err == nil || !tt.want(err) || !strings.Contains(err.Error(), "Event") {
				t.Errorf("%s: %s: %v", tt.name, method, err)
			}
		}
		check("Emit", w.Emit(ctx, &bad))
		full, err := w.TryEmit(&bad)
		check("TryEmit", err)
		if full != -1 {
			t.Errorf("%s: TryEmit says channel %d is full", tt.name, full)
		}
		n, err := w.EmitBatch(ctx, []Event{good, good, bad, good})
		check("EmitBatch", err)
		if sent += n; n != 2 {
			t.Errorf("%s: EmitBatch accepted %d of 2", tt.name, n)
		}
		if err := w.Emit(ctx, &good); err != nil {
			t.Errorf("%s: the next record: %v", tt.name, err)
		}
		sent++
	}
	if got := w.Stats().Records; got != uint64(sent) {
		t.Errorf("%d records written, want %d", got, sent)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}

	// A panic of the selector of a general writer is an error as well.
	x = open(t, 1, 2)
	gw, err := NewEventWriter(x.Partition(0), writer.WithSelector(selector.Func(func(*Event, int) int { panic("no idea") })))
	if err != nil {
		t.Fatal(err)
	}
	if err := gw.Emit(ctx, &good); !errors.Is(err, writer.ErrSelector) || !strings.Contains(err.Error(), "no idea") {
		t.Errorf("general writer: %v", err)
	}
	if err := gw.Close(); err != nil {
		t.Error(err)
	}
}

// The memory in which keys are put together follows them, but one huge key does not stay.
func TestScratchIsBounded(t *testing.T) {
	ctx := t.Context()
	x := open(t, 1, 2)
	w, err := NewEventByUserAndKindWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{10, 1 << 10, 1 << 20} {
		if err := w.Emit(ctx, &Event{User: strings.Repeat("x", size)}); err != nil {
			t.Fatal(err)
		}
		if cap(w.key) == 0 || cap(w.key) > 64<<10 {
			t.Errorf("after a key of %d bytes the writer keeps %d bytes", size, cap(w.key))
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// Everything a writer draws at random follows from its seed.
func TestSeed(t *testing.T) {
	list := events(2)
	again := func(t *testing.T, run func() [][]*Event) {
		t.Helper()
		check.SameChannels(t, "with the same seed", run(), run())
	}
	again(t, func() [][]*Event { return check.Stream(t, consumers, list, NewEventRandomWriter, NewEventReader) })
	again(t, func() [][]*Event { return check.Stream(t, consumers, list, NewEventSpreadWriter, NewEventReader) })
	again(t, func() [][]*Event { return check.Stream(t, consumers, list, NewEventNearWriter, NewEventReader) })
	again(t, func() [][]*Event { return check.Stream(t, consumers, list, NewEventWriter, NewEventReader) })
}

// Constructors of writers say that there is no output, rather than panic.
func TestNoOutput(t *testing.T) {
	_, keyed := NewEventByUserWriter(nil)
	_, general := NewEventWriter(nil)
	for name, err := range map[string]error{"keyed": keyed, "general": general} {
		if !errors.Is(err, writer.ErrNoOutput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
