//go:build unix

package main

import "syscall"

// maxRSS returns the peak resident memory that wait4 reported, in KiB on Linux.
func maxRSS(usage any) int64 { return int64(usage.(*syscall.Rusage).Maxrss) }
