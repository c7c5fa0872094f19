// Package writer is the producing end of an exchange: what generated writers are made of, their options, and a generic writer for types
// without generated code.
//
// A generated writer selects a channel, puts the record straight into the open block of that channel, and commits it: three
// calls that the compiler inlines or calls directly. [Core] does everything else: it takes the next block when one is full, finds room for large
// records, waits, announces, and ends the stream. Writers for types without generated code are made with [New]; they do the same through a
// [record.Serializer].
//
//	w, err := writer.New(x.Partition(0), serializer, writer.WithSelector(selector.RoundRobin[Trade]()))
//	err = w.Emit(ctx, &trade)
//	err = w.Close()
//
// Beside records a writer says how far it has come in event time ([Writer.Watermark], [Writer.Idle]), and sends events: of the user's own types ([SendEvent]), latency markers and the end of
// its data. None of these waits.
//
// Records that are encoded already, as readers' NextBytes returns them, are written with the serializer record.Raw.
//
// A writer belongs to one goroutine at a time, and is closed exactly once it is no longer needed: [Writer.Close] ends the stream,
// [Writer.CloseWithError] makes its readers fail.
package writer
