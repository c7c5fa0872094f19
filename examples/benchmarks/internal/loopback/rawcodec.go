package loopback

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"google.golang.org/grpc/mem"
)

// A rawCodec sends a *[]byte as it is and gives it to its pool when gRPC is done with it; it receives into the memory of a *[]byte.
type rawCodec struct{ blocks *blockPool }

// Name is part of the content type.
func (*rawCodec) Name() string { return "raw" }

// Marshal takes over the block.
func (c *rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	block, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("raw codec: %T is no *[]byte", v)
	}
	return mem.BufferSlice{mem.NewBuffer(block, c.blocks)}, nil
}

// Unmarshal copies: a message arrives in several HTTP/2 frames.
func (c *rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	block, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("raw codec: %T is no *[]byte", v)
	}
	*block = slices.Grow((*block)[:0], data.Len())[:data.Len()]
	data.CopyTo(*block)
	return nil
}

// A blockPool brings back the blocks that were sent.
type blockPool struct {
	free chan *[]byte
	size int
}

func newBlockPool(partitions, size int) *blockPool {
	return &blockPool{free: make(chan *[]byte, partitions+64), size: size}
}

// take returns an empty block.
func (p *blockPool) take() []byte { return (*p.Get(p.size))[:0] }

// Get implements mem.BufferPool.
func (p *blockPool) Get(length int) *[]byte {
	select {
	case block := <-p.free:
		if cap(*block) >= length {
			*block = (*block)[:length]
			return block
		}
	default:
	}
	block := make([]byte, length)
	return &block
}

// Put implements mem.BufferPool.
func (p *blockPool) Put(block *[]byte) {
	select {
	case p.free <- block:
	default:
	}
}

// ignoreEOF is for the end of a call or stream.
func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
