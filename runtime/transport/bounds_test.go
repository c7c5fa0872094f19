package transport_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
	"github.com/rwgen/rwgen/runtime/writer"
)

// A reader with little room for events gets many of them, however small the room is; one that has not room for it ends its channel, on both sides, and no other.
func TestEventRoom(t *testing.T) {
	for _, room := range []int{1 << 10, 4 << 10, 64 << 10} {
		virtual(t, options{producers: 2, budget: transport.BudgetConfig{Bytes: 1 << 20, EventBytes: room}}, func(t *testing.T, n *rwtest.Network, w *world) {
			n.Link("reader", "writer").CutEvery(10_000, 100_000)
			largest := room - 192 - 3 // and its length
			got, gone := 0, make(chan error, 1)
			take := gate.OnEvent(notes(t), func(gate.Origin, *note) error { got++; return nil })
			good, bad := w.writer(0), w.writer(1)
			done := make(chan error, 1)
			go func() {
				var err error
				for i := range 300 {
					err = errors.Join(err, writer.SendEventWait(w.ctx, good, notes(t), &note{strings.Repeat("x", min(largest, largest*(i%4)/3))}))
				}
				done <- errors.Join(err, good.Close())
			}()
			go func() {
				err := writer.SendEventWait(w.ctx, bad, notes(t), &note{strings.Repeat("x", largest+4)})
				for err == nil {
					err = bad.Emit(w.ctx, &trade{})
				}
				gone <- err
			}()
			lost := readerOf(t, w.open(1, 0, nil))
			r, err := gate.NewReader(gateOf(t, w.open(0, 0, nil)), serializer(t), take)
			if err != nil {
				t.Fatal(err)
			}
			if k, err := readAll(w.ctx, r); k != 0 || err != nil || got != 300 {
				t.Errorf("%d records and %d events, %v", k, got, err)
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
			_, err = readAll(w.ctx, lost)
			fails(t, err, transport.ErrTooMany)
			err = <-gone
			fails(t, err, partition.ErrConsumerGone, partition.ErrEventTooLarge)
			if want := fmt.Sprintf("room for %d", room-192); !strings.Contains(err.Error(), want) {
				t.Errorf("%v does not say %q", err, want)
			}
			_ = bad.CloseWithError(err)
			w.pubs[1].Withdraw() // its error was seen
		})
	}
}

func gateOf(t *testing.T, ch *transport.Channel) *gate.Gate {
	t.Helper()
	g, err := gate.New(gate.Config{Sources: []gate.Source{ch}, Name: "consumer"})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A budget has room for events of each channel within bounds.
func TestEventBytesAreChecked(t *testing.T) {
	pool := rwtest.NewPool(t, 1<<20)
	for _, n := range []int{-1, 1, 1023, 1<<20 + 1} {
		if b, err := transport.NewBudget(pool, transport.BudgetConfig{Bytes: 1 << 16, EventBytes: n}); err == nil {
			b.Close()
			t.Errorf("EventBytes of %d: no error", n)
		}
	}
}

// wide is a record with a schema of so many bytes, which no other index has.
func wide(t *testing.T, index, bytes int) record.Serializer[trade] {
	t.Helper()
	s := serializer(t)
	schema := s.Schema()
	schema.Reading = fmt.Sprint(index, strings.Repeat(" ", bytes-128-len(schema.Text)-len("trade")-len(fmt.Sprint(index))))
	return otherSchema{s, schema}
}

type otherSchema struct {
	record.Serializer[trade]
	schema record.Schema
}

func (s otherSchema) Schema() record.Schema { return s.schema }

// Schemas of a connection are bounded: a channel whose schema is one too much fails alone, on both sides.
func TestTooManySchemas(t *testing.T) {
	const each = 1 << 20
	virtual(t, options{producers: 7}, func(t *testing.T, _ *rwtest.Network, w *world) {
		failed := 0
		last := w.open(6, 0, nil) // keeps the connection
		for i := range 6 {
			wr, err := writer.New(w.parts[i], wide(t, i, each), writer.WithSelector(selector.Func(func(v *trade, _ int) int { return int(v.Channel) })))
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- errors.Join(emit(w.ctx, wr, 0, 10), wr.Close()) }()
			got, err := readAll(w.ctx, readerOf(t, w.open(i, 0, nil)))
			if err != nil {
				fails(t, err, transport.ErrTooMany)
				failed++
			} else if got != 10 {
				t.Errorf("%d records", got)
			}
			werr := <-done // nil if it was done before
			if werr == nil {
				werr = w.pubs[i].Wait(w.ctx)
			}
			if err == nil && werr != nil || err != nil && !errors.Is(werr, transport.ErrTooMany) {
				t.Errorf("producer: %v, reader: %v", werr, err)
			}
		}
		if failed != 2 {
			t.Errorf("%d channels of 6 have failed, a connection has room for 4 of their schemas", failed)
		}
		last.Discard()
		w.parts[6].Abandon(errFull)
		for _, p := range w.pubs {
			p.Withdraw()
		}
	})
}

// A client that says it has no room for events, or for less than any, is cut off.
func TestNoEventRoom(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		conn, err := n.Host("evil").Dial(w.ctx, w.address)
		if err != nil {
			t.Fatal(err)
		}
		r := &raw{Conn: conn}
		r.say(hello("evil"), 0)
		r.until(t, message.Server, message.TypeWelcome)
		o := openOf(w)
		o.EventRoom = 1023
		r.say(o, 1)
		if refused := r.over(message.Server); refused == nil || refused.Fault.Code != message.CodeProtocol {
			t.Errorf("refused: %v", refused)
		}
		_ = conn.Close()
		go func() { _ = produce(w.ctx, w.writer(0), 0, 10, "") }()
		if got, err := readAll(w.ctx, w.reader(0)); got != 10 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
	})
}
