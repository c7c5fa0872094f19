package values

import (
	"testing"
	"time"
)

// Equal, Hash and Reset allocate nothing; Clone does so for each piece of memory.
func TestAllocs(t *testing.T) {
	flight := func() *Flight {
		return &Flight{Date: time.Unix(1, 2), Origin: "ZRH", Dest: "JFK", Raw: []byte("raw"), Stops: []string{"KEF"}}
	}
	tree := func() *Tree {
		return &Tree{Name: "a", Left: &Tree{Name: "b"}, Children: []Tree{{Shape: Circle{1}}}, Shape: &Square{Tags: []string{"d"}}}
	}
	every := func() *Everything {
		return &Everything{Octets: make([]Octet, 50), Map: map[string]int64{"a": 1}, Manies: []Many{{}}, Pointers: []*Many{{}}}
	}
	allocs(t, "Flight", FlightSerializer{}, flight(), flight(), 3)
	allocs(t, "Sample", SampleSerializer{}, &Sample{1, 2}, &Sample{1, 2}, 1)
	allocs(t, "Tree", TreeSerializer{}, tree(), tree(), -1)
	allocs(t, "Everything", EverythingSerializer{}, every(), every(), -1)
	allocs(t, "Viewed", ViewedSerializer{}, &Viewed{Name: "a", List: []Line{{"b"}}}, &Viewed{Name: "a", List: []Line{{"b"}}}, 4)
	allocs(t, "Drawing", DrawingSerializer{}, &Drawing{Any: Label("x"), List: []Plain{Circle{1}}}, &Drawing{Any: Label("x"), List: []Plain{Circle{1}}}, -1)
}

type valuer[T any] interface {
	Equal(a, b *T) bool
	Clone(v *T) *T
	Reset(v *T)
	Hash(v *T) uint64
}

// allocs counts the allocations with two values that are equal. A negative number stands for any number of those of Clone.
func allocs[T any](t *testing.T, what string, s valuer[T], a, b *T, clone float64) {
	t.Helper()
	if n := testing.AllocsPerRun(100, func() {
		if !s.Equal(a, b) {
			t.Fatal("not equal")
		}
	}); n != 0 {
		t.Errorf("%s: Equal allocates %v times", what, n)
	}
	if n := testing.AllocsPerRun(100, func() { s.Hash(a) }); n != 0 {
		t.Errorf("%s: Hash allocates %v times", what, n)
	}
	if n := testing.AllocsPerRun(100, func() { s.Clone(a) }); n != clone && clone >= 0 {
		t.Errorf("%s: Clone allocates %v times, want %v", what, n, clone)
	}
	if n := testing.AllocsPerRun(100, func() { s.Reset(a) }); n != 0 {
		t.Errorf("%s: Reset allocates %v times", what, n)
	}
}

// Reset keeps memory for what is read next, cuts references to the very end of it, and leaves alone what is not encoded.
func TestResetKeeps(t *testing.T) {
	v := &Flight{Raw: make([]byte, 3, 10), Stops: []string{"a", "b", "c"}[:1], Note: "note"}
	raw, stops := &v.Raw[0], v.Stops[:3]
	FlightSerializer{}.Reset(v)
	if len(v.Raw) != 0 || cap(v.Raw) != 10 || &v.Raw[:1][0] != raw || v.Raw == nil {
		t.Errorf("bytes: %v", v.Raw)
	}
	if len(v.Stops) != 0 || cap(v.Stops) != 3 || stops[0]+stops[1]+stops[2] != "" {
		t.Errorf("slice: %q", stops)
	}
	if v.Note != "note" {
		t.Errorf("a field that is not encoded: %q", v.Note)
	}
	view := &Viewed{Raw: []byte("payload"), Own: []byte("own")}
	ViewedSerializer{}.Reset(view)
	if view.Raw != nil || view.Own == nil || len(view.Own) != 0 {
		t.Errorf("a view: %v, %v", view.Raw, view.Own)
	}
}

// Fields that are not encoded do not count, and are zero in a clone.
func TestSkipped(t *testing.T) {
	var s FlightSerializer
	a, b := &Flight{Origin: "ZRH", Note: "a"}, &Flight{Origin: "ZRH", Note: "b"}
	if !s.Equal(a, b) || s.Hash(a) != s.Hash(b) {
		t.Error("a field that is not encoded counts")
	}
	if c := s.Clone(a); c.Note != "" || c.Origin != "ZRH" {
		t.Errorf("clone %v", c.Note)
	}
}

// Instants count, not locations, nor readings of the monotonic clock.
func TestTimes(t *testing.T) {
	var s FlightSerializer
	now := time.Now()
	a, b := &Flight{Date: now}, &Flight{Date: now.Round(0).In(time.FixedZone("there", 3600))}
	if !s.Equal(a, b) || s.Hash(a) != s.Hash(b) {
		t.Error("one instant is not equal")
	}
	b.Date = b.Date.Add(1)
	if s.Equal(a, b) || s.Hash(a) == s.Hash(b) {
		t.Error("two instants are equal")
	}
}
