package sorted

import (
	"bytes"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRecord(t *testing.T) { check.Record(t, RecordSerializer{}) }
func TestMaps(t *testing.T)   { check.Record(t, MapsSerializer{}) }

// Equal maps have equal bytes, in the order of the keys.
func TestOrder(t *testing.T) {
	var s RecordSerializer
	first, err := s.Append(nil, example(0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		b, err := s.Append(nil, example(i))
		if err != nil || !bytes.Equal(b, first) {
			t.Fatalf("%v\n%x\n%x", err, first, b)
		}
	}
	at := 0
	for _, word := range []string{"minus", "zero", "large"} { // by the keys −5, 0 and 300
		i := bytes.Index(first, []byte(word))
		if i < at {
			t.Errorf("%s at %d", word, i)
		}
		at = i
	}
}

// example is the same for each i, made in another way.
func example(i int) *Record {
	v := &Record{Ints: map[int]string{}, Names: map[Name]int64{}, Ons: map[On]string{}, Inner: &Inner{Counts: map[uint8]uint64{}}}
	for j := range 300 {
		v.Inner.Counts[uint8(j*7+i)] = uint64(uint8(j*7 + i))
		v.Names[Name(rune('a'+(j+i)%26))] = int64((j + i) % 26)
	}
	for j := range i { // and away again
		v.Ints[j] = "gone"
	}
	clear(v.Ints)
	v.Ints[300], v.Ints[-5], v.Ints[0] = "large", "minus", "zero"
	v.Ons[On(i%2 == 0)], v.Ons[On(i%2 == 1)] = "", ""
	return v
}
