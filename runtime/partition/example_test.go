package partition_test

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

// Example writes a record and reads it, without the writers and gates that do this in practice. It leaves out what goes wrong.
func Example() {
	ctx := context.Background()
	pool, _ := memory.NewPool(1 << 20)
	share, _ := buffer.NewLocalPool(pool, buffer.Config{Bytes: 64 << 10, Channels: 2})
	p, _ := partition.New(partition.Config{Topology: selector.Topology{Producers: 1, Consumers: 2}, Pool: share})

	in := partition.NewInbox()
	view, _ := p.Subpartition(1).View(in)

	builders, _ := p.Claim(partition.Claim{Record: "Word", Schema: record.Schema{Text: "rwgen/1 Word{W string}"}})
	const channel = 1
	_ = p.Acquire(ctx, channel, memory.MinBlock)
	b := &builders[channel]
	dst, _ := b.Tail()
	if n := copy(dst, "word"); !b.Commit(n) && !b.Confirm() {
		_ = p.Announce(channel)
	}
	_ = p.Finish()

	for {
		v, _ := in.Next(ctx)
		chunk, ok := v.Poll()
		if chunk.End {
			break
		}
		if ok {
			n := binary.BigEndian.Uint32(chunk.Data)
			fmt.Printf("channel %d: %s\n", v.Channel(), chunk.Data[buffer.FrameHeader:][:n])
		}
		chunk.Release()
	}
	view.Release(nil)
	p.Discard(0)
	fmt.Println(pool.Close())
	// Output:
	// channel 1: word
	// <nil>
}
