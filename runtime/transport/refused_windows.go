package transport

import (
	"errors"
	"syscall"
)

// refusedErrno is WSAECONNREFUSED: what the kernel says. The ECONNREFUSED of package syscall is another number here, which only Go programs use.
const refusedErrno = syscall.Errno(10061)

// isRefused reports whether nobody listens at an address that was dialed.
func isRefused(err error) bool {
	return errors.Is(err, refusedErrno) || errors.Is(err, syscall.ECONNREFUSED)
}
