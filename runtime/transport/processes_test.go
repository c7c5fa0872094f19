package transport_test

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// virtual runs f in virtual time with two processes and the network between them, closes both, and checks that nothing is left.
func virtual(t *testing.T, o options, f func(t *testing.T, n *rwtest.Network, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := rwtest.NewNetwork()
		w := newWorld(t, network(n, o))
		f(t, n, w)
		w.close()
		rwtest.MustClose(t, n)
	})
}

// reading is another process that reads.
type reading struct {
	t      *testing.T
	w      *world
	client *transport.Client
	pool   *memory.Pool
	budget *transport.Budget
	dead   atomic.Bool // it does not reach anybody any more
}

var errDead = errors.New("dead")

// process starts another process that reads, on a host of its own.
func (w *world) process(n *rwtest.Network, host, name string, config func(*transport.Config)) *reading {
	w.t.Helper()
	p := &reading{t: w.t, w: w, pool: rwtest.NewPool(w.t, 1<<20)}
	c := transport.Config{Name: name, Plain: transport.PlainLoopback}
	c.Dial = func(ctx context.Context, address string) (net.Conn, error) {
		if p.dead.Load() {
			return nil, errDead
		}
		return n.Host(host).Dial(ctx, address)
	}
	if config != nil {
		config(&c)
	}
	var err error
	if p.client, err = transport.NewClient(c); err != nil {
		w.t.Fatal(err)
	}
	if p.budget, err = transport.NewBudget(p.pool, transport.BudgetConfig{Bytes: 1 << 20}); err != nil {
		w.t.Fatal(err)
	}
	return p
}

// channel opens a subpartition, as what change makes of it.
func (p *reading) channel(producer, consumer int, change func(*transport.ChannelConfig)) *transport.Channel {
	p.t.Helper()
	return open(p.w, p.client, p.budget, producer, consumer, change)
}

// kill makes the process disappear: its connections are reset, and it makes no more.
func (p *reading) kill(l *rwtest.Link) {
	p.dead.Store(true)
	l.Cut()
}

// close ends the process, without waiting for what is open.
func (p *reading) close() {
	p.t.Helper()
	_ = p.client.Close(ended)
	p.budget.Close()
}

// ended is a context that is done.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func open(w *world, c *transport.Client, b *transport.Budget, producer, consumer int, change func(*transport.ChannelConfig)) *transport.Channel {
	w.t.Helper()
	t := w.topology
	t.Producer = producer
	cc := transport.ChannelConfig{Address: w.address, Partition: w.id(producer), Subpartition: consumer, Topology: t, Budget: b}
	if change != nil {
		change(&cc)
	}
	ch, err := c.Channel(cc)
	if err != nil {
		w.t.Fatal(err)
	}
	return ch
}

func (w *world) id(producer int) string { return "trades/" + string(rune('0'+producer)) }

// open reads a subpartition in the process of the world.
func (w *world) open(producer, consumer int, change func(*transport.ChannelConfig)) *transport.Channel {
	w.t.Helper()
	return open(w, w.client, w.budget, producer, consumer, change)
}

// readerOf makes a reader of channels.
func readerOf(t *testing.T, channels ...*transport.Channel) *gate.Reader[trade] {
	t.Helper()
	var sources []gate.Source
	for _, ch := range channels {
		sources = append(sources, ch)
	}
	g, err := gate.New(gate.Config{Sources: sources, Name: "consumer"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := gate.NewReader(g, serializer(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// readAll reads to the end, and returns how many records there were.
func readAll(ctx context.Context, r *gate.Reader[trade]) (n int, err error) {
	for _, err := range r.All(ctx) {
		if err != nil {
			return n, errors.Join(err, r.Close())
		}
		n++
	}
	return n, r.Close()
}

// fails checks that err is one of a peer, and each of the others.
func fails(t *testing.T, err error, want ...error) *transport.PeerError {
	t.Helper()
	for _, e := range want {
		if !errors.Is(err, e) {
			t.Errorf("%v, want %v", err, e)
		}
	}
	var peer *transport.PeerError
	if !errors.As(err, &peer) {
		t.Fatalf("%v, want a PeerError", err)
	}
	return peer
}

// emit writes n records to a channel.
func emit(ctx context.Context, wr *writer.Writer[trade], channel, n int) error {
	for i := range n {
		if err := wr.Emit(ctx, &trade{Channel: int32(channel), Seq: int64(i)}); err != nil {
			return err
		}
	}
	return wr.Flush()
}

// emitUntil writes to a channel until that fails.
func emitUntil(ctx context.Context, wr *writer.Writer[trade], channel int) error {
	for i := 0; ; i++ {
		if err := wr.Emit(ctx, &trade{Channel: int32(channel), Seq: int64(i)}); err != nil {
			return err
		}
	}
}

// within checks that no more than a time has passed since start, and no less than another.
func within(t *testing.T, start time.Time, least, most time.Duration) {
	t.Helper()
	if d := time.Since(start); d < least || d > most {
		t.Errorf("it took %v, want %v to %v", d, least, most)
	}
}
