package roundtrip_test

import (
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/gen/gentest/roundtrip"
	"github.com/rwgen/rwgen/runtime/record"
)

type Flight struct {
	Origin string
	Delay  int32
}

func ExampleSuite() {
	// In a package with generated code this is FlightSerializer{}.
	ser, err := record.Reflect[Flight]()
	if err != nil {
		fmt.Println(err)
		return
	}
	test := func(t *testing.T) {
		var s roundtrip.Suite
		roundtrip.Record(&s, "Flight", ser)
		s.Run(t)
	}
	_ = test // the body of TestRecords
}
