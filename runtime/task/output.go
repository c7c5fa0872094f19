package task

import (
	"context"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/writer"
)

// output is a partition that tells for which of its lanes the writer waits. Its calls are one a block, not one a record.
type output struct {
	writer.Output
	link  *link
	index int          // of the instance that writes
	waits atomic.Int64 // lane + 1 of a call that is under way and may wait; 0: none
}

// Acquire implements [writer.Output].
func (o *output) Acquire(ctx context.Context, lane, size int) error {
	o.waits.Store(int64(lane) + 1)
	defer o.waits.Store(0)
	return o.Output.Acquire(ctx, lane, size)
}

// Large implements [writer.Output].
func (o *output) Large(ctx context.Context, lane, n int) (*buffer.Buffer, error) {
	o.waits.Store(int64(lane) + 1)
	defer o.waits.Store(0)
	return o.Output.Large(ctx, lane, n)
}

// lane returns the lane that the writer waits for, −1 if it does not wait.
func (o *output) lane() int { return int(o.waits.Load()) - 1 }
