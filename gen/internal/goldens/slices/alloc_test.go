package slices

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

// Slices of numbers are reused, also inside other slices.
func TestAllocs(t *testing.T) {
	check.Allocs(t, NumbersSerializer{}, &Numbers{Ints: make([]int, 100), Bools: make([]bool, 7), Float32s: make([]float32, 9)}, 0)
	check.Allocs(t, NamedSerializer{}, &Named{Levels: Levels{1, 2}, Matrix: Matrix{{1, 2}, {3}}, Triples: Triples{{1, 2, 3}}}, 0)
	check.Allocs(t, StructsSerializer{}, &Structs{Points: make([]Point, 8), Wides: make([]Wide, 3), Empty: make([]struct{}, 5)}, 0)
}
