//go:build unix || js || wasip1

package transport

import (
	"errors"
	"syscall"
)

// isRefused reports whether nobody listens at an address that was dialed.
func isRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
