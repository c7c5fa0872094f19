//go:build purego

package wire

// ViewString returns a copy of p, because the build tag purego is set.
func ViewString(p []byte) string { return string(p) }

// QuickText is the first part of [ViewText], which with the build tag purego makes a copy.
func QuickText(src []byte, i int) (s string, n int) {
	p, n := QuickSpan(src, i)
	return string(p), n
}
