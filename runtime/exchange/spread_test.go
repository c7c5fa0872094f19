package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// What was not thought of at first when exchanges were spread over processes.

// names returns n names of processes.
func names(format string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return all
}

// Very many processes and channels are refused at construction with what they need, and what would be enough is; on machines of 32 bits too.
func TestProcessesPlan(t *testing.T) {
	node, err := transport.Listen(transport.Config{Name: "n", Plain: transport.PlainLoopback, Dial: func(context.Context, string) (net.Conn, error) { return nil, errTest }}, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close(context.Background())
	self := node.Address()
	for name, test := range map[string]struct {
		producers, consumers []string
		config               exchange.Config
		want                 string
		huge                 bool // more than can be tried
	}{
		"consumer of many":            {names("p%d", 3000), slices.Repeat([]string{self}, 100), exchange.Config{}, "300000 from other processes", false},
		"consumer of too many":        {names("p%d", 70_000), slices.Repeat([]string{self}, 70_000), exchange.Config{}, "4900000000 from other processes", true},
		"producer for many":           {slices.Repeat([]string{self}, 3000), names("c%d", 100), exchange.Config{}, "3000 × 100 channels", false},
		"many of both":                {append(names("p%d", 500), self), append(names("c%d", 500), self, self), exchange.Config{MemoryBytes: 1 << 20}, "1000 from other processes", false},
		"guarantees beyond all":       {slices.Repeat([]string{self}, 10), names("c%d", 10), exchange.Config{GuaranteedBytes: math.MaxInt64 / 2}, "would be enough", true},
		"large records beyond all":    {[]string{self}, []string{"c"}, exchange.Config{LargeBytes: math.MaxInt64}, "would be enough", true},
		"pieces beyond all":           {[]string{"p"}, []string{self}, exchange.Config{AssemblyBytes: math.MaxInt64}, "AssemblyBytes", true},
		"events beyond the budget":    {names("p%d", 100), []string{self}, exchange.Config{MemoryBytes: 1 << 20, EventBytes: 64 << 10}, "6553600 for events", false},
		"events that do not exist":    {[]string{"p"}, []string{self}, exchange.Config{EventBytes: 2 << 20}, "EventBytes of 2097152", true},
		"events of less than nothing": {[]string{"p"}, []string{self}, exchange.Config{EventBytes: -1}, "negative", true},
	} {
		t.Run(name, func(t *testing.T) {
			c := test.config
			c.Processes = &exchange.Processes{Name: "x", Producers: test.producers, Consumers: test.consumers, Self: self, Node: node}
			x, err := exchange.New(c)
			if err == nil {
				_ = x.Abort(nil)
				t.Fatal("made")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if test.huge {
				return
			}
			var enough int64
			if _, s, ok := strings.Cut(err.Error(), "MemoryBytes of "); !ok {
				t.Fatalf("%v says nothing of what would be enough", err)
			} else if _, err := fmt.Sscan(s, &enough); err != nil {
				t.Fatal(err)
			}
			c.MemoryBytes = enough
			if _, err := c.Guarantee(); err != nil {
				t.Errorf("%d are not enough: %v", enough, err)
			}
			c.MemoryBytes = enough - memory.MinBlock
			if _, err := c.Guarantee(); !errors.Is(err, memory.ErrInsufficient) {
				t.Errorf("less than %d: %v", enough, err)
			}
		})
	}
}

// The least memory that is said to be enough is, in a process with any numbers of producers and of channels from others.
func TestProcessesLeastMemory(t *testing.T) {
	node, err := transport.Listen(transport.Config{Name: "n", Plain: transport.PlainLoopback, Dial: func(context.Context, string) (net.Conn, error) { return nil, errTest }}, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close(context.Background())
	for here := range 5 {
		for away := range 4 {
			for consumers := range 4 {
				for _, guaranteed := range []int64{0, 16 << 10} {
					p := &exchange.Processes{Name: "x", Self: node.Address(), Node: node}
					p.Producers = append(slices.Repeat([]string{p.Self}, here), names("p%d", away+1)...)
					p.Consumers = append(slices.Repeat([]string{p.Self}, consumers+1), "c")
					c := exchange.Config{Processes: p, MemoryBytes: 1 << 10, GuaranteedBytes: guaranteed, EventBytes: 1 << 10}
					_, err := exchange.New(c)
					if _, s, ok := strings.Cut(fmt.Sprint(err), "MemoryBytes of "); !ok {
						t.Fatalf("%v says nothing of what would be enough", err)
					} else if _, err := fmt.Sscan(s, &c.MemoryBytes); err != nil {
						t.Fatal(err)
					}
					x, err := exchange.New(c)
					if err != nil {
						t.Errorf("%d producers here, %d elsewhere, %d consumers: %v", here, away+1, consumers+1, err)
						continue
					}
					_ = x.Abort(nil)
				}
			}
		}
	}
}

// A hundred exchanges share a node, a connection and a budget of memory at a time, come and go, and take their shares from each other while records are under way.
func TestManyExchangesOnOneNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := rwtest.NewNetwork()
		rwtest.MustClose(t, n)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		a, b := node(t, n, "a:1"), node(t, n, "b")
		pools := map[string]*memory.Pool{"a:1": rwtest.NewPool(t, 24<<20), "b": rwtest.NewPool(t, 24<<20)}
		var wg sync.WaitGroup
		for k := range 100 {
			wg.Go(func() {
				time.Sleep(time.Duration(k%10) * 3 * time.Millisecond)
				s := &spread{t: t, ctx: ctx, producers: []string{"a:1"}, consumers: []string{"b", "a:1", "b"}, nodes: map[string]*transport.Node{"a:1": a, "b": b}, exchanges: map[string]*exchange.Exchange{}}
				for self, node := range s.nodes {
					x, err := exchange.NewContext(ctx, exchange.Config{Memory: pools[self], MemoryBytes: 4 << 20, GuaranteedBytes: 16 << 10, LargeBytes: 32 << 10, AssemblyBytes: 32 << 10, EventBytes: 1 << 10,
						Processes: &exchange.Processes{Name: fmt.Sprint("x", k), Producers: s.producers, Consumers: s.consumers, Self: self, Node: node}})
					if err != nil {
						t.Errorf("exchange %d: %v", k, err)
						return
					}
					s.exchanges[self] = x
				}
				s.run(200+20*(k%7), 100)
				for self, x := range s.exchanges {
					wg.Go(func() {
						if err := x.Close(ctx); err != nil {
							t.Errorf("%s: %v", self, err)
						}
					})
				}
			})
		}
		wg.Wait()
		if s := n.Link("b", "a").Stats(); s.Conns > 60 {
			t.Errorf("%d connections", s.Conns)
		}
		for _, err := range []error{b.Close(ctx), a.Close(ctx)} {
			if err != nil {
				t.Error(err)
			}
		}
	})
}

func node(t *testing.T, n *rwtest.Network, self string) *transport.Node {
	t.Helper()
	host, _, listens := strings.Cut(self, ":")
	c := transport.Config{Name: self, Plain: transport.PlainLoopback, Dial: n.Host(host).Dial}
	if !listens {
		node, err := transport.NewNode(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		return node
	}
	l, err := n.Listen(self)
	if err != nil {
		t.Fatal(err)
	}
	node, err := transport.NewNode(c, l)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// The shares of an exchange shrink to what it is guaranteed while its channels are connected, and grow again: nothing stops, and memory stays within the pool.
func TestSharesShrinkWhileConnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := rwtest.NewNetwork()
		rwtest.MustClose(t, n)
		const limit = 4 << 20
		pool, readers := rwtest.NewPool(t, limit), rwtest.NewPool(t, limit)
		s := &spread{t: t, producers: []string{"a:1", "a:1"}, consumers: []string{"b", "b", "b"}, nodes: map[string]*transport.Node{"a:1": node(t, n, "a:1"), "b": node(t, n, "b")}, exchanges: map[string]*exchange.Exchange{}}
		var cancel context.CancelFunc
		s.ctx, cancel = context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		n.Link("b", "a").Latency(time.Millisecond, 2*time.Millisecond)
		for self, node := range s.nodes {
			memory := map[string]*memory.Pool{"a:1": pool, "b": readers}[self]
			x, err := exchange.New(exchange.Config{Memory: memory, LargeBytes: 64 << 10, AssemblyBytes: 64 << 10, Processes: &exchange.Processes{Name: "x", Producers: s.producers, Consumers: s.consumers, Self: self, Node: node}})
			if err != nil {
				t.Fatal(err)
			}
			s.exchanges[self] = x
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.run(3000, 500)
		}()
		rounds := 0
		for over := false; !over; rounds++ {
			for _, p := range []*memory.Pool{pool, readers} {
				share, err := p.WaitShare(s.ctx, limit/2, limit, nil)
				if err != nil {
					t.Error(err)
					continue
				}
				time.Sleep(5 * time.Millisecond)
				share.Close()
			}
			select {
			case <-done:
				over = true
			case <-time.After(5 * time.Millisecond):
			}
		}
		if rounds < 5 {
			t.Errorf("%d times only", rounds)
		}
		s.close()
	})
}

// Records of 10 MiB cross a network if the limits allow, and are refused with their size if they do not.
func TestVeryLargeRecords(t *testing.T) {
	for _, budget := range []int64{96 << 20, 8 << 20} {
		t.Run(fmt.Sprint(budget>>20, " MiB"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := rwtest.NewNetwork()
				rwtest.MustClose(t, n)
				s := newSpread(t, n, exchange.Config{MemoryBytes: budget}, []string{"a:1"}, []string{"b"})
				if budget > 64<<20 {
					n.Link("b", "a").CutEvery(1<<20, 30<<20)
					s.run(4, 10<<20)
					s.close()
					return
				}
				w, err := writer.New(s.exchanges["a:1"].Partition(0), parcels(t))
				if err != nil {
					t.Fatal(err)
				}
				err = w.Emit(s.ctx, &parcel{Load: make([]byte, 10<<20)})
				if err == nil || !strings.Contains(err.Error(), "10485") {
					t.Errorf("%v", err)
				}
				if err := w.Emit(s.ctx, &parcel{Load: make([]byte, 1<<20)}); err != nil {
					t.Errorf("a smaller one: %v", err)
				}
				_ = w.Close()
				r, err := gate.NewReader(s.exchanges["b"].Gate(0), parcels(t))
				if err != nil {
					t.Fatal(err)
				}
				var p parcel
				if ok, err := r.Next(s.ctx, &p); !ok || err != nil || len(p.Load) != 1<<20 {
					t.Errorf("%v, %v, %d bytes", ok, err, len(p.Load))
				}
				if ok, err := r.Next(s.ctx, &p); ok || err != nil {
					t.Errorf("%v, %v", ok, err)
				}
				_ = r.Close()
				s.close()
			})
		})
	}
}

// A broadcast writer stores a record once for channels of this process and of others, with neighbours in memory joined; each reader gets all of them in order, whether it reads one channel or several, here and there.
func TestBroadcastToProcesses(t *testing.T) {
	for _, cuts := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			n := rwtest.NewNetwork(rwtest.Seed(3), rwtest.EachLink(func(l *rwtest.Link) {
				l.Latency(0, time.Millisecond)
				if cuts {
					l.CutEvery(1<<12, 1<<16)
				}
			}))
			rwtest.MustClose(t, n)
			producers, consumers := []string{"a:1", "b:1"}, []string{"a:1", "b:1", "c", "a:1", "c"}
			s := newSpread(t, n, exchange.Config{MemoryBytes: 1 << 20}, producers, consumers)
			const records = 2000
			var wg sync.WaitGroup
			for i, self := range producers {
				w, err := writer.New(s.exchanges[self].Partition(i), parcels(t), writer.WithSelector(selector.Broadcast[parcel]()))
				if err != nil {
					t.Fatal(err)
				}
				wg.Go(func() {
					for k := range records {
						if err := w.Emit(s.ctx, &parcel{From: int32(i), Seq: int64(k), Load: make([]byte, k%97)}); err != nil {
							t.Errorf("producer %d: %v", i, err)
							break
						}
					}
					if err := w.Close(); err != nil {
						t.Errorf("producer %d: %v", i, err)
					}
				})
			}
			// One channel by itself, two by one gate, one of each process, and both of one.
			for _, of := range [][]int{{0, 3}, {1}, {2, 4}} {
				self := consumers[of[0]]
				r, err := gate.NewReader(s.exchanges[self].Gate(of...), parcels(t))
				if err != nil {
					t.Fatal(err)
				}
				wg.Go(func() {
					defer r.Close()
					next := make(map[[2]int]int64) // by channel of the gate
					for p, err := range r.All(s.ctx) {
						if err != nil {
							t.Errorf("consumers %d: %v", of, err)
							return
						}
						key := [2]int{int(p.From), r.Last().Channel}
						if p.Seq != next[key] || len(p.Load) != int(p.Seq)%97 {
							t.Errorf("consumers %d: record %d of %d is %d, of %d bytes", of, next[key], key, p.Seq, len(p.Load))
							return
						}
						next[key]++
					}
					if len(next) != len(producers)*len(of) {
						t.Errorf("consumers %d: records of %d channels", of, len(next))
					}
					for key, k := range next {
						if k != records {
							t.Errorf("consumers %d: %d records of %d", of, k, key)
						}
					}
				})
			}
			wg.Wait()
			s.close()
		})
	}
}

// Readers of one and of two exchanges, whose producers are here and elsewhere, are selected from in turn.
func TestSelectOfLocalAndRemote(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := rwtest.NewNetwork()
		rwtest.MustClose(t, n)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		nodes := map[string]*transport.Node{"a:1": node(t, n, "a:1"), "b:1": node(t, n, "b:1")}
		xs := map[string][]*exchange.Exchange{}
		for self, node := range nodes {
			for _, name := range []string{"left", "right"} {
				x, err := exchange.New(exchange.Config{MemoryBytes: 1 << 20, Processes: &exchange.Processes{Name: name, Producers: []string{"a:1", "b:1"}, Consumers: []string{"b:1"}, Self: self, Node: node}})
				if err != nil {
					t.Fatal(err)
				}
				xs[self] = append(xs[self], x)
			}
		}
		const records = 500
		var wg sync.WaitGroup
		for i, self := range []string{"a:1", "b:1"} {
			for k, x := range xs[self] {
				w, err := writer.New(x.Partition(i), parcels(t))
				if err != nil {
					t.Fatal(err)
				}
				wg.Go(func() {
					for seq := range records {
						if err := w.Emit(ctx, &parcel{From: int32(2*k + i), Seq: int64(seq)}); err != nil {
							t.Error(err)
						}
						time.Sleep(time.Millisecond)
					}
					if err := w.Close(); err != nil {
						t.Error(err)
					}
				})
			}
		}
		var readers []*gate.Reader[parcel]
		var inputs []gate.Input
		for _, x := range xs["b:1"] {
			r, err := gate.NewReader(x.Gate(0), parcels(t))
			if err != nil {
				t.Fatal(err)
			}
			readers, inputs = append(readers, r), append(inputs, r)
		}
		var next [4]int64
		turns, last := 0, -1
		for open := 2; open > 0; {
			k, err := gate.Select(ctx, inputs...)
			if err != nil {
				t.Fatal(err)
			}
			if k != last {
				turns++
			}
			last = k
			var p parcel
			ok, ended, err := readers[k].TryNext(&p)
			switch {
			case err != nil:
				t.Fatal(err)
			case ok:
				if p.Seq != next[p.From] || int(p.From)/2 != k {
					t.Fatalf("reader %d: record %d of %d is %d", k, next[p.From], p.From, p.Seq)
				}
				next[p.From]++
			case ended:
				open--
			}
		}
		if next != [4]int64{records, records, records, records} {
			t.Errorf("%v records", next)
		}
		if turns < records/2 {
			t.Errorf("%d turns", turns)
		}
		wg.Wait()
		for _, r := range readers {
			_ = r.Close()
		}
		for self := range nodes {
			wg.Go(func() {
				for _, x := range xs[self] {
					if err := x.Close(ctx); err != nil {
						t.Error(err)
					}
				}
				if err := nodes[self].Close(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

// Who cancels or aborts an exchange ends it for the other processes too: at once by Abort, and when writers and readers are closed by Cancel; with the cause, and the name of the process.
func TestCancelReachesOthers(t *testing.T) {
	for _, who := range []string{"a:1", "b"} {
		for _, abort := range []bool{false, true} {
			t.Run(fmt.Sprint(who, ", abort ", abort), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := rwtest.NewNetwork()
					rwtest.MustClose(t, n)
					s := newSpread(t, n, exchange.Config{MemoryBytes: 1 << 20}, []string{"a:1"}, []string{"b", "c"})
					w, err := writer.New(s.exchanges["a:1"].Partition(0), parcels(t), writer.WithSelector(selector.Func(func(p *parcel, _ int) int { return int(p.To) })))
					if err != nil {
						t.Fatal(err)
					}
					readers := map[string]*gate.Reader[parcel]{}
					for j, self := range s.consumers {
						if readers[self], err = gate.NewReader(s.exchanges[self].Gate(j), parcels(t)); err != nil {
							t.Fatal(err)
						}
					}
					done := make(chan error, 1)
					go func() {
						var err error
						for i := 0; err == nil; i++ {
							err = w.Emit(s.ctx, &parcel{To: 0, Seq: int64(i)})
						}
						done <- err
					}()
					var p parcel
					for range 100 {
						if ok, err := readers["b"].Next(s.ctx, &p); !ok || err != nil {
							t.Fatal(ok, err)
						}
					}
					time.Sleep(time.Second)
					x := s.exchanges[who]
					if x.Cancel(errTest); abort && who == "b" {
						_ = x.Abort(errTest)
					}
					start := time.Now()
					check := func(what string, err error, peer string, want ...error) {
						t.Helper()
						for _, e := range append(want, partition.ErrCanceled) {
							if !errors.Is(err, e) {
								t.Errorf("%s: %v, want %v", what, err, e)
							}
						}
						if !strings.Contains(fmt.Sprint(err), errTest.Error()) || peer != "" && !strings.Contains(fmt.Sprint(err), fmt.Sprintf("peer %q", peer)) {
							t.Errorf("%s: %v, want %v of %q", what, err, errTest, peer)
						}
					}
					if who == "a:1" {
						check("the writer", <-done, "")
						if abort {
							_ = x.Abort(errTest)
						} else {
							_ = w.Close()
						}
						for self, r := range readers {
							var err error
							for ok := true; ok && err == nil; ok, err = r.Next(s.ctx, &p) {
							}
							check("the reader of "+self, err, "a:1")
							_ = r.Close()
						}
					} else {
						if abort {
							if err := <-done; !errors.Is(err, partition.ErrConsumerGone) || !strings.Contains(err.Error(), `peer "b"`) || !strings.Contains(err.Error(), errTest.Error()) {
								t.Errorf("the writer: %v", err)
							}
						} else {
							var err error
							for ok := true; ok && err == nil; ok, err = readers["b"].Next(s.ctx, &p) { // what it has in hand
							}
							check("the reader", err, "")
							_ = readers["b"].Close()
							check("the writer", <-done, "b", partition.ErrConsumerGone)
						}
						p.To = 1 // the other consumer goes on
						if err := errors.Join(w.Emit(s.ctx, &p), w.Flush()); err != nil && !errors.Is(err, partition.ErrConsumerGone) {
							t.Errorf("to the other: %v", err)
						}
						if ok, err := readers["c"].Next(s.ctx, &p); !ok || err != nil {
							t.Errorf("the other consumer: %v, %v", ok, err)
						}
						_, _ = w.Close(), readers["c"].Close()
					}
					if d := time.Since(start); d > time.Second {
						t.Errorf("it took %v", d)
					}
					for _, x := range s.exchanges {
						_ = x.Abort(errTest)
					}
					for _, node := range s.nodes {
						_ = node.Close(s.ctx)
					}
				})
			})
		}
	}
}

// Event time and events pass through a task that reads from other processes and writes to another one, whatever happens to the connections: watermarks in their places, events at theirs, and the end of data.
func TestEventTimeThroughProcesses(t *testing.T) {
	for seed := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			n := rwtest.NewNetwork(rwtest.Seed(seed), rwtest.EachLink(func(l *rwtest.Link) {
				l.Latency(0, time.Millisecond)
				if seed > 0 {
					l.CutEvery(1<<10, 1<<14)
				}
			}))
			rwtest.MustClose(t, n)
			c := exchange.Config{MemoryBytes: 1 << 20}
			first := newSpread(t, n, c, []string{"a:1", "b:1"}, []string{"c:1"})
			second := newSpread(t, n, c, []string{"d:1"}, []string{"e"})
			const records = 1000
			var wg sync.WaitGroup
			for i, self := range first.producers {
				w, err := writer.New(first.exchanges[self].Partition(i), parcels(t))
				if err != nil {
					t.Fatal(err)
				}
				wg.Go(func() {
					for k := range int64(records) {
						err := w.Emit(first.ctx, &parcel{From: int32(i), Seq: k})
						if k%10 == 9 {
							err = errors.Join(err, w.Watermark(time.UnixMicro(k)))
							time.Sleep(10 * time.Millisecond)
						}
						if k%50 == 49 {
							err = errors.Join(err, writer.SendEventWait(first.ctx, w, parcels(t), &parcel{From: int32(i), Seq: k, Load: make([]byte, k)}))
						}
						if err != nil {
							t.Errorf("producer %d: %v", i, err)
							break
						}
					}
					if err := errors.Join(w.EndOfData(true), w.Close()); err != nil {
						t.Errorf("producer %d: %v", i, err)
					}
				})
			}
			out, err := writer.New(second.exchanges["d:1"].Partition(0), parcels(t))
			if err != nil {
				t.Fatal(err)
			}
			in, err := gate.NewReader(first.exchanges["c:1"].Gate(0), parcels(t),
				gate.OnWatermark(func(w time.Time) {
					if w.UnixMicro() < records {
						if err := out.Watermark(w); err != nil {
							t.Error(err)
						}
					}
				}),
				gate.OnEvent(parcels(t), func(_ gate.Origin, p *parcel) error { return writer.SendEventWait(first.ctx, out, parcels(t), p) }))
			if err != nil {
				t.Fatal(err)
			}
			wg.Go(func() {
				defer in.Close()
				for p, err := range in.All(first.ctx) {
					if err == nil {
						err = out.Emit(first.ctx, p)
					}
					if err != nil {
						t.Errorf("the task between: %v", err)
						break
					}
				}
				if err := errors.Join(out.EndOfData(true), out.Close()); err != nil {
					t.Errorf("the task between: %v", err)
				}
			})
			watermark, drained := int64(-1), 0
			var next, events [2]int64
			r, err := gate.NewReader(second.exchanges["e"].Gate(0), parcels(t),
				gate.OnWatermark(func(w time.Time) {
					if m := w.UnixMicro(); m < watermark {
						t.Errorf("watermark %d after %d", m, watermark)
					} else if m < records {
						watermark = m
					}
				}),
				gate.OnEndOfData(func(e gate.EndOfData) { drained++ }),
				gate.OnEvent(parcels(t), func(_ gate.Origin, p *parcel) error {
					if events[p.From] += 50; next[p.From] != events[p.From] || p.Seq != next[p.From]-1 || len(p.Load) != int(p.Seq) {
						t.Errorf("event %d of producer %d, of %d bytes, behind record %d", p.Seq, p.From, len(p.Load), next[p.From]-1)
					}
					return nil
				}))
			if err != nil {
				t.Fatal(err)
			}
			for p, err := range r.All(second.ctx) {
				if err != nil {
					t.Fatal(err)
				}
				if p.Seq != next[p.From] || p.Seq <= watermark {
					t.Fatalf("record %d of producer %d is %d, behind the watermark %d", next[p.From], p.From, p.Seq, watermark)
				}
				next[p.From]++
			}
			if next != [2]int64{records, records} || events != next || watermark < records/2 || drained != 1 {
				t.Errorf("%v records, %v events, watermark %d, %d ends of data", next, events, watermark, drained)
			}
			_ = r.Close()
			wg.Wait()
			first.close()
			second.close()
		})
	}
}
