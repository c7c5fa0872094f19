// Package layout says where the parts of a record stand in its bytes, and why each is encoded as it is.
//
//	l := layout.Of(record)
//	fmt.Print(l) // a picture of the record, then a table with a row for each field
//
// It is what rwgen show prints. The rules are those of runtime/wire/FORMAT.md and, for the format avro, runtime/avro/FORMAT.md; this package restates them for people and has no part
// in generating code.
//
// Values of this package are plain data: they may be shared between goroutines as long as nobody changes them.
package layout
