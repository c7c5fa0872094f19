package partition

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

// Config configures a [Partition].
type Config struct {
	// Topology is what the writer is told. Consumers is the number of channels, Producer the index of this partition. Required.
	Topology selector.Topology
	// Pool is this partition's share of memory, with a lane for each channel. Required.
	Pool *buffer.LocalPool
	// Contract is shared by all partitions and readers of an exchange. Nil accepts every schema, and takes it for that of the reader.
	Contract *Contract
	// MaxRecordBytes bounds the payload of a record, together with the size of the pool's area. Zero: only that.
	MaxRecordBytes int
}

// Partition is the output of one producer: a queue for each of its channels. It implements [Output].
//
// The methods of Output are for the writer's goroutine. Subpartition, Cancel, Stats, Closed and Discard may be called from any.
type Partition struct {
	topology selector.Topology
	pool     *buffer.LocalPool
	contract *Contract
	record   int
	subs     []*Subpartition

	ctx    context.Context // canceled by Cancel
	cancel context.CancelCauseFunc
	closed chan struct{} // closed by Finish, Fail and Cancel without a writer
	once   sync.Once

	// Writer only, after Claim.
	builders []buffer.Builder
	flushed  []int    // bytes of the open block that were flushed, by lane
	warm     bool     // see begin
	small    bool     // the last block that filled up held many records
	busy     []bool   // by lane: a block was filled since the lane was armed, and the writer is fast
	told     []uint64 // by lane: the window of pace in which the lane was last announced
	pace     pace
	policy   FlushPolicy
	waiting  func()        // Claim.BeforeWait
	mark     mark          // what the writer has said of its event time
	shown    mark          // what all readers were told to look at
	drained  bool          // EndOfData was sent
	lacking  *Subpartition // had no room for the event that was refused last; nil: none was
	lack     int           // bytes of that event
	done     error         // after Finish or Fail: what they returned

	marks marks

	schema atomic.Pointer[record.Schema] // of the writer
	writer atomic.Pointer[Claim]

	mu      sync.Mutex // guards what follows and the pairing of lanes with their cursors, for Stats
	claimed bool
	name    string
	lanes   []metrics.Channel
	blocked time.Duration
}

var _ Output = (*Partition)(nil)

// New returns a partition without a writer. It fails if the topology has no channels or does not contain this producer.
func New(c Config) (*Partition, error) {
	t := c.Topology
	if t.Consumers < 1 || t.Producer < 0 || t.Producer >= t.Producers {
		return nil, fmt.Errorf("partition: producer %d of %d with %d channels", t.Producer, t.Producers, t.Consumers)
	}
	p := &Partition{topology: t, pool: c.Pool, contract: c.Contract, closed: make(chan struct{})}
	p.record = int(min(c.Pool.Area().Bytes(), math.MaxInt)) - buffer.FrameHeader
	if c.MaxRecordBytes > 0 {
		p.record = min(p.record, c.MaxRecordBytes)
	}
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	for i := range t.Consumers {
		p.subs = append(p.subs, &Subpartition{schema: &p.schema, producer: t.Producer, channel: i, channels: int32(min(t.Producers*t.Consumers, math.MaxInt32)), pool: c.Pool, marks: &p.marks})
	}
	p.marks.rest(p.subs...)
	return p, nil
}

// Topology implements [Output].
func (p *Partition) Topology() selector.Topology { return p.topology }

// Subpartition returns the queue of one channel.
func (p *Partition) Subpartition(channel int) *Subpartition { return p.subs[channel] }

// Claim implements [Output].
func (p *Partition) Claim(c Claim) ([]buffer.Builder, error) {
	who := fmt.Sprintf("the writer of producer %d", p.topology.Producer)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil {
		return nil, canceled(context.Cause(p.ctx))
	}
	if p.claimed {
		return nil, fmt.Errorf("%w: producer %d has a writer", ErrInUse, p.topology.Producer)
	}
	if err := p.contract.JoinWriter(who, c.Schema); err != nil {
		return nil, err
	}
	p.claimed = true
	lanes := len(p.subs)
	if c.Selection == selector.KindBroadcast {
		lanes = 1
		p.pool.OneLane()
	}
	p.name, p.policy, p.waiting = c.Name, c.Flush, c.BeforeWait
	p.schema.Store(&c.Schema)
	p.writer.Store(&c)
	p.pace.start()
	p.builders = make([]buffer.Builder, lanes)
	p.flushed = make([]int, lanes)
	p.warm = lanes >= warmLanes && lanes*p.pool.SteadyBlock() <= warmBytes
	p.busy = make([]bool, lanes)
	p.told = make([]uint64, lanes)
	p.lanes = make([]metrics.Channel, lanes)
	for i, s := range p.subs {
		s.mu.Lock()
		s.lane, s.policy, s.pace = &p.builders[min(i, lanes-1)], c.Flush, &p.pace
		s.mu.Unlock()
	}
	if c.Flush.kind == onFull {
		for i := range p.builders {
			p.builders[i].Arm(true)
		}
	}
	return p.builders, nil
}

// Sizes implements [Output].
func (p *Partition) Sizes() Sizes {
	return Sizes{Steady: p.pool.SteadyBlock(), Block: p.pool.MaxBlock(), Record: p.record}
}

// consumers returns the queues that a lane feeds.
func (p *Partition) consumers(lane int) []*Subpartition {
	if len(p.builders) == len(p.subs) {
		return p.subs[lane : lane+1]
	}
	return p.subs
}

// failed returns why a lane accepts nothing any more.
func (p *Partition) failed(lane int) error {
	if p.ctx.Err() != nil {
		return canceled(context.Cause(p.ctx))
	}
	if p.drained || p.isClosed() {
		return ErrClosed
	}
	for _, s := range p.consumers(lane) {
		if e := s.gone.Load(); e != nil {
			return e
		}
	}
	return nil
}

func (p *Partition) isClosed() bool {
	select {
	case <-p.closed:
		return true
	default:
		return false
	}
}

// handOver finishes the open block of a lane, if there is one.
func (p *Partition) handOver(lane int, cause metrics.FlushCause) {
	b := &p.builders[lane]
	buf := b.Block()
	if buf == nil {
		return
	}
	// Once the block is marked as finished in every queue, no reader looks at the cursor any more, and it can be reset.
	n := b.Written()
	p.pool.Opened(-len(buf.Bytes()))
	if cause == metrics.Full && p.pace.filled(n) {
		p.busy[lane] = true
		if p.canBeHot(lane) {
			b.Heat()
		}
	}
	for _, s := range p.consumers(lane) {
		s.finish(n, p.mark, cause)
	}
	p.flushed[lane] = 0
	p.mu.Lock()
	defer p.mu.Unlock()
	_, bytes, records := b.Finish()
	p.small = bytes <= warmRecord*records
	l := &p.lanes[lane]
	l.Bytes += uint64(bytes)
	l.Records += uint64(records)
	l.Blocks++
}

// Finish implements [Output].
func (p *Partition) Finish() error { return p.end(nil) }

// Fail implements [Output]. A nil cause is Finish.
func (p *Partition) Fail(cause error) error { return p.end(cause) }

func (p *Partition) end(cause error) error {
	if p.isClosed() {
		return p.done
	}
	for lane := range p.builders {
		p.handOver(lane, metrics.Finished)
	}
	var errs []error
	if p.ctx.Err() != nil {
		err := canceled(context.Cause(p.ctx))
		errs = append(errs, err)
		if cause == nil || errors.Is(err, cause) {
			// Or a reader that does not know yet would take what there is for all there is; and who ends it with the cause of Cancel has canceled it.
			cause = err
		}
	}
	for _, s := range p.subs {
		s.end(cause, p.mark)
	}
	for _, s := range p.subs {
		n, events, e := s.dropped.Load(), s.lost.Load(), s.gone.Load()
		switch {
		case e == nil:
		case events > 0:
			errs = append(errs, fmt.Errorf("%d bytes and %d user events were dropped: %w", n, events, e))
		case n > 0:
			errs = append(errs, fmt.Errorf("%d bytes were dropped: %w", n, e))
		}
	}
	p.done = errors.Join(errs...)
	p.pool.Close() // others may have the share; what is queued comes back to it
	p.once.Do(func() { close(p.closed) })
	return p.done
}

// Cancel makes every operation of the writer fail with [ErrCanceled] and cause. What is queued stays until the writer is closed and the readers are; a
// partition without a writer is abandoned. From any goroutine.
func (p *Partition) Cancel(cause error) {
	if cause == nil {
		cause = ErrCanceled // or the context would call itself the cause
	}
	p.cancel(cause)
	p.pool.Wake()
	for _, s := range p.subs {
		s.wakeForEvents()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.builders {
		p.builders[i].Disarm()
	}
	p.abandon(canceled(cause))
}

// Abandon ends a partition that never got a writer: its readers fail with cause. It does nothing if there is, or was, a writer. From any goroutine.
func (p *Partition) Abandon(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.abandon(cause)
}

// abandon is Abandon. REQUIRES: mu held.
func (p *Partition) abandon(cause error) {
	if p.claimed {
		return
	}
	p.claimed = true
	for _, s := range p.subs {
		s.end(cause, 0)
	}
	p.pool.Close()
	p.once.Do(func() { close(p.closed) })
}

// Closed is closed when the writer was closed.
func (p *Partition) Closed() <-chan struct{} { return p.closed }

// Claimed reports whether there is, or was, a writer.
func (p *Partition) Claimed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.claimed
}

// Writer returns what the writer has claimed the partition with, false before that. From any goroutine.
func (p *Partition) Writer() (Claim, bool) {
	if c := p.writer.Load(); c != nil {
		return *c, true
	}
	return Claim{}, false
}

// Discard releases what is queued for a channel that never had a reader, and returns how many bytes that were; a second call returns the same. REQUIRES:
// Closed.
func (p *Partition) Discard(channel int) uint64 { return p.subs[channel].discard() }

// Usage returns what the partition holds of its share of memory. From any goroutine.
func (p *Partition) Usage() buffer.Usage { return p.pool.Usage() }

// Stats implements [Output].
func (p *Partition) Stats() metrics.Writer {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := metrics.Writer{Name: p.name, Blocked: p.blocked, Channels: make([]metrics.Channel, len(p.lanes))}
	for i := range p.lanes {
		c := p.lanes[i]
		bytes, records := p.builders[i].Position()
		c.Bytes += uint64(bytes)
		c.Records += uint64(records)
		for _, s := range p.consumers(i) {
			for cause := range c.Flushes {
				c.Flushes[cause] += s.flushes[cause].Load()
			}
			c.Dropped += s.dropped.Load()
		}
		c.Queued = p.pool.Held(i)
		w.Channels[i] = c
		w.Records += c.Records
		w.Bytes += c.Bytes
		w.Blocks += c.Blocks
		w.Refused += c.Refused
		for cause := range c.Flushes {
			w.Flushes[cause] += c.Flushes[cause]
		}
	}
	return w
}
