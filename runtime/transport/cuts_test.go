package transport_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// network makes the options of a world whose processes talk over a network in memory.
func network(n *rwtest.Network, o options) options {
	config := o.config
	o.listen = func() (net.Listener, error) { return n.Listen("writer:1") }
	o.config = func(server, client *transport.Config) {
		client.Dial = n.Host("reader").Dial
		if config != nil {
			config(server, client)
		}
	}
	return o
}

// exchange writes n records from each producer to each consumer, and checks that each of them arrives once, in order, with watermarks that none of them breaks, and an event after every hundredth.
func (w *world) exchange(n int) {
	w.t.Helper()
	var wg sync.WaitGroup
	for i := range w.topology.Producers {
		wr := w.writer(i, writer.FlushWhenIdle(time.Millisecond))
		wg.Go(func() {
			err := w.write(wr, i, n)
			if err != nil {
				w.t.Errorf("producer %d: %v", i, err)
			}
		})
	}
	for j := range w.topology.Consumers {
		wg.Go(func() {
			if err := w.read(j, n); err != nil {
				w.t.Errorf("consumer %d: %v", j, err)
			}
		})
	}
	wg.Wait()
}

// note is an event of these tests.
type note struct{ Text string }

func notes(t *testing.T) record.Serializer[note] {
	t.Helper()
	s, err := record.Reflect[note]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *world) write(wr *writer.Writer[trade], producer, n int) error {
	consumers := w.topology.Consumers
	for k := range n * consumers {
		seq := int64(k / consumers)
		if err := wr.Emit(w.ctx, &trade{Producer: int32(producer), Channel: int32(k % consumers), Seq: seq, Note: "0123456789abcdef"[:k%16]}); err != nil {
			return errors.Join(err, wr.CloseWithError(err))
		}
		if k%(100*consumers) == consumers-1 {
			if err := wr.Watermark(time.UnixMicro(seq)); err != nil {
				return err
			}
			if err := writer.SendEventWait(w.ctx, wr, notes(w.t), &note{fmt.Sprint(seq)}); err != nil {
				return err
			}
		}
	}
	return wr.Close()
}

func (w *world) read(consumer, n int) error {
	next := make([]int64, w.topology.Producers)
	events := make([]int64, w.topology.Producers)
	watermark := int64(-1)
	var failed error
	opts := []gate.Option{
		gate.OnWatermark(func(t time.Time) {
			if m := t.UnixMicro(); m <= watermark {
				failed = fmt.Errorf("watermark %d after %d", m, watermark)
			} else {
				watermark = m
			}
		}),
		gate.OnEvent(notes(w.t), func(o gate.Origin, e *note) error {
			if want := fmt.Sprint(events[o.Producer]); e.Text != want || next[o.Producer] != events[o.Producer]+1 {
				return fmt.Errorf("event %q of producer %d before record %d, want %s", e.Text, o.Producer, next[o.Producer], want)
			}
			events[o.Producer] += 100
			return nil
		}),
	}
	r := w.reader(consumer, opts...)
	defer r.Close()
	for tr, err := range r.All(w.ctx) {
		if err != nil {
			return err
		}
		if failed != nil {
			return failed
		}
		p := tr.Producer
		if tr.Seq != next[p] || int(tr.Channel) != consumer || len(tr.Note) != (int(tr.Seq)*w.topology.Consumers+consumer)%16 {
			return fmt.Errorf("record %d of producer %d is %+v", next[p], p, tr)
		}
		next[p]++
	}
	for p := range next {
		if next[p] != int64(n) || events[p] != int64((n+99)/100*100) {
			return fmt.Errorf("%d records and events up to %d of producer %d, want %d", next[p], events[p], p, n)
		}
	}
	return failed
}

// runs is how many random runs a test in virtual time makes. .ci/long makes more, by the environment variable RWGEN_RUNS.
func runs(t *testing.T, standard int) uint64 {
	t.Helper()
	if s := os.Getenv("RWGEN_RUNS"); s != "" {
		n, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return uint64(standard)
}

// Connections are cut at random places, in virtual time: every record arrives once, in order.
func TestCutsInVirtualTime(t *testing.T) {
	for name, link := range map[string]func(l *rwtest.Link){
		"seldom": func(l *rwtest.Link) { l.CutEvery(1<<10, 1<<17); l.Split(1000) },
		"often":  func(l *rwtest.Link) { l.CutEvery(300, 6000); l.Split(50) },
		"small windows": func(l *rwtest.Link) {
			l.CutEvery(1<<10, 1<<15)
			l.Window(700)
			l.Wakeups(time.Millisecond)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range runs(t, 40) {
				synctest.Test(t, func(t *testing.T) {
					n := rwtest.NewNetwork(rwtest.Seed(seed), rwtest.EachLink(func(l *rwtest.Link) {
						l.Latency(0, 2*time.Millisecond)
						link(l)
					}))
					w := newWorld(t, network(n, options{
						config: func(_, client *transport.Config) {
							if seed%2 == 1 {
								client.LandAlways()
							}
						},
						producers: 1 + int(seed%3), consumers: 1 + int(seed%4), memory: 64<<10 + int64(seed%5)<<18, budget: transport.BudgetConfig{Bytes: 64<<10 + int64(seed%7)<<15, ExclusiveBytes: 1 << 10},
					}))
					w.exchange(300)
					w.close()
					rwtest.MustClose(t, n)
				})
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

func TestManyChannels(t *testing.T) {
	w := newWorld(t, options{producers: 3, consumers: 40})
	w.exchange(2000)
	w.close()
}
