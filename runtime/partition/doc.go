// Package partition is the queueing half of an exchange: a [Partition] is one producer's output, a [Subpartition] is the queue of one
// of its channels, a [View] is the reading end of a queue, and an [Inbox] is where one reader learns what to do next.
//
// Writers see a partition through [Output], which is called once per block, never per record. The usual way to get
// partitions is package exchange; by hand:
//
//	p, err := partition.New(partition.Config{Topology: selector.Topology{Producers: 1, Consumers: 4}, Pool: local})
//	builders, err := p.Claim(partition.Claim{Record: "Flight", Schema: schema})
//	in := partition.NewInbox()
//	view, err := p.Subpartition(0).View(in)
//	v, err := in.Next(ctx)
//	chunk, ok := v.Poll()
//
// Beside records a producer says how far it has come in event time, and sends an [Event] now and then: see Output. A [Union] waits for several inboxes.
//
// State, locks and ownership are described in runtime/DESIGN.md, sections 4 to 8 and 11.
package partition
