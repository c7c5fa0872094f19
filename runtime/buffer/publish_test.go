package buffer_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

// TestPublish is the race of DESIGN.md §4, run often: a writer commits a record and looks whether somebody will look, while a reader
// says that he will not, and looks for the last time. At least one of them must see what the other did.
func TestPublish(t *testing.T) {
	if !buffer.CanBarrier() {
		t.Log("this kernel refuses barriers: lanes are never hot")
	}
	for _, tt := range []struct {
		name string
		hot  bool
		stop func(b *buffer.Builder)
	}{
		{"cold", false, func(b *buffer.Builder) { b.DisarmCold() }},
		{"cold, by force", false, func(b *buffer.Builder) { b.Disarm() }},
		{"hot", buffer.CanBarrier(), func(b *buffer.Builder) {
			b.Disarm()
			if buffer.CanBarrier() {
				buffer.Barrier()
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newLocal(t, 1<<20, buffer.Config{Bytes: 256 << 10, Channels: 1})
			block := mustAcquire(t, p.LocalPool, 0, memory.MaxBlock)
			defer block.Release()
			var b buffer.Builder
			var round, looked atomic.Int64 // the race of this round may start; what the reader saw in it
			reader := make(chan struct{})
			go func() {
				defer close(reader)
				for i := int64(0); ; i++ {
					spin(func() bool { return round.Load() != i })
					if round.Load() < 0 {
						return
					}
					tt.stop(&b)
					_, records := b.Position()
					looked.Store(i<<1 | int64(records) + 2)
				}
			}()
			missed, rounds := 0, int64(0)
			for start := time.Now(); rounds < 50000 && time.Since(start) < time.Second/2; rounds++ {
				i := rounds
				b.Open(block)
				b.Arm(tt.hot)
				round.Store(i + 1)
				dst, _ := b.Tail()
				dst[0] = byte(i)
				told := b.Commit(1) || b.Confirm()
				spin(func() bool { return looked.Load() >= i<<1+2 })
				if saw := looked.Load()&1 != 0; told && !saw {
					missed++
				}
				b.Finish()
			}
			round.Store(-1)
			<-reader
			if missed > 0 {
				t.Errorf("%d of %d records were neither seen nor announced", missed, rounds)
			}
		})
	}
}

// spin waits without sleeping, so that both sides of a race start at the same time, and lets others run when there is one processor.
func spin(ready func() bool) {
	for i := 0; !ready(); i++ {
		if i%1000 == 999 {
			runtime.Gosched()
		}
	}
}
