// Package inf has a version in its path.
package inf

// Dec is a struct.
type Dec struct{ Digits []byte }
