package task

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/writer"
)

// output is a partition that tells for which of its lanes the writer waits, and takes nothing more when nobody needs it, whatever context the writer is called with. Its calls are one a block, not one a record.
type output struct {
	writer.Output
	link   *link
	index  int // of the instance that writes
	needed *stageDemand
	waits  atomic.Int64 // lane + 1 of a call that is under way and may wait; 0: none
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

// stopped returns ErrStop if nobody needs what is written.
func (o *output) stopped() error {
	if o.needed.over() {
		return fmt.Errorf("%w: nobody reads %s any more", ErrStop, o.link.name)
	}
	return nil
}

// lane returns the lane that the writer waits for, −1 if it does not wait.
func (o *output) lane() int { return int(o.waits.Load()) - 1 }
