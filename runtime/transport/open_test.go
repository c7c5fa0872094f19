package transport_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// A partition that is published late is waited for: by the server for up to 10 s, and by asking again.
func TestPublishedLate(t *testing.T) {
	for _, after := range []time.Duration{0, time.Millisecond, 9 * time.Second, 10*time.Second + 5*time.Millisecond, 25 * time.Second} {
		virtual(t, options{hold: true}, func(t *testing.T, _ *rwtest.Network, w *world) {
			ch := w.open(0, 0, nil)
			time.Sleep(after)
			w.publish(0)
			done := make(chan error)
			go func() { done <- produce(w.ctx, w.writer(0), 0, 100, "") }()
			if n, err := readAll(w.ctx, readerOf(t, ch)); n != 100 || err != nil {
				t.Errorf("%d records, %v", n, err)
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// When the patience is over the channel fails, with the partition's name, and not before.
func TestPatienceOver(t *testing.T) {
	for _, patience := range []time.Duration{50 * time.Millisecond, 5 * time.Second, 25 * time.Second} {
		virtual(t, options{hold: true, config: func(_, c *transport.Config) { c.Patience = patience }}, func(t *testing.T, _ *rwtest.Network, w *world) {
			start := time.Now()
			_, err := readAll(w.ctx, readerOf(t, w.open(0, 0, nil)))
			peer := fails(t, err, transport.ErrNotFound)
			if peer.Peer != "writer" || peer.Partition != "trades/0" {
				t.Errorf("%+v", peer)
			}
			within(t, start, patience/2, patience+time.Second)
		})
	}
}

// The pauses between two times that a partition is asked for grow, up to MaxBackoff.
func TestAskingAgainBacksOff(t *testing.T) {
	virtual(t, options{hold: true, config: func(_, c *transport.Config) {
		c.Patience, c.Backoff, c.MaxBackoff = 55*time.Second, time.Second, 3*time.Second
	}}, func(t *testing.T, n *rwtest.Network, w *world) {
		start := time.Now()
		var asked []time.Duration
		watch(n.Link("reader", "writer"), func(m rwtest.Message) int {
			if m.Header[4] == typeOpen {
				asked = append(asked, time.Since(start).Round(time.Second))
			}
			return rwtest.Pass
		})
		_, err := readAll(w.ctx, readerOf(t, w.open(0, 0, nil)))
		fails(t, err, transport.ErrNotFound)
		want := []time.Duration{0, 11, 23, 36, 49} // the server waits for 10 s; pauses of 1, 2, 3 and 3 s
		for i := range want {
			if len(asked) <= i || asked[i] != want[i]*time.Second {
				t.Fatalf("asked at %v, want %v s", asked, want)
			}
		}
	})
}

// A connection that breaks in the pause before a partition is asked for again does not make it be asked for twice.
func TestCutWhileAskingAgain(t *testing.T) {
	virtual(t, options{hold: true, config: func(_, c *transport.Config) {
		c.Patience, c.Backoff, c.MaxBackoff = 50*time.Second, 4*time.Second, 4*time.Second
	}}, func(t *testing.T, n *rwtest.Network, w *world) {
		ch := w.open(0, 0, nil)
		time.Sleep(10500 * time.Millisecond)
		n.Link("reader", "writer").Cut()
		time.Sleep(20 * time.Second)
		w.publish(0)
		go func() { _ = produce(w.ctx, w.writer(0), 0, 100, "") }()
		if n, err := readAll(w.ctx, readerOf(t, ch)); n != 100 || err != nil {
			t.Errorf("%d records, %v", n, err)
		}
	})
}

// What both sides must agree on is compared, what differs is named, and other channels of the connection go on.
func TestDenied(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*transport.ChannelConfig)
		want   error
		text   string
	}{
		"consumers":       {func(c *transport.ChannelConfig) { c.Topology.Consumers = 4 }, transport.ErrTopology, "with 3 consumers"},
		"producers":       {func(c *transport.ChannelConfig) { c.Topology.Producers = 2 }, transport.ErrTopology, "producer 0 of 1"},
		"lists":           {func(c *transport.ChannelConfig) { c.Topology.Consumers, c.Reader = 4, "r" }, transport.ErrTopology, "with 4 consumers: all processes need the same lists in the same order"},
		"producer":        {func(c *transport.ChannelConfig) { c.Topology.Producers, c.Topology.Producer = 2, 1 }, transport.ErrTopology, "wants producer 1 of 2"},
		"max parallelism": {func(c *transport.ChannelConfig) { c.Topology.MaxParallelism = 128 }, transport.ErrTopology, "max parallelism 128"},
		"selection":       {func(c *transport.ChannelConfig) { c.Selection = "key key=Origin hash=xxh3" }, transport.ErrTopology, "key=Origin"},
		"not offered":     {func(c *transport.ChannelConfig) { c.Subpartition = 2 }, partition.ErrInUse, "subpartition 2"},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, options{consumers: 3, hold: true}, func(t *testing.T, _ *rwtest.Network, w *world) {
				pub := w.publish(0, 0, 1)
				wr := w.writer(0)
				good := w.open(0, 1, nil)
				_, err := readAll(w.ctx, readerOf(t, w.open(0, 0, c.change)))
				fails(t, err, c.want)
				if err == nil || !strings.Contains(err.Error(), c.text) {
					t.Errorf("%v, want %q in it", err, c.text)
				}
				if name != "max parallelism" && strings.Contains(fmt.Sprint(err), "max parallelism") {
					t.Errorf("%v speaks of what is equal", err)
				}
				other := w.open(0, 0, nil)
				done := make(chan error)
				go func() { done <- errors.Join(emit(w.ctx, wr, 1, 1000), emit(w.ctx, wr, 0, 10), wr.Close()) }()
				if n, err := readAll(w.ctx, readerOf(t, good)); n != 1000 || err != nil {
					t.Errorf("neighbour: %d records, %v", n, err)
				}
				if n, err := readAll(w.ctx, readerOf(t, other)); n != 10 || err != nil {
					t.Errorf("second attempt: %d records, %v", n, err)
				}
				if err := <-done; err != nil {
					t.Error(err)
				}
				if err := pub.Wait(w.ctx); err != nil {
					t.Error(err)
				}
				w.parts[0].Discard(2)
			})
		})
	}
}

// A writer that claims its partition after the channels were opened is compared too.
func TestSelectionOfLateWriter(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, _ *rwtest.Network, w *world) {
		r := readerOf(t, w.open(0, 0, func(c *transport.ChannelConfig) { c.Selection = "key key=Origin hash=xxh3" }))
		time.Sleep(time.Second)
		wr := w.writer(0)
		done := make(chan error)
		go func() { done <- emitUntil(w.ctx, wr, 0) }()
		_, err := readAll(w.ctx, r)
		fails(t, err, transport.ErrTopology)
		err = <-done
		fails(t, err, transport.ErrTopology, partition.ErrConsumerGone)
		_ = wr.CloseWithError(err)
		w.pubs[0].Withdraw() // its error was seen
	})
}

// A subpartition has one reader: the second one is told who has it.
func TestSecondReader(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
		r := readerOf(t, w.open(0, 0, nil))
		time.Sleep(time.Second)
		p := w.process(n, "elsewhere", "other", nil)
		_, err := readAll(w.ctx, readerOf(t, p.channel(0, 0, nil)))
		fails(t, err, partition.ErrInUse)
		if err == nil || !strings.Contains(err.Error(), `"reader"`) {
			t.Errorf("%v does not name the reader", err)
		}
		// Likewise in the same process, while it is open and afterwards.
		_, err = readAll(w.ctx, readerOf(t, w.open(0, 0, nil)))
		fails(t, err, partition.ErrInUse)
		go func() { _ = produce(w.ctx, w.writer(0), 0, 100, "") }()
		if n, err := readAll(w.ctx, r); n != 100 || err != nil {
			t.Errorf("%d records, %v", n, err)
		}
		time.Sleep(time.Second)
		_, err = readAll(w.ctx, readerOf(t, w.open(0, 0, nil)))
		fails(t, err, partition.ErrInUse)
		p.close()
	})
}

// A budget has room for a bounded number of channels.
func TestBudgetTooSmall(t *testing.T) {
	virtual(t, options{consumers: 3, budget: transport.BudgetConfig{Bytes: 2 << 10, Channels: 2, ExclusiveBytes: 1 << 10}}, func(t *testing.T, _ *rwtest.Network, w *world) {
		a, b := w.open(0, 0, nil), w.open(0, 1, nil)
		top := w.topology
		cc := transport.ChannelConfig{Address: w.address, Partition: "trades/0", Subpartition: 2, Topology: top, Budget: w.budget}
		if _, err := w.client.Channel(cc); !errors.Is(err, memory.ErrInsufficient) {
			t.Errorf("%v, want %v", err, memory.ErrInsufficient)
		}
		if !b.Discard() {
			t.Error("not discarded")
		}
		if err := b.Wait(w.ctx); err != nil {
			t.Error(err)
		}
		if c, err := w.client.Channel(cc); err != nil { // there is room again
			t.Error(err)
		} else if !c.Discard() {
			t.Error("not discarded")
		}
		go func() { _ = w.writer(0).Close() }()
		if n, err := readAll(w.ctx, readerOf(t, a)); n != 0 || err != nil {
			t.Errorf("%d records, %v", n, err)
		}
	})
}

// Readers are waited for since there is a server that they can ask.
func TestPublishedLongBeforeThereIsAServer(t *testing.T) {
	virtual(t, options{hold: true}, func(t *testing.T, n *rwtest.Network, w *world) {
		var registry transport.Registry
		pub, err := registry.Publish("trades/0", w.parts[0])
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(40 * time.Second)
		s, err := transport.NewServer(transport.Config{Name: "late", Plain: transport.PlainLoopback}, &registry)
		if err != nil {
			t.Fatal(err)
		}
		l, err := n.Listen("late:1")
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan error, 1)
		go func() { served <- s.Serve(w.ctx, l) }()
		time.Sleep(time.Second)
		go func() { _ = produce(w.ctx, w.writer(0), 0, 10, "") }()
		if got, err := readAll(w.ctx, readerOf(t, w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = "late:1" }))); got != 10 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		if err := pub.Wait(w.ctx); err != nil {
			t.Error(err)
		}
		_ = w.client.Close(w.ctx)
		if err := s.Close(w.ctx); err != nil {
			t.Error(err)
		}
		<-served
		pub.Withdraw()
	})
}
