// Package x has a suffix in its path, and the name of another one.
package x

// Thing is a struct.
type Thing struct{ Names []string }
