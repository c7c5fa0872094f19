package diag_test

import (
	"go/token"
	"os"

	"github.com/rwgen/rwgen/gen/diag"
)

func ExampleList() {
	var list diag.List
	pos := token.Position{Filename: "/src/shop/order.go", Line: 9, Column: 2}
	list.Addf(pos, diag.Field, "Order.Done: a channel has no encoding").Hint = `leave the field out with the tag rw:"-"`
	if list.Err() != nil {
		list.Write(os.Stdout, "/src/shop")
	}
	// Output:
	// order.go:9:2: Order.Done: a channel has no encoding [field]
	// 	try: leave the field out with the tag rw:"-"
}
