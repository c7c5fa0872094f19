package exchange_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// The tests of this file run whole jobs whose exchanges share the least memory that they accept, under every flush policy, with a slow channel. Goroutines sleep now
// and then, for times drawn from a seed, so that each seed is another schedule. A schedule in which nobody can go on ends with synctest's report of a deadlock.

// job is some exchanges with one memory.
type job struct {
	t      *testing.T
	ctx    context.Context
	memory *memory.Pool
	opts   []writer.Option
	seed   uint64
	goes   uint64 // goroutines so far
	all    sync.WaitGroup
	xs     []*exchange.Exchange
}

// edgeSize is the numbers of producers and consumers of an exchange.
type edgeSize struct{ producers, consumers int }

// newJob makes one exchange for each size, with the least memory for all of them together.
func newJob(t *testing.T, seed uint64, opt writer.Option, sizes ...edgeSize) *job {
	t.Helper()
	least := int64(0)
	for _, s := range sizes {
		least += (int64(s.producers)*int64(s.consumers+1) + 1) * memory.MinBlock
	}
	m, err := memory.NewPool(least)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{t: t, ctx: t.Context(), memory: m, opts: []writer.Option{opt}, seed: seed}
	for _, s := range sizes {
		j.xs = append(j.xs, newExchange(t, exchange.Config{
			Producers: s.producers, Consumers: s.consumers, Memory: m,
			GuaranteedBytes: int64(s.consumers+1) * memory.MinBlock, LargeBytes: memory.MinBlock,
		}))
	}
	return j
}

// run starts a goroutine with a source of random numbers of its own.
func (j *job) run(f func(r *rand.Rand)) {
	j.goes++
	r := rand.New(rand.NewPCG(j.seed, j.goes))
	j.all.Go(func() { f(r) })
}

// pause sleeps now and then.
func pause(r *rand.Rand) {
	if r.IntN(6) == 0 {
		time.Sleep(time.Duration(r.IntN(300)) * time.Microsecond)
	}
}

// size is that of a record's data: mostly small, some around the changes of ways, some large.
func dataSize(r *rand.Rand) int {
	switch r.IntN(12) {
	case 0:
		return 800 + r.IntN(180)
	case 1, 2:
		return 225 + r.IntN(20)
	default:
		return r.IntN(120)
	}
}

// edge returns an edge to an exchange with a selector by note.Channel, unless opts say otherwise.
func (j *job) edge(x, producer int, opts ...writer.Option) writer.Edge {
	o := append([]writer.Option{byNoteChannel()}, j.opts...)
	return writer.Edge{Output: j.xs[x].Partition(producer), Options: append(o, opts...)}
}

func newNotes(out writer.Output, opts ...writer.Option) (*writer.Writer[note], error) {
	return writer.New(out, noteSerializer{}, opts...)
}

// task makes the writers of a task.
func (j *job) task(edges ...writer.Edge) ([]*writer.Writer[note], *writer.Delegate) {
	ws, d, err := writer.Build(edges, newNotes)
	if err != nil {
		j.t.Fatal(err)
	}
	return ws, d
}

func (j *job) reader(x, consumer int) *gate.Reader[note] {
	r, err := gate.NewReader(j.xs[x].Gate(consumer), noteSerializer{})
	if err != nil {
		j.t.Fatal(err)
	}
	return r
}

// count reads a consumer to the end on a goroutine of its own, slowly if told to.
func (j *job) count(x, consumer int, slow bool, n *atomic.Int64) {
	r := j.reader(x, consumer)
	j.run(func(rnd *rand.Rand) {
		defer r.Close()
		for v, err := range r.All(j.ctx) {
			if err != nil || !v.valid() {
				j.t.Errorf("exchange %d, consumer %d: %v, valid: %v", x, consumer, err, v.valid())
				return
			}
			n.Add(1)
			if pause(rnd); slow {
				time.Sleep(time.Millisecond)
			}
		}
	})
}

// wait waits for all goroutines and closes everything.
func (j *job) wait() {
	j.t.Helper()
	j.all.Wait()
	for _, x := range j.xs {
		mustClose(j.t, x)
	}
	if err := j.memory.Close(); err != nil {
		j.t.Error(err)
	}
}

// schedules runs f under every policy and with some seeds, in bubbles.
func schedules(t *testing.T, f func(t *testing.T, seed uint64, opt writer.Option)) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	for _, policy := range policies {
		for seed := range seeds {
			t.Run(fmt.Sprintf("%s/%d", policy.name, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { f(t, seed, policy.opt) })
			})
		}
	}
}

// TestLivenessFanOut: two tasks that each write to three edges, by channel, in turn and to all, with one slow consumer on each edge.
func TestLivenessFanOut(t *testing.T) {
	schedules(t, func(t *testing.T, seed uint64, opt writer.Option) {
		const tasks, records = 2, 150
		j := newJob(t, seed, opt, edgeSize{tasks, 2}, edgeSize{tasks, 3}, edgeSize{tasks, 2})
		var counts [3]atomic.Int64
		for x, consumers := range []int{2, 3, 2} {
			for c := range consumers {
				j.count(x, c, c == 1, &counts[x])
			}
		}
		for p := range tasks {
			ws, d := j.task(
				j.edge(0, p),
				j.edge(1, p, writer.WithSelector(selector.RoundRobin[note]())),
				j.edge(2, p, writer.WithSelector(selector.Broadcast[note]())),
			)
			j.run(func(r *rand.Rand) {
				for i := range uint64(records) {
					n := newNote(p, r.IntN(2), i, dataSize(r))
					for _, w := range ws {
						if err := w.Emit(j.ctx, &n); err != nil {
							t.Error(err)
						}
						pause(r)
					}
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		j.wait()
		for x, want := range []int64{tasks * records, tasks * records, 2 * tasks * records} {
			if got := counts[x].Load(); got != want {
				t.Errorf("exchange %d: %d records arrived, want %d", x, got, want)
			}
		}
	})
}

// TestLivenessChain: a task reads exchange A and writes to B and C, which share one memory with A.
func TestLivenessChain(t *testing.T) {
	schedules(t, func(t *testing.T, seed uint64, opt writer.Option) {
		const records = 200
		j := newJob(t, seed, opt, edgeSize{1, 1}, edgeSize{1, 2}, edgeSize{1, 3})
		var b, c atomic.Int64
		for i := range 2 {
			j.count(1, i, i == 0, &b)
		}
		for i := range 3 {
			j.count(2, i, i == 2, &c)
		}
		source, _ := j.task(j.edge(0, 0))
		j.run(func(r *rand.Rand) {
			for i := range uint64(records) {
				n := newNote(0, 0, i, dataSize(r))
				if err := source[0].Emit(j.ctx, &n); err != nil {
					t.Error(err)
				}
				pause(r)
			}
			if err := source[0].Close(); err != nil {
				t.Error(err)
			}
		})
		in := j.reader(0, 0)
		ws, d := j.task(j.edge(1, 0), j.edge(2, 0))
		j.run(func(r *rand.Rand) {
			defer in.Close()
			seq := uint64(0)
			for n, err := range in.All(j.ctx) {
				if err != nil || n.Seq != seq {
					t.Errorf("record %d: %v, at place %d", n.Seq, err, seq)
					return
				}
				seq++
				n.Channel = uint32(r.IntN(2))
				if err := ws[0].Emit(j.ctx, n); err != nil {
					t.Error(err)
				}
				pause(r)
				switch r.IntN(3) {
				case 0:
					err = ws[1].Broadcast(j.ctx, n)
				case 1:
					_, err = ws[1].EmitBatch(j.ctx, []note{*n, *n, *n})
				default:
					for range 3 {
						full := 0
						for full >= 0 && err == nil {
							if full, err = ws[1].TryEmit(n); full >= 0 {
								<-ws[1].Ready(full)
							}
						}
					}
				}
				if err != nil {
					t.Error(err)
				}
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		j.wait()
		if b.Load() != records || c.Load() != 3*records {
			t.Errorf("%d and %d records arrived, want %d and %d", b.Load(), c.Load(), records, 3*records)
		}
	})
}

// TestLivenessJoin is a diamond whose ends meet: a source writes each record to two edges, a task on each passes it on, and a join takes one of either side in
// turn. The join waits for one side while the other is full, so the source must not hide what it wrote to the first edge while it waits for the second: its writers
// are linked. A task that flushes full blocks only flushes before it waits for input.
func TestLivenessJoin(t *testing.T) {
	schedules(t, func(t *testing.T, seed uint64, opt writer.Option) {
		const records = 300
		one := edgeSize{1, 1}
		j := newJob(t, seed, opt, one, one, one, one)
		source, d := j.task(j.edge(0, 0), j.edge(1, 0))
		j.run(func(r *rand.Rand) {
			for i := range uint64(records) {
				for _, w := range source {
					n := newNote(0, 0, i, dataSize(r))
					if err := w.Emit(j.ctx, &n); err != nil {
						t.Error(err)
					}
					pause(r)
				}
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		var sides [2]*gate.Reader[note]
		for side := range sides {
			in := j.reader(side, 0)
			ws, _ := j.task(j.edge(2+side, 0))
			sides[side] = j.reader(2+side, 0)
			j.run(func(r *rand.Rand) {
				defer in.Close()
				for n, err := range in.All(j.ctx) {
					if err == nil {
						err = ws[0].Emit(j.ctx, n)
					}
					if err == nil {
						err = ws[0].Flush()
					}
					if err != nil {
						t.Error(err)
						return
					}
					if pause(r); side == 1 {
						time.Sleep(50 * time.Microsecond)
					}
				}
				if err := ws[0].Close(); err != nil {
					t.Error(err)
				}
			})
		}
		j.run(func(r *rand.Rand) {
			for i := range uint64(records + 1) {
				for side, in := range sides {
					var n note
					ok, err := in.Next(j.ctx, &n)
					if err != nil || ok != (i < records) || ok && n.Seq != i {
						t.Errorf("side %d, record %d: %v, %v, %d", side, i, ok, err, n.Seq)
						return
					}
					pause(r)
				}
			}
			for _, in := range sides {
				_ = in.Close()
			}
		})
		j.wait()
	})
}
