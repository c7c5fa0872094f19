// Package ir is the meeting point of the generator: frontends produce it, emitters read it, and it imports neither.
//
// A [Package] describes the records found in one package, the types their fields are made of, and the writers asked for.
// Nothing in it depends on where the description came from (Go source now, schema files later) or on GOARCH.
//
// A frontend builds it from the outside in:
//
//	flight := &ir.Type{Kind: ir.Struct, Name: &ir.Name{PkgPath: "example.com/flights", PkgName: "flights", Name: "Flight", Local: true}}
//	flight.Fields = []*ir.Field{{Name: "Origin", Type: &ir.Type{Kind: ir.String, GoSize: 16}}}
//	record := &ir.Record{Name: "Flight", Type: flight}
//
// [Dump] prints a description. Once built, values of this package are only read, by any number of goroutines.
package ir
