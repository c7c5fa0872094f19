package roundtrip

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
)

// Sample returns n values that ser can write: the zero value, if it can, and random ones that are the same in every run. It fails the test if there are none. Values that a type
// with an encoding of its own does not take are left out.
func Sample[T any](t testing.TB, s *Suite, ser record.Serializer[T], n int) []*T {
	t.Helper()
	list := make([]*T, 0, n)
	for seed := uint64(0); len(list) < n && seed < uint64(50*n); seed++ {
		v := new(T)
		if seed > 0 {
			f := filler{knowledge: &s.types, rng: rand.New(rand.NewPCG(seed, 1)), local: reflect.TypeFor[T]().PkgPath(), left: 3}
			f.fill(reflect.ValueOf(v).Elem())
		}
		if _, err := ser.Append(nil, v); err == nil {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		t.Fatalf("no value of %d could be written", 50*n)
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
