//go:build !unix

package transport

import "syscall"

// rawOf returns nil: connections cannot be written to without waiting here.
func rawOf(syscall.Conn) syscall.RawConn { return nil }

// readSome returns nil: nor can be read.
func readSome(syscall.Conn) func([]byte) int { return nil }

func writeSome(syscall.RawConn, []byte) int { return 0 }
