//go:build unix

package harness

import (
	"syscall"
	"time"
)

// ProcessTime is the user and system time that the process has used so far on all cores.
func ProcessTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
