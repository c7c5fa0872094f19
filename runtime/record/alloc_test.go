package record

import (
	"sync"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

type flight struct {
	Date        time.Time
	Delay       int32
	Distance    int32
	Origin      string
	Destination string
	Cancelled   bool
	Gate        *string
	Legs        []flat
	Tags        []string
}

func newFlight() *flight {
	return &flight{time.Unix(1e9, 0).UTC(), -5, 1200, "ORD", "JFK", true, ref("B12"), make([]flat, 3), []string{"a", "b"}}
}

func allocs[T any](t *testing.T, v *T) (put, short, get float64) {
	s, err := Reflect[T]()
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, s.Size(v))
	put = testing.AllocsPerRun(100, func() {
		if _, err := s.Put(dst, v); err != nil || s.Size(v) != len(dst) {
			t.Error(err)
		}
	})
	short = testing.AllocsPerRun(100, func() {
		if _, err := s.Put(dst[:len(dst)-1], v); err != wire.ErrShort {
			t.Error(err)
		}
	})
	var into T
	get = testing.AllocsPerRun(100, func() {
		if _, err := s.Consume(dst, &into); err != nil {
			t.Error(err)
		}
	})
	return put, short, get
}

func TestAllocations(t *testing.T) {
	for name, count := range map[string]func() (float64, float64, float64, float64){
		"flat":    func() (float64, float64, float64, float64) { a, b, c := allocs(t, &flat{}); return a, b, c, 0 },
		"numbers": func() (float64, float64, float64, float64) { a, b, c := allocs(t, &numbers{}); return a, b, c, 0 },
		// The budget; three strings, not the slices; the pointer and its string.
		"flight": func() (float64, float64, float64, float64) { a, b, c := allocs(t, newFlight()); return a, b, c, 7 },
	} {
		put, short, get, want := count()
		if put != 0 || short != 0 || get > want {
			t.Errorf("%s: Put allocates %v times, Put that does not fit %v, Consume %v, want 0, 0, %v", name, put, short, get, want)
		}
	}
}

func TestAppendGrowsOnce(t *testing.T) {
	s, err := Reflect[flight]()
	if err != nil {
		t.Fatal(err)
	}
	v := newFlight()
	if n := testing.AllocsPerRun(100, func() { s.Append(nil, v) }); n != 1 {
		t.Errorf("Append to nil allocates %v times", n)
	}
	dst := make([]byte, 0, s.Size(v))
	if n := testing.AllocsPerRun(100, func() { s.Append(dst, v) }); n != 0 {
		t.Errorf("Append with room allocates %v times", n)
	}
}

// TestConcurrentUse shares one serializer; the race detector watches.
func TestConcurrentUse(t *testing.T) {
	s, err := Reflect[flight]()
	if err != nil {
		t.Fatal(err)
	}
	shared := newFlight()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var back flight
			for range 200 {
				data, err := s.Append(nil, shared)
				if err == nil {
					_, err = s.Consume(data, &back)
				}
				if err != nil || !same(shared, &back) {
					t.Errorf("%+v, %v", back, err)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkReflect(b *testing.B) {
	b.Run("flat", func(b *testing.B) { benchmark(b, &flat{1, 2}) })
	b.Run("flight", func(b *testing.B) { benchmark(b, newFlight()) })
	b.Run("numbers", func(b *testing.B) { benchmark(b, &numbers{}) })
	b.Run("floats", func(b *testing.B) { benchmark(b, &one[[]float64]{make([]float64, 1000)}) })
	b.Run("map", func(b *testing.B) { benchmark(b, &one[map[string]int]{map[string]int{"a": 1, "b": 2, "c": 3}}) })
}

func benchmark[T any](b *testing.B, v *T) {
	s, err := Reflect[T]()
	if err != nil {
		b.Fatal(err)
	}
	data, err := s.Append(nil, v)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("put", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		dst := make([]byte, len(data))
		for b.Loop() {
			if _, err := s.Put(dst, v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("consume", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		var into T
		for b.Loop() {
			if _, err := s.Consume(data, &into); err != nil {
				b.Fatal(err)
			}
		}
	})
}
