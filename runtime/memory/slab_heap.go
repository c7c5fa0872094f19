//go:build !unix || race

package memory

// newSlab allocates n bytes on the Go heap: where memory cannot be mapped, and under the race detector, which
// watches only the heap.
func newSlab(n int) ([]byte, error) { return make([]byte, n), nil }

func freeSlab([]byte) error { return nil }
