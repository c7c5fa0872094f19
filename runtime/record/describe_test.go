package record

import (
	"bytes"
	"errors"
	"image"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unique"
	"unsafe"
)

type (
	sliceOfItself   []sliceOfItself
	mapOfItself     map[string]mapOfItself
	pointerToItself *pointerToItself
	unnamedCycle    []struct{ Next unnamedCycle }
)

func TestTypeErrors(t *testing.T) {
	type line struct {
		Sku  string
		Done chan struct{}
	}
	type partialKey struct {
		A int
		B int `rw:"-"`
	}
	type timeKey struct {
		A int
		B time.Time
	}
	for _, tc := range []struct {
		name string
		err  error
		want string // the lines of the error, each with the path in place of "record: "
	}{
		{"not a struct", reflectError[int](), `int: int is no record: a record is a struct with fields of its own`},
		{"a pointer", reflectError[*point](), `*record.point: *record.point is no record: a record is a struct with fields of its own`},
		{"a time", reflectError[time.Time](), `time.Time: time.Time is no record: a record is a struct with fields of its own`},
		{"chan", reflectError[struct{ C chan int }](), `struct { C chan int }.C: chan int has no encoding`},
		{"func", reflectError[one[func()]](), `one.V: func() has no encoding`},
		{"interface", reflectError[one[error]](), `one.V: error has no encoding`},
		{"any", reflectError[one[map[string]any]](), `one.V[]: interface {} has no encoding`},
		{"unsafe.Pointer", reflectError[one[unsafe.Pointer]](), `one.V: unsafe.Pointer has no encoding`},
		{"interface key", reflectError[one[map[any]int]](), `one.V[key]: interface {} has no encoding`},
		{"deep", reflectError[one[map[string]*[]line]](), `one.V[][].Done: chan struct {} has no encoding`},
		{"in an array by pointer", reflectError[one[**[3]line]](), `one.V[].Done: chan struct {} has no encoding`},
		{"foreign", reflectError[one[unique.Handle[string]]](),
			`one.V: unique.Handle[string] has no encoding: it belongs to another package and has unexported fields (`},
		{"foreign lock", reflectError[one[*sync.Mutex]](),
			`one.V: sync.Mutex has no encoding: it belongs to another package and has unexported fields (`},
		{"foreign embedded", reflectError[struct{ bytes.Buffer }](),
			`struct { bytes.Buffer }.Buffer: bytes.Buffer has no encoding: it belongs to another package and has unexported fields (`},
		{"foreign by exported fields", reflectError[one[image.Rectangle]](), ``},
		{"unknown tag", reflectError[struct {
			A int8 `rw:"omit"`
		}](), `.A: int8 unknown option "omit" in the rw tag`},
		{"varint of 8 bits", reflectError[struct {
			A uint8 `rw:"varint"`
		}](), `.A: uint8 rw:"varint" is for integers of 16 bits or more`},
		{"varint slice", reflectError[struct {
			A []int32 `rw:"varint"`
		}](), `.A: []int32 rw:"varint" is for integers of 16 bits or more`},
		{"varint pointer", reflectError[struct {
			A *int32 `rw:"varint"`
		}](), `.A: *int32 rw:"varint" is for integers of 16 bits or more`},
		{"partial key", reflectError[one[map[[1]partialKey]int]](),
			`one.V[key]: [1]record.partialKey has fields outside the format and cannot be a map key: ` +
				`keys that differ only there would be the same key`},
		{"time key", reflectError[one[map[time.Time]int]](), `one.V[key]: time.Time is or holds a time.Time and cannot be a map key: ` +
			`keys that differ only in location would be the same key`},
		{"time in a key", reflectError[one[map[[1]timeKey]int]](), `one.V[key]: [1]record.timeKey is or holds a time.Time and cannot be a map key`},
		{"time behind a pointer in a key", reflectError[one[map[*time.Time]int]](), ``},
		{"slice of itself", reflectError[one[sliceOfItself]](),
			`one: record.one[github.com/rwgen/rwgen/runtime/record.sliceOfItself] has no schema: field V: ` +
				`a slice type contains itself other than through a named struct`},
		{"map of itself", reflectError[one[mapOfItself]](), `a map type contains itself other than through a named struct`},
		{"pointer to itself", reflectError[one[pointerToItself]](), `a pointer type contains itself other than through a named struct`},
		{"unnamed cycle", reflectError[one[unnamedCycle]](), `a slice type contains itself other than through a named struct`},
		{"several", reflectError[struct {
			A chan int
			B struct{ C, D func() }
			E int8
			F []chan int
		}](), `.A: chan int has no encoding
.B.C: func() has no encoding
.B.D: func() has no encoding
.F[]: chan int has no encoding`},
	} {
		if tc.want == "" {
			if tc.err != nil {
				t.Errorf("%s: %v", tc.name, tc.err)
			}
			continue
		}
		var e *TypeError
		if !errors.As(tc.err, &e) {
			t.Errorf("%s: error %v is no TypeError", tc.name, tc.err)
			continue
		}
		lines := strings.Split(tc.err.Error(), "\n")
		for i, want := range strings.Split(tc.want, "\n") {
			if i >= len(lines) || !strings.Contains(lines[i], want) {
				t.Errorf("%s: error\n%v\nwant\n%s", tc.name, tc.err, tc.want)
				break
			}
		}
	}
}

func reflectError[T any]() error {
	_, err := Reflect[T]()
	return err
}

func TestTypeErrorFields(t *testing.T) {
	var e *TypeError
	if err := reflectError[one[[]func()]](); !errors.As(err, &e) || e.Path != "one.V[]" || e.Type != reflect.TypeFor[func()]() || e.Reason == "" {
		t.Errorf("%#v", e)
	}
}

// TestMalformedTag makes its types at run time, as vet would refuse them in source.
func TestMalformedTag(t *testing.T) {
	for _, name := range []string{"A", "_"} {
		field := reflect.StructField{Name: name, Type: reflect.TypeFor[int8](), Tag: "rw:-"}
		if name == "_" {
			field.PkgPath = "p"
		}
		_, _, err := describe(reflect.StructOf([]reflect.StructField{field}))
		if name == "_" { // does not exist, whatever its tag
			if err != nil {
				t.Errorf("blank field: %v", err)
			}
			continue
		}
		if want := ".A: int8 malformed struct tag `rw:-`"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestReflectIsTyped checks that an error comes with a nil interface, not with one that holds a nil pointer.
func TestReflectIsTyped(t *testing.T) {
	if s, err := Reflect[chan int](); s != nil || err == nil {
		t.Errorf("Reflect[chan int] = %v, %v", s, err)
	}
}
