//go:build purego

package wire

// ViewString returns a copy of p, because the build tag purego is set.
func ViewString(p []byte) string { return string(p) }
