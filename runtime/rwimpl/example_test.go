package rwimpl_test

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/rwimpl"
)

// What every generated file states: it compiles if and only if the version it was generated for is in the window.
func Example() {
	const generated = 1
	const (
		_ = rwimpl.Enforce(generated - rwimpl.Oldest)
		_ = rwimpl.Enforce(rwimpl.Newest - generated)
	)
	fmt.Println(rwimpl.Oldest <= generated && generated <= rwimpl.Newest)
	// Output: true
}
