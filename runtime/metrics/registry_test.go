package metrics_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rwgen/rwgen/runtime/metrics"
)

// TestRegistrySums: writers of one name count together, and a writer that was closed goes on counting.
func TestRegistrySums(t *testing.T) {
	var r metrics.Registry
	if got := r.Writers(); len(got) != 0 {
		t.Errorf("an empty registry has %v", got)
	}
	a := metrics.Writer{Name: "b", Records: 1, Bytes: 10, Blocks: 2, Blocked: 5, Channels: []metrics.Channel{{Records: 1, Queued: 7, Dropped: 3}}}
	a.Flushes[metrics.Idle] = 4
	b := metrics.Writer{Name: "b", Records: 2, Bytes: 20, Channels: []metrics.Channel{{Records: 1}, {Records: 1, Bytes: 9, Blocks: 1}}}
	removeA := r.Add(func() metrics.Writer { return a })
	r.Add(func() metrics.Writer { return b })
	r.Add(func() metrics.Writer { return metrics.Writer{Name: "a", Records: 5} })
	want := []metrics.Writer{
		{Name: "a", Records: 5},
		{Name: "b", Records: 3, Bytes: 30, Blocks: 2, Blocked: 5, Channels: []metrics.Channel{
			{Records: 2, Queued: 7, Dropped: 3}, {Records: 1, Bytes: 9, Blocks: 1},
		}},
	}
	want[1].Flushes[metrics.Idle] = 4
	if d := cmp.Diff(want, r.Writers()); d != "" {
		t.Error(d)
	}
	a.Records, want[1].Records = 2, 4
	removeA()
	want[1].Channels[0].Queued = 0
	a.Records = 100 // nobody asks any more
	removeA()
	for range 2 { // what is returned is the caller's
		got := r.Writers()
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		got[1].Channels[0].Records = 1000
	}
}

func TestRegistryConcurrent(t *testing.T) {
	var r metrics.Registry
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				remove := r.Add(func() metrics.Writer { return metrics.Writer{Name: "w", Records: 1} })
				r.Writers()
				remove()
			}
		})
	}
	wg.Wait()
	if got := r.Writers(); len(got) != 1 || got[0].Records != 800 {
		t.Errorf("%v, want 800 records", got)
	}
}
