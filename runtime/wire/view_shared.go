//go:build !purego

package wire

import "unsafe"

// ViewString returns a string that shares the memory of p: it changes if p does, and is to be used no longer than p stays as it is. With
// the build tag purego it is a copy.
func ViewString(p []byte) string { return unsafe.String(unsafe.SliceData(p), len(p)) }
