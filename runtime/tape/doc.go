// Package tape keeps what is written to an edge in files, and reads it again: to look at it, to run a consumer once more, to start in the middle.
//
// Recording needs no change of writers. A [Recorder] is a partition.Output: [NewTee] puts one between a writer and its partition, [NewRecorder] makes one that only records.
//
//	out := tape.NewTee(x.Partition(0), file)
//	w, err := NewTradeByAccountWriter(out)
//
// Bytes are taken from blocks when they are handed over, on the writer's goroutine: nothing is done per record, and a slow disk slows the writer down. One file holds one partition. The format is that of
// FORMAT.md.
//
// Reading starts with [Open]. A [Tape] may be read any number of times, at once too, from any record of each lane:
//
//	t, err := tape.Open("edge-0.tape")
//	defer t.Close()
//	r, err := tape.NewReader(t, serializer, tape.From(2, 1000)) // one record after the other, of any type
//	p, err := tape.NewReplay(ctx, tape.ReplayConfig{Tapes: tapes}) // an edge again: p.Gate(0) for generated readers
//
// [Feed] writes a tape to any partition.Output.
//
// An edge of a task is taped in the constructor of its writers, which is given the output of each instance:
//
//	edge := task.Connect(parse, count, func(out writer.Output, opts ...writer.Option) (*TradeByAccountWriter, error) {
//		return NewTradeByAccountWriter(tape.NewTee(out, files[out.Topology().Producer]), opts...)
//	}, NewTradeReader)
//
// The writers close the tapes when their instances end, and files are closed after Graph.Run.
//
// Who has read to a record goes on behind it later: [From] takes the channel, and the number plus 1, of Last of a [Reader] or of a reader of a [Replay].
//
// Damage is an error, a [CorruptError] with the offset, after the records before it. What is read is checked, and nothing else: damage to the index, the trailer, lanes that are not read or bytes behind the end is no
// error of readers, which return everything and nil. [Tape.Damage] tells of the end of the file when the tape is opened, [Tape.Verify] of all of it. With [Resync] a reader goes on behind it and reports what is lost. Bytes of files never cause a panic or more memory than the
// limits of records allow.
package tape
