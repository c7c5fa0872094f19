package bombs

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

// capMemory has the system refuse the process more than room bytes beyond what it has reserved by now.
func capMemory(t *testing.T, room uint64) {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var pages uint64
	if _, err := fmt.Sscan(string(statm), &pages); err != nil {
		t.Fatal(err)
	}
	limit := pages*uint64(os.Getpagesize()) + room
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Fatal(err)
	}
}

// peakMemory returns the most memory that a process had at a time.
func peakMemory(p *os.ProcessState) int64 {
	return int64(p.SysUsage().(*syscall.Rusage).Maxrss) << 10
}
