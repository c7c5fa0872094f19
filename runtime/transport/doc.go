// Package transport carries channels of exchanges between processes over TCP: a [Server] publishes the partitions of one process, a [Client] in another one reads subpartitions of them as gates
// do in process.
//
//	var published transport.Registry
//	s, err := transport.NewServer(config, &published)       // where records are produced
//	pub, err := published.Publish("trades/0", partition)
//	go s.Serve(ctx, listener)
//
//	c, err := transport.NewClient(config)                   // where they are consumed
//	ch, err := c.Channel(transport.ChannelConfig{Address: "host:7001", Partition: "trades/0", Subpartition: 2, Topology: topology, Budget: budget})
//	g, err := gate.New(gate.Config{Sources: []gate.Source{ch}})
//
// Package exchange does this wiring by a list of addresses. Between two processes there is one connection for all channels. A server sends what a client has set memory aside for, by channel, so a slow reader
// stops its own producers and nobody else. When a connection breaks it is made again, and every channel goes on at the byte where it has stopped; what is sent is kept until it is acknowledged.
//
// PROTOCOL.md says what travels. DESIGN.md says how this package does it.
package transport
