package record

import (
	"encoding/hex"
	"errors"
	"image"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// refusal is a payload that must be refused, why, and where.
type refusal struct {
	name   string
	hex    string
	err    error
	path   string
	offset int
	run    func(portable bool, src []byte) error
	schema func() (string, error)
}

func refuse[T any](name, hex string, err error, path string, offset int, opts ...ReflectOption) refusal {
	return refusal{name, hex, err, path, offset, func(portable bool, src []byte) error {
		s, err := reflectSerializer[T](portable, opts...)
		if err != nil {
			return err
		}
		var v T
		n, err := s.Consume(src, &v)
		if err != nil && n != 0 {
			return errors.New("an error, but bytes are used")
		}
		return err
	}, func() (string, error) {
		s, err := Reflect[T](opts...)
		if err != nil {
			return "", err
		}
		return s.Schema().Text, nil
	}}
}

type (
	twelveBits struct{ A, B, C, D, E, F, G, H, I, J, K, L bool }
	varints    struct {
		A int16   `rw:"varint"`
		B uint32  `rw:"varint"`
		C int32   `rw:"varint"`
		D uint16  `rw:"varint"`
		E uint64  `rw:"varint"`
		F uintptr `rw:"varint"`
	}
	run struct {
		A uint8
		B [2]image.Point
		C [3]int8
	}
	hollow struct {
		Big [1 << 20]byte `rw:"-"`
	}
)

var refusals = []refusal{
	refuse[twelveBits]("padding bit", "ff1f", wire.ErrCorrupt, "", 0),
	refuse[twelveBits]("last padding bit", "0080", wire.ErrCorrupt, "", 0),
	refuse[one[struct{ A bool }]]("padding bit below", "02", wire.ErrCorrupt, "V", 0),
	refuse[one[[2]bool]]("bool 2", "0102", wire.ErrCorrupt, "V[1]", 1),
	refuse[one[map[bool]bool]]("bool 255 in a map", "02 00 ff", wire.ErrCorrupt, "V[0]", 2),
	refuse[one[[]*bool]]("pointer byte", "02 02", wire.ErrCorrupt, "V[0]", 1),
	refuse[one[time.Time]]("nanoseconds", "0000000000000000 00ca9a3b", wire.ErrCorrupt, "V", 0),
	refuse[varints]("uvarint too long", "8000", wire.ErrCorrupt, "A", 0),
	refuse[varints]("uvarint above 64 bits", "00 00 00 00 ffffffffffffffffff02", wire.ErrCorrupt, "E", 4),
	refuse[varints]("int16 out of range", "808004", wire.ErrCorrupt, "A", 0),
	refuse[varints]("uint32 out of range", "00 8080808010", wire.ErrCorrupt, "B", 1),
	refuse[varints]("int32 out of range", "00 00 8080808010", wire.ErrCorrupt, "C", 2),
	refuse[varints]("uint16 out of range", "00 00 00 808004", wire.ErrCorrupt, "D", 3),
	refuse[one[string]]("length too long", "8100 61", wire.ErrCorrupt, "V", 0),
	refuse[one[string]]("string cut", "03 6161", wire.ErrTruncated, "V", 0),
	refuse[one[string]]("string of 2⁶⁴−1", "ffffffffffffffffff01 61", wire.ErrTruncated, "V", 0),
	refuse[one[[]byte]]("bytes of 2⁶⁴−2", "ffffffffffffffffff01 61", wire.ErrTruncated, "V", 0),
	refuse[one[[]uint64]]("slice one byte short", "02 00000000000000", wire.ErrTruncated, "V", 0),
	refuse[one[[]string]]("slice of 2⁶⁴−2", "ffffffffffffffffff01", wire.ErrTruncated, "V", 0),
	refuse[one[[][0]int]]("slice of nothing, too long", "82808020", wire.ErrLimit, "V", 0),
	refuse[one[[]hollow]]("little on the wire, much in memory", "8202", wire.ErrLimit, "V", 0),
	refuse[one[map[string]string]]("map of 2⁶⁴−2", "ffffffffffffffffff01", wire.ErrTruncated, "V", 0),
	refuse[one[map[string]int8]]("map cut", "03 0161 01", wire.ErrTruncated, "V", 0),
	refuse[one[map[string]int8]]("key twice", "03 0161 01 0161 01", wire.ErrDuplicateKey, "V[1]", 4),
	refuse[one[map[float64]bool]]("zero twice", "03 0000000000000000 00 0000000000000080 00", wire.ErrCorrupt, "V[1]", 10),
	refuse[one[map[struct{}]struct{}]]("the one key twice", "03", wire.ErrDuplicateKey, "V[1]", 1),
	refuse[one[map[[0]int8]int8]]("the one key many times", "04 010101", wire.ErrDuplicateKey, "V[1]", 2),
	refuse[struct {
		A []map[string]struct{ B *[]string }
	}]("deep path", "03 00 02 0178 01 03 0161 05", wire.ErrTruncated, "A[1][0].B[1]", 9),
	refuse[recursive]("deep path through recursion", "00 00 02 00 00 02 00 01", wire.ErrTruncated, "Children[0].Children", 5),
	refuse[run]("first of a run", "", wire.ErrTruncated, "A", 0),
	refuse[run]("in an array of a run", "00"+strings.Repeat("00", 8+7), wire.ErrTruncated, "B[0].Y", 9),
	refuse[run]("in a later element", "00"+strings.Repeat("00", 16+1), wire.ErrTruncated, "B[1].X", 17),
	refuse[run]("last of a run", "00"+strings.Repeat("00", 32+2), wire.ErrTruncated, "C[2]", 35),
	refuse[flat]("second of two", strings.Repeat("00", 15), wire.ErrTruncated, "Value", 8),
}

func TestRefusals(t *testing.T) { checkRefusals(t, refusals) }

func checkRefusals(t *testing.T, refusals []refusal) {
	t.Helper()
	for _, tc := range refusals {
		src, err := hex.DecodeString(strings.ReplaceAll(tc.hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		for _, portable := range []bool{false, true} {
			err := tc.run(portable, src)
			var e *wire.Error
			if !errors.Is(err, tc.err) || !errors.As(err, &e) || e.Path != tc.path || e.Offset != tc.offset {
				t.Errorf("%s (portable %v): %v, want %v at %q, offset %d", tc.name, portable, err, tc.err, tc.path, tc.offset)
			}
		}
	}
}

// TestWordOverflow checks integers that fit a 64-bit int only: read on such a machine, refused on others.
func TestWordOverflow(t *testing.T) {
	for _, tc := range []struct {
		name  string
		hex   string
		fits  bool // into 32 bits
		parse func([]byte) error
	}{
		{"int", "0000008000000000", false, consume[one[int]]},
		{"int", "ffffff7fffffffff", false, consume[one[int]]},
		{"int", "00000080ffffffff", true, consume[one[int]]},
		{"uint", "ffffffff00000000", true, consume[one[uint]]},
		{"uint", "0000000001000000", false, consume[one[uint]]},
		{"uintptr", "0000000001000000", false, consume[one[uintptr]]},
		{"varint uintptr", "00 00 00 00 00 8080808010", false, consume[varints]},
	} {
		src, err := hex.DecodeString(strings.ReplaceAll(tc.hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		err = tc.parse(src)
		if want := tc.fits || math.MaxInt > math.MaxInt32; (err == nil) != want {
			t.Errorf("%s of %s: %v", tc.name, tc.hex, err)
		}
		if err != nil && (!errors.Is(err, wire.ErrOverflow) || !errors.Is(err, wire.ErrCorrupt)) {
			t.Errorf("%s of %s: %v is not ErrOverflow", tc.name, tc.hex, err)
		}
	}
}

func consume[T any](src []byte) error {
	s, err := Reflect[T]()
	if err != nil {
		return err
	}
	var v T
	_, err = s.Consume(src, &v)
	return err
}

// TestLengthBombs reads lengths of all magnitudes with next to nothing behind them, and bounds the memory that this may take.
func TestLengthBombs(t *testing.T) {
	for name, parse := range map[string]func([]byte) error{
		"string":           consume[one[string]],
		"bytes":            consume[one[[]byte]],
		"words":            consume[one[[]int]],
		"strings":          consume[one[[]string]],
		"bools":            consume[one[[]bool]],
		"slices":           consume[one[[][][]int64]],
		"arrays":           consume[one[[][1000]float64]],
		"map":              consume[one[map[string]string]],
		"map of bytes":     consume[one[map[uint8]struct{}]],
		"pointers":         consume[one[[]*[1 << 16]uint64]],
		"empty":            consume[one[[]struct{}]],
		"map of nothing":   consume[one[map[struct{}]struct{}]],
		"pointer to array": consume[one[*[1 << 26]uint64]],
		"recursive":        consume[recursive],
		"lists":            consume[lists],
		"maps":             consume[maps],
	} {
		for shift := range 65 {
			for _, tail := range []string{"", "\x01", "\x01\x01\x01\x01\x01\x01\x01\x01"} {
				n1 := uint64(math.MaxUint64)
				if shift < 64 {
					n1 = 1 << shift
				}
				src := append(wire.AppendUvarint(nil, n1), tail...)
				took := memoryTaken(func() { parse(src) })
				if took > 1<<20 {
					t.Errorf("%s: length %d with %d bytes behind it takes %d bytes of memory", name, n1, len(tail), took)
				}
			}
		}
	}
}

// memoryTaken returns how many bytes f allocates, freed or not.
func memoryTaken(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestLimits(t *testing.T) {
	word := int64(8)
	for _, tc := range []struct {
		name   string
		limits Limits
		read   func(Limits) error
		err    error
	}{
		{"alloc: slice fits", Limits{MaxAllocBytes: 10 * word}, consumeValue(one[[]int64]{make([]int64, 10)}), nil},
		{"alloc: slice does not", Limits{MaxAllocBytes: 10*word - 1}, consumeValue(one[[]int64]{make([]int64, 10)}), wire.ErrLimit},
		{"alloc: size on 64 bits", Limits{MaxAllocBytes: 10 * 24}, consumeValue(one[[][]int]{make([][]int, 10)}), nil},
		{"alloc: size on 64 bits", Limits{MaxAllocBytes: 10*24 - 1}, consumeValue(one[[][]int]{make([][]int, 10)}), wire.ErrLimit},
		{"alloc: sum of slices", Limits{MaxAllocBytes: 3*24 + 3*8}, consumeValue(one[[][]int]{[][]int{{1}, {2}, {3}}}), nil},
		{"alloc: sum of slices", Limits{MaxAllocBytes: 3*24 + 3*8 - 1}, consumeValue(one[[][]int]{[][]int{{1}, {2}, {3}}}), wire.ErrLimit},
		{"alloc: map entries twice", Limits{MaxAllocBytes: 2 * 2 * (16 + 8)}, consumeValue(one[map[string]int64]{map[string]int64{"a": 1, "b": 2}}), nil},
		{"alloc: map entries twice", Limits{MaxAllocBytes: 2*2*(16+8) - 1}, consumeValue(one[map[string]int64]{map[string]int64{"a": 1, "b": 2}}), wire.ErrLimit},
		{"alloc: pointer", Limits{MaxAllocBytes: 16}, consumeValue(struct{ P *flat }{&flat{}}), nil},
		{"alloc: pointer", Limits{MaxAllocBytes: 15}, consumeValue(struct{ P *flat }{&flat{}}), wire.ErrLimit},
		{"alloc: strings are free", Limits{MaxAllocBytes: 1}, consumeValue(one[string]{strings.Repeat("a", 1000)}), nil},
		{"alloc: bytes are free", Limits{MaxAllocBytes: 1}, consumeValue(one[[]byte]{make([]byte, 1000)}), nil},
		{"record: fits", Limits{MaxRecordBytes: 16}, consumeValue(flat{}), nil},
		{"record: does not", Limits{MaxRecordBytes: 15}, consumeValue(flat{}), wire.ErrLimit},
		{"record: fits, more behind", Limits{MaxRecordBytes: 2}, consumeValue(one[string]{"a"}), nil},
		{"record: string does not", Limits{MaxRecordBytes: 100}, consumeValue(one[string]{strings.Repeat("a", 100)}), wire.ErrLimit},
		{"depth: fits", Limits{MaxDepth: 3}, consumeValue(node{1, &node{2, &node{3, nil}}}), nil},
		{"depth: does not", Limits{MaxDepth: 2}, consumeValue(node{1, &node{2, &node{3, nil}}}), wire.ErrDepth},
		{"depth: side by side", Limits{MaxDepth: 2}, consumeValue(recursive{Children: make([]recursive, 50)}), nil},
		{"depth: no recursion, no depth", Limits{MaxDepth: 1}, consumeValue(one[*one[*one[*int8]]]{&one[*one[*int8]]{&one[*int8]{}}}), nil},
		{"defaults", Limits{}, consumeValue(*chain(1000)), nil},
		{"defaults", Limits{}, consumeValue(*chain(999)), nil},
	} {
		if err := tc.read(tc.limits); !errors.Is(err, tc.err) {
			t.Errorf("%s, %+v: %v, want %v", tc.name, tc.limits, err, tc.err)
		}
	}
}

// consumeValue returns a function that writes v and reads it under limits, with a byte more behind it.
func consumeValue[T any](v T) func(Limits) error {
	return func(limits Limits) error {
		s, err := Reflect[T]()
		if err != nil {
			return err
		}
		data, err := s.Append(nil, &v)
		if err != nil {
			return err
		}
		var back T
		n, err := s.ConsumeLimits(append(data, 0), &back, limits)
		if err == nil && (n != len(data) || !same(&v, &back)) {
			return errors.New("another record comes back")
		}
		return err
	}
}

// chain returns a list of n nodes.
func chain(n int) *node {
	var list *node
	for range n {
		list = &node{Next: list}
	}
	return list
}

func TestLimitsDefaults(t *testing.T) {
	for _, tc := range []struct{ limits, want Limits }{
		{Limits{}, Limits{MaxRecordBytes: 64 << 20, MaxAllocBytes: 256 << 20, MaxDepth: 1000}},
		{Limits{MaxRecordBytes: -1, MaxAllocBytes: -1, MaxDepth: -1}, Limits{MaxRecordBytes: 64 << 20, MaxAllocBytes: 256 << 20, MaxDepth: 1000}},
		{Limits{MaxRecordBytes: math.MaxInt, MaxAllocBytes: 5, MaxDepth: 7}, Limits{MaxRecordBytes: math.MaxInt32, MaxAllocBytes: 5, MaxDepth: 7}},
		{Limits{MaxRecordBytes: 3}, Limits{MaxRecordBytes: 3, MaxAllocBytes: 256 << 20, MaxDepth: 1000}},
	} {
		if got := tc.limits.WithDefaults(); got != tc.want {
			t.Errorf("%+v becomes %+v, want %+v", tc.limits, got, tc.want)
		}
	}
	b := Limits{MaxAllocBytes: 8, MaxDepth: 1}.Budget()
	if b.Charge(1, 9) == nil || b.Charge(1, 8) != nil || b.Enter() != nil || b.Enter() == nil {
		t.Error("Budget does not follow the limits")
	}
}
