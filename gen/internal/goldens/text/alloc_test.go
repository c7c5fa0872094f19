package text

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/record"
)

func TestAllocs(t *testing.T) {
	check.Allocs(t, OneSerializer{}, &One{Only: "only one string"}, 1)
	check.Allocs(t, ManySerializer{}, &Many{A: "several", City: "strings", B: "in one", C: "allocation"}, 1)
	check.Allocs(t, ManySerializer{}, &Many{}, 1) // what stands between the strings
	check.Allocs(t, CloseSerializer{}, &Close{First: "several", Second: "strings", Third: "in one"}, 1)
	check.Allocs(t, ApartSerializer{}, &Apart{First: "several", Second: "strings", Third: "in one"}, 1)
	check.Allocs(t, ApartSerializer{}, &Apart{}, 0)
	check.Allocs(t, AroundSerializer{}, &Around{First: "several", Data: make([]uint64, 100), Second: "strings"}, 1)
	check.Allocs(t, FixedSerializer{}, &Fixed{}, 0)
	check.Allocs(t, BytesSerializer{}, &Bytes{Data: []byte("reused"), Blob: Blob("as well"), Octets: []Octet{1, 2}, Raw: Raw{3}}, 0)
	// One for the pointer, and one for all strings.
	check.Allocs(t, ListsSerializer{}, &Lists{
		Tags: []string{"a1", "b1", "c1"}, Cities: []City{"d1", "e1"}, Blobs: [][]byte{{1}}, Pair: [2]string{"f1", "g1"},
		Opt: new("h1"), Last: "i1",
	}, 2)
	// One for all strings of each 128 bytes, and then 256, …
	check.Allocs(t, PartsSerializer{}, &Parts{Name: "several", Parts: []Part{{Label: "strings", Short: "in one"}, {Label: "more"}}}, 1)
}

// bytesRead returns how many bytes are allocated for reading v into a zero variable.
func bytesRead[T any](t *testing.T, ser record.Serializer[T], v *T) uint64 {
	t.Helper()
	b, err := ser.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 100
	into := make([]T, runs)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range into {
		if _, err := ser.Consume(b, &into[i]); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / runs // whatever else allocates is not that much
}

// The strings of one record share memory, and not much more than they need: a few bytes that stand between them, or none.
func TestTextIsSmall(t *testing.T) {
	if n := bytesRead(t, ManySerializer{}, &Many{A: "abc", City: "de", B: "f", C: "ghij"}); n > 24 {
		t.Errorf("%d bytes allocated for 10 bytes of text", n)
	}
	around := &Around{First: "abcd", Data: make([]uint64, 1000), Second: "efgh"}
	if n, data := bytesRead(t, AroundSerializer{}, around), uint64(8192); n > data+16 {
		t.Errorf("%d bytes allocated for 8 bytes of text and %d of data", n, data)
	}
}

// A string that is kept keeps a stretch of its record of at most 1 KiB, however large that is.
func TestTextKeepsLittle(t *testing.T) {
	parts := &Parts{Name: "n", Parts: make([]Part, 50)}
	for i := range parts.Parts {
		parts.Parts[i] = Part{Label: strings.Repeat("x", 100), Data: make([]uint64, 1000)}
	}
	without := &Parts{Parts: make([]Part, 50)}
	for i := range without.Parts {
		without.Parts[i].Data = make([]uint64, 1000)
	}
	got := bytesRead(t, PartsSerializer{}, parts) - bytesRead(t, PartsSerializer{}, without)
	if most := uint64(51 * 1024); got > most {
		t.Errorf("%d bytes allocated for 51 strings, want %d at most", got, most)
	}
}
