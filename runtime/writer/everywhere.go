package writer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/buffer"
)

// RoomAll is Room for a record that goes to every channel of a writer that selects. The caller puts the record once and calls PlaceAll, or UndoAll. If it fails, nothing
// of the record was written to any channel.
//
// A record that goes into blocks is copied into the block of each channel; a large one is stored once and shared. Sharing smaller ones too would cost more than it saves: the open
// block of every channel would have to be handed over before its time (BenchmarkBroadcastSelecting).
func (c *Core) RoomAll(ctx context.Context, size int) ([]byte, error) {
	if len(c.builders) == 1 {
		return c.Room(ctx, 0, size)
	}
	if err := c.begin(size); err != nil {
		return nil, err
	}
	frame := buffer.FrameHeader + size
	share := frame > c.sizes.Block/buffer.LargeShare
	c.source = -1
	var gone error
	for lane := 0; lane < len(c.builders) && !share; lane++ {
		b := &c.builders[lane]
		if frame > b.Free() {
			written, late := b.Written(), ctx.Err() != nil
			err := c.out.Acquire(ctx, lane, c.sizing.next(lane, written, frame))
			if errors.Is(err, ErrConsumerGone) {
				gone = err // PlaceAll passes it over, and tells
				continue
			}
			if err != nil {
				return nil, c.waited(ctx, late, lane, err)
			}
			c.sizing.opened(lane, written, b.Free())
			share = frame > b.Free() // memory is so short that only a smaller block was to be had
		}
		if c.source < 0 {
			c.source = lane
		}
	}
	if !share {
		if c.source < 0 {
			return nil, gone
		}
		dst, _ := c.builders[c.source].Tail()
		return dst, nil
	}
	for _, n := range []int{0, frame} { // first it waits for full channels, without anything in hand
		for lane := range c.builders {
			late := ctx.Err() != nil
			buf, err := c.out.Large(ctx, lane, n)
			if errors.Is(err, ErrConsumerGone) {
				gone = err
				continue
			}
			if err != nil {
				return nil, c.waited(ctx, late, lane, err)
			}
			if n > 0 {
				c.large = buf
				return buf.Bytes()[buffer.FrameHeader:], nil
			}
			buf.Release()
		}
	}
	return nil, gone
}

// PlaceAll completes a record of n bytes that was put where RoomAll said. The error is that of channels whose consumers have left; all others have got the record.
func (c *Core) PlaceAll(n int) error {
	if len(c.builders) == 1 {
		return c.Place(0, n)
	}
	if buf := c.large; buf != nil {
		c.large = nil
		binary.BigEndian.PutUint32(buf.Bytes(), uint32(n))
		return c.out.AppendAll(buf, buffer.FrameHeader+n)
	}
	src, _ := c.builders[c.source].Tail()
	src = src[:n]
	var errs []error
	for lane := range c.builders {
		b := &c.builders[lane]
		dst, ok := b.Tail()
		if !ok || len(dst) < n {
			errs = append(errs, c.out.Announce(lane)) // it fails: there was no block to be had for a consumer that has left
			continue
		}
		if lane != c.source {
			copy(dst, src)
		}
		// Append also stands here for generated code: the compiler inlines a function of a package that is not imported only where a package that is does so too.
		if b.Append(n) {
			c.Touch(lane)
		}
	}
	_, err := c.EndBatch(0, errors.Join(errs...))
	return err
}

// UndoAll gives up a record that could not be put where RoomAll said, and returns err with the record's type. Nothing of it was written.
func (c *Core) UndoAll(err error) error {
	if len(c.builders) == 1 {
		return c.Undo(0, err)
	}
	c.forget()
	return fmt.Errorf("writer: %s for all channels: %w", c.spec.Record, err)
}
