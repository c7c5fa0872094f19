package partition

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
)

// TestMarkBehindCursor is the race of runtime/DESIGN.md, section 11, run often: a writer publishes a record, with or without a fence, and then a watermark, while a reader polls all the time. A watermark
// that the reader sees must not be ahead of what it has read.
func TestMarkBehindCursor(t *testing.T) {
	for _, tt := range []struct {
		name   string
		policy FlushPolicy
	}{{"hot", OnFull()}, {"cold", After(time.Hour)}} {
		t.Run(tt.name, func(t *testing.T) {
			o := newOne(t, NewInbox(), 1, tt.policy)
			const frame = 12 + buffer.FrameHeader
			stop, start := make(chan struct{}), time.Now()
			written := make(chan int64)
			go func() {
				n := int64(0)
				for ; time.Since(start) < 200*time.Millisecond || n < 1000; n++ {
					o.write(0)
					if err := o.part.Watermark(n); err != nil { // of the record before it, from 0
						t.Error(err)
					}
				}
				close(stop)
				written <- n
			}()
			v := o.views[0]
			read, early := int64(0), 0
			poll := func() {
				v.look = true
				c, _ := v.Poll()
				read += int64(len(c.Data) / frame)
				if c.Watermark >= read {
					early++
				}
				c.Release()
			}
			for i := 0; ; i++ {
				if poll(); i%1000 == 999 {
					runtime.Gosched()
				}
				select {
				case <-stop:
				default:
					continue
				}
				break
			}
			n := <-written
			for read < n {
				poll()
			}
			if early > 0 {
				t.Errorf("%d watermarks came before their records, of %d", early, n)
			}
			o.close()
		})
	}
}

// TestMarkIsNotLost is the other race of that section: a reader has found nothing new for a while and makes its channel quiet, while the writer stores a mark and asks who has to be told. One of them
// must see the other.
func TestMarkIsNotLost(t *testing.T) {
	o := newOne(t, NewInbox(), 1, After(time.Hour))
	v, in, m := o.views[0], o.inbox, &o.part.marks
	var round, polled atomic.Int64 // the race of this round may start; the reader is through with it
	reader := make(chan struct{})
	go func() {
		defer close(reader)
		for i := int64(1); ; i++ {
			spin(func() bool { return round.Load() >= i || round.Load() < 0 })
			if round.Load() < 0 {
				return
			}
			v.Poll()
			polled.Store(i)
		}
	}()
	lost, i := 0, int64(0)
	for start := time.Now(); i < 50000 && time.Since(start) < time.Second/2; {
		i++
		m.rouse() // the channel is watched, and the time between two looks is over
		in.mu.Lock()
		v.marked, in.marked = false, nil
		in.mu.Unlock()
		v.dueMark, v.seenMark = true, m.load()
		round.Store(i)
		if err := o.part.Watermark(i); err != nil {
			t.Fatal(err)
		}
		spin(func() bool { return polled.Load() == i })
		in.mu.Lock()
		if !v.marked && v.said.watermark() != i {
			lost++
		}
		in.mu.Unlock()
	}
	round.Store(-1)
	<-reader
	if lost > 0 {
		t.Errorf("%d of %d marks were neither seen nor announced", lost, i)
	}
	o.close()
}

// spin waits without sleeping, so that both sides of a race start at the same time, and lets others run when there is one processor.
func spin(ready func() bool) {
	for i := 0; !ready(); i++ {
		if i%1000 == 999 {
			runtime.Gosched()
		}
	}
}
