//go:build !linux || race

package memory

// wantHuge does nothing: there is nobody to ask, or memory is on the Go heap, which is the garbage collector's.
func wantHuge([]byte) {}
