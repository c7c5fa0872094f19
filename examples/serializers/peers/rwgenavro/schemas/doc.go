// Package schemas has the shapes of the benchmark as Avro schemas, with the code that rwgen makes of them.
package schemas

//go:generate go tool rwgen
