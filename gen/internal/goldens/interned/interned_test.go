package interned

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

var union = check.Union[Either](Leg{}, (*Flight)(nil))

func TestFlight(t *testing.T) { check.Record(t, FlightSerializer{}) }
func TestPlan(t *testing.T)   { check.Record(t, PlanSerializer{}, union) }
func TestWays(t *testing.T) {
	check.Ways(t, 3, check.Random[Plan](60, union), NewPlanWriter, NewPlanReader, union)
	check.Ways(t, 3, check.Random[Flight](60), NewFlightByOriginWriter, NewFlightReader)
}

func FuzzPlan(f *testing.F) { check.Fuzz(f, PlanSerializer{}, union) }

// A hit allocates nothing: neither an equal string in v, nor one that the interner has.
func TestAllocs(t *testing.T) {
	check.Allocs(t, FlightSerializer{}, &Flight{Origin: "ZRH", Dest: "JFK"}, 0)
	check.Allocs(t, FlightSerializer{}, &Flight{Origin: "ZRH", Dest: "JFK", Note: "a note"}, 1)

	limits := record.Limits{}.WithInterner(wire.NewInterner(1 << 16))
	var records [2][]byte
	for i := range records {
		b, err := FlightSerializer{}.Append(nil, &Flight{Origin: Airport(fmt.Sprint("from ", i)), Dest: Airport(fmt.Sprint("to ", i))})
		if err != nil {
			t.Fatal(err)
		}
		records[i] = b
	}
	var v Flight
	n := 0
	allocs := testing.AllocsPerRun(100, func() {
		n++
		if _, err := (FlightSerializer{}).ConsumeLimits(records[n%2], &v, limits); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations for records that alternate", allocs)
	}
}

// The interner of the limits reaches strings in structs, elements, maps and unions.
func TestEverywhere(t *testing.T) {
	v := &Plan{
		First: Flight{Origin: "ZRH", Dest: "ZRH"}, Flights: []Flight{{Origin: "ZRH"}}, Pointer: &Flight{Origin: "ZRH"},
		ByName: map[string]Leg{"a": {From: "ZRH"}}, Leg: Leg{From: "ZRH"}, Union: Leg{From: "ZRH"}, Sub: []*Plan{{Interner: "ZRH"}}, Interner: "ZRH",
	}
	b, err := PlanSerializer{}.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	var got Plan
	if _, err := (PlanSerializer{}).ConsumeLimits(b, &got, record.Limits{}.WithInterner(wire.NewInterner(1<<16))); err != nil {
		t.Fatal(err)
	}
	want := unsafe.StringData(got.Interner)
	for what, s := range map[string]string{
		"field": string(got.First.Origin), "second field": string(got.First.Dest), "element": string(got.Flights[0].Origin),
		"pointer": string(got.Pointer.Origin), "map": got.ByName["a"].From, "struct": got.Leg.From, "union": got.Union.(Leg).From,
		"recursion": got.Sub[0].Interner,
	} {
		if s != "ZRH" || unsafe.StringData(s) != want {
			t.Errorf("%s: %q is another string", what, s)
		}
	}
}

// A generated reader has an interner of its own.
func TestReader(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewFlightByOriginWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if err := w.Emit(t.Context(), &Flight{Origin: "ZRH", Dest: Airport(fmt.Sprint("to ", i))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewFlightReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	data := map[*byte]bool{}
	for v, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		data[unsafe.StringData(string(v.Origin))] = true
	}
	if len(data) != 1 {
		t.Errorf("%d copies of one string", len(data))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}
