package shapes

import (
	"errors"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/wire"
)

func TestArrays(t *testing.T) { check.Record(t, ArraysSerializer{}) }
func TestMaps(t *testing.T)   { check.Record(t, MapsSerializer{}) }
func TestStuff(t *testing.T)  { check.Record(t, StuffSerializer{}) }
func TestSlices(t *testing.T) { check.Record(t, SlicesSerializer{}) }
func TestEven(t *testing.T)   { check.Record(t, EvenSerializer{}) }

// An array is no slice: there is no length, and no less of it.
func TestLarge(t *testing.T) {
	var s LargeSerializer
	v := &Large{After: 7}
	for i := range v.Block {
		v.Block[i] = byte(i * 7)
	}
	b, err := s.Append(nil, v)
	if err != nil || len(b) != 65538 || s.Size(v) != len(b) {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	var back Large
	if n, err := s.Consume(b, &back); n != len(b) || err != nil || back != *v {
		t.Errorf("%d, %v", n, err)
	}
	for _, n := range []int{0, 1, 65535, 65536, 65537} {
		if _, err := s.Consume(b[:n], &back); !errors.Is(err, wire.ErrTruncated) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
