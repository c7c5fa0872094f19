package record

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

// FuzzConsume reads arbitrary bytes as records of many types. Nothing may panic; what is accepted must come out the same after
// it was written again, and both kinds of plan must agree.
func FuzzConsume(f *testing.F) {
	consumers := []func(*testing.T, []byte){
		fuzzOne[flat](f), fuzzOne[numbers](f), fuzzOne[texts](f), fuzzOne[arrays](f), fuzzOne[lists](f), fuzzOne[maps](f),
		fuzzOne[pointers](f), fuzzOne[embedding](f), fuzzOne[recursive](f), fuzzOne[tree[pairOf[string, *int]]](f),
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, consume := range consumers {
			consume(t, data)
		}
	})
}

// fuzzOne adds records of T to the corpus and returns the check for T.
func fuzzOne[T any](f *testing.F) func(*testing.T, []byte) {
	s, err := reflectSerializer[T](false)
	if err != nil {
		f.Fatal(err)
	}
	portable, err := reflectSerializer[T](true)
	if err != nil {
		f.Fatal(err)
	}
	for seed := range uint64(3) {
		data, err := s.Append(nil, randomRecord[T](rand.New(rand.NewPCG(seed, 0))))
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 4096 {
			f.Add(data)
		}
	}
	limits := Limits{MaxAllocBytes: 1 << 20, MaxDepth: 50}
	return func(t *testing.T, data []byte) {
		var v, w T
		n, err := s.ConsumeLimits(data, &v, limits)
		m, err2 := portable.ConsumeLimits(data, &w, limits)
		if n != m || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("%T: %d, %v, but portably %d, %v", v, n, err, m, err2)
		}
		if err != nil {
			var e *wire.Error
			if n != 0 || !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(data) {
				t.Fatalf("%T: %d, %v", v, n, err)
			}
			return
		}
		if n > len(data) || !same(&v, &w) {
			t.Fatalf("%T: %d of %d bytes, %+v and %+v", v, n, len(data), v, w)
		}
		again, err := s.Append(nil, &v)
		if err != nil || len(again) != n || s.Size(&v) != n {
			t.Fatalf("%T: %d bytes become %d, %v", v, n, len(again), err)
		}
		if err := sameBytes(portable, &v, data[:n]); err != nil {
			t.Fatalf("%T: %v", v, err)
		}
		var back T
		if m, err := s.Consume(again, &back); err != nil || m != n || !same(&v, &back) {
			t.Fatalf("%T: %+v comes back as %+v, %v", v, v, back, err)
		}
	}
}
