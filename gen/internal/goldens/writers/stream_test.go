package writers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

const (
	producers = 3
	consumers = 4
	each      = 400
)

// events returns what the producers write. The upper half of an ID is the producer.
func events(producers int) [][]Event {
	list := make([][]Event, producers)
	for p := range list {
		for i := range each {
			e := Event{ID: uint64(p)<<32 | uint64(i), User: fmt.Sprint("user ", i%37), Kind: uint8(i % 5)}
			if i%100 == 99 {
				e.Text = strings.Repeat("long ", 10_000) // more than a block
			}
			list[p] = append(list[p], e)
		}
	}
	return list
}

// streamed sends the events through a writer and checks that every event arrives, in order, where it should. want returns the channel of
// an event, or −1 for any.
func streamed[W check.Writer[Event]](t *testing.T, producers int, newWriter func(writer.Output, ...writer.Option) (W, error),
	want func(*Event) int) [][]*Event {
	t.Helper()
	list := events(producers)
	got := check.Stream(t, consumers, list, newWriter, NewEventReader)
	total := 0
	for channel, records := range got {
		next := make([]uint64, producers)
		for _, e := range records {
			p := e.ID >> 32
			i := e.ID & 0xffffffff
			if i < next[p] {
				t.Fatalf("channel %d: event %d of producer %d came late", channel, i, p)
			}
			next[p] = i + 1
			if w := want(e); w >= 0 && w != channel {
				t.Fatalf("event %+v came from channel %d, want %d", e, channel, w)
			}
			if *e != list[p][i] {
				t.Fatalf("event %d of producer %d changed on the way", i, p)
			}
			total++
		}
	}
	if total != producers*each && total != producers*each*consumers {
		t.Fatalf("%d of %d events arrived", total, producers*each)
	}
	return got
}

func anywhere(*Event) int { return -1 }

func byUser(e *Event) int { return selector.Scale(selector.HashString(e.User), consumers) }

func TestKeyedWriters(t *testing.T) {
	streamed(t, producers, NewEventByUserWriter, byUser)
	streamed(t, producers, NewEventByUserAndKindWriter, func(e *Event) int {
		key := binary.AppendUvarint(nil, uint64(len(e.User)))
		key = append(append(key, e.User...), e.Kind)
		return selector.Scale(selector.HashBytes(key), consumers)
	})
}

func TestBroadcastWriter(t *testing.T) {
	for channel, records := range streamed(t, producers, NewEventToAllWriter, anywhere) {
		if len(records) != producers*each {
			t.Errorf("channel %d got %d of %d events", channel, len(records), producers*each)
		}
	}
}

func TestSpreadingWriters(t *testing.T) {
	for channel, records := range streamed(t, producers, NewEventSpreadWriter, anywhere) {
		if len(records) != producers*each/consumers {
			t.Errorf("rebalance: channel %d got %d events", channel, len(records))
		}
	}
	for channel, records := range streamed(t, producers, NewEventRandomWriter, anywhere) {
		if len(records) < producers*each/consumers/2 {
			t.Errorf("shuffle: channel %d got %d events", channel, len(records))
		}
	}
	// With two producers and four consumers, each producer has two channels of its own.
	for channel, records := range streamed(t, 2, NewEventNearWriter, anywhere) {
		if len(records) != each/2 {
			t.Errorf("rescale: channel %d got %d events", channel, len(records))
		}
		for _, e := range records {
			if int(e.ID>>32) != channel/2 {
				t.Fatalf("rescale: an event of producer %d in channel %d", e.ID>>32, channel)
			}
		}
	}
}

func TestPlacingWriters(t *testing.T) {
	streamed(t, producers, NewEventOneWriter, func(*Event) int { return 0 })
	streamed(t, consumers, NewEventStraightWriter, func(e *Event) int { return int(e.ID >> 32) })
	streamed(t, producers, NewEventRoutedWriter, func(e *Event) int { return route(e, consumers) })
	// Forward needs as many producers as consumers.
	x := open(t, 2, 3)
	if _, err := NewEventStraightWriter(x.Partition(0)); !errors.Is(err, selector.ErrTopology) {
		t.Errorf("forward from 2 to 3: %v", err)
	}
}

// The general writer does what its selector says.
func TestGeneralWriter(t *testing.T) {
	with := func(s func() selector.Selector[Event]) func(writer.Output, ...writer.Option) (*EventWriter, error) {
		return func(out writer.Output, opts ...writer.Option) (*EventWriter, error) {
			return NewEventWriter(out, append(opts, writer.WithSelector(s()))...)
		}
	}
	key := func(e *Event) uint64 { return selector.HashString(e.User) }
	streamed(t, producers, with(func() selector.Selector[Event] { return selector.Key(key) }), byUser)
	streamed(t, producers, with(selector.Global[Event]), func(*Event) int { return 0 })
	streamed(t, producers, with(func() selector.Selector[Event] { return selector.Func(route) }), func(e *Event) int { return route(e, consumers) })
	streamed(t, consumers, with(selector.Forward[Event]), func(e *Event) int { return int(e.ID >> 32) })
	for channel, records := range streamed(t, producers, with(selector.Broadcast[Event]), anywhere) {
		if len(records) != producers*each {
			t.Errorf("broadcast: channel %d got %d events", channel, len(records))
		}
	}
	for channel, records := range streamed(t, producers, NewEventWriter, anywhere) {
		if len(records) != producers*each/consumers {
			t.Errorf("default: channel %d got %d events", channel, len(records))
		}
	}
	x := open(t, 2, 3)
	if _, err := NewEventWriter(x.Partition(0), writer.WithSelector(selector.Forward[Event]())); !errors.Is(err, selector.ErrTopology) {
		t.Errorf("forward from 2 to 3: %v", err)
	}
	if _, err := NewEventWriter(x.Partition(0), writer.WithSelector(selector.Global[Sample]())); err == nil {
		t.Error("a selector for another type was taken")
	}
	// A failed constructor has claimed nothing.
	w, err := NewEventWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewEventByUserWriter(x.Partition(0)); !errors.Is(err, writer.ErrInUse) {
		t.Errorf("a second writer: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// Generated writers and readers work with generic ones on the other side.
func TestWithGenericPeers(t *testing.T) {
	ref, err := record.Reflect[Event]()
	if err != nil {
		t.Fatal(err)
	}
	list := events(1)
	key := func(e *Event) uint64 { return selector.HashString(e.User) }
	generated := check.Stream(t, consumers, list, NewEventByUserWriter, func(g *gate.Gate, opts ...gate.Option) (*gate.Reader[Event], error) {
		return gate.NewReader(g, ref, opts...)
	})
	generic := check.Stream(t, consumers, list, func(out writer.Output, opts ...writer.Option) (*writer.Writer[Event], error) {
		return writer.New(out, ref, append(opts, writer.WithSelector(selector.Key(key)))...)
	}, NewEventReader)
	for i := range generated {
		if len(generated[i]) != len(generic[i]) {
			t.Fatalf("channel %d: %d and %d events", i, len(generated[i]), len(generic[i]))
		}
		for k := range generated[i] {
			if *generated[i][k] != *generic[i][k] {
				t.Fatalf("channel %d: event %d differs", i, k)
			}
		}
	}
}

func open(t *testing.T, producers, consumers int) *exchange.Exchange {
	t.Helper()
	x, err := exchange.New(exchange.Config{Producers: producers, Consumers: consumers})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestOutOfRange(t *testing.T) {
	ctx := context.Background()
	x := open(t, 1, 2)
	w, err := NewEventWriter(x.Partition(0), writer.WithSelector(selector.Func(func(e *Event, n int) int { return int(int64(e.ID)) })))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int{2, -1, 1 << 30} {
		if err := w.Emit(ctx, &Event{ID: uint64(id)}); !errors.Is(err, writer.ErrChannel) {
			t.Errorf("channel %d: %v", id, err)
		}
	}
	if err := w.Emit(ctx, &Event{ID: 1}); err != nil {
		t.Errorf("channel 1: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// A failed writer fails its readers, and a reader that leaves its writers.
func TestFailures(t *testing.T) {
	ctx := context.Background()
	x := open(t, 1, 1)
	w, err := NewSampleByIDWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewSampleReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewSampleReader(x.Gate(0)); !errors.Is(err, gate.ErrInUse) {
		t.Errorf("a second reader: %v", err)
	}
	if err := w.Emit(ctx, &Sample{ID: 1}); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("no more samples")
	w.CloseWithError(cause)
	var v Sample
	if ok, err := r.Next(ctx, &v); !ok || err != nil || v.ID != 1 {
		t.Errorf("the record before the failure: %v, %v, %v", v, ok, err)
	}
	if ok, err := r.Next(ctx, &v); ok || !errors.Is(err, cause) {
		t.Errorf("the failure: %v, %v", ok, err)
	}
	n := 0
	for v, err := range r.All(ctx) {
		if v != nil || !errors.Is(err, cause) {
			t.Errorf("All after the failure: %v, %v", v, err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("All yields %d times after the failure", n)
	}
	if err := r.CloseWithError(cause); err != nil {
		t.Error(err)
	}

	x = open(t, 1, 1)
	ew, err := NewEventOneWriter(x.Partition(0), writer.FlushEveryRecord())
	if err != nil {
		t.Fatal(err)
	}
	type other struct{ Name string }
	ser, err := record.Reflect[other]()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gate.NewReader(x.Gate(0), ser); !errors.Is(err, partition.ErrSchema) {
		t.Errorf("a reader of another record type: %v", err)
	}
	er, err := NewEventReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	if err := er.Close(); err != nil {
		t.Error(err)
	}
	for range 1000 {
		if err = ew.Emit(ctx, &Event{}); err != nil {
			break
		}
	}
	if !errors.Is(err, writer.ErrConsumerGone) {
		t.Errorf("writing without a reader: %v", err)
	}
	ew.CloseWithError(err)
}

// Emit, EmitBatch and TryEmit allocate nothing once the writer has its blocks, and neither does Next for records of constant size.
func TestStreamAllocs(t *testing.T) {
	const records = 3000
	ctx := t.Context()
	batch := make([]Sample, records)
	for i := range batch {
		batch[i] = Sample{ID: uint64(i), Value: -1}
	}
	tests := []struct {
		name  string
		write func(*SampleByIDWriter) error
	}{
		{"Emit", func(w *SampleByIDWriter) error {
			for i := range batch {
				if err := w.Emit(ctx, &batch[i]); err != nil {
					return err
				}
			}
			return nil
		}},
		{"EmitBatch", func(w *SampleByIDWriter) error {
			n, err := w.EmitBatch(ctx, batch)
			if n != records {
				return errors.Join(fmt.Errorf("%d of %d records", n, records), err)
			}
			return err
		}},
		{"TryEmit", func(w *SampleByIDWriter) error {
			for i := range batch {
				if full, err := w.TryEmit(&batch[i]); full >= 0 || err != nil {
					return errors.Join(fmt.Errorf("channel %d is full", full), err)
				}
			}
			return nil
		}},
		{"Broadcast", func(w *SampleByIDWriter) error {
			for i := range batch {
				if err := w.Broadcast(ctx, &batch[i]); err != nil {
					return err
				}
			}
			return nil
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := open(t, 1, 1)
			w, err := NewSampleByIDWriter(x.Partition(0))
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewSampleReader(x.Gate(0))
			if err != nil {
				t.Fatal(err)
			}
			var v Sample
			round := func() {
				if err := tt.write(w); err != nil {
					t.Fatal(err)
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				for i := range batch {
					if ok, err := r.Next(ctx, &v); !ok || err != nil || v != batch[i] {
						t.Fatal(v, ok, err)
					}
				}
			}
			for range 10 {
				round()
			}
			if n := testing.AllocsPerRun(20, round); n != 0 {
				t.Errorf("%v allocations in %d records", n, records)
			}
			if w.Stats().Records == 0 || r.Stats().Records == 0 {
				t.Errorf("no counters: %+v, %+v", w.Stats(), r.Stats())
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
