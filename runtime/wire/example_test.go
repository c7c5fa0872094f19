package wire_test

import (
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// A length that promises more than follows is an error that says where.
func Example() {
	src := []byte{0x05, 'a', 'b'}
	v, n := wire.Uvarint(src)
	if n <= 0 {
		fmt.Println(wire.UvarintError(n))
	}
	if int(v) > len(src)-n {
		err := wire.FieldError("Name", 0, wire.ErrTruncated)
		fmt.Println(wire.FieldError("Owner", 12, err), errors.Is(err, wire.ErrTruncated))
	}
	// Output: Owner.Name: offset 12: wire: source ends early true
}

func ExamplePutUvarint() {
	buf := make([]byte, 4)
	fmt.Println(wire.PutUvarint(buf, 300), buf[:2])
	fmt.Println(wire.PutUvarint(buf[:1], 300))
	// Output:
	// 2 [172 2]
	// 0
}

func ExampleBudget() {
	b := wire.NewBudget(1<<10, 100)
	fmt.Println(b.Charge(10, 100))
	fmt.Println(b.Charge(10, 100))
	// Output:
	// <nil>
	// 10 elements of 100 bytes exceed the 24 bytes left of 1024: wire: limit exceeded
}
