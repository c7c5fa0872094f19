package loopback

import (
	"sync"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// newPipe makes a pipe. It calls release once: after the run, or as soon as one of the functions fails, so that the others end.
func newPipe(release func() error, produce []func() error, consume []func() (harness.Tally, error)) harness.Pipe {
	release = sync.OnceValue(release)
	pipe := harness.Pipe{Close: release}
	for _, f := range produce {
		pipe.Produce = append(pipe.Produce, func() error {
			err := f()
			if err != nil {
				_ = release() // Close returns the error again
			}
			return err
		})
	}
	for _, f := range consume {
		pipe.Consume = append(pipe.Consume, func() (harness.Tally, error) {
			t, err := f()
			if err != nil {
				_ = release() // see above
			}
			return t, err
		})
	}
	return pipe
}

// consumers returns the consumers of a cell for rows that need a goroutine for each partition in any case: where one consumer stands for all,
// it adds up what they saw.
func consumers(c harness.Cell, partition func(p int) (harness.Tally, error)) []func() (harness.Tally, error) {
	var consume []func() (harness.Tally, error)
	for lane := range c.Lanes() {
		consume = append(consume, func() (harness.Tally, error) {
			own := c.PartitionsOf(lane)
			if len(own) == 1 {
				return partition(own[0])
			}
			return several(own, partition)
		})
	}
	return consume
}

// several runs partition for all of the given ones at once.
func several(partitions []int, partition func(p int) (harness.Tally, error)) (harness.Tally, error) {
	var all sync.WaitGroup
	var mu sync.Mutex
	var total harness.Tally
	var first error
	for _, p := range partitions {
		all.Go(func() {
			t, err := partition(p)
			mu.Lock()
			defer mu.Unlock()
			total.Merge(t)
			if first == nil {
				first = err
			}
		})
	}
	all.Wait()
	return total, first
}
