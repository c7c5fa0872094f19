// Package gate is the consuming end of an exchange: a [Gate] joins any set of channels, and one reader takes their records in turn.
//
// Generated readers are made of [Core], which cuts frames off the chunks that channels deliver; the generated code decodes them in place. Readers for types without
// generated code are made with [NewReader]; they do the same through a record.Serializer.
//
//	r, err := gate.NewReader(x.Gate(0), serializer)
//	defer r.Close()
//	for trade, err := range r.All(ctx) { … }
//
// Records of one channel come in the order in which they were written. Channels are served in turn, one block at a time, so
// none starves. A reader belongs to one goroutine at a time and must be closed, also after a failure.
package gate
