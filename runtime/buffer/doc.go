// Package buffer holds what lies between memory and queues: a [Builder] is a writer's cursor into the open block of
// one channel, a [Buffer] is a counted reference to a block, a [LocalPool] is one partition's share of a
// memory pool, and an [Area] is the room for records too large for blocks.
//
//	local, err := buffer.NewLocalPool(pool, buffer.Config{Bytes: 64 << 10, Channels: 4})
//	b, ok := local.TryAcquire(0, 4<<10)
//	builder.Open(b)
//	dst, ok := builder.Tail()
//	n, err := serializer.Put(dst, &record)
//	builder.Commit(n)
//	…
//	local.Close()
//
// See runtime/DESIGN.md, sections 1 to 4.
package buffer
