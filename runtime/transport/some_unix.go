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
