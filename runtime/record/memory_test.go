package record

import (
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"
)

// TestLayout64 compares the computed layout with the compiler's, which is the same on a 64-bit machine.
func TestLayout64(t *testing.T) {
	for _, tc := range []struct {
		rt          reflect.Type
		size, align int64
	}{
		{reflect.TypeFor[struct{}](), 0, 1},
		{reflect.TypeFor[[0]int](), 0, 8},
		{reflect.TypeFor[bool](), 1, 1},
		{reflect.TypeFor[complex64](), 8, 4},
		{reflect.TypeFor[int](), 8, 8},
		{reflect.TypeFor[string](), 16, 8},
		{reflect.TypeFor[[]byte](), 24, 8},
		{reflect.TypeFor[map[int]int](), 8, 8},
		{reflect.TypeFor[any](), 16, 8},
		{reflect.TypeFor[func()](), 8, 8},
		{reflect.TypeFor[time.Time](), 24, 8},
		{reflect.TypeFor[[3]struct {
			A int8
			B int16
		}](), 12, 2},
		{reflect.TypeFor[struct {
			A int8
			B int64
			C int8
		}](), 24, 8},
		{reflect.TypeFor[struct {
			A int64
			B struct{}
		}](), 16, 8},
		{reflect.TypeFor[struct {
			A struct{}
			B int64
		}](), 8, 8},
		{reflect.TypeFor[struct{ A [0]int64 }](), 0, 8},
		{reflect.TypeFor[sync.Mutex](), 8, 4},
		{reflect.TypeFor[numbers](), 152, 8},
		{reflect.TypeFor[texts](), 0, 0},
		{reflect.TypeFor[arrays](), 0, 0},
		{reflect.TypeFor[lists](), 0, 0},
		{reflect.TypeFor[maps](), 0, 0},
		{reflect.TypeFor[embedding](), 0, 0},
	} {
		l := layouts{}.of(tc.rt)
		size, align := l.size, l.align
		if tc.align != 0 && (size != tc.size || align != tc.align) {
			t.Errorf("%v: size %d, alignment %d, want %d, %d", tc.rt, size, align, tc.size, tc.align)
		}
		if strconv.IntSize == 64 && (size != int64(tc.rt.Size()) || align != int64(tc.rt.Align())) {
			t.Errorf("%v: size %d, alignment %d, but the compiler has %d, %d", tc.rt, size, align, tc.rt.Size(), tc.rt.Align())
		}
	}
}

// TestLayout64Huge checks a type that no variable can have, but that a pointer can point to.
func TestLayout64Huge(t *testing.T) {
	if l := (layouts{}).of(reflect.ArrayOf(1<<20, reflect.ArrayOf(1<<8, reflect.TypeFor[uint64]()))); l != (layout64{1 << 31, 8}) {
		t.Errorf("%+v", l)
	}
	// What is known is not measured again.
	if l := (layouts{reflect.TypeFor[flat](): {3, 1}}).of(reflect.TypeFor[struct{ A, B flat }]()); l != (layout64{6, 1}) {
		t.Errorf("%+v", l)
	}
}

// TestRuns checks which fields are copied in one piece: it is what makes plain records fast.
func TestRuns(t *testing.T) {
	for _, tc := range []struct {
		name     string
		plan     *plan
		parts    int
		image    bool
		portable int
	}{
		{"all", planOf[flat](t), 1, true, 2},
		{"gap", planOf[struct {
			A uint8
			B uint16
		}](t), 2, false, 2},
		{"around a gap", planOf[struct {
			A, B uint8
			C, D uint32
		}](t), 2, false, 4},
		{"around a varint", planOf[struct {
			A, B uint32
			C    uint32 `rw:"varint"`
			D, E uint32
		}](t), 3, false, 5},
		{"around a field left out", planOf[struct {
			A, B uint32
			C    uint32 `rw:"-"`
			D, E uint32
		}](t), 2, false, 4},
		{"nested", planOf[struct {
			A [2]flat
			B point
			C complex128
		}](t), 1, true, 3},
		{"bool first", planOf[struct {
			A    bool
			B, C uint32
		}](t), 1, false, 2},
		{"pointer to a number", planOf[struct {
			A uint64
			B *uint64
			C uint64
		}](t), 3, false, 3},
		{"padded at the end", planOf[struct {
			A uint64
			B uint8
		}](t), 1, false, 2},
	} {
		parts := len(tc.plan.codec.(*structCodec).parts)
		if !imageHost() {
			tc.parts, tc.image = tc.portable, false
		}
		if parts != tc.parts || tc.plan.image != tc.image {
			t.Errorf("%s: %d parts, image %v, want %d, %v", tc.name, parts, tc.plan.image, tc.parts, tc.image)
		}
	}
}

func planOf[T any](t *testing.T) *plan {
	s, err := reflectSerializer[T](false)
	if err != nil {
		t.Fatal(err)
	}
	return s.root
}

func TestSizesAreCut(t *testing.T) {
	for _, tc := range []struct{ got, want int }{
		{plus(1, 2), 3}, {plus(maxSize, 0), maxSize}, {plus(maxSize, maxSize), maxSize}, {plus(maxSize-1, 1), maxSize},
		{times(3, 4), 12}, {times(0, maxSize), 0}, {times(5, 0), 0}, {times(maxSize, 1), maxSize}, {times(1<<16, 1<<16), maxSize},
		{times(maxSize, maxSize), maxSize},
	} {
		if tc.got != tc.want {
			t.Errorf("%d, want %d", tc.got, tc.want)
		}
	}
}
