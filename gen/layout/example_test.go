package layout_test

import (
	"fmt"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/layout"
)

func ExampleOf() {
	r := &ir.Record{Name: "Flight", Type: &ir.Type{Kind: ir.Struct, GoSize: 24, Fields: []*ir.Field{
		{Name: "Delay", Type: &ir.Type{Kind: ir.Int32}},
		{Name: "Origin", Type: &ir.Type{Kind: ir.String}},
	}}}
	fmt.Print(layout.Of(r))
	// Output:
	// Flight takes 5 or more bytes, and 24 in memory
	//
	// 0       4
	// ┌───────┬───────────┐
	// │ Delay │ Origin    │
	// │ 4     │ 1 or more │
	// └───────┴───────────┘
	//
	// field   offset  bytes      encoding               why
	// Delay   0       4          i32                    fixed because there is no tag varint
	// Origin  4       1 or more  uvarint length; bytes  length first because its size varies
}
