package partition

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/selector"
)

// one is a partition with a writer and, for each channel, a view in one inbox.
type one struct {
	t        *testing.T
	memory   *memory.Pool
	part     *Partition
	builders []buffer.Builder
	inbox    *Inbox
	views    []*View
}

func newOne(t *testing.T, in *Inbox, channels int, policy FlushPolicy) *one {
	t.Helper()
	m, err := memory.NewPool(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := buffer.NewLocalPool(m, buffer.Config{Bytes: 1 << 20, Channels: channels})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(Config{Topology: selector.Topology{Producers: 1, Consumers: channels}, Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	o := &one{t: t, memory: m, part: p, inbox: in}
	if o.builders, err = p.Claim(Claim{Flush: policy}); err != nil {
		t.Fatal(err)
	}
	for i := range channels {
		v, err := p.Subpartition(i).View(o.inbox)
		if err != nil {
			t.Fatal(err)
		}
		v.Index = i
		o.views = append(o.views, v)
		o.read(0) // what a new view may have missed
	}
	return o
}

// write writes a record of a few bytes.
func (o *one) write(lane int) {
	o.t.Helper()
	b := &o.builders[lane]
	if b.Free() < 16 {
		if err := o.part.Acquire(context.Background(), lane, memory.MinBlock); err != nil {
			o.t.Fatal(err)
		}
	}
	if !b.Commit(12) && !b.Confirm() {
		if err := o.part.Announce(lane); err != nil {
			o.t.Fatal(err)
		}
	}
}

// read takes one turn and returns the channel and how many bytes it found; at most that long. It returns −1 if there is nothing in time.
func (o *one) read(wait time.Duration) (channel, bytes int) {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	v, err := o.inbox.Next(ctx)
	if err != nil {
		if !errors.Is(err, context.DeadlineExceeded) {
			o.t.Fatal(err)
		}
		return -1, 0
	}
	c, _ := v.Poll()
	defer c.Release()
	return v.Index, len(c.Data)
}

func (o *one) close() {
	o.t.Helper()
	if err := o.part.Finish(); err != nil {
		o.t.Error(err)
	}
	for _, v := range o.views {
		v.Release(nil)
	}
	if err := o.memory.Close(); err != nil {
		o.t.Error(err)
	}
}

// TestIdleReaderSleeps: a reader with nothing to do sets no timer and is not woken, however long it takes.
func TestIdleReaderSleeps(t *testing.T) {
	for _, policy := range []FlushPolicy{OnFull(), EveryRecord(), After(time.Millisecond), WhenIdle(time.Millisecond)} {
		t.Run(policy.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newOne(t, NewInbox(), 2, policy)
				defer o.close()
				// Some work before, so that there could be something left of it.
				for range 100 {
					o.write(0)
				}
				if err := o.part.Flush(); err != nil {
					t.Fatal(err)
				}
				for c := 0; c >= 0; {
					c, _ = o.read(time.Minute)
				}
				before := o.inbox.Waiting()
				ctx, cancel := context.WithCancel(context.Background())
				stopped := make(chan error)
				go func() {
					_, err := o.inbox.Next(ctx)
					stopped <- err
				}()
				synctest.Wait()
				if !o.inbox.parked || !o.inbox.timerAt.IsZero() {
					t.Errorf("parked: %v, timer set to %v", o.inbox.parked, o.inbox.timerAt)
				}
				time.Sleep(1000 * time.Hour)
				synctest.Wait()
				if !o.inbox.parked || o.inbox.Waiting() != before {
					t.Errorf("woken for nothing after %v", o.inbox.Waiting()-before)
				}
				cancel()
				if err := <-stopped; !errors.Is(err, context.Canceled) {
					t.Errorf("Next: %v", err)
				}
				if waited := o.inbox.Waiting() - before; waited != 1000*time.Hour {
					t.Errorf("waited for %v, want 1000h", waited)
				}
			})
		})
	}
}

// TestDeadlineIsExact: under After(d) a parked reader gets a record d after it was written, neither before nor later.
func TestDeadlineIsExact(t *testing.T) {
	for _, d := range []time.Duration{time.Nanosecond, 10 * time.Microsecond, time.Millisecond, time.Hour} {
		t.Run(d.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newOne(t, NewInbox(), 3, After(d))
				defer o.close()
				for i := range 20 {
					time.Sleep(time.Duration(i) * 7 * time.Microsecond)
					lane := i % 3
					start := time.Now()
					go func() { o.write(lane) }()
					if c, n := o.read(2 * d); c != lane || n != 16 {
						t.Fatalf("record %d: channel %d with %d bytes, want %d with 16", i, c, n, lane)
					}
					if got := time.Since(start); got != d {
						t.Fatalf("record %d was seen after %v", i, got)
					}
				}
			})
		})
	}
}

// TestParkedReaderIsWoken: under WhenIdle a parked reader gets a record at once, whatever d is.
func TestParkedReaderIsWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOne(t, NewInbox(), 3, WhenIdle(time.Hour))
		defer o.close()
		for i := range 60 { // less than a block for each
			lane := i % 3
			if c, _ := o.read(time.Minute); c != -1 {
				t.Fatalf("record %d: there is something to read on channel %d", i, c)
			}
			got := make(chan string)
			start := time.Now()
			go func() {
				c, n := o.read(time.Minute)
				got <- fmt.Sprintf("channel %d: %d bytes after %v", c, n, time.Since(start))
			}()
			synctest.Wait()
			o.write(lane)
			if got, want := <-got, fmt.Sprintf("channel %d: 16 bytes after 0s", lane); got != want {
				t.Fatalf("record %d: %s, want %s", i, got, want)
			}
		}
	})
}

// TestWhenIdleIsBounded: a reader that always has blocks of other channels to read looks at a channel at the latest when d has passed and the round
// that is under way is over.
func TestWhenIdleIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const d, turn = 10 * time.Millisecond, time.Millisecond
		o := newOne(t, NewInbox(), 3, WhenIdle(d))
		defer o.close()
		for range 20 {
			o.write(2)
			start := time.Now()
			for {
				for lane := range 2 { // a full block on each of the others, always
					for n, _ := o.builders[lane].Position(); n <= memory.MinBlock-16; n += 16 {
						o.write(lane)
					}
					o.write(lane)
				}
				c, n := o.read(0)
				if c == 2 && n > 0 {
					break
				}
				time.Sleep(turn)
				if late := time.Since(start); late > d+3*turn {
					t.Fatalf("not seen after %v", late)
				}
			}
			if early := time.Since(start); early < d {
				t.Fatalf("seen after %v although there was other work", early)
			}
		}
	})
}

// TestHotLaneIsBounded: what is left in a hot lane when a burst is over is seen at the latest after d, too, and once it is seen and nothing follows, the reader sleeps.
func TestHotLaneIsBounded(t *testing.T) {
	for _, d := range []time.Duration{time.Microsecond, time.Millisecond, time.Hour} {
		t.Run(d.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newOne(t, NewInbox(), 1, WhenIdle(d))
				defer o.close()
				o.part.Pace(true)
				for i := range 50 {
					written, read := 0, 0
					start := time.Now()
					for range 1 + i*7%200 {
						o.write(0)
						written += 16
						// The reader keeps up with some of the bursts.
						if i%3 == 0 {
							_, n := o.read(0)
							read += n
						}
					}
					for read < written {
						_, n := o.read(2 * d)
						read += n
					}
					if late := time.Since(start); late > d || late > watchDelay {
						t.Fatalf("burst %d of %d bytes was read after %v", i, written, late)
					}
					if i%5 == 0 {
						for c := 0; c >= 0; {
							if c, _ = o.read(2 * time.Hour); time.Since(start) > 100*time.Hour {
								t.Fatal("the reader is woken for nothing again and again")
							}
						}
					}
				}
			})
		})
	}
}

// TestLooksOfManyChannels: hot lanes of an inbox for which each look is dear are looked at more seldom the more there are; for others it is the number of readers that counts.
func TestLooksOfManyChannels(t *testing.T) {
	const channels = 300
	for _, apart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			in, want := NewInbox(), watchDelay
			if apart {
				in.Apart()
				want = channels * watchShare
			}
			o := newOne(t, in, channels, WhenIdle(time.Hour))
			defer o.close()
			o.part.Pace(true)
			for lane := range channels { // hot from the second look on
				for range 70 {
					o.write(lane)
				}
			}
			for n := 0; n < channels*70*16; {
				_, k := o.read(time.Second)
				n += k
			}
			start := time.Now()
			o.write(7)
			for n := 0; n == 0; {
				_, n = o.read(time.Second)
			}
			if d := time.Since(start); d < want/2 || d > want {
				t.Errorf("apart %v: looked after %v, want %v", apart, d, want)
			}
		})
	}
}

// TestClosedInbox: Close ends a wait, and its first error stays.
func TestClosedInbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := NewInbox()
		first := errors.New("first")
		returned := make(chan error)
		go func() {
			_, err := in.Next(context.Background())
			returned <- err
		}()
		synctest.Wait()
		in.Close(first)
		in.Close(errors.New("second"))
		if err := <-returned; err != first {
			t.Errorf("the wait ended with %v", err)
		}
		if _, err := in.Next(context.Background()); err != first {
			t.Errorf("Next after Close: %v", err)
		}
	})
}

// TestPoliciesShareAnInbox: channels of writers with different policies are looked at when each of them says.
func TestPoliciesShareAnInbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := NewInbox()
		var all []*one
		for i, d := range []time.Duration{30 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond} {
			o := newOne(t, in, 1, After(d))
			defer o.close()
			o.views[0].Index = i
			all = append(all, o)
		}
		start := time.Now()
		for _, o := range all {
			o.write(0)
		}
		for i, want := range []int{1, 2, 0} {
			c, n := all[0].read(time.Second)
			if c != want || n != 16 || time.Since(start) != time.Duration(i+1)*10*time.Millisecond {
				t.Errorf("turn %d: channel %d with %d bytes after %v", i, c, n, time.Since(start))
			}
		}
	})
}

func TestRing(t *testing.T) {
	var r ring[int]
	next, want := 0, 0
	for round := range 200 {
		for range round % 7 {
			r.push(next)
			next++
		}
		for i := range r.len() {
			if got := *r.at(i); got != want+i {
				t.Fatalf("item %d is %d, want %d", i, got, want+i)
			}
		}
		for range min(r.len(), round%5) {
			if got := r.pop(); got != want {
				t.Fatalf("popped %d, want %d", got, want)
			}
			want++
		}
	}
	if r.len() != next-want || r.len() == 0 {
		t.Errorf("%d items are left, want %d", r.len(), next-want)
	}
	for _, item := range r.items {
		if item != 0 && (item < want || item >= next) {
			t.Errorf("item %d is kept after it was popped", item)
		}
	}
}
