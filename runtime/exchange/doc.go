// Package exchange wires producers to consumers in one process or several, within one memory budget. In one process:
//
//	x, err := exchange.New(exchange.Config{Producers: 2, Consumers: 4})
//	w, err := flights.NewFlightByOriginWriter(x.Partition(0)) // in the goroutine of producer 0
//	r, err := flights.NewFlightReader(x.Gate(3))              // in the goroutine of consumer 3
//	…
//	err = x.Close(ctx) // when all writers and readers are closed
//
// Each producer has a partition with a channel for each consumer; each consumer has a gate over its channel of every producer. A partition takes
// one writer, a gate one reader, all of the same record type.
//
// The same program runs in several processes, each of which is told by the same lists who is where, and has one end of the network, a [transport.Node]:
//
//	node, err := transport.Listen(transport.Config{Name: self, TLS: t}, self) // "" instead of an address in a process that only reads
//	x, err := exchange.New(exchange.Config{Processes: &exchange.Processes{
//		Name: "flights", Producers: []string{"10.1.1.1:7001", "10.1.1.2:7001"}, Consumers: []string{"reader-0", "reader-1"}, Self: self, Node: node,
//	}})
//	…
//	err = errors.Join(x.Close(ctx), node.Close(ctx)) // in this order
//
// Several exchanges of one process share a budget when they are made with the same Config.Memory; each is guaranteed a part of it, so that none can stop another:
//
//	pool, err := memory.NewPool(256 << 20)
//	a, err := exchange.New(exchange.Config{Producers: 2, Consumers: 4, Memory: pool})
//	b, err := exchange.New(exchange.Config{Producers: 4, Consumers: 100, Memory: pool})
//	…
//	err = errors.Join(a.Close(ctx), b.Close(ctx), pool.Close()) // in this order
//
// What is guaranteed: records of one producer on one channel arrive in order, each once. A failed producer fails its readers after
// the records before the failure; a reader that leaves fails its producers. Memory stays within Config.MemoryBytes. If every reader keeps reading, no writer
// waits for ever. All of it, with the tests that hold it, is in [runtime/GUARANTEES.md]; how it works is in runtime/DESIGN.md.
//
// [runtime/GUARANTEES.md]: https://github.com/rwgen/rwgen/blob/main/runtime/GUARANTEES.md
package exchange
