package cases

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/avro"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
	"github.com/rwgen/rwgen/runtime/writer"
)

func newExchange(t *testing.T) *exchange.Exchange {
	t.Helper()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Generated writers and readers carry records of this format.
func TestExchange(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	x := newExchange(t)
	r, err := NewAllReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewAllWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	c := newCase[All](AllSerializer{}, false)
	const n = 50
	sent := make(chan error, 1)
	go func() {
		defer w.Close()
		for seed := range uint64(n) {
			src := c.sample(t, seed)
			var v All
			if _, err := c.Consume(src, &v); err != nil {
				sent <- err
				return
			}
			if err := w.Emit(ctx, &v); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	seed := uint64(0)
	for v, err := range r.All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		var want All
		c.read(t, c.sample(t, seed), &want)
		if !c.Equal(v, &want) {
			t.Fatalf("record %d is another one", seed)
		}
		seed++
	}
	if err := <-sent; err != nil || seed != n {
		t.Fatalf("%d of %d records, %v", seed, n, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestExchangeFixed(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	x := newExchange(t)
	r, err := NewTickReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewTickByVenueWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	want := []Tick{{Up: true, Bid: 1.5, Ask: 2.5, Size: 3, Venue: Venue{'X', 'N', 'Y', 'S'}}, {Bid: -1}, {Venue: Venue{1}}}
	if n, err := w.EmitBatch(ctx, want); n != len(want) || err != nil {
		t.Fatal(n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := make([]Tick, 10)
	n, err := r.NextBatch(ctx, got)
	if err != nil || n != len(want) {
		t.Fatal(n, err)
	}
	for i, v := range want {
		if got[i] != v {
			t.Errorf("record %d is %+v, want %+v", i, got[i], v)
		}
	}
	if ok, err := r.Next(ctx, &got[0]); ok || err != nil {
		t.Error(ok, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// older writes flights as an older version of the schema has them: fields in another order and of other types, one that is gone, and none of those that are new.
type older struct{ schema string }

const olderFlight = `{"name":"com.example.Flight","type":"record","fields":[{"name":"delay","type":"int"},{"name":"gate","type":"long"},{"name":"destination","type":"bytes"},{"name":"origin","type":"string"},` +
	`{"name":"at","type":"long"},{"name":"carrier","type":"string"}]}`

func (s older) Schema() record.Schema {
	schema := record.TextSchema(avro.TextPrefix+s.schema, s.schema)
	schema.Rules = avro.Rules{}
	return schema
}

func (older) Append(dst []byte, v *Flight) ([]byte, error) {
	buf := make([]byte, 1000)
	n := avro.PutLong(buf, int64(v.Delay))
	n += avro.PutLong(buf[n:], 99)
	n += avro.PutString(buf[n:], v.Destination)
	n += avro.PutString(buf[n:], v.Origin)
	n += avro.PutLong(buf[n:], v.At.UnixMicro())
	n += avro.PutString(buf[n:], v.Carrier)
	return append(dst, buf[:n]...), nil
}

func (s older) Size(v *Flight) int {
	b, _ := s.Append(nil, v)
	return len(b)
}

func (s older) Put(dst []byte, v *Flight) (int, error) {
	b, _ := s.Append(nil, v)
	if len(b) > len(dst) {
		return 0, wire.ErrShort
	}
	return copy(dst, b), nil
}

var errUnused = errors.New("not read")

func (older) Consume([]byte, *Flight) (int, error)                      { return 0, errUnused }
func (older) ConsumeLimits([]byte, *Flight, record.Limits) (int, error) { return 0, errUnused }

func TestExchangeResolves(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	x := newExchange(t)
	r, err := NewFlightReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	w, err := writer.New(x.Partition(0), record.Serializer[Flight](older{olderFlight}))
	if err != nil {
		t.Fatal(err)
	}
	want := Flight{Origin: "FRA", Destination: "JFK", Delay: -7, Carrier: "LH", At: time.UnixMicro(1e15).UTC()}
	if err := w.Emit(ctx, &want); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var got Flight
	if ok, err := r.Next(ctx, &got); !ok || got != want {
		t.Errorf("%+v, %v, %v, want %+v", got, ok, err, want)
	}
	if ok, err := r.Next(ctx, &got); ok || err != nil {
		t.Error(ok, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestExchangeRefuses(t *testing.T) {
	x := newExchange(t)
	if _, err := NewFlightReader(x.Gate(0)); err != nil {
		t.Fatal(err)
	}
	_, err := writer.New(x.Partition(0), record.Serializer[Flight](older{strings.Replace(olderFlight, `"delay","type":"int"`, `"delay","type":"string"`, 1)}))
	var e *record.ResolveError
	if !errors.Is(err, partition.ErrSchema) || !errors.As(err, &e) || !strings.Contains(err.Error(), "Flight.delay: string became int") {
		t.Errorf("%v", err)
	}
}
