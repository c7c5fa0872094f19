// Selectors measures how evenly each selection of rwgen spreads records over consumers, on uniform keys and on skewed ones, and prints
// the tables of runtime/selector/GUIDE.md. Its numbers are the same in every run.
//
//	go run ./examples/selectors
//
// It drives the selectors themselves, without writers and readers: four producers with a selector each, records dealt to them in turn, and
// consumers that are a queue and a speed (see queues).
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Stdout, full); err != nil {
		fmt.Fprintln(os.Stderr, "selectors:", err)
		os.Exit(1)
	}
}

// size says how much is measured.
type size struct {
	keys    int // different keys of a set, and records that are sent
	keySets int // of different keys, over which figures are averaged
}

var full = size{keys: 1_000_000, keySets: 2}

const (
	producers   = 4
	recordBytes = 100
	skew        = 1.1 // exponent of the Zipf distribution
)

var consumers = []int{10, 85, 127, 1000}
