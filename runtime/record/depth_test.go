package record

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// fork refers to itself twice: walking over a cycle of it doubles at each level.
type fork struct {
	ID    uint64
	Left  *fork
	Right *fork
	All   []*fork
	Map   map[bool]fork
}

func TestCyclicData(t *testing.T) {
	loop := &node{V: 1}
	loop.Next = loop
	checkTooDeep(t, "pointer", loop)

	double := &fork{}
	double.Left, double.Right = double, double
	checkTooDeep(t, "two pointers", double)

	list := &fork{}
	list.All = []*fork{nil, list, list}
	checkTooDeep(t, "slice", list)

	mapped := &fork{Map: map[bool]fork{}}
	mapped.Map[true] = *mapped
	checkTooDeep(t, "map", mapped)

	mutual := &recursive{Name: "a", ByName: map[string]*other{"b": {}}}
	mutual.ByName["b"].Back = []*recursive{mutual}
	checkTooDeep(t, "two types", mutual)

	checkTooDeep(t, "one level too many", chain(1001))
}

func checkTooDeep[T any](t *testing.T, name string, v *T) {
	t.Helper()
	s, err := Reflect[T]()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		size := s.Size(v)
		if size <= 0 || size > 1<<20 {
			t.Errorf("%s: Size = %d", name, size)
		}
		// What Size asks for is room enough to get to the place that is too deep.
		if n, err := s.Put(make([]byte, size), v); n != 0 || !errors.Is(err, wire.ErrDepth) || !errors.Is(err, wire.ErrLimit) {
			t.Errorf("%s: Put = %d, %v", name, n, err)
		}
		dst := make([]byte, 3, 8)
		got, err := s.Append(dst, v)
		if !errors.Is(err, wire.ErrDepth) || len(got) != 3 || &got[0] != &dst[0] {
			t.Errorf("%s: Append = %d bytes, %v", name, len(got), err)
		}
		// Where the type has maps, Put makes sure of the depth first.
		if n, err := s.Put(make([]byte, 20), v); n != 0 || err != wire.ErrShort && !errors.Is(err, wire.ErrDepth) {
			t.Errorf("%s: Put into little room = %d, %v", name, n, err)
		}
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatalf("%s: does not end", name)
	}
}

// TestTooDeepBesideOthers: Size may meet what is too deep in a map before other entries, and Put after them, where the room ends.
func TestTooDeepBesideOthers(t *testing.T) {
	deep := fork{}
	for range DefaultMaxDepth + 1 {
		deep = fork{Map: map[bool]fork{true: deep}}
	}
	wide := fork{All: make([]*fork, 10_000)}
	s, err := Reflect[fork]()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 { // each time the order of a map is another one
		v := &fork{Map: map[bool]fork{true: deep, false: wide}}
		if n, err := s.Put(make([]byte, s.Size(v)), v); n != 0 || !errors.Is(err, wire.ErrDepth) {
			t.Fatalf("Put = %d, %v", n, err)
		}
		if _, err := s.Append(nil, v); !errors.Is(err, wire.ErrDepth) {
			t.Fatalf("Append: %v", err)
		}
	}
	if n, err := s.Put(make([]byte, 10), &fork{Map: map[bool]fork{false: wide}}); n != 0 || err != wire.ErrShort {
		t.Errorf("what is not too deep: Put = %d, %v", n, err)
	}
}

// TestSharedData writes data without cycles whose parts are shared so often that it would take 2⁷⁶ bytes.
func TestSharedData(t *testing.T) {
	type heavy struct {
		Text        string
		Left, Right *heavy
	}
	text := strings.Repeat("x", 1<<16)
	v := &heavy{Text: text}
	for range 60 {
		v = &heavy{text, v, v}
	}
	s, err := Reflect[heavy]()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Put(make([]byte, 1<<20), v); n != 0 || err != wire.ErrShort {
		t.Errorf("Put = %d, %v", n, err)
	}
	if size := s.Size(v); size < math.MaxInt32 {
		t.Errorf("Size = %d", size)
	}
	if got, err := s.Append(nil, v); got != nil || !errors.Is(err, wire.ErrLimit) {
		t.Errorf("Append = %d bytes, %v", len(got), err)
	}
}

func TestDeepest(t *testing.T) {
	s, err := Reflect[node]()
	if err != nil {
		t.Fatal(err)
	}
	v := chain(1000)
	data, err := s.Append(nil, v)
	if err != nil || len(data) != s.Size(v) {
		t.Fatalf("Append = %d bytes, %v", len(data), err)
	}
	var back node
	if n, err := s.Consume(data, &back); err != nil || n != len(data) || !same(v, &back) {
		t.Errorf("Consume = %d, %v", n, err)
	}
	deeper := append([]byte{1, 0}, data...)
	if _, err := s.Consume(deeper, &back); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("one level more: %v", err)
	}
	if n, err := s.ConsumeLimits(deeper, &back, Limits{MaxDepth: 1001}); err != nil || n != len(deeper) {
		t.Errorf("one level more where it is allowed: %d, %v", n, err)
	}
}
