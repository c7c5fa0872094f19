//go:build unix && !race

package memory

import (
	"fmt"
	"syscall"
)

// newSlab maps n bytes of zeroed memory outside the Go heap.
func newSlab(n int) ([]byte, error) {
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("memory: map %d bytes: %w", n, err)
	}
	return b, nil
}

func freeSlab(b []byte) error {
	if err := syscall.Munmap(b); err != nil {
		return fmt.Errorf("memory: unmap %d bytes: %w", len(b), err)
	}
	return nil
}
