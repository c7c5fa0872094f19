package exchange_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// policies are all flush policies, with short delays.
var policies = []struct {
	name string
	opt  writer.Option
}{
	{"default", nil},
	{"full", writer.FlushOnFull()},
	{"record", writer.FlushEveryRecord()},
	{"after", writer.FlushAfter(time.Millisecond)},
	{"idle", writer.FlushWhenIdle(time.Millisecond)},
}

// run is one random program: which records every producer sends, in which order.
type run struct {
	producers, consumers int
	memory               int64
	policy               int
	sizes                func(*rand.Rand) int
	records              int // per producer
	slow                 bool
}

func (r run) String() string {
	return fmt.Sprintf("%dx%d/memory=%d/%s/records=%d/slow=%v", r.producers, r.consumers, r.memory, policies[r.policy].name, r.records, r.slow)
}

func randomRun(rnd *rand.Rand) run {
	r := run{producers: 1 + rnd.IntN(4), consumers: 1 + rnd.IntN(6), policy: rnd.IntN(len(policies)), records: 200 + rnd.IntN(3000), slow: rnd.IntN(4) == 0}
	r.memory = 2 * int64(r.producers) * int64(r.consumers+1) * memory.MinBlock // the minimum
	if rnd.IntN(2) == 0 {
		r.memory *= int64(1 + rnd.IntN(64))
	}
	most := int(r.memory/2) - 64
	switch rnd.IntN(4) {
	case 0:
		r.sizes = func(*rand.Rand) int { return 0 }
	case 1:
		r.sizes = func(rnd *rand.Rand) int { return rnd.IntN(64) }
	case 2: // around the sizes at which a record changes its way
		r.sizes = func(rnd *rand.Rand) int { return min(most, 200+rnd.IntN(900)) }
	default: // few large ones among small ones
		r.records = min(r.records, 500)
		r.sizes = func(rnd *rand.Rand) int {
			if rnd.IntN(20) == 0 {
				return rnd.IntN(most)
			}
			return rnd.IntN(40)
		}
	}
	return r
}

// TestConservation sends random records through random exchanges: every record arrives once, on the channel it was sent to, in the order of its producer, and all
// memory is given back.
func TestConservation(t *testing.T) {
	runs := 60
	if testing.Short() {
		runs = 15
	}
	for i := range runs {
		seed := uint64(i)
		r := randomRun(rand.New(rand.NewPCG(seed, 1)))
		t.Run(fmt.Sprintf("seed=%d/%v", seed, r), func(t *testing.T) {
			t.Parallel()
			r.check(t, seed)
		})
	}
}

func (r run) check(t *testing.T, seed uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // a deadlock is an error, not a hang
	defer cancel()
	x := newExchange(t, exchange.Config{Producers: r.producers, Consumers: r.consumers, MemoryBytes: r.memory})
	sent := make([][]uint64, r.producers) // by producer and channel
	var wg sync.WaitGroup
	for p := range r.producers {
		sent[p] = make([]uint64, r.consumers)
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(seed, uint64(p)+2))
			choose := selector.Func(func(v *note, _ int) int { return int(v.Channel) })
			w, err := writer.New(x.Partition(p), noteSerializer{}, writer.WithSelector(choose), policies[r.policy].opt)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() {
				if err := w.Close(); err != nil {
					t.Error(err)
				}
			}()
			for range r.records {
				c := rnd.IntN(r.consumers)
				n := newNote(p, c, sent[p][c], r.sizes(rnd))
				if err := w.Emit(ctx, &n); err != nil {
					t.Errorf("producer %d: %v", p, err)
					return
				}
				sent[p][c]++
				if rnd.IntN(100) == 0 {
					if err := w.Flush(); err != nil {
						t.Error(err)
					}
				}
			}
			if s := w.Stats(); s.Records != uint64(r.records) {
				t.Errorf("producer %d counts %d records, sent %d", p, s.Records, r.records)
			}
		})
	}
	got := make([][]uint64, r.consumers) // by consumer and producer
	for c := range r.consumers {
		got[c] = make([]uint64, r.producers)
		wg.Go(func() {
			rd, err := gate.NewReader(x.Gate(c), noteSerializer{})
			if err != nil {
				t.Error(err)
				return
			}
			defer rd.Close()
			var n note
			for {
				ok, err := rd.Next(ctx, &n)
				if err != nil {
					t.Errorf("consumer %d: %v", c, err)
					return
				}
				if !ok {
					break
				}
				if int(n.Channel) != c || !n.valid() {
					t.Errorf("consumer %d got a record of channel %d, valid: %v", c, n.Channel, n.valid())
				}
				if want := got[c][n.Producer]; n.Seq != want {
					t.Errorf("consumer %d got record %d of producer %d, want %d", c, n.Seq, n.Producer, want)
				}
				got[c][n.Producer] = n.Seq + 1
				if r.slow && n.Seq%64 == 0 {
					time.Sleep(100 * time.Microsecond)
				}
			}
		})
	}
	wg.Wait()
	for p := range sent {
		for c, n := range sent[p] {
			if got[c][p] != n {
				t.Errorf("producer %d sent %d records to consumer %d, %d arrived", p, n, c, got[c][p])
			}
		}
	}
	if u := x.Stats().Pool; u.Peak > r.memory/2 {
		t.Errorf("%d bytes in blocks, the budget is %d", u.Peak, r.memory/2)
	}
	mustClose(t, x)
}
