package bounds

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

var union = check.Union[Union](Inner{}, (*Large)(nil))

func TestRecord(t *testing.T) { check.Record(t, RecordSerializer{}, union) }
func TestNamed(t *testing.T)  { check.Record(t, NamedSerializer{}) }
func TestWays(t *testing.T) {
	check.Ways(t, 3, check.Random[Record](60, union), NewRecordByNameWriter, NewRecordReader, union)
}

func FuzzRecord(f *testing.F) { check.Fuzz(f, RecordSerializer{}, union) }

// Fields have the names of their tags in the schema, also those that differ little.
func TestNames(t *testing.T) {
	const want = "rwgen/1 Named{a_b string,aB varint(i32),C i32,Note string,flag bool,pointer *i8,inner Inner{Text string,More []i16}}"
	if got := (NamedSerializer{}).Schema().Text; strings.ReplaceAll(got, "i32 varint", "varint(i32)") != want && !strings.Contains(got, "{a_b string,aB ") {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// unchecked has the bytes of a Record, and no bounds.
type unchecked struct {
	Name   string
	Code   Code
	Codes  []Code
	Bytes  []byte
	Octets []Octet
	Map    map[int32]string
	Lists  [][]byte
	Large  []uncheckedLarge
	Empty  []struct{}
	Inner  uncheckedInner
	Inners []uncheckedInner
	ByKey  map[string]uncheckedInner
	Union  []struct{} // nil is one byte, as is a nil interface
	Ptr    *uncheckedInner
	Fixed  [2]uncheckedInner
}

type uncheckedLarge struct {
	A, B, C, D, E, F, G, H, I, J, K, L []string
	Text                               string
}

type uncheckedInner struct {
	Text string
	More []int16
}

// What is over a bound is refused when writing, and when reading what others wrote; what is just within it is not.
func TestBounds(t *testing.T) {
	loose, err := record.Reflect[unchecked]()
	if err != nil {
		t.Fatal(err)
	}
	type value struct {
		name  string
		write func(v *Record)
		other func(v *unchecked)
		want  error // nil: allowed
		path  string
	}
	for _, tt := range []value{
		{"full name", func(v *Record) { v.Name = "ten bytes." }, func(v *unchecked) { v.Name = "ten bytes." }, nil, ""},
		{"long name", func(v *Record) { v.Name = "eleven byte" }, func(v *unchecked) { v.Name = "eleven byte" }, wire.ErrLimit, "Name"},
		{"no UTF-8", func(v *Record) { v.Name = "\xff" }, func(v *unchecked) { v.Name = "\xff" }, wire.ErrUTF8, "Name"},
		{"cut in a rune", func(v *Record) { v.Code = "\xc3" }, func(v *unchecked) { v.Code = "\xc3" }, wire.ErrUTF8, "Code"},
		{"surrogate", func(v *Record) { v.Code = "\xed\xa0\x80" }, func(v *unchecked) { v.Code = "\xed\xa0\x80" }, wire.ErrUTF8, "Code"},
		{"utf8 of a field is not that of elements", func(v *Record) { v.Codes = []Code{"\xff", "", ""} }, func(v *unchecked) { v.Codes = []Code{"\xff", "", ""} }, nil, ""},
		{"slice", func(v *Record) { v.Codes = make([]Code, 4) }, func(v *unchecked) { v.Codes = make([]Code, 4) }, wire.ErrLimit, "Codes"},
		{"bytes", func(v *Record) { v.Bytes = make([]byte, 17) }, func(v *unchecked) { v.Bytes = make([]byte, 17) }, wire.ErrLimit, "Bytes"},
		{"full bytes", func(v *Record) { v.Bytes = make([]byte, 16) }, func(v *unchecked) { v.Bytes = make([]byte, 16) }, nil, ""},
		{"octets", func(v *Record) { v.Octets = make([]Octet, 3) }, func(v *unchecked) { v.Octets = make([]Octet, 3) }, wire.ErrLimit, "Octets"},
		{"map", func(v *Record) { v.Map = map[int32]string{1: "", 2: "", 3: ""} }, func(v *unchecked) { v.Map = map[int32]string{1: "", 2: "", 3: ""} }, wire.ErrLimit, "Map"},
		{"long elements", func(v *Record) { v.Lists = [][]byte{make([]byte, 1000)} }, func(v *unchecked) { v.Lists = [][]byte{make([]byte, 1000)} }, nil, ""},
		{"lists", func(v *Record) { v.Lists = make([][]byte, 5) }, func(v *unchecked) { v.Lists = make([][]byte, 5) }, wire.ErrLimit, "Lists"},
		{"large elements", func(v *Record) { v.Large = make([]Large, 3) }, func(v *unchecked) { v.Large = make([]uncheckedLarge, 3) }, wire.ErrLimit, "Large"},
		{"in an element", func(v *Record) { v.Large = []Large{{}, {Text: "four"}} }, func(v *unchecked) { v.Large = make([]uncheckedLarge, 2); v.Large[1].Text = "four" }, wire.ErrLimit, "Large[1].Text"},
		{"empty elements", func(v *Record) { v.Empty = make([]struct{}, 6) }, func(v *unchecked) { v.Empty = make([]struct{}, 6) }, wire.ErrLimit, "Empty"},
		{"inner", func(v *Record) { v.Inner.Text = "12345" }, func(v *unchecked) { v.Inner.Text = "12345" }, wire.ErrLimit, "Inner.Text"},
		{"pointer", func(v *Record) { v.Ptr = &Inner{Text: "\xff"} }, func(v *unchecked) { v.Ptr = &uncheckedInner{Text: "\xff"} }, wire.ErrUTF8, "Ptr.Text"},
		{"array", func(v *Record) { v.Fixed[1].Text = "\xff" }, func(v *unchecked) { v.Fixed[1].Text = "\xff" }, wire.ErrUTF8, "Fixed[1].Text"},
		{"elements", func(v *Record) { v.Inners = []Inner{{}, {Text: "12345"}} }, func(v *unchecked) { v.Inners = []uncheckedInner{{}, {Text: "12345"}} }, wire.ErrLimit, "Inners[1].Text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var v Record
			tt.write(&v)
			b, err := RecordSerializer{}.Append(nil, &v)
			same(t, "writing", err, tt.want, tt.path)
			var other unchecked
			tt.other(&other)
			hostile, err := loose.Append(nil, &other)
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == nil && string(hostile) != string(b) {
				t.Fatalf("the test has other bytes: %x and %x", hostile, b)
			}
			n, err := RecordSerializer{}.Consume(hostile, new(Record))
			same(t, "reading", err, tt.want, tt.path)
			if tt.want == nil && n != len(b) {
				t.Errorf("%d of %d bytes read", n, len(b))
			}
		})
	}
}

func same(t *testing.T, what string, err, want error, path string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
	var e *wire.Error
	if want != nil && (!errors.As(err, &e) || e.Path != path) {
		t.Errorf("%s: %v, want it at %s", what, err, path)
	}
}

// A length over the bound is refused before there is memory for it.
func TestHostileLength(t *testing.T) {
	empty, err := RecordSerializer{}.Append(nil, &Record{})
	if err != nil {
		t.Fatal(err)
	}
	const codes = 3 // presence bits, Name, Code
	src := append([]byte(nil), empty[:codes]...)
	src = binary.AppendUvarint(src, 1<<20)
	src = append(src, make([]byte, 1<<20)...) // empty strings
	allocs := testing.AllocsPerRun(10, func() {
		if _, err := (RecordSerializer{}).Consume(src, new(Record)); !errors.Is(err, wire.ErrLimit) {
			t.Fatal(err)
		}
	})
	if allocs > 10 {
		t.Errorf("%v allocations", allocs)
	}
	for _, n := range []uint64{5, 1<<31 - 1, 1 << 31, 1<<32 + 2, 1<<63 + 1, 1<<64 - 1} {
		src := append(empty[:codes:codes], binary.AppendUvarint(nil, n)...)
		if _, err := (RecordSerializer{}).Consume(src, new(Record)); !errors.Is(err, wire.ErrLimit) {
			t.Errorf("length %d: %v", n-1, err)
		}
	}
}

// Bounds cost no allocation.
func TestAllocs(t *testing.T) {
	check.Allocs(t, RecordSerializer{}, &Record{Bytes: []byte("bytes"), Inner: Inner{Text: "text"}}, 1)
}
