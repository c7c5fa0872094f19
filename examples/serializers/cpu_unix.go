//go:build unix

package main

import (
	"syscall"
	"time"
)

// processTime is the user and system time that the process has used so far on all cores.
func processTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
