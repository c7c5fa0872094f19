package task

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/writer"
)

// output is a partition that tells for which of its lanes the writer waits, and takes nothing more when nobody needs it, whatever context the writer is called with. Its calls are one a block, a watermark or an
// event, not one a record.
type output struct {
	writer.Output
	link   *link
	index  int // of the instance that writes
	needed *stageDemand
	waits  atomic.Int64 // lane + 1 of a call that is under way and may wait; 0: none
	ends   *ending      // of the instance; nil: its function has not returned
}

// Acquire implements [writer.Output].
func (o *output) Acquire(ctx context.Context, lane, size int) error {
	if err := o.stopped(); err != nil {
		return err
	}
	o.waits.Store(int64(lane) + 1)
	defer o.waits.Store(0)
	return o.Output.Acquire(ctx, lane, size)
}

// Large implements [writer.Output].
func (o *output) Large(ctx context.Context, lane, n int) (*buffer.Buffer, error) {
	if err := o.stopped(); err != nil {
		return nil, err
	}
	o.waits.Store(int64(lane) + 1)
	defer o.waits.Store(0)
	return o.Output.Large(ctx, lane, n)
}

// TryAcquire implements [writer.Output].
func (o *output) TryAcquire(lane, size int) (bool, error) {
	if err := o.stopped(); err != nil {
		return false, err
	}
	return o.Output.TryAcquire(lane, size)
}

// TryLarge implements [writer.Output].
func (o *output) TryLarge(lane, n int) (*buffer.Buffer, error) {
	if err := o.stopped(); err != nil {
		return nil, err
	}
	return o.Output.TryLarge(lane, n)
}

// Watermark implements [writer.Output].
func (o *output) Watermark(micros int64) error {
	if err := o.stopped(); err != nil {
		return err
	}
	return o.Output.Watermark(micros)
}

// Idle implements [writer.Output].
func (o *output) Idle(idle bool) error {
	if err := o.stopped(); err != nil {
		return err
	}
	return o.Output.Idle(idle)
}

// Event implements [writer.Output]. The end of data is part of the end, which everybody gets.
func (o *output) Event(lane int, e partition.Event) error {
	if err := o.stopped(); err != nil && e.Kind != partition.EndOfData {
		return err
	}
	return o.Output.Event(lane, e)
}

// Fail implements [writer.Output]. What stands between the writer and the partition, a tape for example, may fail while the instance closes its writers: the graph is told before the readers are.
func (o *output) Fail(cause error) error {
	if o.ends != nil && cause != nil {
		o.ends.fail(fmt.Errorf("%s: %w", o.link.name, cause))
	}
	return o.Output.Fail(cause)
}

// stopped returns ErrStop if nobody needs what is written.
func (o *output) stopped() error {
	if o.needed.over() {
		return fmt.Errorf("%w: nobody reads %s any more", ErrStop, o.link.name)
	}
	return nil
}

// lane returns the lane that the writer waits for, −1 if it does not wait.
func (o *output) lane() int { return int(o.waits.Load()) - 1 }
