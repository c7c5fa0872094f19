package rwtest

import (
	"net"
	"os"
	"syscall"
)

// What connections fail with besides io.EOF, net.ErrClosed and os.ErrDeadlineExceeded: the errors that package net has for the same.

func errReset(call string) error   { return os.NewSyscallError(call, syscall.ECONNRESET) }
func errBroken(call string) error  { return os.NewSyscallError(call, syscall.EPIPE) }
func errRefused(call string) error { return os.NewSyscallError(call, syscall.ECONNREFUSED) }
func errInUse(call string) error   { return os.NewSyscallError(call, syscall.EADDRINUSE) }

// opError puts an error into the form of package net.
func opError(op string, source, addr net.Addr, err error) error {
	e := &net.OpError{Op: op, Source: source, Addr: addr, Err: err}
	if addr != nil {
		e.Net = addr.Network()
	}
	return e
}
