package partition_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
)

// TestConcurrent: fast and slow writers and readers (behaviour 51), all policies, with the least memory that is accepted and with more: everything arrives, in
// order, and all memory comes back. With the least memory this is the test of liveness: every new block and every large record waits for readers.
func TestConcurrent(t *testing.T) {
	for _, policy := range policies {
		for _, c := range []netConfig{
			{producers: 1, consumers: 1},
			{producers: 1, consumers: 1, share: 1 << 20, area: 64 << 10},
			{producers: 3, consumers: 2, area: 3000},
			{producers: 2, consumers: 7, share: 64 << 10, channelBytes: 2 << 10, area: 20000},
			{producers: 1, consumers: 3, broadcast: true, area: 3000},
			{producers: 2, consumers: 2, broadcast: true, share: 256 << 10, area: 64 << 10},
		} {
			t.Run(fmt.Sprintf("%v/%d to %d in %d", policy, c.producers, c.consumers, c.share), func(t *testing.T) {
				t.Parallel()
				testConcurrent(t, policy, c, 800)
			})
		}
	}
}

func testConcurrent(t *testing.T, policy partition.FlushPolicy, c netConfig, records int) {
	ctx := patience(t)
	n := newNet(t, c)
	var all sync.WaitGroup
	written := make([]int64, c.producers)
	for i := range c.producers {
		all.Go(func() {
			p := n.producer(i, policy)
			r := rand.New(rand.NewPCG(uint64(i), 5))
			for j := range records {
				size := size(r, int(n.area.Bytes())-4)
				if _, err := p.emit(ctx, r.IntN(len(p.builders)), size); err != nil {
					t.Error(err)
					break
				}
				written[i] += int64(size) + 4
				switch {
				case r.IntN(100) == 0:
					if err := p.part.Flush(); err != nil {
						t.Error(err)
					}
				case i%2 == 1 && j%16 == 0:
					runtime.Gosched() // the slow ones
				}
			}
			if err := p.part.Finish(); err != nil {
				t.Error(err)
			}
			w := p.part.Stats()
			if w.Records != uint64(records) || w.Bytes != uint64(written[i]) {
				t.Errorf("producer %d counts %d records and %d bytes, wrote %d and %d", i, w.Records, w.Bytes, records, written[i])
			}
		})
	}
	consumers := make([]*consumer, c.consumers)
	for j := range c.consumers {
		all.Go(func() {
			k := n.consumer(j)
			consumers[j] = k
			for {
				more, err := k.step(ctx)
				if err != nil {
					t.Error(err)
				}
				if err != nil || !more {
					break
				}
				if j%2 == 1 {
					runtime.Gosched()
				}
			}
			k.leave(nil)
		})
	}
	all.Wait()
	var wrote, read int64
	for _, b := range written {
		wrote += b
		if c.broadcast {
			wrote += b * int64(c.consumers-1)
		}
	}
	for _, k := range consumers {
		read += k.bytes.Load()
	}
	if wrote != read {
		t.Errorf("%d bytes were written, %d read", wrote, read)
	}
	n.close()
}

// TestNothingIsLeftBehind: the writer stops after each burst until everything was read. A record that nobody looks at ends the test. The
// writer counts as fast or as slow in turn, and long bursts of a fast one make lanes hot, so that both ways of publishing and the changes between them are run.
func TestNothingIsLeftBehind(t *testing.T) {
	for _, policy := range policies[1:] {
		for _, c := range []netConfig{
			{producers: 1, consumers: 1, share: 64 << 10},
			{producers: 1, consumers: 3, share: 64 << 10},
			{producers: 1, consumers: 2, share: 64 << 10, broadcast: true},
		} {
			t.Run(fmt.Sprintf("%v/%d broadcast=%v", policy, c.consumers, c.broadcast), func(t *testing.T) {
				ctx := patience(t)
				n := newNet(t, c)
				var all sync.WaitGroup
				consumers := make([]*consumer, c.consumers)
				for j := range consumers {
					k := n.consumer(j)
					consumers[j] = k
					all.Go(func() {
						if err := k.run(ctx); err != nil {
							t.Error(err)
						}
						k.leave(nil)
					})
				}
				p := n.producer(0, policy)
				r := rand.New(rand.NewPCG(6, 7))
				want := int64(0)
				for range 300 {
					burst := 1 + r.IntN(3)
					if r.IntN(4) == 0 {
						burst = 1 + r.IntN(300)
					}
					p.part.Pace(r.IntN(3) > 0)
					for range burst {
						if _, err := p.emit(ctx, r.IntN(len(p.builders)), 4+r.IntN(60)); err != nil {
							t.Fatal(err)
						}
					}
					want += int64(burst)
					for {
						got := int64(0)
						for j, k := range consumers {
							if n := k.records.Load(); c.broadcast && j > 0 {
								got = min(got, n)
							} else {
								got += n
							}
						}
						if got == want {
							break
						}
						if ctx.Err() != nil {
							t.Fatalf("%d of %d records were read, and nobody looks for the others: %+v", got, want, p.part.Stats())
						}
						runtime.Gosched()
					}
				}
				if err := p.part.Finish(); err != nil {
					t.Error(err)
				}
				all.Wait()
				n.close()
			})
		}
	}
}

// TestJoin: readers and writers come at the same time, side by side through many partitions. The first records must be seen, and those that are
// written after the reader has looked.
func TestJoin(t *testing.T) {
	for _, policy := range policies[1:] {
		t.Run(policy.String(), func(t *testing.T) {
			ctx := patience(t)
			for round := range 50 {
				n := newNet(t, netConfig{producers: 64, consumers: 1})
				var readerReady, writerReady atomic.Bool
				var records atomic.Pointer[atomic.Int64]
				var all sync.WaitGroup
				all.Go(func() {
					readerReady.Store(true)
					for !writerReady.Load() {
						runtime.Gosched()
					}
					k := n.consumer(0)
					records.Store(&k.records)
					if err := k.run(ctx); err != nil {
						t.Error(err)
					}
					k.leave(nil)
				})
				writerReady.Store(true)
				for !readerReady.Load() {
					runtime.Gosched()
				}
				var writers []*producer
				for i := range n.partitions {
					p := n.producer(i, policy)
					writers = append(writers, p)
					if _, err := p.emit(ctx, 0, 8); err != nil {
						t.Fatal(err)
					}
				}
				for want := int64(len(writers)); want <= 3*int64(len(writers)); want += int64(len(writers)) {
					for records.Load() == nil || records.Load().Load() < want {
						if ctx.Err() != nil {
							t.Fatalf("round %d: %d of %d records were read, and nobody looks for the others", round, records.Load().Load(), want)
						}
						runtime.Gosched()
					}
					for _, p := range writers {
						if _, err := p.emit(ctx, 0, 8); err != nil {
							t.Fatal(err)
						}
					}
				}
				for _, p := range writers {
					if err := p.part.Finish(); err != nil {
						t.Error(err)
					}
				}
				all.Wait()
				n.close()
			}
		})
	}
}

// TestLeave: readers leave while the writer works. It learns which and why, exactly the bytes of their channels are dropped, and Finish
// says so if and only if there are any.
func TestLeave(t *testing.T) {
	cause := errors.New("not interested")
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			ctx := patience(t)
			for round := range 100 {
				const consumers = 3
				n := newNet(t, netConfig{producers: 1, consumers: consumers, share: 8 << 10, area: 2000})
				var all sync.WaitGroup
				readers := make([]*consumer, consumers)
				for j := range consumers {
					k := n.consumer(j)
					readers[j] = k
					all.Go(func() {
						r := rand.New(rand.NewPCG(uint64(round), uint64(j)))
						for steps := r.IntN(8); j == 0 || steps > 0; steps-- {
							more, err := k.step(ctx)
							if err != nil {
								t.Error(err)
							}
							if err != nil || !more {
								break
							}
						}
						k.leave(cause)
					})
				}
				p := n.producer(0, policy)
				r := rand.New(rand.NewPCG(uint64(round), 8))
				written, gone := make([]int64, consumers), make([]bool, consumers)
				for range 300 {
					lane, size := r.IntN(consumers), size(r, 1900)
					accepted, err := p.emit(ctx, lane, size)
					if accepted {
						written[lane] += int64(size) + 4
					}
					var e *partition.ConsumerError
					switch {
					case err == nil && gone[lane] && !accepted:
						t.Fatal("not accepted without an error")
					case err == nil:
					case !errors.As(err, &e) || e.Channel != lane || !errors.Is(err, partition.ErrConsumerGone) || !errors.Is(err, cause):
						t.Fatalf("emit to channel %d: %v", lane, err)
					case lane == 0:
						t.Fatalf("the reader of channel 0 stays, but %v", err)
					default:
						gone[lane] = true
					}
				}
				err := p.part.Finish()
				dropped := p.part.Stats().Channels
				any := uint64(0)
				for lane := range consumers {
					any += dropped[lane].Dropped
				}
				// Readers may still be leaving: what they drop from now on is not the writer's business.
				if err == nil && any == 0 || errors.Is(err, partition.ErrConsumerGone) && errors.Is(err, cause) && any > 0 {
				} else if any == 0 {
					t.Fatalf("Finish: %v, and nothing was dropped", err)
				} else if err != nil {
					t.Fatalf("Finish: %v, and %d bytes were dropped", err, any)
				}
				all.Wait()
				for lane, c := range p.part.Stats().Channels {
					if read := readers[lane].bytes.Load(); written[lane] != read+int64(c.Dropped) || lane == 0 && c.Dropped > 0 {
						t.Fatalf("channel %d: %d bytes written, %d read, %d dropped", lane, written[lane], read, c.Dropped)
					}
				}
				n.close()
			}
		})
	}
}

// TestCancelConcurrent: Cancel at any time ends the writer, whatever it waits for, and nothing is kept.
func TestCancelConcurrent(t *testing.T) {
	cause := errors.New("shut down")
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			ctx := patience(t)
			for round := range 100 {
				n := newNet(t, netConfig{producers: 1, consumers: 2, area: 2000})
				k := [2]*consumer{n.consumer(0), n.consumer(1)}
				p := n.producer(0, policy)
				var all sync.WaitGroup
				all.Go(func() {
					r := rand.New(rand.NewPCG(uint64(round), 9))
					for {
						if _, err := p.emit(ctx, r.IntN(2), size(r, 1900)); err != nil {
							if !errors.Is(err, partition.ErrCanceled) || !errors.Is(err, cause) {
								t.Errorf("emit: %v", err)
							}
							break
						}
					}
					if err := p.part.Flush(); !errors.Is(err, cause) {
						t.Errorf("Flush: %v", err)
					}
					if err := p.part.Finish(); !errors.Is(err, partition.ErrCanceled) || !errors.Is(err, cause) {
						t.Errorf("Finish: %v", err)
					}
				})
				all.Go(func() {
					// From its inbox, or from the writer that has noticed before.
					if err := k[0].run(ctx); !errors.Is(err, cause) {
						t.Errorf("the reader gets %v", err)
					}
				})
				all.Go(func() {
					time.Sleep(time.Duration(round) * 10 * time.Microsecond)
					n.partitions[0].Cancel(cause)
					k[0].inbox.Close(cause)
				})
				all.Go(func() {
					for range 50 {
						n.partitions[0].Stats()
						runtime.Gosched()
					}
				})
				all.Wait()
				<-n.partitions[0].Closed()
				k[0].leave(nil)
				k[1].leave(nil)
				n.close()
			}
		})
	}
}

// TestStatsConcurrent: counters only grow, the sums fit, and after the end they are exact.
func TestStatsConcurrent(t *testing.T) {
	ctx := patience(t)
	n := newNet(t, netConfig{producers: 1, consumers: 2, share: 16 << 10})
	p := n.producer(0, partition.WhenIdle(1))
	var all sync.WaitGroup
	for j := range 2 {
		k := n.consumer(j)
		all.Go(func() {
			if err := k.run(ctx); err != nil {
				t.Error(err)
			}
			k.leave(nil)
		})
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		last := n.partitions[0].Stats()
		for {
			select {
			case <-done:
				return
			default:
			}
			s := n.partitions[0].Stats()
			if s.Records < last.Records || s.Bytes < last.Bytes || s.Blocks < last.Blocks || s.Blocked < last.Blocked {
				t.Errorf("%+v after %+v", s, last)
				return
			}
			var records, bytes uint64
			for _, c := range s.Channels {
				records += c.Records
				bytes += c.Bytes
				if c.Queued < 0 || c.Queued > 16<<10 {
					t.Errorf("%d bytes are queued", c.Queued)
				}
			}
			if records != s.Records || bytes != s.Bytes || bytes != records*20 {
				t.Errorf("%d records and %d bytes, the channels have %d and %d", s.Records, s.Bytes, records, bytes)
				return
			}
			last = s
			runtime.Gosched()
		}
	})
	for i := range 20000 {
		if _, err := p.emit(ctx, i%2, 16); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.part.Finish(); err != nil {
		t.Error(err)
	}
	all.Wait()
	close(done)
	watcher.Wait()
	if s := p.part.Stats(); s.Records != 20000 || s.Bytes != 20000*20 || s.Channels[0].Queued+s.Channels[1].Queued != 0 {
		t.Errorf("%+v at the end", s)
	}
	n.close()
}

// TestUnreadPartition: a writer whose readers never come fills its share and waits; the context ends that, and Discard gives everything back.
func TestUnreadPartition(t *testing.T) {
	n := newNet(t, netConfig{producers: 1, consumers: 2})
	p := n.producer(0, partition.WhenIdle(1))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for n.pools[0].Usage().Used < 2*memory.MinBlock { // the cap leaves a block to the other channel
			runtime.Gosched()
		}
		cancel()
	}()
	written := uint64(0)
	for {
		_, err := p.emit(ctx, 0, 100)
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			break
		}
		written += 104
	}
	if err := p.part.Finish(); err != nil {
		t.Error(err)
	}
	if a, b := p.part.Discard(0), p.part.Discard(1); a != written || b != 0 {
		t.Errorf("discarded %d and %d bytes, want %d and none", a, b, written)
	}
	n.close()
}
