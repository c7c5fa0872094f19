package partition_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
)

// net is a number of partitions with writers, and readers of one channel of each, on goroutines of their own.
type net struct {
	t          testing.TB
	memory     *memory.Pool
	area       *buffer.Area
	partitions []*partition.Partition
	pools      []*buffer.LocalPool
	broadcast  bool
}

type netConfig struct {
	producers, consumers int
	share                int64 // of each partition; 0: the least
	channelBytes         int64
	area                 int64
	broadcast            bool
}

func newNet(t testing.TB, c netConfig) *net {
	t.Helper()
	if c.share == 0 {
		c.share = int64(c.consumers+1) * memory.MinBlock
	}
	m, err := memory.NewPool(c.share * int64(c.producers))
	if err != nil {
		t.Fatal(err)
	}
	n := &net{t: t, memory: m, area: buffer.NewArea(max(c.area, memory.MinBlock)), broadcast: c.broadcast}
	for i := range c.producers {
		pool, err := buffer.NewLocalPool(m, buffer.Config{
			Bytes: c.share, Channels: c.consumers, ChannelBytes: c.channelBytes, Area: n.area,
		})
		if err != nil {
			t.Fatal(err)
		}
		p, err := partition.New(partition.Config{
			Topology: selector.Topology{Producers: c.producers, Consumers: c.consumers, Producer: i}, Pool: pool,
		})
		if err != nil {
			t.Fatal(err)
		}
		n.partitions, n.pools = append(n.partitions, p), append(n.pools, pool)
	}
	return n
}

// close checks that everything came back.
func (n *net) close() {
	n.t.Helper()
	for i, p := range n.pools {
		if u := p.Usage(); u.Used != 0 || u.Large != 0 {
			n.t.Errorf("producer %d: not given back: %+v", i, u)
		}
	}
	if err := n.memory.Close(); err != nil {
		n.t.Error(err)
	}
}

// producer writes numbered records as generated writers do.
type producer struct {
	part     *partition.Partition
	builders []buffer.Builder
	numbers  []uint32
	block    int
}

func (n *net) producer(i int, flush partition.FlushPolicy) *producer {
	n.t.Helper()
	kind := selector.KindKeyed
	if n.broadcast {
		kind = selector.KindBroadcast
	}
	p := &producer{part: n.partitions[i], block: memory.MinBlock}
	var err error
	if p.builders, err = p.part.Claim(partition.Claim{Selection: kind, Flush: flush}); err != nil {
		n.t.Fatal(err)
	}
	p.numbers = make([]uint32, len(p.builders))
	return p
}

// emit writes a record of size ≥ 4 bytes. accepted says whether it counts as written although there is an error.
func (p *producer) emit(ctx context.Context, lane, size int) (accepted bool, err error) {
	b, frame := &p.builders[lane], buffer.FrameHeader+size
	sizes := p.part.Sizes()
	if frame > b.Free() && frame <= sizes.Block/buffer.LargeShare {
		if err := p.part.Acquire(ctx, lane, p.block); err != nil {
			return false, err
		}
		p.block = min(2*p.block, sizes.Block)
	}
	if frame > b.Free() {
		buf, err := p.part.Large(ctx, lane, frame)
		if err != nil {
			return false, err
		}
		binary.BigEndian.PutUint32(buf.Bytes(), uint32(size))
		p.fill(buf.Bytes()[buffer.FrameHeader:], lane)
		err = p.part.Append(lane, buf, frame)
		return err == nil, err
	}
	dst, _ := b.Tail()
	p.fill(dst[:size], lane)
	if b.Commit(size) || b.Confirm() {
		return true, nil
	}
	return true, p.part.Announce(lane)
}

func (p *producer) fill(dst []byte, lane int) {
	number := p.numbers[lane]
	p.numbers[lane]++
	binary.BigEndian.PutUint32(dst, number)
	for i := 4; i < len(dst); i++ {
		dst[i] = byte(number) + byte(i)
	}
}

// consumer reads one channel of each partition, and checks that records come whole and in order.
type consumer struct {
	inbox   *partition.Inbox
	views   []*partition.View
	numbers []uint32 // of the next record, by producer
	records atomic.Int64
	bytes   atomic.Int64
	ended   int
	left    bool
	polled  func(v *partition.View, chunk *partition.Chunk) // called when the data of a chunk was read; may be nil
}

func (n *net) consumer(channel int) *consumer {
	n.t.Helper()
	c := &consumer{inbox: partition.NewInbox(), numbers: make([]uint32, len(n.partitions))}
	for i, p := range n.partitions {
		v, err := p.Subpartition(channel).View(c.inbox)
		if err != nil {
			n.t.Fatal(err)
		}
		v.Index = i
		c.views = append(c.views, v)
	}
	return c
}

// step waits for a chunk and reads it. It returns false when all channels have ended.
func (c *consumer) step(ctx context.Context) (bool, error) {
	v, err := c.inbox.Next(ctx)
	if err != nil {
		return false, err
	}
	return c.read(v)
}

// read reads one chunk. It returns false when all channels have ended.
func (c *consumer) read(v *partition.View) (bool, error) {
	chunk, ok := v.Poll()
	if !ok {
		return true, nil
	}
	defer chunk.Release()
	if c.polled != nil {
		defer c.polled(v, &chunk) // before it is released
	}
	if chunk.End {
		c.ended++
		return c.ended < len(c.views), chunk.Err
	}
	records, data := int64(0), chunk.Data
	for ; len(data) > 0; records++ {
		size := int(binary.BigEndian.Uint32(data))
		payload := data[buffer.FrameHeader:][:size]
		number := binary.BigEndian.Uint32(payload)
		if number != c.numbers[v.Index] {
			return false, fmt.Errorf("channel %d of producer %d: record %d follows %d", v.Channel(), v.Producer(), number, c.numbers[v.Index])
		}
		for i := 4; i < size; i++ {
			if payload[i] != byte(number)+byte(i) {
				return false, fmt.Errorf("channel %d of producer %d: byte %d of record %d is wrong", v.Channel(), v.Producer(), i, number)
			}
		}
		c.numbers[v.Index]++
		data = data[buffer.FrameHeader+size:]
	}
	c.bytes.Add(int64(len(chunk.Data)))
	c.records.Add(records)
	return true, nil
}

// run reads to the end.
func (c *consumer) run(ctx context.Context) error {
	for {
		if more, err := c.step(ctx); err != nil || !more {
			return err
		}
	}
}

func (c *consumer) leave(cause error) {
	c.left = true
	for _, v := range c.views {
		v.Release(cause)
	}
}

// patience bounds what would otherwise hang.
func patience(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Minute, errors.New("hangs"))
	t.Cleanup(cancel)
	return ctx
}

// policies are the flush policies that tests run under; delays are so long that only correct announcements help.
var policies = []partition.FlushPolicy{
	partition.OnFull(), partition.EveryRecord(), partition.After(20 * time.Microsecond), partition.WhenIdle(time.Hour),
}

// sizes of records.
func size(r *rand.Rand, most int) int {
	switch r.IntN(10) {
	case 0:
		return 4 + r.IntN(most-3)
	case 1, 2, 3:
		return 4 + r.IntN(min(most-3, 200))
	default:
		return 4 + r.IntN(min(most-3, 12))
	}
}
