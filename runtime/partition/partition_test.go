package partition_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

func newPool(t testing.TB, c buffer.Config) *buffer.LocalPool {
	t.Helper()
	m, err := memory.NewPool(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	p, err := buffer.NewLocalPool(m, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestNewTopology(t *testing.T) {
	pool := newPool(t, buffer.Config{Bytes: 16 << 10, Channels: 2})
	for _, tt := range []struct {
		topology selector.Topology
		ok       bool
	}{
		{selector.Topology{Producers: 1, Consumers: 2}, true},
		{selector.Topology{Producers: 3, Consumers: 2, Producer: 2}, true},
		{selector.Topology{Producers: 1}, false},
		{selector.Topology{Producers: 1, Consumers: -2}, false},
		{selector.Topology{Producers: 2, Consumers: 2, Producer: 2}, false},
		{selector.Topology{Producers: 2, Consumers: 2, Producer: -1}, false},
		{selector.Topology{Consumers: 2}, false},
	} {
		p, err := partition.New(partition.Config{Topology: tt.topology, Pool: pool})
		if (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt.topology, err)
		}
		if err == nil && p.Topology() != tt.topology {
			t.Errorf("the topology is %+v, want %+v", p.Topology(), tt.topology)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		limit  int
		area   int64
		record int
	}{
		{0, 10000, 9996}, {5000, 10000, 5000}, {9997, 10000, 9996},
	} {
		pool := newPool(t, buffer.Config{Bytes: 20 << 10, Channels: 2, Area: buffer.NewArea(tt.area)})
		p, err := partition.New(partition.Config{
			Topology: selector.Topology{Producers: 1, Consumers: 2}, Pool: pool, MaxRecordBytes: tt.limit,
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.Sizes(), (partition.Sizes{Steady: 2 << 10, Block: 2 << 10, Record: tt.record}); got != want {
			t.Errorf("limit %d, area %d: %+v, want %+v", tt.limit, tt.area, got, want)
		}
	}
}

// TestOneWriterOneReader: of many that come at the same time, one gets in.
func TestOneWriterOneReader(t *testing.T) {
	for range 50 {
		n := newNet(t, netConfig{producers: 1, consumers: 1})
		p := n.partitions[0]
		var mu sync.Mutex
		var writers, readers int
		var views []*partition.View
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				_, err := p.Claim(partition.Claim{})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					writers++
				} else if !errors.Is(err, partition.ErrInUse) {
					t.Error(err)
				}
			})
			all.Go(func() {
				v, err := p.Subpartition(0).View(partition.NewInbox())
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					readers++
					views = append(views, v)
				} else if !errors.Is(err, partition.ErrInUse) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if writers != 1 || readers != 1 || !p.Claimed() {
			t.Fatalf("%d writers and %d readers got in, claimed: %v", writers, readers, p.Claimed())
		}
		if err := p.Finish(); err != nil {
			t.Error(err)
		}
		views[0].Release(nil)
		n.close()
	}
}

// TestAbandonOrClaim: a partition is either claimed or abandoned, and closed in the end, whoever comes first.
func TestAbandonOrClaim(t *testing.T) {
	for range 100 {
		n := newNet(t, netConfig{producers: 1, consumers: 1})
		p := n.partitions[0]
		nobody := errors.New("nobody came")
		var all sync.WaitGroup
		all.Go(func() { p.Abandon(nobody) })
		claimed := false
		all.Go(func() {
			_, err := p.Claim(partition.Claim{})
			if claimed = err == nil; claimed {
				if err := p.Finish(); err != nil {
					t.Error(err)
				}
			} else if !errors.Is(err, partition.ErrInUse) {
				t.Error(err)
			}
		})
		k := n.consumer(0)
		err := k.run(patience(t))
		all.Wait()
		<-p.Closed()
		if claimed != (err == nil) || !claimed && !errors.Is(err, nobody) {
			t.Fatalf("claimed: %v, the reader gets %v", claimed, err)
		}
		k.leave(nil)
		n.close()
	}
}

func TestContract(t *testing.T) {
	a := record.Schema{Text: "rwgen/1 A{X i64}", Fingerprint: 1}
	b := record.Schema{Text: "rwgen/1 A{X i32}", Fingerprint: 2}
	sameFingerprint := record.Schema{Text: b.Text, Fingerprint: 1}
	var c partition.Contract
	for _, who := range []string{"the first", "the second"} {
		if err := c.JoinWriter(who, a); err != nil {
			t.Errorf("%s: %v", who, err)
		}
	}
	for _, s := range []record.Schema{b, sameFingerprint} {
		err := c.JoinReader("the third", s)
		var resolved *record.ResolveError
		if !errors.Is(err, partition.ErrSchema) || !errors.As(err, &resolved) || len(resolved.Findings) != 1 || resolved.Findings[0].Path != "A.X" {
			t.Fatalf("another schema: %v", err)
		}
		for _, want := range []string{"the third", "the first", a.Text, b.Text, "i64 became i32"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not name %q", err, want)
			}
		}
	}
	nobody := (*partition.Contract)(nil)
	if err := errors.Join(nobody.JoinWriter("anybody", b), nobody.JoinReader("anybody", a)); err != nil {
		t.Errorf("a nil contract: %v", err)
	}
}

// TestContractOfVersions: writers may differ from writers and readers from readers, as long as all readers can read all writers; who comes too late is told.
func TestContractOfVersions(t *testing.T) {
	schema := func(text string) record.Schema {
		name, typ, err := record.ParseSchema("rwgen/1 A" + text)
		if err != nil {
			t.Fatal(err)
		}
		return record.NewSchema(name, typ)
	}
	narrow, wide, more := schema("{X i32}"), schema("{X i64}"), schema("{X i32,Y string}")
	var c partition.Contract
	for i, step := range []struct {
		reader bool
		schema record.Schema
		opts   []record.ResolveOption
		fits   bool
	}{
		{false, narrow, nil, true},
		{true, wide, nil, true},
		{false, wide, nil, true},
		{true, narrow, nil, false}, // it could not read the second writer
		{true, wide, nil, true},
		{false, more, nil, true}, // Y is skipped
		{true, wide, []record.ResolveOption{record.RefuseUnknown()}, false},
		{false, schema("{X string}"), nil, false},
		{false, schema("{Z f64}"), nil, true},
	} {
		join := c.JoinWriter
		if step.reader {
			join = func(who string, s record.Schema) error { return c.JoinReader(who, s, step.opts...) }
		}
		if err := join("somebody", step.schema); (err == nil) != step.fits || err != nil && !errors.Is(err, partition.ErrSchema) {
			t.Errorf("step %d: %v", i, err)
		}
	}
	var strict partition.Contract
	if err := errors.Join(strict.JoinReader("the reader", wide, record.RefuseUnknown()), strict.JoinWriter("a writer", narrow)); err != nil {
		t.Error(err)
	}
	if err := strict.JoinWriter("a writer", more); !errors.Is(err, partition.ErrSchema) || !strings.Contains(err.Error(), "A.Y: the field is unknown") {
		t.Errorf("a writer with a field that the reader refuses: %v", err)
	}
}

// TestContractOfPartitions: a writer with another schema than a reader is refused, and the partition is free for one with the right schema.
func TestContractOfPartitions(t *testing.T) {
	pool := newPool(t, buffer.Config{Bytes: 16 << 10, Channels: 1})
	contract := new(partition.Contract)
	a, b := record.Schema{Text: "a", Fingerprint: 1}, record.Schema{Text: "b", Fingerprint: 2}
	if err := contract.JoinReader("the reader", a); err != nil {
		t.Fatal(err)
	}
	p, err := partition.New(partition.Config{
		Topology: selector.Topology{Producers: 2, Consumers: 1, Producer: 1}, Pool: pool, Contract: contract,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Claim(partition.Claim{Schema: b}); !errors.Is(err, partition.ErrSchema) || !strings.Contains(err.Error(), "writer of producer 1") {
		t.Errorf("Claim with another schema: %v", err)
	}
	if p.Claimed() {
		t.Error("claimed by a writer that was refused")
	}
	if _, err := p.Claim(partition.Claim{Schema: a, Name: "right"}); err != nil {
		t.Errorf("Claim with the right schema: %v", err)
	}
	if got := p.Stats().Name; got != "right" {
		t.Errorf("the writer is called %q", got)
	}
}

func TestBroadcastHasOneLane(t *testing.T) {
	for _, tt := range []struct {
		kind  selector.Kind
		lanes int
	}{{selector.KindKeyed, 3}, {selector.KindRebalance, 3}, {selector.KindBroadcast, 1}} {
		pool := newPool(t, buffer.Config{Bytes: 16 << 10, Channels: 3})
		p, err := partition.New(partition.Config{Topology: selector.Topology{Producers: 1, Consumers: 3}, Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		builders, err := p.Claim(partition.Claim{Selection: tt.kind})
		if err != nil || len(builders) != tt.lanes || len(p.Stats().Channels) != tt.lanes {
			t.Errorf("%v: %d builders, %d channels in the statistics, %v; want %d", tt.kind, len(builders), len(p.Stats().Channels), err, tt.lanes)
		}
	}
}

func TestViewSaysWhere(t *testing.T) {
	n := newNet(t, netConfig{producers: 3, consumers: 2})
	v, err := n.partitions[2].Subpartition(1).View(partition.NewInbox())
	if err != nil {
		t.Fatal(err)
	}
	if v.Producer() != 2 || v.Channel() != 1 {
		t.Errorf("channel %d of producer %d, want 1 of 2", v.Channel(), v.Producer())
	}
	v.Release(nil)
	n.close()
}

func TestErrors(t *testing.T) {
	cause := errors.New("cause")
	for _, tt := range []struct {
		err  error
		text string
		is   []error
	}{
		{&partition.ProducerError{Producer: 3, Cause: cause}, "partition: producer 3 failed: cause", []error{cause}},
		{&partition.ConsumerError{Channel: 2}, "partition: the consumer of channel 2 is gone", []error{partition.ErrConsumerGone}},
		{
			&partition.ConsumerError{Channel: 2, Cause: cause}, "partition: the consumer of channel 2 is gone: cause",
			[]error{partition.ErrConsumerGone, cause},
		},
	} {
		if tt.err.Error() != tt.text {
			t.Errorf("%q, want %q", tt.err, tt.text)
		}
		for _, is := range tt.is {
			if !errors.Is(tt.err, is) {
				t.Errorf("%q is not %q", tt.err, is)
			}
		}
	}
}

// TestAppendTakesTheReference: also when it fails.
func TestAppendTakesTheReference(t *testing.T) {
	n := newNet(t, netConfig{producers: 1, consumers: 1, area: 1000})
	p := n.producer(0, partition.OnFull())
	buf, err := p.part.Large(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.part.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := p.part.Append(0, buf, 100); !errors.Is(err, partition.ErrClosed) {
		t.Errorf("Append after Finish: %v", err)
	}
	if u := n.pools[0].Usage(); u.Large != 0 {
		t.Errorf("%+v after an Append that failed", u)
	}
	p.part.Discard(0)
	n.close()
}
