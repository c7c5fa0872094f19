//go:build !unix

package main

import "time"

// processTime is 0 where the platform has no getrusage: the columns of processor time are left out there.
func processTime() time.Duration { return 0 }
