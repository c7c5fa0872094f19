package record

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/rwgen/rwgen/runtime/wire"
)

// recode writes v and reads it into "into", which was used before.
func recode[T any](t *testing.T, v, into *T) {
	t.Helper()
	s, err := Reflect[T]()
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Consume(data, into); err != nil {
		t.Fatal(err)
	}
	clear(data) // nothing may refer to the source
	if !same(v, into) {
		t.Errorf("%+v comes back as %+v", *v, *into)
	}
}

func TestReuseKeepsCapacity(t *testing.T) {
	type rec struct {
		Words   []int64
		Bytes   []byte
		Strings []string
		Nested  [][]int32
		Map     map[string]int
	}
	used := rec{
		Words:   make([]int64, 3, 10),
		Bytes:   make([]byte, 3, 10),
		Strings: []string{"old", "old", "old"},
		Nested:  [][]int32{make([]int32, 0, 10), make([]int32, 0, 10)},
		Map:     map[string]int{"old": 1},
	}
	words, raw, strings, nested, inner, m := &used.Words[0], &used.Bytes[0], &used.Strings[0], &used.Nested[0], &used.Nested[0][:1][0], used.Map
	recode(t, &rec{
		Words:   []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
		Bytes:   []byte("0123456789"),
		Strings: []string{"new"},
		Nested:  [][]int32{{1, 2, 3}},
		Map:     map[string]int{"new": 2},
	}, &used)
	if words != &used.Words[0] || raw != &used.Bytes[0] || strings != &used.Strings[0] || nested != &used.Nested[0] || inner != &used.Nested[0][0] {
		t.Error("slices that were large enough were not kept")
	}
	if len(m) != 1 || m["new"] != 2 {
		t.Errorf("the map was not kept: %v", m)
	}
}

func TestReuseKeepsNothingStale(t *testing.T) {
	type line struct {
		Name  string
		Flag  bool
		Next  *line
		Tags  []string
		Notes map[string]string
		Cache []string `rw:"-"`
	}
	type rec struct {
		Lines []line
		Array [2]line
		ByKey map[string]line
		Cache string `rw:"-"`
	}
	old := func() line {
		return line{"old", true, &line{Name: "old"}, []string{"old"}, map[string]string{"old": "old"}, []string{"old"}}
	}
	used := rec{[]line{old(), old(), old()}, [2]line{old(), old()}, map[string]line{"a": old()}, "mine"}
	next := used.Lines[0].Next
	recode(t, &rec{Lines: make([]line, 2), ByKey: map[string]line{"a": {}}}, &used)
	for _, l := range append(used.Lines, used.ByKey["a"]) {
		if l.Cache != nil {
			t.Errorf("element keeps a field outside the format: %v", l.Cache)
		}
	}
	if used.Cache != "mine" || len(used.Array[0].Cache) != 1 {
		t.Error("fields outside the format of the record itself were changed")
	}
	if next.Name != "old" {
		t.Error("what a pointer pointed to was changed")
	}
	recode(t, &rec{}, &used)
	if used.Lines != nil || used.ByKey != nil {
		t.Errorf("nil comes back as %v, %v", used.Lines, used.ByKey)
	}
}

func TestReuseMakesPointersFresh(t *testing.T) {
	type rec struct {
		P *int
		S []*int
	}
	n := 1
	used := rec{&n, []*int{&n, &n}}
	recode(t, &rec{ref(2), []*int{ref(3), nil}}, &used)
	if n != 1 {
		t.Errorf("the old variable became %d", n)
	}
}

// TestReuseAfterDelete reads into a slice from which an element was deleted by moving the others down, so that two elements, one
// of them beyond the length, have the same inner slice.
func TestReuseAfterDelete(t *testing.T) {
	type rec struct{ S [][]int }
	used := rec{[][]int{{1}, {2}, {3}}}
	used.S = append(used.S[:0], used.S[1:]...)
	recode(t, &rec{[][]int{{7}, {8}, {9}}}, &used)
}

func TestReuseZeroesBeyondLength(t *testing.T) {
	type rec struct{ S []map[string]int }
	kept := map[string]int{"mine": 1}
	used := rec{[]map[string]int{nil, kept}[:1]}
	recode(t, &rec{make([]map[string]int, 2)}, &used)
	recode(t, &rec{[]map[string]int{{}, {"new": 1}}}, &used)
	if len(kept) != 1 || kept["mine"] != 1 {
		t.Errorf("a map beyond the length was changed: %v", kept)
	}
}

// TestReuseIsCharged reads into a slice that is large enough, under a budget that is not.
func TestReuseIsCharged(t *testing.T) {
	s, err := Reflect[one[[]uint64]]()
	if err != nil {
		t.Fatal(err)
	}
	v := one[[]uint64]{make([]uint64, 10)}
	data, err := s.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ConsumeLimits(data, &v, Limits{MaxAllocBytes: 79}); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("80 bytes under a budget of 79: %v", err)
	}
}

func TestReuseMapValuesStayApart(t *testing.T) {
	type rec struct{ M map[int8][]int16 }
	var used rec
	for range 3 {
		recode(t, &rec{map[int8][]int16{1: {1, 2}, 2: {3}, 3: {}, 4: nil}}, &used)
	}
}

func TestReuseGrows(t *testing.T) {
	type rec struct {
		S []string
		B []byte
		E []struct{}
	}
	var used rec
	for n := range 200 {
		v := rec{S: slices.Repeat([]string{"a"}, n), B: bytes.Repeat([]byte{1}, n), E: make([]struct{}, n)}
		recode(t, &v, &used)
	}
}

func TestStringsAreCopies(t *testing.T) {
	s, err := Reflect[one[string]]()
	if err != nil {
		t.Fatal(err)
	}
	src := []byte("\x03abc")
	var v one[string]
	if _, err := s.Consume(src, &v); err != nil {
		t.Fatal(err)
	}
	if unsafe.StringData(v.V) == &src[1] {
		t.Error("string is part of the source")
	}
	copy(src[1:], "xyz")
	if v.V != "abc" {
		t.Errorf("string became %q", v.V)
	}
}
