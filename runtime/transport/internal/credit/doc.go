// Package credit is the arithmetic of flow control between processes: positions in the streams of channels, limits, acknowledgements, and who gets the memory of the receiver. PROTOCOL.md says what is
// exchanged (§4 to §6); here is what the numbers must be.
//
//   - [Sender] is the server's side of one channel: what may be sent, what is acknowledged, where to go on after a break.
//   - [Receiver] is the client's side: what may arrive, and what the next CREDIT says, and when.
//   - [Ledger] divides the client's memory: which channel gets the next block, and of what size.
//
// It is pure: no goroutines, no locks, no clock, no I/O, no memory but numbers. Nothing here may be used from two goroutines at once. What a peer says wrong is an error; what the caller does wrong is a panic.
//
// The life of a byte at the receiver, with the calls that tell of it:
//
//	Ledger.Next, Took      a block is set aside for the channel: Receiver.Grant raises the limit
//	Receiver.Due, Announce CREDIT says so
//	Receiver.Data          the header of a DATA is within the limit; Ledger.Backlog notes what follows
//	Receiver.Arrived       bytes are in the block; Ledger.Filled takes them off its room
//	Ledger.Released        the block is full and was read, and goes back to its part of the memory
package credit
