// Package gate is the consuming end of an exchange: a [Gate] joins any set of channels, and one reader takes their records in turn.
//
// Generated readers are made of [Core], which cuts frames off the chunks that channels deliver; the generated code decodes them in place. Readers for types without
// generated code are made with [NewReader]; they do the same through a record.Serializer.
//
//	r, err := gate.NewReader(x.Gate(0), serializer)
//	defer r.Close()
//	for trade, err := range r.All(ctx) { … }
//
// What producers say beside their records is told to handlers, which are options of the reader: [OnWatermark], [OnIdle], [OnEvent], [OnLatency], [OnEndOfData]. They are called on the reader's
// goroutine, from within Next, NextBatch, TryNext or Select, after the user has got all records that come before in the channel and before the user gets any that comes after. They must not read
// from the reader, which fails it with [ErrReentry], or close it; they may call its Last, Watermark and Idle. Of two options for the same handler the later one counts, except OnEvent, of which there is one for each schema.
//
// Records that need not be decoded are read by NextBytes, as borrowed bytes that end with the next call; see [Core.NextBytes]. With record.Raw they are written to another exchange.
//
// Tests of programs that borrow, or keep what they have read, are worth running with go test -tags invariants: then borrowed payloads are overwritten when they end, and memory when it is given back, so that what
// is kept too long shows.
//
// Outputs in process do not cut records. Of those that do, a reader puts the records together, in memory that it takes of its gate's [Room].
//
// [Select] waits for readers of different types on one goroutine.
//
// Values that are read into again share what they refer to with what was read before: see [Reader.Next].
//
// Records of one channel come in the order in which they were written. Channels are served in turn, one block at a time, so
// none starves. A reader belongs to one goroutine at a time and must be closed, also after a failure.
package gate
