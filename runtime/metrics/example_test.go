package metrics_test

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/metrics"
)

// Counters of flushes are indexed by their cause.
func Example() {
	var w metrics.Writer // from the Stats method of a writer
	w.Flushes[metrics.Idle] = 3
	for cause, n := range w.Flushes {
		if n > 0 {
			fmt.Println(n, "flushes:", metrics.FlushCause(cause))
		}
	}
	// Output: 3 flushes: idle
}
