// Package id is called like a field.
package id

// ID is a number.
type ID int64

// Result is a struct.
type Result struct{ Text string }
