// Package index is called like what decoders call a local variable.
package index

// Entry is a struct.
type Entry struct{ Data []string }

// ID is a string.
type ID string
