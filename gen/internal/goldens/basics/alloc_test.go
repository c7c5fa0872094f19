package basics

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestAllocs(t *testing.T) {
	check.Allocs(t, SampleSerializer{}, &Sample{ID: 1, Value: -1}, 0)
	check.Allocs(t, NumbersSerializer{}, &Numbers{Bool: true, Int: 1}, 0)
	check.Allocs(t, MixedSerializer{}, &Mixed{Name: "a name that is not interned anywhere", Data: []byte("data")}, 1)
}
