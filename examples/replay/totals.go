package main

import "fmt"

// total is what is known of one airport, or of all.
type total struct{ flights, delay, distance int64 }

func (t total) String() string {
	return fmt.Sprintf("flights=%d delay=%d distance=%d", t.flights, t.delay, t.distance)
}

func (t *total) add(o total) {
	t.flights += o.flights
	t.delay += o.delay
	t.distance += o.distance
}

// totals are those of the airports, by origin.
type totals map[string]*total

func newTotals() totals { return make(totals) }

// count adds one flight.
func (t totals) count(f *Flight) {
	t.at(f.Origin).add(total{1, int64(f.Delay), int64(f.Distance)})
}

func (t totals) at(origin string) *total {
	o := t[origin]
	if o == nil {
		o = new(total)
		t[origin] = o
	}
	return o
}

// merge adds other totals.
func (t totals) merge(other totals) {
	for origin, o := range other {
		t.at(origin).add(*o)
	}
}

func (t totals) sum() (s total) {
	for _, o := range t {
		s.add(*o)
	}
	return s
}

// equal says where two totals differ.
func (t totals) equal(other totals) error {
	if len(t) != len(other) {
		return fmt.Errorf("%d origins, not %d", len(other), len(t))
	}
	for origin, o := range t {
		if got := other[origin]; got == nil || *got != *o {
			return fmt.Errorf("origin %s has %v, not %v", origin, got, o)
		}
	}
	return nil
}
