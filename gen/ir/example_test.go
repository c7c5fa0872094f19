package ir_test

import (
	"fmt"

	"github.com/rwgen/rwgen/gen/ir"
)

func ExampleDump() {
	origin := &ir.Field{Name: "Origin", Type: &ir.Type{Kind: ir.String, GoSize: 16}, Doc: "airport code"}
	flight := &ir.Type{
		Kind: ir.Struct, GoSize: 16, Fields: []*ir.Field{origin},
		Name: &ir.Name{PkgPath: "example.com/flights", PkgName: "flights", Name: "Flight", Local: true},
	}
	fmt.Print(ir.Dump(&ir.Package{
		Path: "example.com/flights", Name: "flights", Scope: []string{"Flight"},
		Files: []*ir.File{{
			Source: "flight.go", Output: "flight_rw.go", Package: "flights",
			Records: []*ir.Record{{Name: "Flight", Type: flight, Writers: []*ir.Writer{
				{Name: "ByOrigin", Kind: ir.Keyed, Keys: []ir.Path{{origin}}},
			}}},
		}},
	}))
	// Output:
	// package flights "example.com/flights"
	// 	scope Flight
	// 	file flight_rw.go from flight.go
	// 		record Flight
	// 			Origin string "airport code"
	// 			writer ByOrigin key=Origin
}
