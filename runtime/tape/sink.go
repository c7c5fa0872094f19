package tape

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

// RecorderConfig configures a stand-alone recorder.
type RecorderConfig struct {
	// Topology is what the writer is told; Consumers is the number of channels. Required.
	Topology selector.Topology
	// MemoryBytes bounds the open blocks, in bytes; at least (Consumers + 1) KiB. Zero means 32 KiB for each channel, at most 4 MiB, but not less than the least.
	MemoryBytes int64
	// Limits bound records. Zero fields mean their defaults. One record that is too large for a block takes its size in memory besides MemoryBytes.
	Limits record.Limits
}

// recorderBytes is the most memory that a recorder takes by default, in bytes.
const recorderBytes = 4 << 20

// NewRecorder returns an output that only records, on w. It fails with memory.ErrInsufficient if there is too little memory, and with selector.ErrTopology. Its writer must be closed, which gives the memory back;
// a recorder that never gets one is closed by Finish.
func NewRecorder(c RecorderConfig, w io.Writer, opts ...Option) (*Recorder, error) {
	if err := c.Topology.Validate(); err != nil {
		return nil, fmt.Errorf("tape: %w", err)
	}
	channels := int64(c.Topology.Consumers)
	bytes := c.MemoryBytes
	if bytes == 0 {
		bytes = max(min(channels*memory.MaxBlock+memory.MinBlock, recorderBytes), (channels+1)*memory.MinBlock)
	}
	m, err := memory.NewPool(bytes)
	if err != nil {
		return nil, fmt.Errorf("tape: %w", err)
	}
	limits := c.Limits.WithDefaults()
	area := buffer.NewArea(int64(limits.MaxRecordBytes) + buffer.FrameHeader)
	pool, err := buffer.NewLocalPool(m, buffer.Config{Bytes: bytes, Channels: c.Topology.Consumers, Area: area})
	if err != nil {
		_ = m.Close() // nothing was acquired
		return nil, fmt.Errorf("tape: %w", err)
	}
	s := &sink{topology: c.Topology, memory: m, pool: pool, record: limits.MaxRecordBytes, closed: make(chan struct{})}
	return NewTee(s, w, opts...), nil
}

// sink is an output that nobody reads: it gives back what is handed over.
type sink struct {
	topology selector.Topology
	memory   *memory.Pool
	pool     *buffer.LocalPool
	record   int // limit
	builders []buffer.Builder
	closed   chan struct{}
	over     bool // after the end of data
	done     bool
	result   error

	mu    sync.Mutex // guards the pairing of lanes with their cursors, for Stats
	name  string
	lanes []metrics.Channel
}

func (s *sink) Topology() selector.Topology { return s.topology }

func (s *sink) Claim(c partition.Claim) ([]buffer.Builder, error) {
	if s.done {
		return nil, partition.ErrClosed
	}
	if s.builders != nil {
		return nil, fmt.Errorf("%w: the recorder has a writer", partition.ErrInUse)
	}
	lanes := s.topology.Consumers
	if c.Selection == selector.KindBroadcast {
		lanes = 1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.name, s.lanes, s.builders = c.Name, make([]metrics.Channel, lanes), make([]buffer.Builder, lanes)
	for i := range s.builders {
		s.builders[i].Arm(true) // there is nobody to be told
	}
	return s.builders, nil
}

func (s *sink) Sizes() partition.Sizes {
	return partition.Sizes{Steady: s.pool.SteadyBlock(), Block: s.pool.MaxBlock(), Record: s.record}
}

// handOver gives the open block of a lane back, if there is one.
func (s *sink) handOver(lane int) {
	if s.builders[lane].Block() == nil {
		return
	}
	s.mu.Lock()
	buf, bytes, records := s.builders[lane].Finish()
	l := &s.lanes[lane]
	l.Bytes += uint64(bytes)
	l.Records += uint64(records)
	l.Blocks++
	s.mu.Unlock()
	s.pool.Opened(-len(buf.Bytes()))
	buf.Release()
}

func (s *sink) Acquire(ctx context.Context, lane, size int) error {
	if s.over || s.done {
		return partition.ErrClosed
	}
	if ctx.Err() != nil {
		return buffer.Interrupted(ctx)
	}
	s.handOver(lane)
	// There is a block: the others of this pool are open ones, and those leave room for this.
	for {
		if buf, ok := s.pool.TryAcquire(lane, size); ok {
			s.open(lane, buf)
			return nil
		}
		if err := s.pool.Wait(ctx, lane); err != nil {
			return err
		}
	}
}

func (s *sink) open(lane int, buf *buffer.Buffer) {
	s.mu.Lock()
	s.builders[lane].Open(buf)
	s.mu.Unlock()
	s.pool.Opened(len(buf.Bytes()))
}

func (s *sink) TryAcquire(lane, size int) (bool, error) {
	if s.over || s.done {
		return false, partition.ErrClosed
	}
	s.handOver(lane)
	buf, ok := s.pool.TryAcquire(lane, size)
	if !ok {
		return false, s.pool.Err()
	}
	s.open(lane, buf)
	return true, nil
}

func (s *sink) Large(ctx context.Context, lane, n int) (*buffer.Buffer, error) {
	if s.over || s.done {
		return nil, partition.ErrClosed
	}
	return s.pool.Large(ctx, lane, n)
}

func (s *sink) TryLarge(lane, n int) (*buffer.Buffer, error) {
	if s.over || s.done {
		return nil, partition.ErrClosed
	}
	buf, _ := s.pool.TryLarge(lane, n)
	return buf, nil
}

func (s *sink) Append(lane int, buf *buffer.Buffer, n int) error {
	defer buf.Release()
	if s.over || s.done {
		return partition.ErrClosed
	}
	s.handOver(lane)
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &s.lanes[lane]
	l.Bytes += uint64(n)
	l.Records++
	l.Blocks++
	return nil
}

func (s *sink) AppendAll(buf *buffer.Buffer, n int) error {
	buf.Retain(len(s.builders) - 1)
	var err error
	for lane := range s.builders {
		err = s.Append(lane, buf, n)
	}
	return err
}

func (s *sink) Announce(lane int) error {
	if s.done {
		return partition.ErrClosed
	}
	s.builders[lane].Arm(true)
	return nil
}

func (s *sink) Flush() error {
	if s.done {
		return partition.ErrClosed
	}
	return nil
}

func (s *sink) Watermark(int64) error { return s.accepts() }

func (s *sink) Idle(bool) error { return s.accepts() }

func (s *sink) Event(lane int, e partition.Event) error {
	if err := s.accepts(); err != nil {
		return err
	}
	switch {
	case e.Kind != partition.EndOfData && e.Kind != partition.UserEvent && e.Kind != partition.LatencyMarker:
		return fmt.Errorf("tape: %v cannot be sent", e.Kind)
	case len(e.Data) > partition.MaxEventData:
		return fmt.Errorf("%w: %d bytes, the limit is %d", partition.ErrEventTooLarge, len(e.Data), partition.MaxEventData)
	}
	for l := range s.builders {
		if lane == all || l == lane {
			s.handOver(l)
		}
	}
	s.over = e.Kind == partition.EndOfData
	return nil
}

// accepts returns why nothing is accepted any more.
func (s *sink) accepts() error {
	if s.over || s.done {
		return partition.ErrClosed
	}
	return nil
}

// EventReady implements partition.Output: nothing is refused for want of room.
func (s *sink) EventReady() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

func (s *sink) Finish() error {
	if s.done {
		return s.result
	}
	s.done = true
	for lane := range s.builders {
		s.handOver(lane)
		s.builders[lane].Disarm()
	}
	s.pool.Close()
	if err := s.memory.Close(); err != nil {
		s.result = errors.Join(s.result, fmt.Errorf("tape: %w", err))
	}
	close(s.closed)
	return s.result
}

func (s *sink) Fail(error) error { return s.Finish() }

func (s *sink) Loads() []atomic.Int64 { return s.pool.Loads() }

func (s *sink) Available(lane int) bool { return s.done || s.pool.Available(lane) }

func (s *sink) Ready(lane int) <-chan struct{} {
	if s.done {
		return s.closed
	}
	return s.pool.Ready(lane)
}

func (s *sink) Stats() metrics.Writer {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := metrics.Writer{Name: s.name, Channels: make([]metrics.Channel, len(s.lanes))}
	for i, c := range s.lanes {
		bytes, records := s.builders[i].Position()
		c.Bytes += uint64(bytes)
		c.Records += uint64(records)
		c.Queued = s.pool.Held(i)
		w.Channels[i] = c
		w.Records += c.Records
		w.Bytes += c.Bytes
		w.Blocks += c.Blocks
	}
	return w
}
