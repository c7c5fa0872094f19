package text

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestAllocs(t *testing.T) {
	check.Allocs(t, OneSerializer{}, &One{Only: "only one string"}, 1)
	check.Allocs(t, ManySerializer{}, &Many{A: "several", City: "strings", B: "in one", C: "allocation"}, 1)
	check.Allocs(t, ManySerializer{}, &Many{}, 0)
	check.Allocs(t, FixedSerializer{}, &Fixed{}, 0)
	check.Allocs(t, BytesSerializer{}, &Bytes{Data: []byte("reused"), Blob: Blob("as well"), Octets: []Octet{1, 2}, Raw: Raw{3}}, 0)
	// One for each of the slices, the two strings of the array, the pointer, its string, and the field.
	check.Allocs(t, ListsSerializer{}, &Lists{
		Tags: []string{"a1", "b1", "c1"}, Cities: []City{"d1", "e1"}, Blobs: [][]byte{{1}}, Pair: [2]string{"f1", "g1"},
		Opt: new("h1"), Last: "i1",
	}, 7)
}

// The strings of one record share memory, and no more than they need.
func TestTextIsExact(t *testing.T) {
	b, err := ManySerializer{}.Append(nil, &Many{A: "abc", City: "de", B: "f", C: "ghij"})
	if err != nil {
		t.Fatal(err)
	}
	got := testing.Benchmark(func(b2 *testing.B) {
		b2.ReportAllocs()
		for b2.Loop() {
			var v Many
			if _, err := (ManySerializer{}).Consume(b, &v); err != nil {
				b2.Fatal(err)
			}
		}
	})
	if got.AllocedBytesPerOp() > 16 {
		t.Errorf("%d bytes allocated for 10 bytes of text", got.AllocedBytesPerOp())
	}
}
