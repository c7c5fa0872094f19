package gentest_test

import (
	"flag"
	"testing"

	"github.com/rwgen/rwgen/gen/gentest"
)

// A test of a package of records: go test -golden rewrites what its cases want.
func ExampleRun() {
	golden := flag.Bool("golden", false, "rewrite the golden files") // a package variable in a test
	test := func(t *testing.T) {
		gentest.Run(t, "testdata/cases", gentest.Update(*golden))
	}
	_ = test // the body of TestGolden
}
