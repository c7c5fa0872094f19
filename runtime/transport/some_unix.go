//go:build unix

package transport

import "syscall"

// rawOf returns what writeSome takes for a connection.
func rawOf(conn syscall.Conn) syscall.RawConn {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// readSome returns what reads from a connection without waiting, and returns 0 if there is nothing, or something is wrong.
func readSome(conn syscall.Conn) func(p []byte) int {
	raw := rawOf(conn)
	if raw == nil {
		return nil
	}
	var (
		dst []byte
		n   int
	)
	read := func(fd uintptr) bool {
		if k, err := syscall.Read(int(fd), dst); err == nil {
			n = k
		}
		return true
	}
	return func(p []byte) int {
		dst, n = p, 0
		_ = raw.Read(read)
		dst = nil
		return n
	}
}

// writeSome writes as much as the connection takes without waiting, and returns how much that was: nothing too if it is broken, or closed, or its deadline is over.
func writeSome(raw syscall.RawConn, p []byte) (n int) {
	_ = raw.Write(func(fd uintptr) bool {
		k, err := syscall.Write(int(fd), p)
		if err == nil {
			n = k
		}
		return true
	})
	return n
}
