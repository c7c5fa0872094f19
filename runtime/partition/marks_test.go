package partition_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/runtime/partition"
)

// TestWatermarkConcurrent: under every policy, on hot and cold lanes, a watermark is never true for a channel before all records that were written before it were read, and the last one gets to all
// readers although nothing follows it. A watermark that is lost hangs.
func TestWatermarkConcurrent(t *testing.T) {
	for _, policy := range policies {
		for _, c := range []netConfig{
			{producers: 1, consumers: 1, share: 1 << 20},
			{producers: 2, consumers: 5, share: 256 << 10},
			{producers: 2, consumers: 3, broadcast: true, share: 64 << 10},
		} {
			for _, fast := range []bool{false, true} {
				t.Run(fmt.Sprintf("%v/%d to %d/broadcast %v/fast %v", policy, c.producers, c.consumers, c.broadcast, fast), func(t *testing.T) {
					t.Parallel()
					rounds := 60
					if policy.Delay() > time.Second {
						rounds = 6 // each may take as long as the reader takes from one look to the next
					}
					testWatermarks(t, policy, c, fast, rounds)
				})
			}
		}
	}
}

// watermarks is what one producer has said, and what its readers have learned.
type watermarks struct {
	records [][]uint32     // by watermark, from 1, and lane: records written before
	learned []atomic.Int64 // the newest watermark, by consumer
}

func testWatermarks(t *testing.T, policy partition.FlushPolicy, c netConfig, fast bool, rounds int) {
	const each = 20 // watermarks in a round
	ctx := patience(t)
	n := newNet(t, c)
	said := make([]watermarks, c.producers)
	for i := range said {
		said[i].records = make([][]uint32, rounds*each+1)
		said[i].learned = make([]atomic.Int64, c.consumers)
	}
	var all sync.WaitGroup
	for i := range c.producers {
		p := n.producer(i, policy)
		p.part.Pace(fast)
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 7))
			w := int64(0)
			for range rounds {
				for range each {
					for range r.IntN(40) {
						if _, err := p.emit(ctx, r.IntN(len(p.builders)), size(r, 300)); err != nil {
							t.Error(err)
						}
					}
					w++
					said[i].records[w] = append([]uint32(nil), p.numbers...)
					if err := p.part.Watermark(w); err != nil {
						t.Error(err)
					}
				}
				if policy == partition.OnFull() || r.IntN(8) == 0 {
					if err := p.part.Flush(); err != nil {
						t.Error(err)
					}
				}
				for j := range said[i].learned {
					for said[i].learned[j].Load() < w && ctx.Err() == nil {
						runtime.Gosched()
					}
				}
			}
			if err := p.part.Finish(); err != nil {
				t.Error(err)
			}
		})
	}
	for j := range c.consumers {
		k := n.consumer(j)
		k.polled = func(v *partition.View, chunk *partition.Chunk) {
			if chunk.Watermark == partition.NoWatermark {
				return
			}
			s := &said[v.Producer()]
			before := s.records[chunk.Watermark]
			if got := k.numbers[v.Index]; got < before[min(j, len(before)-1)] {
				t.Errorf("channel %d of producer %d: watermark %d after %d records, it was written after %d", j, v.Producer(), chunk.Watermark, got, before[min(j, len(before)-1)])
			}
			if last := s.learned[j].Swap(chunk.Watermark); last >= chunk.Watermark {
				t.Errorf("channel %d of producer %d: watermark %d follows %d", j, v.Producer(), chunk.Watermark, last)
			}
		}
		all.Go(func() {
			if err := k.run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		t.Fatal("a watermark was lost")
	}
	n.close()
}

// TestMark: what a producer says comes back from the word that it is packed in, and does not promise more.
func TestMark(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-10, 10), rapid.SampledFrom([]int64{
			math.MinInt64, math.MinInt64 + 1, math.MinInt64 / 2, math.MinInt64/2 + 1, math.MaxInt64/2 - 1, math.MaxInt64 / 2, math.MaxInt64/2 + 1, math.MaxInt64 - 1, math.MaxInt64,
		})).Draw(t, "watermark")
		got := partition.MarkedWatermark(w)
		switch {
		case got > w:
			t.Errorf("%d becomes %d, which is more", w, got)
		case w != got && w > math.MinInt64/2 && w < math.MaxInt64/2-1:
			t.Errorf("%d becomes %d", w, got)
		case w == math.MaxInt64 && got != w || w < math.MaxInt64 && got == math.MaxInt64:
			t.Errorf("%d becomes %d: only the end is the end", w, got)
		}
	})
}
