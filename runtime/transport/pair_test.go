package transport_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// trade is the record of these tests.
type trade struct {
	Producer int32
	Channel  int32
	Seq      int64
	Note     string
}

// world is a process that writes and one that reads, with a connection between them.
type world struct {
	t        *testing.T
	ctx      context.Context
	topology selector.Topology
	server   *transport.Server
	client   *transport.Client
	pool     *memory.Pool
	readPool *memory.Pool
	budget   *transport.Budget
	registry transport.Registry
	parts    []*partition.Partition
	pubs     []*transport.Publication
	mu       sync.Mutex
	channels []*transport.Channel // guarded by mu
	served   chan error
	address  string
}

// options of a world.
type options struct {
	producers, consumers int
	memory               int64
	config               func(server, client *transport.Config)
	budget               transport.BudgetConfig
	listen               func() (net.Listener, error)
	hold                 bool // nothing is published: see world.publish
}

func newWorld(t *testing.T, o options) *world {
	t.Helper()
	w := &world{t: t, topology: selector.Topology{Producers: max(o.producers, 1), Consumers: max(o.consumers, 1)}, served: make(chan error, 1)}
	var cancel context.CancelFunc
	w.ctx, cancel = context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	sc := transport.Config{Name: "writer", Plain: transport.PlainLoopback}
	cc := transport.Config{Name: "reader", Plain: transport.PlainLoopback}
	if o.config != nil {
		o.config(&sc, &cc)
	}
	if o.memory == 0 {
		o.memory = 4 << 20
	}
	if o.budget.Bytes == 0 {
		o.budget.Bytes = 1 << 20
	}
	var err error
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w.pool, err = memory.NewPool(o.memory)
	check(err)
	w.readPool, err = memory.NewPool(max(o.budget.Bytes, o.budget.MaxBytes))
	check(err)
	w.budget, err = transport.NewBudget(w.readPool, o.budget)
	check(err)
	w.server, err = transport.NewServer(sc, &w.registry)
	check(err)
	w.client, err = transport.NewClient(cc)
	check(err)
	if o.listen == nil {
		o.listen = func() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }
	}
	l, err := o.listen()
	check(err)
	w.address = l.Addr().String()
	go func() { w.served <- w.server.Serve(w.ctx, l) }()
	for i := range w.topology.Producers {
		w.parts = append(w.parts, w.partition(i))
		if !o.hold {
			w.publish(i)
		}
	}
	return w
}

// publish publishes the partition of a producer.
func (w *world) publish(i int, subpartitions ...int) *transport.Publication {
	w.t.Helper()
	pub, err := w.registry.Publish(fmt.Sprintf("trades/%d", i), w.parts[i], subpartitions...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.pubs = append(w.pubs, pub)
	return pub
}

func (w *world) partition(i int) *partition.Partition {
	w.t.Helper()
	t := w.topology
	t.Producer = i
	local, err := buffer.NewLocalPool(w.pool, buffer.Config{Bytes: w.pool.Stats().Limit / 2 / int64(t.Producers), Channels: t.Consumers, Area: buffer.NewArea(1 << 20)})
	if err != nil {
		w.t.Fatal(err)
	}
	p, err := partition.New(partition.Config{Topology: t, Pool: local})
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// channel reads one subpartition.
func (w *world) channel(producer, consumer int) *transport.Channel {
	w.t.Helper()
	t := w.topology
	t.Producer = producer
	ch, err := w.client.Channel(transport.ChannelConfig{Address: w.address, Partition: fmt.Sprintf("trades/%d", producer), Subpartition: consumer, Topology: t, Budget: w.budget})
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	w.channels = append(w.channels, ch)
	w.mu.Unlock()
	return ch
}

// gate joins the channels of a consumer.
func (w *world) gate(consumer int) *gate.Gate {
	w.t.Helper()
	var sources []gate.Source
	for i := range w.topology.Producers {
		sources = append(sources, w.channel(i, consumer))
	}
	g, err := gate.New(gate.Config{Sources: sources, Name: fmt.Sprintf("consumer %d", consumer)})
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

func (w *world) writer(i int, opts ...writer.Option) *writer.Writer[trade] {
	w.t.Helper()
	opts = append([]writer.Option{writer.WithSelector(selector.Func(func(v *trade, _ int) int { return int(v.Channel) }))}, opts...)
	wr, err := writer.New(w.parts[i], serializer(w.t), opts...)
	if err != nil {
		w.t.Fatal(err)
	}
	return wr
}

func serializer(t *testing.T) record.Serializer[trade] {
	t.Helper()
	s, err := record.Reflect[trade]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *world) reader(consumer int, opts ...gate.Option) *gate.Reader[trade] {
	w.t.Helper()
	r, err := gate.NewReader(w.gate(consumer), serializer(w.t), opts...)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// close ends both processes in order and checks that nothing is left.
func (w *world) close() {
	w.t.Helper()
	if err := w.client.Close(w.ctx); err != nil {
		w.t.Errorf("client: %v", err)
	}
	if err := w.server.Close(w.ctx); err != nil {
		w.t.Errorf("server: %v", err)
	}
	w.over()
}

// over checks what is left when both are closed.
func (w *world) over() {
	w.t.Helper()
	if err := <-w.served; err != nil {
		w.t.Errorf("Serve: %v", err)
	}
	for _, p := range w.pubs {
		p.Withdraw()
	}
	w.budget.Close()
	if err := w.readPool.Close(); err != nil {
		w.t.Errorf("reader's memory: %v", err)
	}
	if err := w.pool.Close(); err != nil {
		w.t.Errorf("writer's memory: %v", err)
	}
}

// produce writes n records and closes the writer.
func produce(ctx context.Context, wr *writer.Writer[trade], producer, n int, note string) error {
	for i := range n {
		if err := wr.Emit(ctx, &trade{Producer: int32(producer), Seq: int64(i), Note: note}); err != nil {
			return errors.Join(fmt.Errorf("record %d: %w", i, err), wr.CloseWithError(err))
		}
	}
	return wr.Close()
}

func TestOneChannel(t *testing.T) {
	w := newWorld(t, options{})
	const n = 100_000
	done := make(chan error)
	go func() { done <- produce(w.ctx, w.writer(0), 0, n, "abc") }()
	r := w.reader(0)
	next := int64(0)
	for tr, err := range r.All(w.ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if tr.Seq != next || tr.Note != "abc" {
			t.Fatalf("record %d: %+v", next, tr)
		}
		next++
	}
	if next != n {
		t.Errorf("%d records, want %d", next, n)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	w.close()
}
