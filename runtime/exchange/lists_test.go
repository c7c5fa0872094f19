package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// member is one process of an exchange whose processes need not agree.
type member struct {
	node *transport.Node
	x    *exchange.Exchange
}

// join makes a process, which listens if its name is an address.
func join(t *testing.T, n *rwtest.Network, c exchange.Config, p exchange.Processes, config func(*transport.Config)) *member {
	t.Helper()
	host, _, listens := strings.Cut(p.Self, ":")
	tc := transport.Config{Name: p.Self, Plain: transport.PlainLoopback, Dial: n.Host(host).Dial}
	if config != nil {
		config(&tc)
	}
	var l net.Listener
	var err error
	if listens {
		if l, err = n.Listen(p.Self); err != nil {
			t.Fatal(err)
		}
	}
	m := new(member)
	if m.node, err = transport.NewNode(tc, l); err != nil {
		t.Fatal(err)
	}
	p.Node = m.node
	c.Processes = &p
	if m.x, err = exchange.New(c); err != nil {
		t.Fatal(err)
	}
	return m
}

// leave ends a process without waiting for the others.
func (m *member) leave(cause error) {
	_ = m.x.Abort(cause)
	now, cancel := context.WithCancel(context.Background())
	cancel()
	_ = m.node.Close(now)
}

// read returns the first error of a consumer.
func (m *member) read(ctx context.Context, t *testing.T, consumer int) error {
	t.Helper()
	r, err := gate.NewReader(m.x.Gate(consumer), parcels(t))
	if err != nil {
		return err
	}
	defer r.Close()
	for _, err := range r.All(ctx) {
		if err != nil {
			return err
		}
	}
	return nil
}

// Processes whose lists have another order are refused, with the positions in both, instead of reading what is for another one.
func TestListsInAnotherOrder(t *testing.T) {
	good := exchange.Processes{Name: "x", Producers: []string{"a:1", "b:1"}, Consumers: []string{"c", "d", "c"}}
	for name, test := range map[string]struct {
		other exchange.Processes
		self  string
		read  int // of its consumers
		want  []string
	}{
		"consumers": {
			exchange.Processes{Name: "x", Producers: good.Producers, Consumers: []string{"d", "c", "c"}}, "d", 0,
			[]string{`:1", subpartition 0 of "x/`, `is "c" in the list of the producer`, `and "d" in that of the reader`, "which is [1] in that of the producer"},
		},
		"a consumer that there is not": {
			exchange.Processes{Name: "x", Producers: good.Producers, Consumers: []string{"c", "d", "e"}}, "e", 2,
			[]string{`consumer 2 of "x/`, `is "c"`, `"e" in that of the reader`, "none of them"},
		},
		"producers": {
			exchange.Processes{Name: "x", Producers: []string{"b:1", "a:1"}, Consumers: good.Consumers}, "c", 0,
			[]string{`"x/`, `is in process "`, "the same lists in the same order"},
		},
		"a consumer that is with its producer": {
			exchange.Processes{Name: "x", Producers: good.Producers, Consumers: []string{"c", "d", "a:1"}}, "c", 0, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := rwtest.NewNetwork()
				rwtest.MustClose(t, n)
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				as := func(p exchange.Processes, self string) exchange.Processes { p.Self = self; return p }
				a, b := join(t, n, exchange.Config{}, as(good, "a:1"), nil), join(t, n, exchange.Config{}, as(good, "b:1"), nil)
				other := join(t, n, exchange.Config{}, as(test.other, test.self), nil)
				start := time.Now()
				if test.want == nil { // what it reads is the same in both lists
					go func() {
						for i, m := range []*member{a, b} {
							w, err := writer.New(m.x.Partition(i), parcels(t))
							if err != nil {
								t.Error(err)
								return
							}
							_ = w.Close()
						}
					}()
					if err := other.read(ctx, t, test.read); err != nil {
						t.Error(err)
					}
				} else {
					err := other.read(ctx, t, test.read)
					if !errors.Is(err, transport.ErrTopology) {
						t.Errorf("%v, want %v", err, transport.ErrTopology)
					}
					for _, want := range test.want {
						if !strings.Contains(fmt.Sprint(err), want) {
							t.Errorf("%v does not say %s", err, want)
						}
					}
					if d := time.Since(start); d > time.Second {
						t.Errorf("it took %v", d)
					}
				}
				for _, m := range []*member{other, a, b} {
					m.leave(errTest)
				}
			})
		})
	}
}

// A consumer that is read in the process of the producer, and by another one's list elsewhere, is refused by that name too.
func TestListsThatClaimALocalConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := rwtest.NewNetwork()
		rwtest.MustClose(t, n)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		a := join(t, n, exchange.Config{}, exchange.Processes{Name: "x", Producers: []string{"a:1"}, Consumers: []string{"a:1", "b"}, Self: "a:1"}, nil)
		b := join(t, n, exchange.Config{}, exchange.Processes{Name: "x", Producers: []string{"a:1"}, Consumers: []string{"b", "a:1"}, Self: "b"}, nil)
		err := b.read(ctx, t, 0)
		if !errors.Is(err, transport.ErrTopology) || !strings.Contains(err.Error(), "is the process that writes it in the list of the producer") {
			t.Errorf("%v", err)
		}
		b.leave(errTest)
		a.leave(errTest)
	})
}

// Whoever waits for a consumer that was refused, or that nobody has started, is told so within the limit, with its name and the last reason; Emit and Close, and Close of the exchange.
func TestConsumerThatDoesNotCome(t *testing.T) {
	for name, test := range map[string]struct {
		start func(t *testing.T, n *rwtest.Network) *member
		want  []error
		text  []string
	}{
		"not started": {nil, nil, []string{`peer "b"`, "nobody has asked for it for 10s"}},
		"of another topology": {func(t *testing.T, n *rwtest.Network) *member {
			return join(t, n, exchange.Config{}, exchange.Processes{Name: "x", Producers: []string{"a:1"}, Consumers: []string{"b"}, Self: "b"}, func(c *transport.Config) { c.Token = []byte("secret") })
		}, []error{transport.ErrTopology}, []string{`peer "b"`, `"b" (b:`, "was refused", "with 2 consumers"}},
		"with another token": {func(t *testing.T, n *rwtest.Network) *member {
			return join(t, n, exchange.Config{}, exchange.Processes{Name: "x", Producers: []string{"a:1"}, Consumers: []string{"b", "c"}, Self: "b"}, func(c *transport.Config) { c.Token = []byte("other") })
		}, []error{transport.ErrForbidden}, []string{`peer "b"`, `"b" (b:`, "was refused", "token"}},
	} {
		for _, wait := range []string{"emit", "close", "stall"} {
			t.Run(name+", "+wait, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := rwtest.NewNetwork()
					rwtest.MustClose(t, n)
					a := join(t, n, exchange.Config{MemoryBytes: 1 << 20}, exchange.Processes{Name: "x", Producers: []string{"a:1"}, Consumers: []string{"b", "c"}, Self: "a:1"}, func(c *transport.Config) {
						c.ReaderPatience, c.Token = 10*time.Second, []byte("secret")
					})
					start := time.Now()
					if test.start != nil {
						b := test.start(t, n)
						go func() { _ = b.read(t.Context(), t, 0) }()
						time.Sleep(time.Second)
						defer b.leave(errTest)
					}
					w, err := writer.New(a.x.Partition(0), parcels(t), writer.WithSelector(selector.Func(func(*parcel, int) int { return 0 })))
					if err != nil {
						t.Fatal(err)
					}
					ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
					if wait == "stall" {
						ctx, cancel = context.WithTimeout(context.Background(), 5*time.Second)
					}
					defer cancel()
					switch wait {
					case "emit":
						for err == nil {
							err = w.Emit(ctx, &parcel{Load: make([]byte, 1000)})
						}
						if !errors.Is(err, partition.ErrConsumerGone) {
							t.Errorf("%v, want %v", err, partition.ErrConsumerGone)
						}
						_ = w.CloseWithError(err)
					default:
						_ = w.Emit(ctx, &parcel{})
						_ = w.Close()
						err = a.x.Close(ctx)
					}
					want := test.want
					text := test.text
					if wait == "stall" { // the context ends before the patience does
						want = append(want, context.DeadlineExceeded)
						text = []string{`0, for "b", was not asked for`}
						if test.start != nil {
							text = append(text, test.text[1:]...)
						}
					} else {
						want = append(want, transport.ErrPeerLost)
						if d := time.Since(start); d < 9*time.Second || d > 11*time.Second {
							t.Errorf("it took %v", d)
						}
					}
					for _, e := range want {
						if !errors.Is(err, e) {
							t.Errorf("%v, want %v", err, e)
						}
					}
					for _, s := range text {
						if !strings.Contains(fmt.Sprint(err), s) {
							t.Errorf("%v does not say %s", err, s)
						}
					}
					a.leave(errTest)
				})
			})
		}
	}
}

// Close of an exchange that is not done says how far each reader is, and which of them are away.
func TestCloseSaysHowFar(t *testing.T) {
	for _, away := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			n := rwtest.NewNetwork()
			rwtest.MustClose(t, n)
			lists := exchange.Processes{Name: "x", Producers: []string{"a:1"}, Consumers: []string{"b"}}
			as := func(self string) exchange.Processes { p := lists; p.Self = self; return p }
			a := join(t, n, exchange.Config{MemoryBytes: 16 << 20, ChannelBytes: 4 << 20}, as("a:1"), nil)
			b := join(t, n, exchange.Config{MemoryBytes: 256 << 10}, as("b"), nil)
			r, err := gate.NewReader(b.x.Gate(0), parcels(t))
			if err != nil {
				t.Fatal(err)
			}
			w, err := writer.New(a.x.Partition(0), parcels(t))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			for range 1000 { // more than the reader has memory for, and less than the writer
				if err := w.Emit(ctx, &parcel{Load: make([]byte, 1000)}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			want, told := `it is still connected, give Close more time`, "the context of its Exchange.Close ended before everything was sent"
			if away {
				n.Link("b", "a").Refuse(true)
				n.Link("b", "a").Cut()
				time.Sleep(time.Second)
				want, told = "is away", ""
			}
			err = a.x.Close(ctx)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want %v", err, context.DeadlineExceeded)
			}
			for _, s := range []string{want, `0: "b" (b:`, "acknowledged", `of "x/0" were not read to the end`} {
				if !strings.Contains(fmt.Sprint(err), s) {
					t.Errorf("%v does not say %q", err, s)
				}
			}
			if told != "" {
				for err = nil; err == nil; {
					var ok bool
					if ok, err = r.Next(t.Context(), new(parcel)); !ok && err == nil {
						t.Fatal("the reader has got everything")
					}
				}
				if !errors.Is(err, transport.ErrClosed) || !strings.Contains(err.Error(), told) {
					t.Errorf("the reader fails with %v, want %q", err, told)
				}
			}
			_ = r.Close()
			if again := a.x.Close(t.Context()); !strings.Contains(fmt.Sprint(again), want) {
				t.Errorf("what was lost is not said again: %v", again)
			}
			b.leave(errTest)
			a.leave(errTest)
		})
	}
}
