package views

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/wire"
)

var union = check.Union[Either](Flight{}, (*Key)(nil), int32(0))

func TestFlight(t *testing.T)  { check.Record(t, FlightSerializer{}) }
func TestDeep(t *testing.T)    { check.Record(t, DeepSerializer{}, union) }
func TestStrings(t *testing.T) { check.Record(t, StringsSerializer{}) }

func FuzzDeep(f *testing.F) { check.Fuzz(f, DeepSerializer{}, union) }

// sharing says that strings are views: with the build tag purego they are copies.
func sharing() bool {
	p := []byte("a")
	s := wire.ViewString(p)
	p[0] = 'b'
	return s == "b"
}

// Reading allocates nothing at all.
func TestAllocs(t *testing.T) {
	if !sharing() {
		return
	}
	check.Allocs(t, FlightSerializer{}, &Flight{Origin: "ZRH", Dest: "JFK", Raw: []byte("raw"), Seats: 3}, 0)
	check.Allocs(t, StringsSerializer{}, &Strings{"strings", "slices"}, 0)
}

// What is read shares the memory of the payload, without a way to write beyond its part of it.
func TestShared(t *testing.T) {
	src, err := FlightSerializer{}.Append(nil, &Flight{Origin: "ZRH", Dest: "JFK", Raw: []byte("raw"), Seats: 3})
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(src)
	var v Flight
	if _, err := (FlightSerializer{}).Consume(src, &v); err != nil {
		t.Fatal(err)
	}
	if got := append(v.Raw, "more"...); string(got) != "rawmore" || !bytes.Equal(src, before) {
		t.Errorf("appending to a view wrote to the payload: %q", src)
	}
	kept := v
	FlightSerializer{}.Detach(&kept)
	copy(src[1:], "GVA")
	want := "ZRH"
	if sharing() {
		want = "GVA"
	}
	if v.Origin != want || kept.Origin != "ZRH" {
		t.Errorf("the view is %q, its copy %q", v.Origin, kept.Origin)
	}
	clear(src)
	if string(v.Raw) != "\x00\x00\x00" || string(kept.Raw) != "raw" || kept.Dest != "JFK" {
		t.Errorf("the view is %q, its copy %q", v.Raw, kept.Raw)
	}
}

// Nil and empty stay apart, also in copies.
func TestNil(t *testing.T) {
	for _, raw := range [][]byte{nil, {}, {1}} {
		src, err := FlightSerializer{}.Append(nil, &Flight{Raw: raw})
		if err != nil {
			t.Fatal(err)
		}
		v := Flight{Raw: []byte("old")}
		for range 2 {
			if _, err := (FlightSerializer{}).Consume(src, &v); err != nil || (v.Raw == nil) != (raw == nil) || !bytes.Equal(v.Raw, raw) {
				t.Errorf("%v came back as %v, %v", raw, v.Raw, err)
			}
			FlightSerializer{}.Detach(&v)
			if (v.Raw == nil) != (raw == nil) || !bytes.Equal(v.Raw, raw) {
				t.Errorf("the copy of %v is %v", raw, v.Raw)
			}
		}
	}
}

// A second record of one buffer leaves the first as it was (case 41), and what was a view before is not written to.
func TestTwoRecords(t *testing.T) {
	var src []byte
	var list []Flight
	for i := range 2 {
		list = append(list, Flight{Origin: fmt.Sprint("origin ", i), Raw: []byte(fmt.Sprint("raw ", i))})
		var err error
		if src, err = (FlightSerializer{}).Append(src, &list[i]); err != nil {
			t.Fatal(err)
		}
	}
	before := bytes.Clone(src)
	var first, second Flight
	n, err := FlightSerializer{}.Consume(src, &first)
	if err != nil {
		t.Fatal(err)
	}
	second = first
	if _, err := (FlightSerializer{}).Consume(src[n:], &second); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual([]Flight{first, second}, list) || !bytes.Equal(src, before) {
		t.Errorf("%+v, %+v, want %+v", first, second, list)
	}
}

// flights returns records of different sizes, some of them larger than a block.
func flights(n int) []Flight {
	list := make([]Flight, n)
	for i := range list {
		list[i] = Flight{Origin: fmt.Sprint("from ", i), Dest: Name(fmt.Sprint("to ", i)), Raw: bytes.Repeat([]byte{byte(i)}, i*37%500), Seats: int32(i)}
		if i%50 == 7 {
			list[i].Origin = strings.Repeat(list[i].Origin, 200)
		}
	}
	return list
}

// opened returns a reader behind a writer that has written the records into small blocks.
func opened(t *testing.T, list []Flight) *FlightReader {
	t.Helper()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, GuaranteedBytes: 2 << 10, MemoryBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewFlightByOriginWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewFlightReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		for i := range list {
			if err := w.Emit(t.Context(), &list[i]); err != nil {
				done <- err
				return
			}
		}
		done <- w.Close()
	}()
	t.Cleanup(func() {
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := x.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestNext(t *testing.T) {
	list := flights(300)
	r := opened(t, list)
	var v Flight
	for i := range list {
		if ok, err := r.Next(t.Context(), &v); !ok || err != nil {
			t.Fatalf("record %d: %v, %v", i, ok, err)
		}
		if !reflect.DeepEqual(v, list[i]) {
			t.Fatalf("record %d: %+v", i, v)
		}
	}
	if ok, err := r.Next(t.Context(), &v); ok || err != nil {
		t.Errorf("after the last: %v, %v", ok, err)
	}
}

// All records of a batch are valid until the next one.
func TestNextBatch(t *testing.T) {
	list := flights(300)
	for _, size := range []int{1, 2, 7, len(list) + 1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			r := opened(t, list)
			dst := make([]Flight, size)
			for got := 0; ; {
				n, err := r.NextBatch(t.Context(), dst)
				if err != nil {
					t.Fatal(err)
				}
				if n == 0 {
					if got != len(list) {
						t.Errorf("%d records", got)
					}
					return
				}
				if !reflect.DeepEqual(dst[:n], list[got:got+n]) {
					t.Fatalf("records %d to %d: %+v", got, got+n, dst[:n])
				}
				got += n
			}
		})
	}
}

// A batch ends with its block, even if everything that follows can be read without waiting.
func TestBatchEndsWithBlock(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, GuaranteedBytes: 2 << 10})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewFlightByOriginWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	list := flights(300)
	if n, err := w.EmitBatch(t.Context(), list); n != len(list) || err != nil {
		t.Fatal(n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewFlightReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]Flight, len(list))
	batches, several, got := 0, 0, 0
	for {
		n, err := r.NextBatch(t.Context(), dst)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break
		}
		if !reflect.DeepEqual(dst[:n], list[got:got+n]) {
			t.Fatalf("records %d to %d differ", got, got+n)
		}
		if n > 1 {
			several++
		}
		got += n
		batches++
	}
	if got != len(list) || batches < 10 || several < 5 {
		t.Errorf("%d records in %d batches, %d of them with several", got, batches, several)
	}
	if n, err := r.NextBatch(t.Context(), nil); n != 0 || !errors.Is(err, gate.ErrEmptyBatch) {
		t.Errorf("an empty batch: %d, %v", n, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// The records of All may be kept.
func TestAll(t *testing.T) {
	list := flights(300)
	r := opened(t, list)
	var got []Flight
	for v, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, *v)
	}
	if !reflect.DeepEqual(got, list) {
		t.Error("records of All differ from what was written")
	}
}

// Detach leaves alone what is no view, and finds the views everywhere.
func TestDetach(t *testing.T) {
	for seed, v := range check.Random[Deep](100, union) {
		src, err := DeepSerializer{}.Append(nil, &v)
		if err != nil {
			t.Fatal(err)
		}
		var got Deep
		if _, err := (DeepSerializer{}).Consume(src, &got); err != nil {
			t.Fatal(err)
		}
		DeepSerializer{}.Detach(&got)
		for i := range src {
			src[i] = 0x5a
		}
		check.SameChannels(t, fmt.Sprint("seed ", seed), [][]*Deep{{&v}}, [][]*Deep{{&got}}, union)
	}
}
