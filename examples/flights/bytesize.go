package main

import (
	"fmt"
	"strconv"
	"strings"
)

// byteSize is a flag for a number of bytes, with an optional unit: KiB, MiB, GiB, or K, M, G for the same.
type byteSize int64

// String returns the number in bytes.
func (b *byteSize) String() string { return strconv.FormatInt(int64(*b), 10) }

// Set parses a number of bytes.
func (b *byteSize) Set(s string) error {
	number, shift := s, 0
	for i, units := range [][]string{{"KiB", "K"}, {"MiB", "M"}, {"GiB", "G"}} {
		for _, u := range units {
			if n, ok := strings.CutSuffix(s, u); ok && shift == 0 {
				number, shift = strings.TrimSpace(n), 10*(i+1)
			}
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > 1<<62>>shift {
		return fmt.Errorf("want a number of bytes such as 8388608 or 8MiB")
	}
	*b = byteSize(n << shift)
	return nil
}
