// Package x has a version and a prefix in its path.
package x

// Thing is a struct.
type Thing struct{ Names []string }
