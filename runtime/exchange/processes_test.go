package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// parcel is the record of these tests.
type parcel struct {
	From, To int32
	Seq      int64
	Load     []byte
}

func parcels(t *testing.T) record.Serializer[parcel] {
	t.Helper()
	s, err := record.Reflect[parcel]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// spread is an exchange in several processes, all of which are here.
type spread struct {
	t         *testing.T
	ctx       context.Context
	producers []string
	consumers []string
	nodes     map[string]*transport.Node
	exchanges map[string]*exchange.Exchange
}

// newSpread makes the processes, which are hosts of n.
func newSpread(t *testing.T, n *rwtest.Network, c exchange.Config, producers, consumers []string) *spread {
	t.Helper()
	s := &spread{t: t, producers: producers, consumers: consumers, nodes: map[string]*transport.Node{}, exchanges: map[string]*exchange.Exchange{}}
	var cancel context.CancelFunc
	s.ctx, cancel = context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	for i, self := range append(producers[:len(producers):len(producers)], consumers...) {
		if s.nodes[self] != nil {
			continue
		}
		config := transport.Config{Name: self, Plain: transport.PlainLoopback, Dial: n.Host(strings.TrimSuffix(self, ":1")).Dial}
		var l net.Listener
		if i < len(producers) {
			var err error
			if l, err = n.Listen(self); err != nil {
				t.Fatal(err)
			}
		}
		node, err := transport.NewNode(config, l)
		if err != nil {
			t.Fatal(err)
		}
		s.nodes[self] = node
		c.Processes = &exchange.Processes{Name: "parcels", Producers: producers, Consumers: consumers, Self: self, Node: node}
		if s.exchanges[self], err = exchange.New(c); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run writes n records from every producer to every consumer and checks what arrives.
func (s *spread) run(n, bytes int) {
	s.t.Helper()
	var wg sync.WaitGroup
	for i, self := range s.producers {
		w, err := writer.New(s.exchanges[self].Partition(i), parcels(s.t), writer.WithSelector(selector.Func(func(p *parcel, _ int) int { return int(p.To) })))
		if err != nil {
			s.t.Fatal(err)
		}
		wg.Go(func() {
			for k := range n * len(s.consumers) {
				p := parcel{From: int32(i), To: int32(k % len(s.consumers)), Seq: int64(k / len(s.consumers)), Load: make([]byte, bytes)}
				if err := w.Emit(s.ctx, &p); err != nil {
					s.t.Errorf("producer %d: %v", i, err)
					break
				}
			}
			if err := w.Close(); err != nil {
				s.t.Errorf("producer %d: %v", i, err)
			}
		})
	}
	for j, self := range s.consumers {
		r, err := gate.NewReader(s.exchanges[self].Gate(j), parcels(s.t))
		if err != nil {
			s.t.Fatal(err)
		}
		wg.Go(func() {
			defer r.Close()
			next := make([]int64, len(s.producers))
			for p, err := range r.All(s.ctx) {
				if err != nil {
					s.t.Errorf("consumer %d: %v", j, err)
					return
				}
				if int(p.To) != j || p.Seq != next[p.From] || len(p.Load) != bytes {
					s.t.Errorf("consumer %d: record %d of producer %d is %d of %d, %d bytes", j, next[p.From], p.From, p.Seq, p.To, len(p.Load))
					return
				}
				next[p.From]++
			}
			for i := range next {
				if next[i] != int64(n) {
					s.t.Errorf("consumer %d: %d records of producer %d, want %d", j, next[i], i, n)
				}
			}
		})
	}
	wg.Wait()
}

// close ends all processes, each by itself.
func (s *spread) close() {
	s.t.Helper()
	var wg sync.WaitGroup
	for self, x := range s.exchanges {
		wg.Go(func() {
			if err := x.Close(s.ctx); err != nil {
				s.t.Errorf("%s: %v", self, err)
			}
			if err := s.nodes[self].Close(s.ctx); err != nil {
				s.t.Errorf("%s: %v", self, err)
			}
		})
	}
	wg.Wait()
}

func TestProcesses(t *testing.T) {
	for name, test := range map[string]struct {
		producers, consumers []string
		config               exchange.Config
		records, bytes       int
		link                 func(*rwtest.Link)
	}{
		"one process":            {producers: []string{"a:1", "a:1"}, consumers: []string{"a:1"}, records: 1000},
		"one to one":             {producers: []string{"a:1"}, consumers: []string{"b"}, records: 1000},
		"everywhere":             {producers: []string{"a:1", "b:1", "b:1", "c:1"}, consumers: []string{"a:1", "d", "b:1", "e"}, records: 300},
		"large records":          {producers: []string{"a:1", "b:1"}, consumers: []string{"b:1", "c"}, records: 20, bytes: 100_000},
		"with as little as goes": {producers: []string{"a:1", "b:1"}, consumers: []string{"b:1", "c"}, records: 300, bytes: 100, config: exchange.Config{MemoryBytes: 48 << 10}},
		"cuts": {producers: []string{"a:1", "b:1"}, consumers: []string{"b:1", "c", "a:1"}, records: 500, bytes: 10, link: func(l *rwtest.Link) {
			l.Latency(0, time.Millisecond)
			l.CutEvery(1<<10, 1<<14)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				link := test.link
				if link == nil {
					link = func(*rwtest.Link) {}
				}
				n := rwtest.NewNetwork(rwtest.Seed(1), rwtest.EachLink(link))
				rwtest.MustClose(t, n)
				s := newSpread(t, n, test.config, test.producers, test.consumers)
				s.run(test.records, test.bytes)
				s.close()
			})
		})
	}
}

// Exchanges over real sockets share nodes, and a budget.
func TestProcessesShareNodes(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a, err := transport.NewNode(transport.Config{Name: "a", Plain: transport.PlainLoopback}, l)
	if err != nil {
		t.Fatal(err)
	}
	b, err := transport.Listen(transport.Config{Name: "b", Plain: transport.PlainLoopback}, "")
	if err != nil {
		t.Fatal(err)
	}
	pools := map[string]*memory.Pool{}
	for _, self := range []string{a.Address(), "b"} {
		if pools[self], err = memory.NewPool(8 << 20); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for k := range 3 {
		s := &spread{t: t, ctx: ctx, producers: []string{a.Address()}, consumers: []string{"b", "b"}, nodes: map[string]*transport.Node{a.Address(): a, "b": b}, exchanges: map[string]*exchange.Exchange{}}
		for self, node := range s.nodes {
			x, err := exchange.New(exchange.Config{Memory: pools[self], Processes: &exchange.Processes{Name: fmt.Sprint("x", k), Producers: s.producers, Consumers: s.consumers, Self: self, Node: node}})
			if err != nil {
				t.Fatal(err)
			}
			s.exchanges[self] = x
		}
		wg.Go(func() {
			s.run(5000, 30)
			var ends sync.WaitGroup
			for self, x := range s.exchanges {
				ends.Go(func() {
					if err := x.Close(ctx); err != nil {
						t.Errorf("%s: %v", self, err)
					}
				})
			}
			ends.Wait()
		})
	}
	wg.Wait()
	for _, err := range []error{b.Close(ctx), a.Close(ctx), pools["b"].Close(), pools[a.Address()].Close()} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestProcessesConfig(t *testing.T) {
	node, err := transport.Listen(transport.Config{Name: "a", Plain: transport.PlainLoopback}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close(context.Background())
	for _, test := range []struct {
		p    exchange.Processes
		c    exchange.Config
		want string
	}{
		{exchange.Processes{Name: "x", Producers: []string{"a"}, Consumers: []string{"b"}, Self: "a"}, exchange.Config{}, "has no Node"},
		{exchange.Processes{Name: "x", Producers: []string{"a"}, Consumers: []string{"b"}, Self: "a", Node: node}, exchange.Config{}, "does not listen"},
		{exchange.Processes{Name: "x", Producers: []string{"a"}, Consumers: []string{"b"}, Self: "c", Node: node}, exchange.Config{}, "neither among"},
		{exchange.Processes{Name: "x", Producers: []string{"a"}, Consumers: []string{"b"}, Node: node}, exchange.Config{}, "Self is empty"},
		{exchange.Processes{Producers: []string{"a"}, Consumers: []string{"b"}, Self: "a", Node: node}, exchange.Config{}, "Name"},
		{exchange.Processes{Name: "x", Producers: []string{""}, Consumers: []string{"b"}, Self: "b", Node: node}, exchange.Config{}, "producer 0 has no address"},
		{exchange.Processes{Name: "x", Producers: []string{"a"}, Consumers: []string{"b"}, Self: "b", Node: node}, exchange.Config{Producers: 2}, "Processes lists 1 and 1"},
		{exchange.Processes{Name: "x", Producers: []string{"a:1"}, Consumers: []string{"b"}, Self: "b", Node: node}, exchange.Config{MemoryBytes: 2 << 10}, "from other processes need"},
		{exchange.Processes{Name: "x", Producers: []string{"a:1", "a"}, Consumers: []string{"b"}, Self: "b", Node: node}, exchange.Config{}, `producer 1: transport: "a" is no address`},
		{exchange.Processes{Name: "x", Producers: []string{"a:"}, Consumers: []string{"b"}, Self: "b", Node: node}, exchange.Config{}, "a host and a port are needed"},
	} {
		test.c.Processes = &test.p
		x, err := exchange.New(test.c)
		if err == nil {
			t.Errorf("%+v: made", test.p)
			_ = x.Close(context.Background())
		} else if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.p, err, test.want)
		}
	}
	one, err := exchange.New(exchange.Config{Processes: &exchange.Processes{Name: "x", Producers: []string{"a"}, Consumers: []string{"a"}, Self: "a"}})
	if err != nil {
		t.Fatalf("all in one process, without a node: %v", err)
	}
	if err := one.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// What is in another process cannot be had here.
func TestProcessesElsewhere(t *testing.T) {
	node, err := transport.Listen(transport.Config{Name: "b", Plain: transport.PlainLoopback, GiveUp: 50 * time.Millisecond}, "")
	if err != nil {
		t.Fatal(err)
	}
	x, err := exchange.New(exchange.Config{Processes: &exchange.Processes{Name: "x", Producers: []string{"127.0.0.1:1"}, Consumers: []string{"b", "c"}, Self: "b", Node: node}})
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(){"partition": func() { x.Partition(0) }, "gate": func() { x.Gate(1) }} {
		func() {
			defer func() {
				if s := fmt.Sprint(recover()); !strings.Contains(s, `is in process`) {
					t.Errorf("%s: %v", name, s)
				}
			}()
			f()
		}()
	}
	// Nobody is there: the reader fails within the limit and says who.
	r, err := gate.NewReader(x.Gate(0), parcels(t))
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Next(context.Background(), new(parcel))
	var lost *transport.PeerError
	if !errors.As(err, &lost) || !errors.Is(err, transport.ErrPeerLost) || lost.Address != "127.0.0.1:1" || lost.Partition != "x/0" {
		t.Errorf("got %v", err)
	}
	_ = r.Close()
	if err := errors.Join(x.Close(context.Background()), node.Close(context.Background())); err != nil {
		t.Error(err)
	}
}
