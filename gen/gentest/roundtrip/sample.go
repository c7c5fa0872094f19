package roundtrip

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
)

// Bounds on drawing values: how often one is tried to be written, and all of them together, each.
const (
	triesOfOne = 300
	triesOfAll = 500
)

// Sample returns n values that ser can write: the zero value, if it can, and random ones that are the same in every run. What the error of writing a value names is drawn again.
// Values that cannot be written even so, because a type with an encoding of its own takes none, are left out, and others are there again. It fails the test if fewer than one in
// ten are left: that would be a test of nearly nothing.
func Sample[T any](t testing.TB, s *Suite, ser record.Serializer[T], n int) []*T {
	t.Helper()
	list := make([]*T, 0, n)
	tries := triesOfAll * n
	var last error
	for seed := uint64(0); len(list) < n && tries > 0 && seed < uint64(50*n); seed++ {
		v := new(T)
		f := filler{knowledge: &s.types, rng: rand.New(rand.NewPCG(seed, 1)), local: reflect.TypeFor[T]().PkgPath(), left: 3, schema: !native(ser)}
		if seed > 0 {
			f.fill(reflect.ValueOf(v).Elem())
		}
		for range triesOfOne {
			tries--
			_, err := ser.Append(nil, v)
			if err == nil {
				list = append(list, v)
				break
			}
			last = err
			if !f.redraw(reflect.ValueOf(v).Elem(), err) {
				break
			}
		}
	}
	if len(list) == 0 || 10*len(list) < n {
		t.Fatalf("of %d values, %d could be written; the last error is: %v", n, len(list), last)
	}
	for i := 0; len(list) < n; i++ {
		list = append(list, list[i])
	}
	return list
}

// Fuzz is the body of a fuzz target: whatever bytes a serializer gets, it does not panic, and what it reads can be written and read again. The corpus starts with what ser writes.
func Fuzz[T any](f *testing.F, s *Suite, ser record.Serializer[T]) {
	for _, v := range Sample(f, s, ser, 10) {
		b, err := ser.Append(nil, v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, src []byte) { hostile(t, s, ser, src) })
}
