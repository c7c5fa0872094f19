package model_test

import (
	"fmt"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/templates/model"
)

func ExampleNew() {
	flight := &ir.Type{Kind: ir.Struct, Name: &ir.Name{PkgPath: "example.com/flights", PkgName: "flights", Name: "Flight", Local: true}}
	flight.Fields = []*ir.Field{{Name: "Origin", Type: &ir.Type{Kind: ir.String}}, {Name: "Delay", Type: &ir.Type{Kind: ir.Int32}, Varint: true}}
	p := model.New(&ir.Package{Name: "flights", Path: "example.com/flights", Files: []*ir.File{{
		Source: "flight.go", Output: "flight_rw.go", Package: "flights", Records: []*ir.Record{{Name: "Flight", Type: flight}},
	}}})
	for _, r := range p.Records {
		fmt.Println(r.Name, r.Serializer, r.SchemaText)
		for _, f := range r.Fields {
			fmt.Printf("%s %s: %s at %s\n", f.Name, f.GoType, f.Encoding, f.Position)
		}
	}
	// Output:
	// Flight FlightSerializer rwgen/1 Flight{Origin string,Delay vi32}
	// Origin string: uvarint length; bytes at 0
	// Delay int32: zigzag uvarint at after Origin
}
