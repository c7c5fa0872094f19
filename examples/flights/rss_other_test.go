//go:build !unix

package main

func maxRSS(any) int64 { return 0 }
