package avro_test

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/avro"
)

func ExampleParseUUID() {
	u, err := avro.ParseUUID("F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u)
	fmt.Println(u[:4])
	// Output:
	// f81d4fae-7dec-11d0-a765-00a0c91e6bf6
	// [248 29 79 174]
}
