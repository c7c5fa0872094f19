//go:build !purego

package wire

import "unsafe"

// ViewString returns a string that shares the memory of p: it changes if p does, and is to be used no longer than p stays as it is. With
// the build tag purego it is a copy.
func ViewString(p []byte) string { return unsafe.String(unsafe.SliceData(p), len(p)) }

// QuickText is the first part of [ViewText], for lengths of one byte that are not 0.
func QuickText(src []byte, i int) (s string, n int) {
	if i < len(src) {
		n = int(src[i])
		i++
		if n < 0x80 && uint(n-1) < uint(len(src)-i) { // an empty string may lie at the end, where no pointer may
			return unsafe.String(&src[i], n), n + 1
		}
	}
	return "", 0
}
