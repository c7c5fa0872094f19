package check

import (
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
)

// Allocs tests that writing v allocates nothing where there is room, and that reading it into a variable that has held it before
// allocates as often as said.
func Allocs[T any](t *testing.T, ser record.Serializer[T], v *T, reading float64) {
	t.Helper()
	b, err := ser.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, 0, len(b))
	allocs(t, "Append", 0, func() error { _, err := ser.Append(dst, v); return err })
	allocs(t, "Put", 0, func() error { _, err := ser.Put(dst[:len(b)], v); return err })
	allocs(t, "Size", 0, func() error { ser.Size(v); return nil })
	used := new(T)
	allocs(t, "Consume", reading, func() error { _, err := ser.Consume(b, used); return err })
}

func allocs(t *testing.T, what string, want float64, f func() error) {
	t.Helper()
	got := testing.AllocsPerRun(100, func() {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	})
	if got != want {
		t.Errorf("%s allocates %v times, want %v", what, got, want)
	}
}
