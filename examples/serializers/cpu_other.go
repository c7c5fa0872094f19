//go:build !unix

package main

import "time"

// processTime is 0 where the platform has no getrusage.
func processTime() time.Duration { return 0 }
