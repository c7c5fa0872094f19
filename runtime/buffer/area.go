package buffer

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/semaphore"
)

// Area is the room for records too large for blocks: a byte budget served first come, first served. It may be shared by any number of
// partitions and used from any goroutine.
type Area struct {
	sem   *semaphore.Weighted
	bytes int64
}

// NewArea returns an area of so many bytes. An area of 0 bytes admits nothing.
func NewArea(bytes int64) *Area {
	return &Area{sem: semaphore.NewWeighted(bytes), bytes: bytes}
}

// Bytes returns the size of the area, which is also the largest frame it admits.
func (a *Area) Bytes() int64 { return a.bytes }

// acquire waits for n ≤ Bytes bytes.
func (a *Area) acquire(ctx context.Context, n int64) error {
	if a.sem.Acquire(ctx, n) != nil {
		return Interrupted(ctx)
	}
	return nil
}

func (a *Area) tryAcquire(n int64) bool { return a.sem.TryAcquire(n) }

func (a *Area) release(n int64) { a.sem.Release(n) }

// Interrupted returns the error of a context that is done: ctx.Err(), and its cause beside it where that says more. The result is both of
// them to errors.Is.
func Interrupted(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	switch {
	case cause == nil || cause == err:
		return err
	case errors.Is(cause, err):
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}
