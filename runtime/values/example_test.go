package values_test

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/values"
)

// A hash takes in one value after the other.
func ExampleHashWord() {
	h := uint64(values.Seed)
	h = values.HashString(h, "ZRH")
	h = values.HashWord(h, 180)
	fmt.Println(h == values.HashWord(values.HashString(values.Seed, "ZRH"), 180))
	// Output: true
}
