package gate_test

import (
	"context"
	"encoding/binary"
	"testing"

	"go.uber.org/goleak"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// feed is a producer that writes bytes instead of records: it cuts frames wherever a test wants them cut, as transports do.
type feed struct {
	t        *testing.T
	part     *partition.Partition
	builders []buffer.Builder
}

// net is a number of feeds with channels, on one pool.
type net struct {
	t     *testing.T
	pool  *memory.Pool
	feeds []*feed
}

func newNet(t *testing.T, producers, consumers int) *net {
	t.Helper()
	return newNetOf(t, producers, consumers, partition.OnFull())
}

func newNetOf(t *testing.T, producers, consumers int, policy partition.FlushPolicy) *net {
	t.Helper()
	share := max(64<<10, 2*memory.MinBlock*int64(consumers))
	pool, err := memory.NewPool(int64(producers) * share)
	if err != nil {
		t.Fatal(err)
	}
	n := &net{t: t, pool: pool}
	for i := range producers {
		local, err := buffer.NewLocalPool(pool, buffer.Config{Bytes: share, Channels: consumers, Area: buffer.NewArea(1 << 20)})
		if err != nil {
			t.Fatal(err)
		}
		p, err := partition.New(partition.Config{Topology: selector.Topology{Producers: producers, Consumers: consumers, Producer: i}, Pool: local})
		if err != nil {
			t.Fatal(err)
		}
		builders, err := p.Claim(partition.Claim{Flush: policy})
		if err != nil {
			t.Fatal(err)
		}
		n.feeds = append(n.feeds, &feed{t: t, part: p, builders: builders})
	}
	return n
}

// gate returns a gate over the channels of the given consumers.
func (n *net) gate(c gate.Config, consumers ...int) *gate.Gate {
	n.t.Helper()
	for _, j := range consumers {
		for _, f := range n.feeds {
			c.Sources = append(c.Sources, f.part.Subpartition(j))
		}
	}
	g, err := gate.New(c)
	if err != nil {
		n.t.Fatal(err)
	}
	return g
}

// close ends all feeds and checks that all memory was given back.
func (n *net) close() {
	n.t.Helper()
	for _, f := range n.feeds {
		_ = f.part.Finish()
	}
	if err := n.pool.Close(); err != nil {
		n.t.Error(err)
	}
}

// send writes data to a channel in pieces of at most size bytes, each of them a chunk of its own for the reader.
func (f *feed) send(channel int, data []byte, size int) {
	f.t.Helper()
	for len(data) > 0 {
		n := min(size, len(data))
		buf, err := f.part.Large(context.Background(), channel, n)
		if err != nil {
			f.t.Fatal(err)
		}
		copy(buf.Bytes(), data[:n])
		if err := f.part.Append(channel, buf, n); err != nil {
			f.t.Fatal(err)
		}
		data = data[n:]
	}
}

// emit writes a record as generated writers do.
func (f *feed) emit(channel int, payload []byte) {
	f.t.Helper()
	b := &f.builders[channel]
	if b.Free() < buffer.FrameHeader+len(payload) {
		if err := f.part.Acquire(context.Background(), channel, 1<<10); err != nil {
			f.t.Fatal(err)
		}
	}
	dst, _ := b.Tail()
	copy(dst, payload)
	if b.Commit(len(payload)) || b.Confirm() {
		return
	}
	if err := f.part.Announce(channel); err != nil {
		f.t.Fatal(err)
	}
}

// frame returns payload behind its length.
func frame(payload []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload...)
}

// raw is a record that is its own payload.
type raw struct{ data []byte }

// rawSerializer reads a payload as it is, and refuses those that begin with 0xff.
type rawSerializer struct{}

func (rawSerializer) Size(v *raw) int { return len(v.data) }

func (rawSerializer) Put(dst []byte, v *raw) (int, error) { return copy(dst, v.data), nil }

func (rawSerializer) Append(dst []byte, v *raw) ([]byte, error) { return append(dst, v.data...), nil }

func (rawSerializer) Consume(src []byte, v *raw) (int, error) {
	if len(src) > 0 && src[0] == 0xff {
		return 0, errBad
	}
	if len(src) > 0 && src[0] == 0xfe {
		return len(src) - 1, nil // leaves a byte over
	}
	v.data = append(v.data[:0], src...)
	return len(src), nil
}

func (s rawSerializer) ConsumeLimits(src []byte, v *raw, _ record.Limits) (int, error) {
	return s.Consume(src, v)
}

func (rawSerializer) Schema() record.Schema { return record.Schema{Text: "raw", Fingerprint: 3} }

func newReader(t *testing.T, g *gate.Gate) *gate.Reader[raw] {
	t.Helper()
	r, err := gate.NewReader(g, rawSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
