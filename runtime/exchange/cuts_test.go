package exchange_test

import (
	"context"
	"net"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Connections over real sockets are cut again and again while records flow: every channel gets its records in order, each once, and memory stays within what was given. RWGEN_CUTS=1000 cuts a thousand
// connections while ten million records flow, as .ci/long does.
func TestCuts(t *testing.T) {
	cuts, records := 20, 200_000
	if s := os.Getenv("RWGEN_CUTS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		cuts, records = n, 10_000*n
	}
	const consumers, frame = 4, 20
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	defer cancel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := rwtest.NewProxy(l.Addr().String(), 1)
	if err != nil {
		t.Fatal(err)
	}
	rwtest.MustClose(t, proxy)
	each := int64(records * frame / cuts)
	proxy.CutEvery(each/2, each)
	config := transport.Config{Name: "writer", Plain: transport.PlainLoopback, Backoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond}
	from, err := transport.NewNode(config, l)
	if err != nil {
		t.Fatal(err)
	}
	config.Name = "reader"
	to, err := transport.NewNode(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	address := proxy.Addr()
	lists := exchange.Processes{Name: "cuts", Producers: []string{address}, Consumers: make([]string, consumers)}
	for j := range lists.Consumers {
		lists.Consumers[j] = "reader"
	}
	const memory = 4 << 20
	open := func(self string, node *transport.Node) *exchange.Exchange {
		p := lists
		p.Self, p.Node = self, node
		x, err := exchange.New(exchange.Config{MemoryBytes: memory, Processes: &p})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	out, in := open(address, from), open("reader", to)
	w, err := writer.New(out.Partition(0), pairSerializer{}, writer.WithSelector(selector.Func(func(v *pair, n int) int { return int(v.ID % uint64(n)) })))
	if err != nil {
		t.Fatal(err)
	}
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range records {
			if err := w.Emit(ctx, &pair{ID: uint64(i)}); err != nil {
				t.Errorf("record %d: %v", i, err)
				break
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	for j := range consumers {
		r, err := gate.NewReader(in.Gate(j), pairSerializer{})
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			defer r.Close()
			next := uint64(j)
			for v, err := range r.All(ctx) {
				if err != nil {
					t.Errorf("consumer %d at record %d: %v", j, next, err)
					return
				}
				if v.ID != next {
					t.Errorf("consumer %d: record %d, want %d", j, v.ID, next)
					return
				}
				next += consumers
			}
			if want := uint64(records + j); next != want {
				t.Errorf("consumer %d ended at %d, want %d", j, next, want)
			}
		})
	}
	wg.Wait()
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	for name, x := range map[string]*exchange.Exchange{"writer": out, "reader": in} {
		if s := x.Stats(); s.Pool.Peak > memory || s.Pool.Mapped > memory {
			t.Errorf("%s: %d bytes at most, %d mapped, of a budget of %d", name, s.Pool.Peak, s.Pool.Mapped, memory)
		}
	}
	if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 16<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	for _, close := range []func(context.Context) error{out.Close, in.Close, to.Close, from.Close} {
		if err := close(ctx); err != nil {
			t.Error(err)
		}
	}
	made := proxy.Stats().Cuts
	t.Logf("%d records, %d connections were cut, the heap grew by %d KiB", records, made, (int64(after.HeapInuse)-int64(before.HeapInuse))/1024)
	if made < cuts/2 {
		t.Errorf("%d connections were cut, want at least %d", made, cuts/2)
	}
}
