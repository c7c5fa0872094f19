package writer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

var errChoice = errors.New("no channel for this one")

// TestSelectorPanics: a user's function that panics, fails or chooses a channel that does not exist costs its record an error that says what was asked; nothing is
// written, and the writer goes on. So do the records before it in a batch.
func TestSelectorPanics(t *testing.T) {
	bad := map[uint32]func() (int, error){
		7: func() (int, error) { panic("seven") },
		8: func() (int, error) { panic(errChoice) },
		9: func() (int, error) { return 0, errChoice },
		6: func() (int, error) { return -1, nil },
		5: func() (int, error) { return len(strings.Split("one", ",")[1]), nil },
	}
	for number, want := range map[uint32]struct {
		is     error
		panics bool
		text   string
	}{
		7: {writer.ErrSelector, true, "seven"},
		8: {errChoice, true, "panic: no channel"},
		9: {errChoice, false, "selecting the channel of a item by custom: no channel"},
		6: {writer.ErrChannel, false, "item chose channel -1 of 2"},
		5: {writer.ErrSelector, true, "index out of range"},
	} {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2})
		w := newItemWriter(t, x, writer.WithSelector(selector.TryFunc(func(v *item, _ int) (int, error) {
			if f := bad[v.Channel]; f != nil {
				return f()
			}
			return int(v.Channel), nil
		})))
		check := func(what string, err error) {
			t.Helper()
			if !errors.Is(err, want.is) || !strings.Contains(err.Error(), want.text) {
				t.Errorf("%s of %d: %v, want %v with %q", what, number, err, want.is, want.text)
			}
			var e *writer.SelectorError
			if errors.As(err, &e) != (want.is != writer.ErrChannel) {
				t.Errorf("%s of %d: %T", what, number, err)
			} else if e != nil && (e.Record != "item" || e.Stack != nil != want.panics) {
				t.Errorf("%s of %d: record %q, stack of %d bytes", what, number, e.Record, len(e.Stack))
			}
		}
		v := item{Channel: number, Size: itemHead}
		check("Emit", w.Emit(t.Context(), &v))
		full, err := w.TryEmit(&v)
		if full != -1 {
			t.Errorf("channel %d is full", full)
		}
		check("TryEmit", err)
		n, err := w.EmitBatch(t.Context(), []item{{Seq: 0, Size: itemHead}, {Channel: 1, Size: itemHead}, v, {Seq: 9, Size: itemHead}})
		if n != 2 {
			t.Errorf("%d records accepted, want the 2 before the bad one", n)
		}
		check("EmitBatch", err)
		emit(t, w, item{Seq: 1, Size: itemHead})
		for c, want := range []int{2, 1} {
			r := newItemReader(t, x, c)
			if got, _ := readNow(t, r); len(got) != want {
				t.Errorf("channel %d got %d records, want %d", c, len(got), want)
			}
			_ = w.Close()
			_, _ = readNow(t, r)
			_ = r.Close()
		}
		mustClose(t, x)
	}
}

// watched is a selector with everything that a writer may ask of one, which notes when it is changed.
type watched struct {
	kind    selector.Kind
	touched string
}

func (s *watched) Kind() selector.Kind             { return s.kind }
func (s *watched) Hash() selector.Hash             { return selector.Flink }
func (s *watched) Setup(selector.Topology) error   { s.touched += "Setup "; return nil }
func (s *watched) Select(*item, int) int           { return 0 }
func (s *watched) Seed(uint64)                     { s.touched += "Seed " }
func (s *watched) Observe(func(channel int) int64) { s.touched += "Observe " }
func (s *watched) Release()                        { s.touched += "Release " }
func (s *watched) Err() error                      { return nil }

// TestWrongSelector: a writer that has a selection of its own refuses another one instead of ignoring it.
func TestWrongSelector(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2})
	spec := writer.Spec{Record: "item", Schema: itemSerializer{}.Schema(), Selection: selector.KindKeyed, Key: "Channel"}
	for _, s := range []*watched{{kind: selector.KindBroadcast}, {kind: selector.KindKeyed}} {
		_, err := writer.NewCore(x.Partition(0), spec, writer.WithSelector[item](s))
		if err == nil || !strings.Contains(err.Error(), "takes no selector") {
			t.Errorf("got %v", err)
		}
		if s.touched != "" {
			t.Errorf("%v: the selector, which may be in use by another writer, was told to %s", s.kind, s.touched)
		}
	}
	c, err := writer.NewCore(x.Partition(0), spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for i := range 2 {
		r := newItemReader(t, x, i)
		_, _ = readNow(t, r)
		_ = r.Close()
	}
	mustClose(t, x)
}

// TestSeed: the same seed gives the same channels, and another producer or seed others.
func TestSeed(t *testing.T) {
	channels := func(producer int, seed uint64, s selector.Selector[item]) (order []uint32) {
		x := newExchange(t, exchange.Config{Producers: 2, Consumers: 50})
		w, err := writer.New(x.Partition(producer), itemSerializer{}, writer.WithSelector(s), writer.WithSeed(seed))
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint32(20) {
			emit(t, w, item{Seq: i, Size: itemHead})
		}
		stats := w.Stats()
		_ = w.Close()
		x.Cancel(nil)
		for c := range stats.Channels {
			order = append(order, uint32(stats.Channels[c].Records))
		}
		return order
	}
	for name, s := range map[string]func() selector.Selector[item]{
		"shuffle": selector.Shuffle[item], "rebalance": selector.RoundRobin[item], "load": selector.LeastLoaded[item],
	} {
		a, b := channels(0, 1, s()), channels(0, 1, s())
		if !slices.Equal(a, b) {
			t.Errorf("%s: %v and %v by the same seed", name, a, b)
		}
		if slices.Equal(a, channels(0, 2, s())) || slices.Equal(a, channels(1, 1, s())) {
			t.Errorf("%s: another seed or producer chooses the same channels", name)
		}
	}
}

// TestWithMetrics: a registry sees a writer while it is open and after that.
func TestWithMetrics(t *testing.T) {
	var r metrics.Registry
	x := newExchange(t, exchange.Config{Producers: 2, Consumers: 1})
	var ws []*writer.Writer[item]
	for i := range 2 {
		w, err := writer.New(x.Partition(i), itemSerializer{}, writer.WithName("edge"), writer.WithMetrics(&r))
		if err != nil {
			t.Fatal(err)
		}
		ws = append(ws, w)
	}
	emit(t, ws[0], item{Size: itemHead})
	emit(t, ws[1], item{Size: itemHead})
	if got, ok := r.Writer("edge"); !ok || got.Records != 2 {
		t.Errorf("%+v", got)
	}
	_ = ws[0].Close()
	emit(t, ws[1], item{Size: itemHead})
	_ = ws[1].Close()
	if got, ok := r.Writer("edge"); !ok || got.Records != 3 {
		t.Errorf("after Close: %+v", got)
	}
	if _, ok := r.Writer("other"); ok {
		t.Error("there is no writer of that name")
	}
	drainAndClose(t, x)
}

// drainAndClose reads what there is of one consumer to the end and closes.
func drainAndClose(t *testing.T, x *exchange.Exchange) {
	t.Helper()
	rd, err := gate.NewReader(x.Gate(0), itemSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = readNow(t, rd)
	_ = rd.Close()
	mustClose(t, x)
}

// TestBuildNamesEdges: errors of a task's writers say which edge, by number and by name.
func TestBuildNamesEdges(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
	edges := []writer.Edge{{Output: x.Partition(0), Options: []writer.Option{writer.WithName("first")}}, {Output: x.Partition(0), Options: []writer.Option{writer.WithName("again")}}}
	_, _, err := writer.Build(edges, newItems)
	if !errors.Is(err, writer.ErrInUse) || !strings.Contains(err.Error(), `edge 1 of 2, "again"`) {
		t.Errorf("got %v", err)
	}
	r := newItemReader(t, x, 0)
	var v item
	if _, err := r.Next(t.Context(), &v); !errors.Is(err, writer.ErrInUse) {
		t.Errorf("the reader of the edge that was made got %v", err)
	}
	_ = r.Close()
	mustClose(t, x)
}
